// The plots. Each has its numbers in words below it, which is also what a screen reader gets.

import { byId, setAttribute, setText } from './dom.js';
import { clockTime, count, counted, day, duration, rate } from './format.js';
import { zone } from './zone.js';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const charts = new Map();

/** The last forecast by day, or null. */
let days = null;

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Ticks at whole minutes or days, few enough to be read. */
function wholeTicks(scale) {
  const span = scale.max - scale.min;
  const step = (span > 2 * DAY ? 7 * 1440 : span > 40 * MINUTE ? 15 : span > 12 * MINUTE ? 5 : span > 4 * MINUTE ? 2 : 1) * MINUTE;
  scale.ticks = [];
  for (let at = Math.ceil(scale.min / step) * step; at <= scale.max; at += step) {
    scale.ticks.push({ value: at });
  }
}

/** A point of time as an axis says it that is as long as this one. */
const timeOn = (scale) => (scale.max - scale.min > 2 * DAY ? day : clockTime);

function options(format, y) {
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    interaction: { mode: 'index', intersect: false },
    plugins: {
      legend: { display: false },
      tooltip: {
        callbacks: {
          title: (items) => (items.length === 0 ? '' : `${timeOn(items[0].chart.scales.x)(items[0].parsed.x)} ${zone()}`),
          label: (item) => `${item.dataset.label}: ${format(item.parsed.y)}`,
        },
      },
    },
    scales: {
      x: {
        type: 'linear',
        offset: false,
        afterBuildTicks: wholeTicks,
        ticks: {
          callback(value) {
            return timeOn(this)(value);
          },
          maxRotation: 0,
          color: color('--muted'),
        },
        grid: { display: false },
        border: { color: color('--line') },
      },
      y: {
        beginAtZero: true,
        ticks: { callback: format, maxTicksLimit: 5, color: color('--muted') },
        grid: { color: color('--line') },
        border: { display: false },
        ...y,
      },
    },
  };
}

/** A point between two gaps has no line that would show it. */
function alone({ dataset, dataIndex }) {
  const gap = (index) => dataset.data[index]?.y == null;
  return gap(dataIndex - 1) && gap(dataIndex + 1) ? 2 : 0;
}

/** Draws new data in the same chart; `lines` are {label, color, data: [{x, y}]}. */
function draw(id, type, lines, format, range, y = {}) {
  let chart = charts.get(id);
  if (!chart) {
    chart = new Chart(byId(id), { type, data: { datasets: [] }, options: options(format, y) });
    charts.set(id, chart);
  }
  lines.forEach((line, index) => {
    chart.data.datasets[index] = Object.assign(chart.data.datasets[index] ?? {}, {
      label: line.label,
      data: line.data,
      borderColor: color(line.color),
      backgroundColor: color(line.color),
      borderWidth: type === 'line' ? 1.25 : 0,
      pointRadius: alone,
      pointHitRadius: 8,
      // The latest point lies on the edge.
      clip: 4,
      barPercentage: 1,
      categoryPercentage: 0.85,
    });
  });
  Object.assign(chart.options.scales.x, range);
  chart.update('none');
}

/** After a change between light and dark: the next data draws new charts, or what is asked for rarely does at once. */
export function forgetColors() {
  charts.forEach((chart) => chart.destroy());
  charts.clear();
  if (days) {
    showDays(days);
  }
}

function caption(id, plot, entries) {
  const node = byId(id);
  const wanted = entries.map(([label, value, line]) => `${label}|${value}|${line ?? ''}`).join();
  if (node.dataset.shown !== wanted) {
    node.dataset.shown = wanted;
    node.replaceChildren(
      ...entries.map(([label, value, line]) => {
        const entry = document.createElement('span');
        entry.textContent = `${label} ${value}`;
        if (line) {
          entry.dataset.line = line;
        }
        return entry;
      }),
    );
  }
  setAttribute(byId(plot), 'aria-label', entries.map(([label, value]) => `${label} ${value}`).join(', '));
}

