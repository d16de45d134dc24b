// Replaying every dead letter that the filter shows, as a job of the bridge.

import { get, post } from './api.js';
import { deadFilter } from './deadletters.js';
import { confirmed } from './dialogs.js';
import { byId, setText, show, toast } from './dom.js';
import { count, counted } from './format.js';

let job = null;

export function setUpReplays() {
  byId('dead-replay-all').addEventListener('click', async () => {
    try {
      await replayAll();
    } catch (error) {
      toast(`Not replayed: ${error.message}`);
    }
  });
}

async function replayAll() {
  const { reason } = deadFilter();
  const selection = reason === '' ? {} : { reason };
  const { matches } = await post('deadletters/replay', { ...selection, dryRun: true });
  if (matches === 0) {
    toast('Nothing to replay: no new dead letter matches.');
    return;
  }
  const which = reason === '' ? 'of any reason' : `with the reason ${reason}`;
  const yes = await confirmed(`Replay ${counted(matches, 'dead letter')}?`,
    `Those ${which} go to the intake again. Do it once the cause is mended.`, 'Replay');
  if (yes) {
    ({ job } = await post('deadletters/replay', { ...selection, dryRun: false }));
  }
}

/** Shows how far the job is that was started on this page. */
export async function loadJob() {
  if (job === null) {
    return;
  }
  const { state, total, done, failed } = await get(`replays/${encodeURIComponent(job)}`);
  const failures = failed > 0 ? `, ${count(failed)} failed` : '';
  setText(byId('dead-job'), `Replay ${state.toLowerCase()}: ${count(done)} of ${count(total)}${failures}`);
  show(byId('dead-job'), true);
  if (state !== 'RUNNING') {
    job = null;
  }
}
