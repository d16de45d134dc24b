// Replaying every dead letter that the filter shows, as a job of the bridge.

import { failed, get, post } from './api.js';
import { deadFilter } from './deadletters.js';
import { confirmed } from './dialogs.js';
import { byId, setText, show, toast } from './dom.js';
import { count, counted } from './format.js';

let job = null;
let refresh;

export function setUpReplays(onChange) {
  refresh = onChange;
  byId('dead-replay-all').addEventListener('click', async () => {
    try {
      await replayAll();
    } catch (error) {
      toast(failed('replayed', error));
    }
  });
}

async function replayAll() {
  const { reason } = deadFilter();
  const selection = reason === '' ? {} : { reason };
  const found = await post('deadletters/replay', { ...selection, dryRun: true });
  const leftOut = leftOutOf(found);
  if (found.matches === 0) {
    toast(`Nothing to replay: no new dead letter matches.${leftOut}`);
    return;
  }
  const which = reason === '' ? 'of any reason' : `with the reason ${reason}`;
  const yes = await confirmed(`Replay ${counted(found.matches, 'dead letter')}?`,
    `All new ones ${which} go to the intake again. Do it once the cause is mended.${leftOut}`, 'Replay');
  if (yes) {
    ({ job } = await post('deadletters/replay', { ...selection, dryRun: false }));
    refresh();
  }
}

/** Why some that are new are not replayed with the others. */
function leftOutOf({ malformed, looping, foreign }) {
  const parts = [[malformed, 'with headers that must be changed first'], [looping, 'replayed too often'], [foreign, 'of other intakes']];
  const present = parts.filter(([n]) => n > 0).map(([n, why]) => `${count(n)} ${why}`);
  return present.length === 0 ? '' : ` Left out: ${present.join(', ')}.`;
}

/** Shows how far the job is that was started on this page. */
export async function loadJob() {
  if (job === null) {
    return;
  }
  const { state, total, done, failed, skipped, problem } = await get(`replays/${encodeURIComponent(job)}`);
  const failures = failed > 0 ? `, ${count(failed)} failed` : '';
  const others = skipped > 0 ? `, ${count(skipped)} were replayed or handled by others` : '';
  const why = problem == null ? '' : `: ${problem}`;
  setText(byId('dead-job'), `Replay ${state.toLowerCase()}: ${count(done)} of ${count(total)}${others}${failures}${why}`);
  show(byId('dead-job'), true);
  if (state !== 'RUNNING') {
    job = null;
    refresh();
  }
}
