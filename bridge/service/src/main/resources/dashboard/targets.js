// The table of targets.

import { byId, el, rowsOf, setAttribute, setText, show } from './dom.js';
import { count, duration } from './format.js';

let rows;

export function setUpTargets() {
  rows = rowsOf(byId('targets').tBodies[0], (target) => target.target, createRow);
}

export function showTargets(targets) {
  const sorted = [...targets].sort((a, b) => b.delivered + b.failed - a.delivered - a.failed || a.target.localeCompare(b.target));
  rows(sorted);
  show(byId('targets-empty'), sorted.length === 0);
  suggest(sorted.map((target) => target.target));
}

function createRow({ target }) {
  const cells = {};
  const cell = (name, kind) => (cells[name] = el('td', { class: kind }));
  const node = el('tr', {}, el('th', { scope: 'row' }, target), cell('delivered', 'num'), cell('failed', 'num'),
    cell('p50', 'num wide'), cell('p99', 'num'), cell('max', 'num wide'));
  return {
    node,
    update: ({ delivered, failed, lateness }) => {
      setText(cells.delivered, count(delivered));
      setText(cells.failed, count(failed));
      setAttribute(cells.failed, 'data-level', failed > 0 ? 'bad' : null);
      const late = delivered > 0 ? lateness : null;
      setText(cells.p50, duration(late?.p50));
      setText(cells.p99, duration(late?.p99));
      setText(cells.max, duration(late?.max));
    },
  };
}

/** The form for a new message offers the topics that were delivered to. */
function suggest(names) {
  const list = byId('target-names');
  if (list.dataset.shown !== names.join()) {
    list.dataset.shown = names.join();
    list.replaceChildren(...names.map((name) => el('option', { value: name })));
  }
}
