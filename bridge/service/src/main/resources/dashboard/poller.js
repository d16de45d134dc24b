// Asks again and again: only while the page is seen, and less often while nothing answers.

import { answers } from './api.js';

const TICK_MS = 2000;
const LONGEST_MS = 30_000;

export class Poller {
  #tasks = [];
  #timer;
  #running = false;
  #busy = false;
  #again = false;
  #failures = 0;

  /**
   * @param onAnswer called when a round was answered
   * @param onLost called with the error when nothing answered
   * @param onRefused called when the token is not accepted
   */
  constructor({ onAnswer, onLost, onRefused }) {
    this.onAnswer = onAnswer;
    this.onLost = onLost;
    this.onRefused = onRefused;
    document.addEventListener('visibilitychange', () => this.#running && this.soon());
  }

  /** `load` is called about every so many milliseconds; what it throws goes to `failed`, null if nothing. */
  add(everyMillis, load, failed) {
    this.#tasks.push({ everyMillis, load, failed, due: 0 });
  }

  start() {
    this.#running = true;
    this.#failures = 0;
    this.soon();
  }

  stop() {
    this.#running = false;
    clearTimeout(this.#timer);
  }

  /** Asks for everything now, as after an action. */
  soon() {
    this.#tasks.forEach((task) => {
      task.due = 0;
    });
    this.#schedule(0);
  }

  #schedule(millis) {
    clearTimeout(this.#timer);
    if (this.#running && !document.hidden) {
      this.#timer = setTimeout(() => this.#round(), millis);
    }
  }

  async #round() {
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    this.#again = false;
    const at = performance.now();
    const due = this.#tasks.filter((task) => task.due <= at);
    const before = answers();
    const errors = await Promise.all(due.map((task) => this.#run(task, at)));
    this.#busy = false;
    if (!this.#running) {
      return;
    }
    this.#judge(errors.filter((error) => error !== null), answers() > before);
    this.#schedule(this.#again ? 0 : Math.min(TICK_MS * 2 ** this.#failures, LONGEST_MS));
  }

  async #run(task, at) {
    // A little less, so that a task of ten seconds does not miss its fifth tick by a millisecond.
    task.due = at + task.everyMillis - TICK_MS / 2;
    try {
      await task.load();
      task.failed(null);
      return null;
    } catch (error) {
      task.failed(error);
      return error;
    }
  }

  /** A single call may take too long while the others are answered. */
  #judge(errors, isAnswered) {
    const refused = errors.find((error) => error.status === 401);
    const lost = isAnswered ? undefined : errors.find((error) => error.status === 0);
    if (refused) {
      this.onRefused(refused);
    } else if (lost) {
      this.#failures += 1;
      this.#tasks.forEach((task) => {
        task.due = 0;
      });
      this.onLost(lost);
    } else {
      this.#failures = 0;
      this.onAnswer();
    }
  }
}
