// The form for a new message.

import { post } from './api.js';
import { inWords } from './dialogs.js';
import { byId, el, show, showError, toast } from './dom.js';
import { intakes } from './session.js';
import { parseWhen } from './when.js';

export function setUpSchedule(onChange) {
  const dialog = byId('schedule');
  const form = byId('schedule-form');
  byId('schedule-open').addEventListener('click', () => {
    showError('schedule-error', null);
    form.elements.intake.replaceChildren(...intakes().map((name) => el('option', {}, name)));
    show(byId('schedule-intake'), intakes().length > 1);
    dialog.showModal();
  });
  byId('schedule-back').addEventListener('click', () => dialog.close());
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
function request({ target, when, id, key, value, intake }) {
  const fields = { id: id.value, key: key.value, intake: intake.value };
  const given = Object.entries(fields).filter(([, text]) => text !== '');
  return { target: target.value.trim(), ...parseWhen(when.value), value: value.value, ...Object.fromEntries(given) };
}
