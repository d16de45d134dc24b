// The table of shards, and pausing.

import { del, failed, now, put } from './api.js';
import { confirmed } from './dialogs.js';
import { byId, el, rowsOf, setAttribute, setText, show, toast } from './dom.js';
import { count, counted } from './format.js';
import { may } from './session.js';
import { setTime, timeCell } from './times.js';
import { lateSince } from './verdict.js';

/** A bridge knows the states of its own shards; of the others, that somebody has them. */
const STATES = { CLOSED: 'opening', OPEN: 'open', PAUSED: 'intake held', STOPPED: 'stopped', ELSEWHERE: 'owned' };

let refresh;
let everythingPaused = false;

let rows;

export function setUpShards(onChange) {
  refresh = onChange;
  rows = rowsOf(byId('shards').tBodies[0], (shard) => shard.shard, createRow);
  byId('pause-all').addEventListener('click', togglePause);
}

export function showShards(shards) {
  rows([...shards].sort((a, b) => urgency(a) - urgency(b) || a.topic.localeCompare(b.topic) || a.partition - b.partition));
  const owners = new Set(shards.map((shard) => shard.owner).filter(Boolean));
  setText(byId('shards-summary'), `${counted(shards.length, 'shard')}, ${counted(owners.size, 'owner')}`);
  everythingPaused = shards.length > 0 && shards.every((shard) => shard.paused);
  setText(byId('pause-all'), everythingPaused ? 'Resume all…' : 'Pause all…');
}

function createRow({ shard, topic, partition }) {
  const owner = el('small');
  const problem = el('small', { class: 'bad' });
  const state = el('span', { class: 'state' });
  const pending = el('span');
  const far = el('small');
  const overdue = el('td', { class: 'num' });
  const due = timeCell();
  const lag = el('td', { class: 'num wide' });
  const button = el('button', { class: 'small', type: 'button' });
  let paused = false;
  button.addEventListener('click', () => act(button, `${paused ? 'Resumed' : 'Paused'} ${shard}`, () =>
    (paused ? del : put)(`shards/${encodeURIComponent(topic)}/${partition}/pause`)));
  const action = el('td', { class: 'num', 'data-role': 'operate' }, button);
  const node = el('tr', {}, el('th', { scope: 'row' }, shard, owner, problem), el('td', {}, state),
    el('td', { class: 'num' }, pending, far), overdue, el('td', { class: 'num wide' }, due), lag, action);
  return {
    node,
    update: (current) => {
      paused = current.paused;
      setText(owner, ownerOf(current));
      setText(problem, current.problem);
      show(problem, current.problem != null);
      setText(state, wordFor(current));
      setAttribute(state, 'data-level', levelOf(current));
      setText(pending, count(current.pending));
      setText(far, `${count(current.far)} far`);
      show(far, current.far > 0);
      setText(overdue, count(current.overdue));
      setAttribute(overdue, 'data-level', lateSince(current, now()) === null ? null : 'warn');
      setTime(due, current.nextDue);
      setText(lag, count(current.lag));
      setText(button, paused ? 'Resume' : 'Pause');
      setAttribute(button, 'aria-label', `${paused ? 'Resume' : 'Pause'} ${shard}`);
      show(action, may('operate'));
    },
  };
}

/** What needs somebody comes first, also among hundreds of shards. */
const urgency = (shard) => ['bad', 'warn', 'ok'].indexOf(levelOf(shard));

/** Kafka writes an address without a name with a slash before it. */
function ownerOf({ owner, host }) {
  return owner == null ? '' : host == null ? owner : `${owner} on ${host.replace(/^\//, '')}`;
}

function levelOf({ problem, state, paused, owner }) {
  if (problem != null || state === 'STOPPED') {
    return 'bad';
  }
  const runs = state === 'OPEN' || state == null;
  return paused || owner == null || !runs ? 'warn' : 'ok';
}

function wordFor({ state, paused, owner }) {
  if (paused) {
    return 'paused';
  }
  return owner == null ? 'no owner' : STATES[state ?? 'ELSEWHERE'];
}

async function act(button, done, action) {
  button.disabled = true;
  try {
    await action();
    toast(done);
  } catch (error) {
    toast(failed('done', error));
  } finally {
    button.disabled = false;
    refresh();
  }
}

async function togglePause() {
  const yes = everythingPaused
    ? await confirmed('Resume delivery?', 'What fell due in the meantime goes out at once.', 'Resume')
    : await confirmed('Pause delivery of all shards?',
      'The intake goes on. What falls due waits until delivery is resumed; nothing is lost.', 'Pause');
  if (yes) {
    await act(byId('pause-all'), everythingPaused ? 'Delivery is resumed' : 'Delivery is paused',
      () => (everythingPaused ? del('pause') : put('pause')));
  }
}
