// What people write for "when", as the API takes it.

import { isUtc } from './zone.js';

const UNITS = { ms: 1, s: 1000, sec: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 };
const PART = /^(\d+(?:\.\d+)?)\s*(ms|sec|s|min|m|h|d)\s*/i;

/** A date, or a date and a time of day, without a zone. */
const LOCAL = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{0,9}))?)?)?$/i;

/** What may be an instant for the API: it says what is wrong with it. */
const INSTANT = /^(\d{10,}|[+-]?\d{4,}-\d\d?-.*)$/;

/**
 * `{delay}` with an ISO-8601 duration, or `{deliverAt}` with an instant.
 * A time without a zone is of the zone that the page shows, and a date without a time is when it begins there.
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
  const at = isUtc() ? new Date(0) : new Date(+year, month - 1, +day, +hour, +minute, +second, +millis);
  if (isUtc()) {
    at.setUTCFullYear(+year, month - 1, +day);
    at.setUTCHours(+hour, +minute, +second, +millis);
  } else {
    at.setFullYear(+year, month - 1, +day);
  }
  const [monthThere, dayThere, ...timeThere] = isUtc()
    ? [at.getUTCMonth(), at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()]
    : [at.getMonth(), at.getDate(), at.getHours(), at.getMinutes(), at.getSeconds()];
  const isThere = monthThere === month - 1 && dayThere === +day
    && (hour === '' || timeThere.join() === [+hour, +minute, +second].join());
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
