// What is inside a message: headers, key and value, as text.

import { el } from './dom.js';

/** More is not shown: a page is no place for megabytes. */
const LONGEST = 20_000;

/** @param content the `value` of an answer, null if it was not asked for or is not kept */
export function contentOf(content) {
  if (content == null) {
    return null;
  }
  const { headers } = content;
  return el('div', { class: 'content' },
    headers.length === 0 ? null : table(headers),
    part('Key', content.key, content.keyBase64),
    part('Value', content.value, content.valueBase64));
}

function table(headers) {
  return el('table', {}, el('caption', {}, 'Headers'),
    el('tbody', {}, ...headers.map((header) => el('tr', {}, el('th', { scope: 'row' }, header.name), cell(header)))));
}

/** A null, bytes and an empty text are not the same. */
function cell({ value, valueBase64 }) {
  if (valueBase64 != null) {
    return el('td', {}, valueBase64, el('small', {}, 'not text; in Base64'));
  }
  return value == null ? el('td', { class: 'muted' }, 'null') : el('td', {}, value);
}

function part(name, text, base64) {
  const shown = text ?? base64;
  if (shown == null) {
    return el('p', { class: 'muted' }, `${name}: none`);
  }
  const title = text == null ? `${name}, not text; in Base64` : name;
  const cut = shown.length > LONGEST;
  return el('div', {}, el('h3', {}, cut ? `${title}, the first ${LONGEST.toLocaleString('en')} characters` : title),
    el('pre', { tabindex: 0, 'aria-label': name }, cut ? shown.slice(0, LONGEST) : shown));
}
