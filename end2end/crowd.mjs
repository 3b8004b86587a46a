//! Whether the server withstands a crowd: `node crowd.mjs [MINUTES]`, on the release binary. For each
//! role, 200 clients and then 1,000 open that role's pages, a tenth of them hanging up early, while a
//! labeler goes on saving; then everybody does everything. One line of JSON for each figure; it fails
//! if anybody is not answered, or if of 200 clients any is asked to come back or waits longer than it
//! may. A thousand may be asked to come back.

import { randomUUID } from 'node:crypto';
import http from 'node:http';

import { Client, Refused } from './support/client.mjs';
import { newDataDir, removeDataDir, Server } from './support/server.mjs';

const MINUTES = Number(process.argv[2] ?? 10);
const CROWDS = [200, 1_000];
/** How long the slowest hundredth may wait where 200 ask, in milliseconds. */
const LIMIT = 2_000;
/** When whoever hangs up does so, in milliseconds. */
const EARLY = 50;
/** A client that got its page looks at it for so long, on average, in milliseconds. */
const LOOK = 1_000;

// All of them share this machine's address.
process.env['CONCORD_CONNECTIONS_PER_ADDRESS'] = '4000';

const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 2_000 });

/**
 * Opens a page to its last byte: its status, or 0 if there was no answer.
 * @param {Client} client @param {string} path @param {boolean} hangsUp
 * @returns {Promise<number>}
 */
function open(client, path, hangsUp) {
  const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ');
  const headers = { cookie, accept: 'text/html', 'accept-encoding': 'gzip', 'sec-fetch-site': 'same-origin' };
  return new Promise((resolve) => {
    const request = http.get(client.url + path, { agent, headers, timeout: 30_000 }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
      answer.on('error', () => resolve(0));
    });
    request.on('error', () => resolve(0));
    request.on('timeout', () => request.destroy());
    if (hangsUp) setTimeout(() => request.destroy(), EARLY);
  });
}

/**
 * Tries again for as long as the server asks to come back.
 * @template T @param {() => Promise<T>} ask @returns {Promise<T>}
 */
async function persist(ask) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 503) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

/** @param {number[]} sorted @param {number} share */
const at = (sorted, share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);

/**
 * A crowd for a while.
 * @param {{ client: Client, paths: string[] }[]} people @param {number} size @param {number} seconds
 */
async function crowd(people, size, seconds) {
  const end = performance.now() + seconds * 1_000;
  /** @type {number[]} */
  const times = [];
  /** @type {Record<string, number>} */
  const failed = {};
  let askedBack = 0;
  const clients = Array.from({ length: size }, async (_, number) => {
    const person = people[number % people.length];
    if (!person) return;
    // They do not all come in the same moment.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * LOOK));
    for (let turn = number; performance.now() < end; turn += 1) {
      const path = person.paths[turn % person.paths.length] ?? '/';
      const hangsUp = number % 10 === 0;
      const began = performance.now();
      const status = await open(person.client, path, hangsUp);
      if (!hangsUp) {
        times.push(performance.now() - began);
        if (status === 503) askedBack += 1;
        else if (status < 200 || status >= 400) failed[`${status} ${path}`] = (failed[`${status} ${path}`] ?? 0) + 1;
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 * LOOK));
    }
  });
  await Promise.all(clients);
  times.sort((a, b) => a - b);
  return { answers: times.length, p50_ms: at(times, 0.5), p99_ms: at(times, 0.99), worst_ms: at(times, 1), asked_back: askedBack, failed };
}

const dataDir = await newDataDir();
const server = await Server.start({ dataDir, demo: true });
let bad = 0;
try {
  /** @param {string} name */
  const signIn = async (name) => {
    const person = server.signIns.find((person) => person.name === name);
    if (!person) throw new Error(`nobody is called ${name}`);
    return new Client(server.url).signIn(person.email, person.password);
  };
  const [manager, reviewer, labeler] = [await signIn('Manager'), await signIn('Reviewer'), await signIn('Labeler A')];
  const projects = await manager.form('projects/list_projects');
  const project = projects.at(-1)?.id;
  const home = `/projects/${project}`;
  const documents = await manager.form('documents/list_documents', { project, page: 0 });
  const document = documents.rows[0]?.id;
  const cards = await labeler.assignments(project);
  const under = (/** @type {string[]} */ ...paths) => ['/', ...paths.map((path) => home + path)];
  const people = [
    {
      role: 'manager',
      client: manager,
      paths: under('', '/agreement', '/work/documents', '/work/people', '/review/gold', '/settings/members', '/settings',
        '/review/disagreements', '/agreement/trend', '/review/comments', '/settings/guidelines', '/exports'),
    },
    { role: 'reviewer', client: reviewer, paths: [...under('/review', '/agreement'), `/documents/${document}/review`] },
    {
      role: 'labeler',
      client: labeler,
      paths: [...under('/work', '/settings/guidelines'), ...cards.slice(0, 3).map(({ id }) => `/assignments/${id}`)],
    },
  ];

  let stopped = false;
  const label = (await manager.labels(project))[0]?.id ?? 0;
  /** @type {number[]} */
  const saved = [];
  const saving = (async () => {
    const own = await signIn('Labeler B');
    const [card] = await own.assignments(project);
    if (!card) return;
    const opened = await own.open(card.id);
    let base = opened.content.revision;
    if (opened.content.state === 'submitted') {
      await own.form('annotating/reopen_assignment', { assignment: card.id, base });
      base = (await own.open(card.id)).content.revision;
    }
    for (let turn = 0; !stopped; turn += 1) {
      const span = { start: 1, end: 3, label };
      const [added, removed] = turn % 2 === 0 ? [[span], []] : [[], [span]];
      const [key, began] = [randomUUID(), performance.now()];
      const outcome = await persist(() => own.save({ assignment: card.id, base, key, removed, added }));
      if ('Conflict' in outcome) throw new Error('nobody else saves in this copy');
      base = outcome.Saved.revision;
      saved.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  })();

  const mixes = [...people.map((person) => ({ who: person.role, people: [person] })), { who: 'everybody', people }];
  const seconds = (MINUTES * 60) / (mixes.length * CROWDS.length);
  for (const size of CROWDS) {
    for (const { who, people } of mixes) {
      const figures = await crowd(people, size, seconds);
      const isLate = size === CROWDS[0] && figures.p99_ms > LIMIT;
      const isBad = isLate || (size === CROWDS[0] && figures.asked_back > 0) || Object.keys(figures.failed).length > 0;
      if (isBad) bad += 1;
      console.log(JSON.stringify({ who, clients: size, ...figures, ...(isLate ? { late: LIMIT } : {}) }));
    }
  }
  stopped = true;
  await saving;
  saved.sort((a, b) => a - b);
  console.log(JSON.stringify({ who: 'saves meanwhile', answers: saved.length, p50_ms: at(saved, 0.5), p99_ms: at(saved, 0.99) }));
  for (const line of server.warnings()) console.log(line);
} finally {
  agent.destroy();
  await server.stop();
  await removeDataDir(dataDir);
}
process.exitCode = bad > 0 ? 1 : 0;
