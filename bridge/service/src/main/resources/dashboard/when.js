// What people write for "when", as the API takes it.

const UNITS = { ms: 1, s: 1000, sec: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 };
const PART = /^(\d+(?:\.\d+)?)\s*(ms|sec|s|min|m|h|d)\s*/i;

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
  if (/^\d{4}-\d\d-\d\d/.test(given)) {
    const at = Date.parse(given.replace(/^(\S+) (?=\d)/, '$1T').replace(/^(\d{4}-\d\d-\d\d)$/, '$1T00:00'));
    if (!Number.isNaN(at)) {
      return { deliverAt: new Date(at).toISOString() };
    }
  }
  throw new Error(`“${given}” is neither a delay (30s, 5m, 1h 30m, PT30M) nor a time (2030-01-31 08:00).`);
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
