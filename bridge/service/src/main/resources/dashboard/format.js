// Numbers, durations and times as people read them.

import { zone } from './zone.js';

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });
const tenth = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** One for each zone: to make one takes long. */
const inZone = (options) => {
  const formats = new Map();
  return (at) => {
    if (!formats.has(zone())) {
      formats.set(zone(), new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone() }));
    }
    return formats.get(zone()).format(at);
  };
};

// The long style of a time names the zone.
const absoluteIn = inZone({ dateStyle: 'medium', timeStyle: 'long' });

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

/** Date, time of day and zone. */
export function absolute(at) {
  return at == null ? NOTHING : absoluteIn(at);
}

export const day = inZone({ day: 'numeric', month: 'short' });
export const clockTime = inZone({ hour: '2-digit', minute: '2-digit' });

export function bytes(n) {
  if (n == null) {
    return NOTHING;
  }
  return n < 1024 ? counted(n, 'byte') : n < 1_048_576 ? `${tenth.format(n / 1024)} KiB` : `${tenth.format(n / 1_048_576)} MiB`;
}
