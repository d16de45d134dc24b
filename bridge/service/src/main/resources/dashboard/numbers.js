// The six numbers under the status line.

import { byId, setAttribute, setText } from './dom.js';
import { count, counted, duration, rate } from './format.js';

/** Rates are of the last so many milliseconds; a single tick would jump about. */
const WINDOW_MS = 10_000;

const samples = [];

/** Messages per second from the counters of two answers. */
function rates(stats, at) {
  const last = samples[samples.length - 1];
  if (last && (stats.ingested < last.ingested || stats.delivered < last.delivered)) {
    // A bridge went away, and its part of the sums with it.
    samples.length = 0;
  }
  samples.push({ at, ingested: stats.ingested, delivered: stats.delivered });
  while (samples.length > 2 && samples[0].at < at - WINDOW_MS) {
    samples.shift();
  }
  const first = samples[0];
  const seconds = (at - first.at) / 1000;
  return seconds < 1
    ? { in: null, out: null }
    : { in: (stats.ingested - first.ingested) / seconds, out: (stats.delivered - first.delivered) / seconds };
}

/** @param late whether something waits longer than it should */
export function showStats(stats, late) {
  const hosts = [...new Set(stats.instances.map((instance) => instance.host))];
  setText(byId('instances'), `${counted(stats.instances.length, 'bridge')} on ${hosts.join(', ') || 'no host'}`);
  const perSecond = rates(stats, performance.now());
  number('n-pending', stats.pending, count);
  number('n-overdue', stats.overdue, count, late ? 'warn' : null);
  number('n-in', perSecond.in, rate);
  number('n-out', perSecond.out, rate);
}

export function showHistoryNumbers(history) {
  const minute = history.points.slice(-Math.ceil(60_000 / history.stepMillis));
  const p99 = Math.max(...minute.map((point) => point.p99 ?? -1));
  number('n-p99', p99 < 0 ? null : p99, duration);
}

export function showDeadCount(dead) {
  number('n-dead', dead, count, dead > 0 ? 'bad' : null);
}

function number(id, value, format, level) {
  setText(byId(id), format(value));
  setAttribute(byId(id), 'data-level', level);
  // Short forms such as 1.2M have the whole number at hand.
  setAttribute(byId(id), 'title', value >= 1_000_000 ? value.toLocaleString('en') : null);
}
