// What people write for "when", as the API takes it.

const UNITS = { ms: 1, s: 1000, sec: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 };
const PART = /^(\d+(?:\.\d+)?)\s*(ms|sec|s|min|m|h|d)\s*/i;

/** A date, or a date and a time of day, without a zone. */
const LOCAL = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{0,9}))?)?)?$/i;

/** What may be an instant for the API: it says what is wrong with it. */
const INSTANT = /^(\d{10,}|[+-]?\d{4,}-\d\d?-.*)$/;

/**
 * `{delay}` with an ISO-8601 duration, or `{deliverAt}` with an instant.
 * A time without a zone is a time of the browser's zone, and a date without a time is when it begins there.
 */
export function parseWhen(text) {
  const given = text.trim();
  if (/^P/i.test(given)) {
    return { delay: given.toUpperCase() };
  }
  const delay = parts(given);
  if (delay !== null) {
    return { delay: `PT${delay / 1000}S` };
  }
  const local = LOCAL.exec(given);
  if (local) {
    return { deliverAt: instantOf(given, local).toISOString() };
  }
  if (INSTANT.test(given)) {
    return { deliverAt: given.replace(/^(\S+) (?=\d)/, '$1T') };
  }
  throw new Error(`“${given}” is neither a delay (30s, 5m, 1h 30m, PT30M) nor a time (2030-01-31 08:00).`);
}

/** Refuses what is not on the clocks of that zone; JavaScript would take the next time that is. */
function instantOf(given, [, year, month, day, ...time]) {
  const [hour, minute, second, fraction] = time.map((part) => part ?? '');
  const millis = fraction.padEnd(3, '0').slice(0, 3);
  const at = new Date(+year, month - 1, +day, +hour, +minute, +second, +millis);
  at.setFullYear(+year, month - 1, +day);
  const isThere = at.getMonth() === month - 1 && at.getDate() === +day
    && (hour === '' || (at.getHours() === +hour && at.getMinutes() === +minute && at.getSeconds() === +second));
  if (!isThere) {
    throw new Error(`“${given}” does not exist.`);
  }
  return at;
}

function parts(text) {
  let rest = text;
  let sum = 0;
  while (rest !== '') {
    const match = PART.exec(rest);
    if (!match) {
      return null;
    }
    sum += Number(match[1]) * UNITS[match[2].toLowerCase()];
    rest = rest.slice(match[0].length);
  }
  return text === '' ? null : Math.round(sum);
}
