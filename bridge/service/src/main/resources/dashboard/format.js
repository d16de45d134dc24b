// Numbers, durations and times as people read them.

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });
const tenth = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const absoluteFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const clockFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

export const NOTHING = '–';

export function count(n) {
  return n == null ? NOTHING : n < 1_000_000 ? whole.format(n) : short.format(n);
}

/** "1 shard", "3 shards". */
export function counted(n, noun) {
  return `${count(n)} ${noun}${n === 1 ? '' : 's'}`;
}

export function rate(perSecond) {
  if (perSecond == null) {
    return NOTHING;
  }
  return perSecond === 0 ? '0' : perSecond < 100 ? tenth.format(perSecond) : count(Math.round(perSecond));
}

/** Milliseconds as "340 ms", "4.2 s", "42 s", "12 min", "5 h" or "3 d". */
export function duration(millis) {
  if (millis == null) {
    return NOTHING;
  }
  const ms = Math.abs(millis);
  const seconds = ms / 1000;
  if (ms < 1000) {
    return `${Math.round(ms)} ms`;
  }
  if (seconds < 9.95) {
    return `${tenth.format(seconds)} s`;
  }
  if (seconds < 120) {
    return `${Math.round(seconds)} s`;
  }
  if (seconds < 7200) {
    return `${Math.round(seconds / 60)} min`;
  }
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${whole.format(Math.round(seconds / 86_400))} d`;
}

/** "in 12 s" or "3 min ago". */
export function relative(at, now) {
  const distance = at - now;
  if (Math.abs(distance) < 1000) {
    return 'now';
  }
  return distance > 0 ? `in ${duration(distance)}` : `${duration(distance)} ago`;
}

/** Date and time of day in the time zone of whoever looks. */
export function absolute(at) {
  return at == null ? NOTHING : absoluteFormat.format(at);
}

/** The day in the time zone of whoever looks. */
export function day(at) {
  return dayFormat.format(at);
}

export function clockTime(at) {
  return clockFormat.format(at);
}

export function bytes(n) {
  if (n == null) {
    return NOTHING;
  }
  return n < 1024 ? counted(n, 'byte') : n < 1_048_576 ? `${tenth.format(n / 1024)} KiB` : `${tenth.format(n / 1_048_576)} MiB`;
}
