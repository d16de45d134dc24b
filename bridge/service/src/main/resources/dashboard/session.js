// Who looks at the page, and what they may do.

import { ApiError, get, token } from './api.js';
import { byId, show, showError } from './dom.js';

let me = null;

/** Operators may do everything. */
export function may(role) {
  return me !== null && (me.roles.includes(role) || me.roles.includes('operate'));
}

export const intakes = () => me?.intakes ?? [];

/** Asks who the token belongs to; throws an ApiError with status 401 if to nobody. */
export async function identify() {
  me = await get('whoami');
  applyRoles(document);
  show(byId('logout'), me.authentication === 'token');
  show(byId('login-open'), false);
  byId('logout').title = `Logged in as ${me.name}`;
}

/** What the role does not allow is not shown. */
export function applyRoles(root) {
  root.querySelectorAll('[data-role]').forEach((node) => show(node, may(node.dataset.role)));
}

function forget() {
  me = null;
  token.clear();
  applyRoles(document);
  show(byId('logout'), false);
  show(byId('login-open'), true);
}

/** Opens the dialog; `done` is called once a token was accepted. */
export function askToLogIn(refusal) {
  forget();
  showError('login-error', refusal);
  byId('login-token').value = '';
  if (!byId('login').open) {
    byId('login').showModal();
  }
}

export function setUpSession({ onLogin, onLogout }) {
  byId('login').querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault();
    token.set(byId('login-token').value.trim());
    try {
      await identify();
      byId('login').close();
      onLogin();
    } catch (error) {
      askToLogIn(error.status === 401 ? new ApiError(401, 'This token is not accepted.') : error);
      byId('login-token').focus();
    }
  });
  byId('login-open').addEventListener('click', () => askToLogIn(null));
  byId('logout').addEventListener('click', () => {
    forget();
    onLogout();
  });
}