const sum = (numbers) => numbers.reduce((all, n) => all + n, 0);

function drawForecast(id, { from, widthMillis, buckets }) {
  const data = buckets.map((y, index) => ({ x: from + (index + 0.5) * widthMillis, y }));
  const range = { min: from, max: from + buckets.length * widthMillis };
  draw(id, 'bar', [{ label: 'Due', color: '--line-a', data }], count, range, {
    suggestedMax: 4,
    ticks: { callback: wholeOnly, maxTicksLimit: 5, color: color('--muted') },
  });
}

export function showForecast(forecast) {
  drawForecast('plot-forecast', forecast);
  const hour = sum(forecast.buckets);
  caption('forecast-caption', 'plot-forecast', [
    ['Overdue', count(forecast.overdue)],
    ['in this hour', count(hour)],
    ['later', count(forecast.later)],
    ...(forecast.far > 0 ? [['far', count(forecast.far)]] : []),
  ]);
}

/** Only if something is far: else the next hour says it all. */
export function showDays(forecast) {
  days = forecast;
  byId('days').hidden = !(forecast.far > 0);
  if (forecast.far > 0) {
    drawForecast('plot-days', forecast);
    const exact = forecast.sampled >= forecast.far;
    caption('days-caption', 'plot-days', [
      ['In 60 days', count(sum(forecast.buckets))],
      ['later', count(forecast.later)],
      ['far', count(forecast.far)],
      ...(exact ? [] : [['estimated from', count(forecast.sampled)]]),
    ]);
  }
}

const wholeOnly = (value) => (Number.isInteger(value) ? count(value) : '');

export function showHistory(history) {
  const { points, stepMillis } = history;
  // A bridge that has just started fills the plot as well.
  const max = points[points.length - 1]?.at ?? Date.now();
  const range = { min: Math.min(points[0]?.at ?? max, max - 3 * MINUTE), max };
  const line = (label, name, value) => ({ label, color: name, data: points.map((p) => ({ x: p.at, y: value(p) })) });
  const perSecond = (n) => (n * 1000) / stepMillis;
  draw(
    'plot-throughput',
    'line',
    [line('In', '--line-a', (p) => perSecond(p.in)), line('Out', '--line-b', (p) => perSecond(p.out))],
    rate,
    range,
    { suggestedMax: 1 },
  );
  draw(
    'plot-lateness',
    'line',
    [line('p50', '--line-a', (p) => p.p50), line('p99', '--line-b', (p) => p.p99)],
    duration,
    range,
    { type: 'logarithmic', min: 1, suggestedMax: 1000, afterBuildTicks: powersOfTen },
  );
  captions(history, perSecond);
}

function powersOfTen(scale) {
  scale.ticks = [];
  for (let value = 1; value <= scale.max; value *= 10) {
    scale.ticks.push({ value });
  }
}

function captions({ points, stepMillis }, perSecond) {
  if (points.length === 0) {
    const soon = [['The first point comes after', counted(stepMillis / 1000, 'second')]];
    caption('throughput-caption', 'plot-throughput', soon);
    caption('lateness-caption', 'plot-lateness', soon);
    return;
  }
  const last = points[points.length - 1];
  caption('throughput-caption', 'plot-throughput', [
    ['In', rate(perSecond(last.in)), 'a'],
    ['Out', rate(perSecond(last.out)), 'b'],
    ['in the last', counted(stepMillis / 1000, 'second')],
  ]);
  const measured = points.filter((p) => p.p99 != null);
  const latest = measured[measured.length - 1];
  caption('lateness-caption', 'plot-lateness', [
    ['p50', duration(latest?.p50), 'a'],
    ['p99', duration(latest?.p99), 'b'],
    ['worst of the hour', measured.length === 0 ? duration(null) : duration(Math.max(...measured.map((p) => p.max)))],
  ]);
}
