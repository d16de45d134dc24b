// The zone in which the page shows and reads times: that of the browser, or UTC.

import { byId, el } from './dom.js';

const KEY = 'delay-bridge-zone';
const UTC = 'UTC';

const browsers = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const isUtc = () => localStorage.getItem(KEY) === UTC;

/** A name of the tz database. */
export const zone = () => (isUtc() ? UTC : browsers());

/** Offers both; `onChange` is called with the times still as they were. */
export function setUpZone(onChange) {
  const select = byId('zone');
  select.replaceChildren(...[...new Set([browsers(), UTC])].map((name) => el('option', {}, name)));
  select.value = zone();
  select.addEventListener('change', () => {
    if (select.value === UTC) {
      localStorage.setItem(KEY, UTC);
    } else {
      localStorage.removeItem(KEY);
    }
    onChange();
  });
}
