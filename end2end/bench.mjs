//! How fast the server is with a large project: `node bench.mjs [SIZE]`, on the release binary. It
//! measures and judges nothing; one line of JSON for each figure.

import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

import { Client } from './support/client.mjs';
import { newDataDir, removeDataDir, Server } from './support/server.mjs';

const SIZE = process.argv[2] ?? '20x500x20';
const LOADS = 100;
const DASHBOARDS = 50;
/** In each of the two ways of saving. */
const SAVES = 20;

/** @param {string} what @param {Record<string, unknown>} figures */
function tell(what, figures) {
  console.log(JSON.stringify({ what, ...figures }));
}

/** @param {number[]} times */
function percentiles(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (/** @type {number} */ share) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0) * 10) / 10;
  return { n: sorted.length, p50_ms: at(0.5), p95_ms: at(0.95), worst_ms: at(1) };
}

const agent = new http.Agent({ keepAlive: true });

/**
 * The time of a page from the request to its last byte, compressed as a browser asks for it. The
 * readers share two cores with the server: `fetch` would take longer to read a page than the server
 * to make it.
 * @param {Client} client @param {string} path
 */
async function load(client, path) {
  const began = performance.now();
  const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ');
  const headers = { cookie, accept: 'text/html', 'accept-encoding': 'gzip', 'sec-fetch-site': 'same-origin' };
  const bytes = await new Promise((resolve, reject) => {
    http.get(client.url + path, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${path}: ${answer.statusCode}`));
      /** @type {Buffer[]} */
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => resolve(Buffer.concat(parts)));
      answer.on('error', reject);
    }).on('error', reject);
  });
  const time = performance.now() - began;
  return { time, text: (await promisify(gunzip)(bytes)).toString('latin1') };
}

/**
 * A dashboard: it is told when something has moved and loads its page again, as a browser does. The
 * times at which a page with each revision was there, and the revisions of events and pages.
 * @param {Client} client @param {number} project @param {AbortSignal} signal
 */
async function dashboard(client, project, signal) {
  /** @type {Map<number, number>} */
  const shown = new Map();
  const answer = await client.request(`/events/revisions?of=${project}`, { signal });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let [loading, again] = [false, false];
  const refresh = async () => {
    if (loading) { again = true; return; }
    loading = true;
    do {
      again = false;
      const { text } = await load(client, `/projects/${project}/agreement`);
      const revision = Number(/data-revision="(\d+)"/.exec(text)?.[1]);
      if (!shown.has(revision)) shown.set(revision, performance.now());
    } while (again);
    loading = false;
  };
  const read = async () => {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return;
      if (/event: (stands|moved)/.test(chunk.value)) refresh().catch(() => {});
    }
  };
  read().catch(() => {});
  return shown;
}

/** Waits for a condition. @param {() => boolean} condition @param {number} limit */
async function until(condition, limit) {
  const end = performance.now() + limit;
  while (!condition()) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return true;
}

const dataDir = await newDataDir();
const began = performance.now();
const server = await Server.start({ dataDir, demo: true, demoSize: SIZE });
tell('start, with the project generated', { size: SIZE, ms: Math.round(performance.now() - began) });
const stopping = new AbortController();
try {
  /** @param {string} name */
  const signIn = async (name) => {
    const person = server.signIns.find((person) => person.name === name);
    if (!person) throw new Error(`nobody is called ${name}`);
    return new Client(server.url).signIn(person.email, person.password);
  };
  const manager = await signIn('Manager');
  const projects = await manager.form('projects/list_projects');
  const project = projects.find((/** @type {{ name: string }} */ { name }) => name === 'Generated').id;
  const matrix = `/projects/${project}/agreement`;

  const first = await load(manager, matrix);
  tell('matrix page, first read after the start', { ms: Math.round(first.time), characters: first.text.length });
  for (const path of [matrix, `${matrix}?measure=alpha`]) {
    // Intervals are computed beside the requests: wait until those that the page has are there.
    const switches = path === matrix ? {} : { measure: 'alpha' };
    const asked = performance.now();
    for (;;) {
      const snapshot = JSON.stringify(await manager.agreement(project, switches));
      if (!snapshot.includes('"Pending"') && !snapshot.includes('"unitizing":null')) break;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    tell('intervals there', { path, ms: Math.round(performance.now() - asked) });
    const times = [];
    for (let turn = 0; turn < LOADS; turn += 1) times.push((await load(manager, path)).time);
    tell('matrix page, warm', { path, ...percentiles(times) });
  }

  /** @type {Map<number, number>[]} */
  const dashboards = [];
  for (let number = 0; number < DASHBOARDS; number += 1) {
    dashboards.push(await dashboard(manager, project, stopping.signal));
  }
  await until(() => dashboards.every((shown) => shown.size > 0), 30_000);
  const labeler = await signIn('Labeler A');
  const label = (await manager.labels(project))[0]?.id ?? 0;
  const cards = await labeler.assignments(project);
  const ways = [
    { how: 'one a second', pause: 1_000, cards: cards.slice(0, SAVES) },
    { how: 'each as soon as all have seen the last', pause: 0, cards: cards.slice(SAVES, 2 * SAVES) },
  ];
  for (const { how, pause, cards } of ways) {
    /** @type {[saves: number[], pages: number[], lasts: number[]]} */
    const [saves, pages, lasts] = [[], [], []];
    let missed = 0;
    for (const card of cards) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      const opened = await labeler.open(card.id);
      let base = opened.content.revision;
      if (card.state === 'submitted' || card.state === 'Submitted') {
        const reopened = await labeler.form('annotating/reopen_assignment', { assignment: card.id, base });
        base = reopened.Saved?.revision ?? base + 1;
      }
      const before = (await manager.agreement(project)).revision;
      await until(() => dashboards.every((shown) => shown.has(before)), 5_000);
      const sent = performance.now();
      // No generated span lies there.
      const [start, end] = [1, 3];
      await labeler.save({ assignment: card.id, base, key: randomUUID(), removed: [], added: [{ start, end, label }] });
      const acknowledged = performance.now();
      saves.push(acknowledged - sent);
      const arrived = await until(
        () => dashboards.every((shown) => [...shown.keys()].some((revision) => revision > before)),
        10_000,
      );
      if (!arrived) missed += 1;
      const times = dashboards.map((shown) => {
        const [, time] = [...shown].find(([revision]) => revision > before) ?? [0, Number.NaN];
        return Math.max(0, time - acknowledged);
      });
      pages.push(...times.filter(Number.isFinite));
      lasts.push(Math.max(...times.filter(Number.isFinite)));
    }
    tell('a save, until it is acknowledged', { how, dashboards: DASHBOARDS, ...percentiles(saves) });
    tell('from there to the page with it, each dashboard', { how, missed, ...percentiles(pages) });
    tell('from there to the page with it, the last dashboard', { how, ...percentiles(lasts) });
  }
} finally {
  stopping.abort();
  await server.stop();
  await removeDataDir(dataDir);
}
