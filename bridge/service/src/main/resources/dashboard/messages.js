// Pending messages: what is due next, search, a look inside, cancel and reschedule.

import { del, get, patch, PATIENT_MS, post, query, refPath } from './api.js';
import { contentOf } from './content.js';
import { lookAtDeadLetter } from './deadletters.js';
import { confirmed, facts, inDetails, inWords, showDetails } from './dialogs.js';
import { byId, el, rowsOf, setText, show } from './dom.js';
import { NOTHING, absolute, bytes, count, duration } from './format.js';
import { Pages } from './pages.js';
import { may } from './session.js';
import { setTime, timeCell } from './times.js';
import { parseWhen } from './when.js';

const UPCOMING = 10;
const REPEATING = 20;

/**
 * Where a message is pending now: after a move or a failed attempt, that is not the offset at which
 * it came in.
 */
const placeOf = ({ source, offset }) => source.replace(/\d+$/, offset);

/**
 * What repeats is found by its id, wherever the record is by now. The record of a far message may
 * be gone from the intake, so that it is named by what has just found it.
 */
const nameOf = (message, ref) => {
  if (message.repeat) {
    return message.id;
  }
  return message.state === 'FAR' ? ref : placeOf(message);
};

/**
 * By the code or the status of the answer; whatever else it is, nobody has said that nothing is
 * pending.
 */
const HEADLINES = {
  400: 'Not a name of a message',
  403: 'Not for you to see',
  404: 'Nothing is pending under this name',
  AMBIGUOUS: 'Several are pending under this name',
  FAR_WITHOUT_ID: 'Not found: it may be far ahead, and has no delay-id',
  RECORD_DELETED: 'Not found: the intake has deleted its record',
};

const STATES = { PENDING: 'pending', OVERDUE: 'overdue', FAR: 'far ahead, in the later topic' };

const SOURCE = /^[^/]+\/\d+\/\d+$/;

/** A failed occurrence and the next one have the same source. */
const keyOf = (message) => `${message.source} ${message.offset}`;

let rows;
let repeating;
let upcomingPages;
let repeatingPages;
let refresh;

export function setUpMessages(onChange) {
  refresh = onChange;
  rows = rowsOf(byId('upcoming').tBodies[0], keyOf, createRow);
  repeating = rowsOf(byId('repeating').tBodies[0], (message) => message.source, createRepeating);
  upcomingPages = new Pages('upcoming', UPCOMING, refresh);
  repeatingPages = new Pages('repeating', REPEATING, refresh);
  byId('search').addEventListener('submit', (event) => {
    event.preventDefault();
    search(byId('search-ref').value.trim());
  });
}

export async function loadUpcoming() {
  const messages = await upcomingPages.load('messages', {}, 'messages', keyOf);
  rows(messages);
  show(byId('upcoming-empty'), messages.length === 0);
}

export async function loadRepeating() {
  const messages = await repeatingPages.load('messages', { repeating: true }, 'messages', (message) => message.source);
  repeating(messages);
  show(byId('repeating-panel'), messages.length > 0);
}

function createRepeating(first) {
  let message = first;
  const last = timeCell();
  const next = timeCell();
  const late = el('td', { class: 'num wide' });
  const rule = el('td', { class: 'wide' });
  const below = el('small', { class: 'narrow' });
  const name = el('button', { class: 'link', type: 'button', on: { click: () => search(message.id) } });
  const node = el('tr', {}, el('th', { scope: 'row' }, name, below), rule,
    el('td', { class: 'num' }, last), late, el('td', { class: 'num' }, next));
  return {
    node,
    update: (current) => {
      message = current;
      const { rule: words, last: before, pausedUntil } = message.repeat;
      setText(name, message.id);
      setText(rule, pausedUntil ? `paused; ${words}` : words);
      setText(below, rule.textContent);
      setTime(last, before?.wentAt);
      setText(late, before ? duration(before.wentAt - before.scheduledAt) : NOTHING);
      setTime(next, message.repeat.next[0] ?? message.due);
    },
  };
}

function createRow(first) {
  let message = first;
  const due = timeCell();
  const target = el('td', { class: 'wide' });
  const below = el('small', { class: 'narrow' });
  const name = el('button', { class: 'link', type: 'button', on: { click: () => search(nameOf(message, message.id)) } });
  const node = el('tr', {}, el('th', { scope: 'row' }, name, below), target, el('td', { class: 'num' }, due));
  return {
    node,
    update: (current) => {
      message = current;
      setText(name, message.id ?? message.source);
      setText(target, message.target ?? 'default');
      setText(below, target.textContent);
      setTime(due, message.due);
    },
  };
}

