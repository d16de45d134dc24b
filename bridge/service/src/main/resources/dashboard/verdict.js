// The one line at the top: is it healthy, is anything late, and what to do.

import { counted, duration, relative } from './format.js';

/** Less than this is the way of a turn, not a trouble. */
const LATE_MS = 2000;

/**
 * @param state what the API said last: `health`, `shards`, `stats`; `now` in epoch milliseconds
 * @returns {{level: 'ok'|'warn'|'bad', headline: string, advice: string}}
 */
export function verdict({ health, shards, now }) {
  return stopped(shards) ?? sick(health) ?? unowned(shards) ?? paused(shards) ?? late(shards, now) ?? fine(shards, now);
}

/**
 * The verdict where a part of the state cannot be had; a check that fails is mostly the cause.
 *
 * @param health null if not even that is known
 * @param failure the error of what cannot be had
 */
export function untold(health, failure) {
  const cause = health === null ? null : sick(health);
  return cause ?? { level: 'bad', headline: 'The bridge cannot tell how it is', advice: failure.message };
}

/** The due time of the oldest message of a shard that is late, or null. */
export function lateSince(shard, now) {
  return shard.overdue > 0 && shard.nextDue != null && now - shard.nextDue > LATE_MS ? shard.nextDue : null;
}

function stopped(shards) {
  const found = shards.filter((shard) => shard.problem != null);
  return found.length === 0
    ? null
    : {
        level: 'bad',
        headline: `${counted(found.length, 'shard')} of ${shards.length} ${found.length === 1 ? 'has' : 'have'} a problem`,
        advice: `${found[0].shard}: ${found[0].problem}`,
      };
}

function sick(health) {
  if (health.healthy) {
    return null;
  }
  const failed = health.checks.filter((check) => !check.healthy);
  return {
    level: 'bad',
    headline: `Not healthy: ${failed.map((check) => check.name).join(', ') || 'the bridge says so'}`,
    advice: failed.map((check) => check.message).filter(Boolean).join(' · '),
  };
}

function unowned(shards) {
  if (shards.length === 0) {
    return { level: 'warn', headline: 'No shards yet', advice: 'No bridge has taken over a partition of an intake so far.' };
  }
  const found = shards.filter((shard) => shard.owner == null);
  return found.length === 0
    ? null
    : {
        level: 'warn',
        headline: `${counted(found.length, 'shard')} of ${shards.length} ${found.length === 1 ? 'has' : 'have'} no owner`,
        advice: 'They are being handed over, or no bridge runs for them. If it stays so, start one.',
      };
}

function paused(shards) {
  const found = shards.filter((shard) => shard.paused);
  if (found.length === 0) {
    return null;
  }
  const all = found.length === shards.length;
  return {
    level: 'warn',
    headline: all ? 'Delivery is paused' : `Delivery of ${found.length} of ${shards.length} shards is paused`,
    advice: `Messages are taken in and wait, none is lost. To go on: ${all ? 'Resume all' : 'Resume, at the shard'}.`,
  };
}

function late(shards, now) {
  const times = shards.map((shard) => lateSince(shard, now)).filter((at) => at !== null);
  return times.length === 0
    ? null
    : {
        level: 'warn',
        headline: `${counted(times.length, 'shard')} late, oldest ${duration(now - Math.min(...times))}`,
        advice: 'More is due than goes out at once, or a target is slow: look at lateness and at the targets.',
      };
}

function fine(shards, now) {
  const dues = shards.map((shard) => shard.nextDue).filter((at) => at != null);
  const none = shards.some((shard) => shard.far > 0) ? 'All that is pending is far ahead.' : 'Nothing is pending.';
  const next = dues.length === 0 ? none : `The next message is due ${relative(Math.max(now, Math.min(...dues)), now)}.`;
  return { level: 'ok', headline: 'Healthy, nothing late', advice: next };
}
