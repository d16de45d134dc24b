// Lists that the API gives page by page: the first rows, and twice as many at each "Show more".

import { get, query } from './api.js';
import { byId, setText, show } from './dom.js';
import { count } from './format.js';

/** The longest page that the API gives. */
const LONGEST = 500;

export class Pages {
  #id;
  #first;
  #wanted;

  /**
   * @param id of the button is `<id>-more`, of the text `<id>-shown`
   * @param first number of rows
   * @param onMore called after the button was pressed
   */
  constructor(id, first, onMore) {
    this.#id = id;
    this.#first = first;
    this.#wanted = first;
    byId(`${id}-more`).addEventListener('click', () => {
      this.#wanted *= 2;
      onMore();
    });
  }

  /** Back to the first rows. */
  reset() {
    this.#wanted = this.#first;
  }

  /**
   * Asks for as many rows as are wanted, also where a page is short.
   *
   * @param field of the answer that has the rows
   * @param key by which a row is known: a page may repeat one of the page before
   */
  async load(path, parameters, field, key) {
    const rows = new Map();
    let cursor = null;
    do {
      const limit = Math.min(this.#wanted - rows.size, LONGEST);
      const page = await get(`${path}${query({ ...parameters, limit, cursor })}`);
      page[field].forEach((row) => rows.set(key(row), row));
      ({ cursor } = page);
    } while (cursor != null && rows.size < this.#wanted);
    this.#say(rows.size, cursor != null);
    return [...rows.values()];
  }

  /** @param more whether there are more than are shown */
  #say(shown, more) {
    setText(byId(`${this.#id}-shown`), more ? `The first ${count(shown)} are shown; there are more.` : `All ${count(shown)} are shown.`);
    show(byId(`${this.#id}-shown`), more || shown > this.#first);
    show(byId(`${this.#id}-more`), more);
  }
}
