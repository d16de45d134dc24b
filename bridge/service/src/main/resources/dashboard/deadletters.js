// The latest dead letters: the table, its filter, and a look inside with replay.

import { del, failed, get, now, post, query, refPath } from './api.js';
import { contentOf } from './content.js';
import { closeDetails, facts, inDetails, inWords, showDetails } from './dialogs.js';
import { byId, el, rowsOf, setAttribute, setText, show, showError, toast } from './dom.js';
import { bytes, count } from './format.js';
import { parseHeaders } from './headers.js';
import { showDeadCount } from './numbers.js';
import { Pages } from './pages.js';
import { may } from './session.js';
import { setTime, timeCell } from './times.js';

const PAGE = 20;
const HOUR_MS = 3_600_000;

/** The code of a refusal: it would only die again of the same headers. */
const MALFORMED = 'MALFORMED';

const STATES = { NEW: ['new', 'warn'], REPLAYED: ['replayed', 'ok'], HANDLED: ['handled', null] };

let rows;
let refresh;
let pages;

export const deadFilter = () => ({ reason: byId('dead-reason').value, state: byId('dead-state').value });

export function setUpDeadLetters(onChange) {
  refresh = onChange;
  rows = rowsOf(byId('dead').tBodies[0], (letter) => letter.position, createRow);
  byId('dead-filter').addEventListener('change', () => {
    pages.reset();
    refresh();
  });
  pages = new Pages('dead', PAGE, refresh);
}

/** The answer, or null: there is nothing at these paths if the bridge was told to keep no index. */
async function unlessOff(answer) {
  try {
    return await answer;
  } catch (error) {
    if (error.status === 404) {
      return null;
    }
    throw error;
  }
}

export async function loadDeadLetters() {
  const deadLetters = await unlessOff(pages.load('deadletters', deadFilter(), 'deadLetters', (letter) => letter.position));
  show(byId('dead-panel'), deadLetters !== null);
  if (deadLetters === null) {
    return;
  }
  rows(deadLetters);
  offerReasons(deadLetters.map((letter) => letter.reason));
  show(byId('dead-empty'), deadLetters.length === 0);
}

/** How many in the last hour; their reasons are offered, and those of what is shown. One that was seen stays. */
export async function loadDeadCounts() {
  const from = now() - HOUR_MS;
  const answer = await unlessOff(get(`deadletters/counts${query({ window: 'PT1M', from: new Date(from).toISOString() })}`));
  if (answer === null) {
    return;
  }
  const { counts } = answer;
  showDeadCount(counts.reduce((sum, entry) => sum + entry.count, 0));
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
      await explainRefusal(source, error);
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

/** @param changes of its headers, none if left out */
async function replayOne(source, changes) {
  const { source: replayed } = await post(`deadletters/${refPath(source)}/replay`, changes);
  toast(`Replayed as ${replayed}`);
  refresh();
}

/** Where its own headers are at fault, the dialog is the place to change them. */
async function explainRefusal(source, error) {
  if (error.code !== MALFORMED) {
    toast(failed('replayed', error));
    return;
  }
  try {
    await lookAtDeadLetter(source);
    showError('details-error', error);
    byId('details-body').querySelector('details').open = true;
  } catch (failure) {
    toast(`Not replayed: ${failure.message}`);
  }
}

/** Without the content if that is gone, or not for everybody's eyes. */
async function load(path) {
  try {
    return { letter: await get(`${path}${query({ value: may('operate') || null })}`), gone: null };
  } catch (error) {
    if (error.status !== 410) {
      throw error;
    }
    return { letter: await get(path), gone: error.message };
  }
}

/** Opens the dialog; throws an ApiError if there is no such dead letter. */
export async function lookAtDeadLetter(source) {
  const path = `deadletters/${refPath(source)}`;
  const { letter, gone } = await load(path);
  const state = el('span', { class: 'state' });
  setState(state, letter);
  showDetails(letter.reason,
    el('p', {}, state),
    el('p', {}, letter.detail),
    facts([
      ['Target', letter.target],
      ['delay-id', letter.id],
      ['Source', letter.source],
      ['Position', letter.position],
      ['When', inWords(letter.at)],
      ['Attempt', count(letter.attempt)],
      ['Replays', letter.replays > 0 ? count(letter.replays) : null],
      ['Size', bytes(letter.bytes)],
      [letter.state === 'REPLAYED' ? 'Replayed' : 'Handled', letter.markedAt == null ? null : `${inWords(letter.markedAt)} by ${letter.markedBy}`],
      ['Replayed as', letter.replayedAs],
    ]),
    may('operate') && letter.state === 'NEW' ? changes(path, source) : null,
    gone === null ? contentOf(letter.value) : el('p', { class: 'muted' }, gone));
}

function changes(path, source) {
  const replay = el('button', { type: 'button', class: 'primary' }, 'Replay');
  const handled = el('button', { type: 'button' }, 'Mark as handled');
  const headers = el('textarea', { rows: 2, spellcheck: 'false', placeholder: 'delay-ms=5000' });
  const change = el('details', {}, el('summary', {}, 'Replay with other headers'),
    el('label', {}, 'One a line: name=value, or only the name to take it away', headers));
  replay.addEventListener('click', () => inDetails(replay, async () => {
    try {
      await replayOne(source, parseHeaders(headers.value));
      closeDetails();
    } catch (error) {
      change.open ||= error.code === MALFORMED;
      throw error;
    }
  }));
  handled.addEventListener('click', () => inDetails(handled, async () => {
    await del(path);
    toast('Marked as handled');
    refresh();
    closeDetails();
  }));
  return el('div', { class: 'replay' }, change, el('div', { class: 'buttons start' }, replay, handled));
}
