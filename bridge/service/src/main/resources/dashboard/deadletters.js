// The latest dead letters: the table, its filter, and a look inside with replay.

import { del, get, now, post, query, refPath } from './api.js';
import { contentOf } from './content.js';
import { closeDetails, facts, inDetails, inWords, showDetails } from './dialogs.js';
import { byId, el, rowsOf, setAttribute, setText, show, toast } from './dom.js';
import { bytes, count } from './format.js';
import { may } from './session.js';
import { setTime, timeCell } from './times.js';

const PAGE = 20;
const MOST = 100;
const STATES = { NEW: ['new', 'warn'], REPLAYED: ['replayed', 'ok'], HANDLED: ['handled', null] };

let rows;
let refresh;
let limit = PAGE;

export const deadFilter = () => ({ reason: byId('dead-reason').value, state: byId('dead-state').value });

export function setUpDeadLetters(onChange) {
  refresh = onChange;
  rows = rowsOf(byId('dead').tBodies[0], (letter) => letter.position, createRow);
  byId('dead-filter').addEventListener('change', () => {
    limit = PAGE;
    refresh();
  });
  byId('dead-more').addEventListener('click', () => {
    limit = Math.min(limit + PAGE, MOST);
    refresh();
  });
}

export async function loadDeadLetters() {
  const { deadLetters, cursor } = await get(`deadletters${query({ ...deadFilter(), limit })}`);
  rows(deadLetters);
  offerReasons(deadLetters.map((letter) => letter.reason));
  show(byId('dead-empty'), deadLetters.length === 0);
  show(byId('dead-more'), cursor != null && limit < MOST);
}

/** The reasons of the last hour and of what is shown; one that was seen stays. */
export async function loadReasons() {
  const from = now() - 3_600_000;
  const { counts } = await get(`deadletters/counts${query({ window: 'PT1M', from: new Date(from).toISOString() })}`);
  offerReasons(counts.map((entry) => entry.reason));
}

function offerReasons(reasons) {
  const select = byId('dead-reason');
  const known = new Set([...select.options].map((option) => option.value));
  [...new Set(reasons)].sort().filter((reason) => !known.has(reason))
    .forEach((reason) => select.append(el('option', { value: reason }, reason)));
}

function createRow({ source, reason, id }) {
  const target = el('td', { class: 'wide' });
  const at = timeCell();
  const state = el('span', { class: 'state' });
  const look = el('button', { class: 'link', type: 'button' }, ...breakable(reason));
  look.addEventListener('click', () => lookAtDeadLetter(source).catch((error) => toast(error.message)));
  const replay = el('button', { class: 'small', type: 'button', 'aria-label': `Replay ${id ?? source}` }, 'Replay');
  replay.addEventListener('click', async () => {
    replay.disabled = true;
    try {
      await replayOne(source);
    } catch (error) {
      toast(`Not replayed: ${error.message}`);
    } finally {
      replay.disabled = false;
    }
  });
  const action = el('td', { class: 'num', 'data-role': 'operate' }, replay);
  const node = el('tr', {}, el('th', { scope: 'row' }, look, el('small', {}, id ?? source)), target,
    el('td', { class: 'num' }, at), el('td', { class: 'wide' }, state), action);
  return {
    node,
    update: (letter) => {
      setText(target, letter.target);
      setTime(at, letter.at);
      setState(state, letter);
      show(replay, letter.state === 'NEW');
      show(action, may('operate'));
    },
  };
}

/** A reason may break after an underscore, so that it fits a phone. */
const breakable = (reason) => reason.split(/(?<=_)/).flatMap((part, index) => (index === 0 ? [part] : [el('wbr'), part]));

function setState(node, letter) {
  const [name, level] = STATES[letter.state] ?? [letter.state, null];
  setText(node, name);
  setAttribute(node, 'data-level', level);
}

async function replayOne(source) {
  const { source: replayed } = await post(`deadletters/${refPath(source)}/replay`);
  toast(`Replayed as ${replayed}`);
  refresh();
}

/** Opens the dialog; throws an ApiError if there is no such dead letter. */
export async function lookAtDeadLetter(source) {
  const path = `deadletters/${refPath(source)}`;
  const letter = await get(`${path}${query({ value: may('operate') || null })}`);
  const state = el('span', { class: 'state' });
  setState(state, letter);
  showDetails(letter.reason,
    el('p', {}, state),
    el('p', {}, letter.detail),
    facts([
      ['Target', letter.target],
      ['delay-id', letter.id],
      ['Source', letter.source],
      ['Dead letter', letter.position],
      ['When', inWords(letter.at)],
      ['Attempt', count(letter.attempt)],
      ['Replays', letter.replays > 0 ? count(letter.replays) : null],
      ['Size', bytes(letter.bytes)],
    ]),
    may('operate') && letter.state === 'NEW' ? changes(path, source) : null,
    contentOf(letter.value));
}

function changes(path, source) {
  const replay = el('button', { type: 'button', class: 'primary' }, 'Replay');
  const handled = el('button', { type: 'button' }, 'Mark as handled');
  replay.addEventListener('click', () => inDetails(replay, async () => {
    await replayOne(source);
    closeDetails();
  }));
  handled.addEventListener('click', () => inDetails(handled, async () => {
    await del(path);
    toast('Marked as handled');
    refresh();
    closeDetails();
  }));
  return el('div', { class: 'buttons start' }, replay, handled);
}
