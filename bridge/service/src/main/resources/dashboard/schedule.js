// The form for a new message.

import { post } from './api.js';
import { inWords } from './dialogs.js';
import { byId, el, setText, show, showError, toast } from './dom.js';
import { intakes } from './session.js';
import { parseWhen } from './when.js';
import { zone } from './zone.js';

export function setUpSchedule(onChange) {
  const dialog = byId('schedule');
  const form = byId('schedule-form');
  byId('schedule-open').addEventListener('click', () => {
    showError('schedule-error', null);
    form.elements.intake.replaceChildren(...intakes().map((name) => el('option', {}, name)));
    show(byId('schedule-intake'), intakes().length > 1);
    setText(byId('schedule-zone'), zone());
    dialog.showModal();
  });
  byId('schedule-back').addEventListener('click', () => dialog.close());
  form.elements.repeat.addEventListener('input', ({ target }) => {
    form.elements.id.required = target.value.trim() !== '';
    form.elements.when.required = !isCron(target.value);
    form.elements.when.disabled = isCron(target.value);
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('.primary');
    button.disabled = true;
    showError('schedule-error', null);
    try {
      const { source, due } = await post('messages', request(form.elements));
      dialog.close();
      toast(`Scheduled as ${source}, due ${inWords(due)}`);
      onChange();
    } catch (error) {
      showError('schedule-error', error);
    } finally {
      button.disabled = false;
    }
  });
}

/** What is empty is left out: no key is not the same as an empty one. */
function request({ target, when, repeat, id, key, value, intake }) {
  const fields = { id: id.value, key: key.value, intake: intake.value };
  const given = Object.entries(fields).filter(([, text]) => text !== '');
  const at = isCron(repeat.value) ? {} : parseWhen(when.value);
  return { target: target.value.trim(), ...at, ...repetition(repeat.value.trim()), value: value.value, ...Object.fromEntries(given) };
}

/** An expression begins when it matches first, everything else when it is said to. */
const isCron = (text) => /^@|\S+(\s+\S+){4}/.test(text.trim());

function repetition(text) {
  if (text === '') {
    return {};
  }
  if (isCron(text)) {
    return { repeat: { cron: text, zone: zone() } };
  }
  const { delay } = parseWhen(text);
  if (!delay) {
    throw new Error(`“${text}” is neither a time like 15m nor a cron expression.`);
  }
  return { repeat: { every: delay } };
}
