// The two dialogs that are shared: "are you sure" and a look inside something.

import { byId, el, setText, showError } from './dom.js';
import { absolute, relative } from './format.js';
import { now } from './api.js';

/** Resolves to true if the answer was yes; Escape is no. */
export function confirmed(title, text, yes) {
  const dialog = byId('confirm');
  setText(byId('confirm-title'), title);
  setText(byId('confirm-text'), text);
  setText(byId('confirm-yes'), yes);
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}

/** Shows what is inside; `children` are elements. */
export function showDetails(title, ...children) {
  setText(byId('details-title'), title);
  showError('details-error', null);
  byId('details-body').replaceChildren(...children.filter(Boolean));
  if (!byId('details').open) {
    byId('details').showModal();
  }
}

export const closeDetails = () => byId('details').close();

export function setUpDetails() {
  byId('details-close').addEventListener('click', closeDetails);
}

/** Runs an action of the open dialog; what goes wrong is said inside of it. */
export async function inDetails(button, action) {
  button.disabled = true;
  showError('details-error', null);
  try {
    await action();
  } catch (error) {
    showError('details-error', error);
  } finally {
    button.disabled = false;
  }
}

/** A list of [name, value]; entries without a value are left out. */
export function facts(entries) {
  const present = entries.filter(([, value]) => value != null && value !== '');
  return el('dl', { class: 'facts' }, ...present.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
}

/** Both ways to tell a time. */
export const inWords = (at) => (at == null ? null : `${absolute(at)} (${relative(at, now())})`);