async function search(ref) {
  if (ref === '') {
    return;
  }
  const button = byId('search').querySelector('button');
  button.disabled = true;
  try {
    await look(ref);
  } catch (error) {
    await notPending(ref, error);
  } finally {
    button.disabled = false;
  }
}

async function look(ref) {
  showMessage(await get(`messages/${refPath(ref)}${query({ value: may('operate') || null })}`, PATIENT_MS), ref);
}

async function notPending(ref, error) {
  if (error.status === 404 && SOURCE.test(ref)) {
    try {
      await lookAtDeadLetter(ref);
      return;
    } catch {
      // Not a dead letter either; the first answer says what is the matter.
    }
  }
  showDetails(HEADLINES[error.code] ?? HEADLINES[error.status] ?? 'Not known whether it is pending',
    facts([['Asked for', ref]]), el('p', {}, error.message),
    error.status === 404
      ? el('p', { class: 'muted' }, 'It may be delivered, cancelled or dead-lettered.')
      : null);
}

function showMessage(message, ref) {
  const level = message.state === 'OVERDUE' ? 'warn' : 'ok';
  showDetails(message.id ?? message.source,
    el('p', {}, el('span', { class: 'state', 'data-level': level }, STATES[message.state])),
    facts([
      ['Due', inWords(message.due)],
      ['Target', message.target ?? 'the default target'],
      ['Partition', message.targetPartition == null ? null : `${message.targetPartition} of the target`],
      ['delay-id', message.id],
      ['Source', message.source],
      ['Attempt', message.maxAttempts == null ? count(message.attempt) : `${message.attempt} of at most ${message.maxAttempts}`],
      ['Expires', inWords(message.expiresAt)],
      ['Size', bytes(message.bytes)],
      ...repetition(message.repeat),
    ]),
    may('schedule') ? changes(message, ref) : null,
    may('schedule') && message.repeat ? actions(message) : null,
    contentOf(message.value));
}

function repetition(repeat) {
  if (!repeat) {
    return [];
  }
  const { last } = repeat;
  return [
    ['Repeats', repeat.rule],
    ['Paused until', inWords(repeat.pausedUntil)],
    ['Occurrence', repeat.count == null ? count(repeat.occurrence) : `${repeat.occurrence} of ${repeat.count}`],
    ['Ends', inWords(repeat.until)],
    ['Last', last && `${absolute(last.scheduledAt)}, ${duration(last.wentAt - last.scheduledAt)} late`],
    ['Next', repeat.next.map(absolute).join(', ')],
  ];
}

/** What can be done with a message that repeats. */
function actions(message) {
  const path = `messages/${refPath(message.id)}`;
  const button = (text, action, done) => {
    const node = el('button', { type: 'button' }, text);
    node.addEventListener('click', () => inDetails(node, async () => {
      const { due } = await post(`${path}/${action}`);
      showDetails(done, facts([['delay-id', message.id], ['Due', inWords(due)]]));
      refresh();
    }));
    return node;
  };
  return el('div', { class: 'row' },
    button('Run once now', 'run', 'One more is on its way'),
    message.repeat.pausedUntil
      ? button('Resume', 'resume', 'Resumed')
      : button('Pause', 'pause', 'Paused'));
}

function changes(message, ref) {
  const path = `messages/${refPath(nameOf(message, ref))}`;
  const when = el('input', { required: true, value: '5m', autocomplete: 'off', 'aria-describedby': 'when-hint' });
  const move = el('button', {}, 'Reschedule');
  const cancel = el('button', { type: 'button', class: 'danger' }, 'Cancel message…');
  const form = el('form', { class: 'row' }, el('label', {}, 'When ', when), move, cancel);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    inDetails(move, async () => {
      const { due } = await patch(path, parseWhen(when.value));
      showDetails('Rescheduled', facts([['delay-id', message.id], ['Source', message.source], ['Due', inWords(due)]]));
      refresh();
    });
  });
  cancel.addEventListener('click', () => inDetails(cancel, async () => {
    if (await confirmed('Cancel this message?', `${message.id ?? message.source} is then never delivered.`, 'Cancel it')) {
      await del(path);
      showDetails('Cancelled', facts([['delay-id', message.id], ['Source', message.source]]),
        el('p', {}, 'It is not delivered.'));
      refresh();
    }
  }));
  return form;
}
