// Puts the page together: what is asked how often, and what happens to the answers.

import { get, now, query } from './api.js';
import { loadDeadCounts, loadDeadLetters, setUpDeadLetters } from './deadletters.js';
import { setUpDetails } from './dialogs.js';
import { byId, setAttribute, setText, show, showError } from './dom.js';
import { duration } from './format.js';
import { loadRepeating, loadUpcoming, setUpMessages } from './messages.js';
import { showHistoryNumbers, showStats } from './numbers.js';
import { forgetColors, showDays, showForecast, showHistory } from './plots.js';
import { Poller } from './poller.js';
import { loadJob, setUpReplays } from './replays.js';
import { setUpSchedule } from './schedule.js';
import { askToLogIn, identify, may, setUpSession } from './session.js';
import { setUpShards, showShards } from './shards.js';
import { setUpTargets, showTargets } from './targets.js';
import { tickTimes } from './times.js';
import { lateSince, untold, verdict } from './verdict.js';
import { setUpZone } from './zone.js';

// Shards are judged by the time at which they were told: a moment later what was next looks late.
const state = { health: null, shards: null, shardsAt: 0, answeredAt: null, lost: null, news: null };

/** By name, what of the verdict could not be had; an old answer would be a wrong one. */
const failures = new Map();

const poller = new Poller({
  onAnswer: () => {
    state.answeredAt = Date.now();
    state.lost = null;
    showStatus();
  },
  onLost: (error) => {
    state.lost = error;
    showStatus();
  },
  onRefused: () => {
    poller.stop();
    askToLogIn(null);
    say({ level: 'wait', headline: 'Log in to see how the bridge is', advice: '' });
  },
});

function say({ level, headline, advice }) {
  setAttribute(byId('status'), 'data-level', level);
  setText(byId('headline'), headline);
  setText(byId('advice'), advice);
  // Read out when the news is another one, not when a number in it has changed.
  const news = headline.replace(/\d+/g, '#');
  if (news !== state.news) {
    state.news = news;
    setText(byId('announcement'), headline);
  }
  document.title = level === 'ok' ? 'Delay bridge' : `${headline} – Delay bridge`;
}

function showStatus() {
  if (state.lost) {
    say({ level: 'bad', headline: 'Connection lost', advice: `${state.lost.message} What is shown below is old.` });
  } else if (failures.size > 0) {
    say(untold(failures.has('health') ? null : state.health, [...failures.values()][0]));
  } else if (state.health && state.shards) {
    say(verdict({ health: state.health, shards: state.shards, now: state.shardsAt }));
  }
  showFreshness();
}

/** Not part of what is read out: it changes every second. */
function showFreshness() {
  const ago = state.answeredAt === null ? null : Date.now() - state.answeredAt;
  setText(byId('freshness'), ago === null || !state.lost ? '' : `last update ${duration(ago)} ago`);
}

const isLate = () => (state.shards ?? []).some((shard) => lateSince(shard, state.shardsAt) !== null);

async function loadHistory() {
  const history = await get('history');
  showHistoryNumbers(history);
  showHistory(history);
}

function setUpPolling() {
  const at = (id) => (error) => showError(id, error);
  const vital = (name) => (error) => (error === null ? failures.delete(name) : failures.set(name, error));
  poller.add(2000, async () => {
    state.health = await get('health');
  }, vital('health'));
  poller.add(2000, async () => {
    state.shards = await get('shards');
    state.shardsAt = now();
    showShards(state.shards);
  }, vital('shards'));
  poller.add(2000, async () => showStats(await get('stats'), isLate()), vital('stats'));
  poller.add(2000, loadUpcoming, at('upcoming-error'));
  poller.add(15_000, loadRepeating, (error) => {
    showError('repeating-error', error);
    if (error) {
      show(byId('repeating-panel'), true);
    }
  });
  poller.add(4000, loadDeadLetters, at('dead-error'));
  poller.add(2000, loadJob, at('dead-job-error'));
  poller.add(4000, loadDeadCounts, at('dead-counts-error'));
  poller.add(6000, async () => showTargets(await get('targets')), at('targets-error'));
  poller.add(4000, async () => showForecast(await get(`forecast${query({ buckets: 60, width: 'PT1M' })}`)), at('forecast-error'));
  poller.add(60_000, async () => showDays(await get(`forecast${query({ buckets: 60, width: 'P1D', far: true })}`)), at('days-error'));
  poller.add(10_000, loadHistory, at('history-error'));
}

/** Once it is known who looks. */
function begin() {
  if (may('read')) {
    poller.start();
  } else {
    say({
      level: 'wait',
      headline: 'This token does not show how the bridge is',
      advice: 'It has not the role read. It can schedule messages.',
    });
  }
}

async function start() {
  try {
    await identify();
    begin();
  } catch (error) {
    if (error.status === 401) {
      poller.onRefused(error);
    } else {
      poller.onLost(error);
      setTimeout(start, 5000);
    }
  }
}

const refresh = () => poller.soon();
setUpSession({
  onLogin: begin,
  onLogout: () => {
    poller.stop();
    // Nothing of what was seen stays on the page.
    location.reload();
  },
});
setUpDetails();
setUpZone(() => {
  tickTimes();
  forgetColors();
  refresh();
});
setUpShards(refresh);
setUpTargets();
setUpMessages(refresh);
setUpDeadLetters(refresh);
setUpReplays(refresh);
setUpSchedule(refresh);
setUpPolling();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  forgetColors();
  refresh();
});
setInterval(() => {
  showFreshness();
  tickTimes();
}, 1000);
start();
