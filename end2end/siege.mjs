//! Whether the server withstands a siege: `node siege.mjs [SECONDS] [short]`. Twenty labelers work, at
//! first in peace and then for so long beside slow heads and bodies, silent strangers at many addresses,
//! readers who take nothing of 500 streams, floods of sign-ins, inputs that are made to be searched for
//! long, and storms of uploads, all of them from other addresses of loopback. One line of JSON for each
//! figure. It fails if a save that was acknowledged is lost, if the slowest hundredth of the labelers'
//! requests takes more than twice as long as in peace, or if memory grows by more than 64 MB. The short
//! form, for a machine that does much else, only wants everybody answered in time and nothing lost.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { Worker } from 'node:worker_threads';

import { Client } from './support/client.mjs';
import { newDataDir, removeDataDir, Server } from './support/server.mjs';

const SECONDS = Number(process.argv[2] ?? 60);
const IS_SHORT = process.argv[3] === 'short';
const LABELERS = 20;
/** How long a labeler looks at the text, on average, in milliseconds. */
const LOOK = 500;
/** What nobody notices, in milliseconds: the slowest hundredth may take so long whatever it was. */
const UNNOTICED = 100;
/** How long anybody may wait in the short form, in milliseconds. */
const LATE = 10_000;
/** How much more memory the server may hold, in MB; a build for tests holds more. */
const MEMORY = IS_SHORT ? 128 : 64;
const PASSWORD = 'seven lanterns over the marsh';
/** What each save brings besides: as much as of somebody who was offline for long, so that it needs room. */
const PADDING = ' '.repeat(24 * 1024);
const TEXT = 'Ada met Bob in Rome, Cleo in Oslo, Dora in Lima. '.repeat(40);

/** One session may follow all the streams that stand still: that is what is tried here. */
process.env['CONCORD_STREAMS_PER_SESSION'] = '600';
/** So may one address have their connections. */
process.env['CONCORD_CONNECTIONS_PER_ADDRESS'] = '600';

const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity });

/** @param {Client} client */
const cookies = (client) => [...client.cookies].map((pair) => pair.join('=')).join('; ');

/**
 * Asks as a browser does; the answer's status, text, and time in milliseconds.
 * @param {Client} client @param {string} path @param {string} [body]
 * @returns {Promise<{ status: number, text: string, time: number }>}
 */
function ask(client, path, body) {
  const began = performance.now();
  const headers = {
    cookie: cookies(client), accept: body ? 'application/json' : 'text/html', 'sec-fetch-site': 'same-origin',
    ...(body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}),
  };
  return new Promise((resolve) => {
    const end = (/** @type {number} */ status, text = '') =>
      resolve({ status, text, time: performance.now() - began });
    const request = http.request(client.url + path, { agent, headers, method: body ? 'POST' : 'GET' }, (answer) => {
      /** @type {Buffer[]} */
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => end(answer.statusCode ?? 0, Buffer.concat(parts).toString()));
      answer.on('error', () => end(0));
    });
    request.setTimeout(60_000, () => request.destroy());
    request.on('error', () => end(0));
    request.end(body);
  });
}

/**
 * A labeler: marks a span, looks at their list, takes it away again; what they have when they stop.
 * @param {{ client: Client, project: number, label: number, times: number[], failed: string[] }} self
 * @param {() => boolean} isOver
 */
async function labeler({ client, project, label, times, failed }, isOver) {
  const [card] = await client.assignments(project);
  if (!card) throw new Error('nobody is without a copy');
  let { revision: base } = (await client.open(card.id)).content;
  /** @type {Set<number>} */
  const marked = new Set();
  let pending = '';
  while (!isOver()) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 * LOOK));
    const start = Math.floor(Math.random() * 400) * 2;
    const fact = { start, end: start + 1, label };
    const [added, removed] = marked.has(start) ? [[], [fact]] : [[fact], []];
    const command = { assignment: card.id, base, key: randomUUID(), removed, added };
    pending = JSON.stringify({ command }) + PADDING;
    const saved = await ask(client, '/fn/annotating/save_spans', pending);
    times.push(saved.time);
    if (saved.status !== 200) {
      failed.push(`save: ${saved.status} ${saved.text.slice(0, 100)}`);
      ({ revision: base } = (await client.open(card.id)).content);
      continue;
    }
    base = JSON.parse(saved.text).Saved.revision;
    if (!marked.delete(start)) marked.add(start);
    const page = await ask(client, `/projects/${project}/work`);
    times.push(page.time);
    if (page.status !== 200) failed.push(`page: ${page.status} ${page.text.slice(0, 100)}`);
  }
  return { card: card.id, marked };
}

