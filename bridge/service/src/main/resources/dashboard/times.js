// Times in tables: "in 12 s", with the absolute time on hover, and when the row has the focus.

import { now } from './api.js';
import { el, setAttribute, setText } from './dom.js';
import { NOTHING, absolute, relative } from './format.js';

export const timeCell = () => el('time');

/** Those that were still to come when the bridge told of them. */
const ahead = new WeakSet();

/** @param at epoch milliseconds, or null */
export function setTime(node, at) {
  if (at != null && at > now()) {
    ahead.add(node);
  } else {
    ahead.delete(node);
  }
  setText(node, at == null ? NOTHING : relative(at, now()));
  setAttribute(node, 'datetime', at == null ? null : new Date(at).toISOString());
  setAttribute(node, 'data-absolute', at == null ? null : absolute(at));
}

/** Lets the times go on between two answers; that something is overdue, only the bridge can say. */
export function tickTimes() {
  document.querySelectorAll('time[datetime]').forEach((node) => {
    const at = Date.parse(node.dateTime);
    setText(node, relative(at, ahead.has(node) ? Math.min(now(), at) : now()));
    setAttribute(node, 'data-absolute', absolute(at));
  });
}
