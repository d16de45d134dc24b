// The HTTP API of the bridge. Every failure is an ApiError with a sentence for a human.

const TOKEN = 'delay-bridge-token';
const TIMEOUT_MS = 10_000;

/** The bridge itself waits for up to eleven seconds until something is found or done. */
export const PATIENT_MS = 20_000;

export class ApiError extends Error {
  /**
   * @param status of HTTP, or 0 if nothing answered
   * @param code what the refusal is called, where the bridge has a name for it
   */
  constructor(status, message, code = null) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** What to say of an action that failed: without an answer in time, it may be done all the same. */
export function failed(what, error) {
  const unknown = error.status === 0 || error.status === 504;
  return unknown ? `Not known whether it was ${what}: ${error.message}` : `Not ${what}: ${error.message}`;
}

/** The token lives in this tab only. */
export const token = {
  get: () => sessionStorage.getItem(TOKEN),
  set: (value) => sessionStorage.setItem(TOKEN, value),
  clear: () => sessionStorage.removeItem(TOKEN),
};

let answered = 0;

/** How many calls were answered so far, whatever the answer was. */
export const answers = () => answered;

let skew = 0;

/** Epoch milliseconds by the clock of the bridge, as far as its answers tell it. */
export const now = () => Date.now() + skew;

export const get = (path, timeout = TIMEOUT_MS) => call('GET', path, timeout);
export const post = (path, body) => call('POST', path, PATIENT_MS, body);
export const patch = (path, body) => call('PATCH', path, PATIENT_MS, body);
export const put = (path) => call('PUT', path, PATIENT_MS);
export const del = (path) => call('DELETE', path, PATIENT_MS);

/** A delay-id or topic/partition/offset as part of a path: its slashes stay. */
export const refPath = (ref) => ref.split('/').map(encodeURIComponent).join('/');

/** Parameters that are empty are left out. */
export function query(parameters) {
  const used = Object.entries(parameters).filter(([, value]) => value !== '' && value != null);
  return used.length === 0 ? '' : `?${new URLSearchParams(used)}`;
}

async function call(method, path, timeout, body) {
  const headers = { Accept: 'application/json' };
  if (token.get()) {
    headers.Authorization = `Bearer ${token.get()}`;
  }
  if (body !== undefined) {
    headers['Content-Type'] = 'application/json';
  }
  let answer;
  let text;
  try {
    answer = await fetch(`v1/${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: 'no-store',
      signal: AbortSignal.timeout(timeout),
    });
    text = await answer.text();
  } catch (e) {
    throw new ApiError(0, e.name === 'TimeoutError' ? 'The bridge did not answer in time.' : 'The bridge does not answer.');
  }
  answered += 1;
  learnClock(answer);
  if (!answer.ok) {
    throw problem(answer, text);
  }
  return text === '' ? null : JSON.parse(text);
}

/** The header is in whole seconds, so that only a clock that is clearly off is corrected. */
function learnClock(answer) {
  const at = Date.parse(answer.headers.get('Date') ?? '');
  const difference = at + 500 - Date.now();
  if (!Number.isNaN(difference)) {
    skew = Math.abs(difference) > 2000 ? difference : 0;
  }
}

function problem(answer, text) {
  try {
    const body = JSON.parse(text);
    return new ApiError(answer.status, body.detail ?? body.title ?? body.message ?? unexplained(answer), body.code);
  } catch {
    return new ApiError(answer.status, unexplained(answer));
  }
}

const unexplained = (answer) => `The bridge answered ${answer.status}.`;