/** @param {number[]} times @param {number} share */
function at(times, share) {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
}

/** What the server holds in memory, in MB. @param {Server} server */
async function memory(server) {
  const status = await readFile(`/proc/${server.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** @param {string} what @param {Record<string, unknown>} figures */
function tell(what, figures) {
  console.log(JSON.stringify({ what, ...figures }));
}

const dataDir = await newDataDir();
const server = await Server.start({ dataDir, demo: true });
/** @type {string[]} */
const wrong = [];
try {
  const boss = server.signIns.find(({ name }) => name === 'Manager');
  if (!boss) throw new Error('nobody is called Manager');
  const manager = await new Client(server.url).signIn(boss.email, boss.password);
  const project = await manager.createProject('Besieged', ['PER']);
  const label = (await manager.labels(project))[0]?.id ?? 0;
  /** @type {Client[]} */
  const clients = [];
  for (let number = 0; number < LABELERS; number += 1) {
    const token = await manager.invite(project, 'labeler');
    const account = { email: `labeler${number}@example.org`, name: `Labeler ${number}`, password: PASSWORD };
    clients.push(await new Client(server.url).accept(token, account));
  }
  await manager.importFiles(project, { 'text.txt': TEXT });

  /** @type {{ times: number[], failed: string[] }} */
  const honest = { times: [], failed: [] };
  let isOver = false;
  const work = clients.map((client) => labeler({ client, project, label, ...honest }, () => isOver));
  const sleep = (/** @type {number} */ seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const look = (/** @type {string} */ when) => {
    const times = honest.times.splice(0);
    const figures = { requests: times.length, p50_ms: at(times, 0.5), p99_ms: at(times, 0.99), worst_ms: at(times, 1) };
    tell(when, figures);
    return figures;
  };

  // The first requests of a process are slower than all others.
  await sleep(IS_SHORT ? 2 : 5);
  honest.times.splice(0);
  await sleep(IS_SHORT ? 3 : SECONDS / 2);
  const peace = look('in peace');
  const before = await memory(server);

  const [copy] = await (clients[0] ?? manager).assignments(project);
  const worker = new Worker(new URL('./support/besiegers.mjs', import.meta.url), {
    workerData: {
      url: server.url,
      project,
      copy: copy?.id ?? 0,
      manager: cookies(manager),
      labeler: cookies(clients[0] ?? manager),
      email: 'labeler1@example.org',
      scale: IS_SHORT ? 0.2 : 1,
    },
  });
  /** @type {Record<string, Record<string, number>>} */
  let met = {};
  worker.on('message', (told) => { met = told; });
  const isBroken = new Promise((_, reject) => worker.once('error', reject));
  let most = before;
  const end = performance.now() + SECONDS * 1_000;
  while (performance.now() < end) {
    await Promise.race([sleep(0.5), isBroken]);
    most = Math.max(most, await memory(server));
  }
  const siege = look('under siege');
  await worker.terminate();
  for (const [attack, outcomes] of Object.entries(met)) tell(attack, outcomes);
  await sleep(IS_SHORT ? 1 : 5);
  isOver = true;
  const done = await Promise.all(work);
  look('afterwards');
  const growth = Math.round(most - before);
  tell('memory', { before_mb: Math.round(before), most_mb: Math.round(most), growth_mb: growth });

  let [spans, lost] = [0, 0];
  for (const [number, { card, marked }] of done.entries()) {
    const kept = new Set((await clients[number]?.open(card))?.content.spans.map(({ start }) => start));
    spans += marked.size;
    lost += [...marked].filter((start) => !kept.has(start)).length + [...kept].filter((start) => !marked.has(start)).length;
  }
  tell('acknowledged', { spans, lost, refused: honest.failed.length });

  if (lost > 0) wrong.push(`${lost} acknowledged changes are not there`);
  if (honest.failed.length > 0) wrong.push(`labelers were refused: ${[...new Set(honest.failed)].slice(0, 5).join('; ')}`);
  if (growth > MEMORY) wrong.push(`memory grew by ${growth} MB`);
  const most99 = IS_SHORT ? LATE : Math.max(2 * peace.p99_ms, UNNOTICED);
  if (siege.p99_ms > most99) wrong.push(`the slowest hundredth took ${siege.p99_ms} ms, not ${most99} at most`);
  const health = await ask(manager, '/health');
  if (health.status !== 200) wrong.push('it does not answer any more');
} finally {
  agent.destroy();
  await server.stop();
  await removeDataDir(dataDir);
}
for (const why of wrong) console.error(why);
process.exitCode = wrong.length > 0 ? 1 : 0;
