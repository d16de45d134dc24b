// Times in tables: "in 12 s", with the absolute time on hover, and when the row has the focus.

import { now } from './api.js';
import { el, setAttribute, setText } from './dom.js';
import { NOTHING, absolute, relative } from './format.js';

export const timeCell = () => el('time');

/** @param at epoch milliseconds, or null */
export function setTime(node, at) {
  setText(node, at == null ? NOTHING : relative(at, now()));
  setAttribute(node, 'datetime', at == null ? null : new Date(at).toISOString());
  setAttribute(node, 'data-absolute', at == null ? null : absolute(at));
}
