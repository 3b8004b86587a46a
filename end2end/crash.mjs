//! Kills a server again and again while labelers save, alone and beside another one on its database, and
//! looks whether every save that was acknowledged is there afterwards. Ends with the line `N passed, 0 failed`.

import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { Client, Refused } from './support/client.mjs';
import { createDatabase, dropDatabase } from './support/postgres.mjs';
import { Random } from './support/random.mjs';
import { newDataDir, removeDataDir, run, Server } from './support/server.mjs';
import { Tally } from './support/tally.mjs';

/** @typedef {import('./support/client.mjs').Span} Span */
/** @typedef {import('./support/client.mjs').SaveSpans} SaveSpans */

const LABELERS = 4;
const LABELS = ['PER', 'ORG', 'LOC'];
const WORDS = 60;
const TEXT = Array.from({ length: WORDS }, (_, index) => `word${String(index).padStart(2, '0')}`).join(' ');
const WORD = 'word00 '.length;

/** A kill comes at most so many milliseconds after the first save of its round. */
const LATEST_KILL = 1_000;

/** One labeler with one copy, and what the server must have of it. */
class Labeler {
  /** @type {Set<string>} */
  acknowledged = new Set();
  /** The save that was on its way when the server was killed. @type {SaveSpans | null} */
  pending = null;
  revision = 0;
  saves = 0;

  /**
   * @param {Client} client
   * @param {number} assignment
   * @param {number[]} labels
   * @param {Random} random
   */
  constructor(client, assignment, labels, random) {
    this.client = client;
    this.assignment = assignment;
    this.labels = labels;
    this.random = random;
  }

  /** A save that changes a few spans. @returns {SaveSpans} */
  #change() {
    const { random } = this;
    const removed = [...this.acknowledged].filter(() => random.next() < 0.2).slice(0, 2);
    /** @type {Set<string>} */
    const added = new Set();
    for (let n = 1 + random.below(3); n > 0; n -= 1) {
      const first = random.below(WORDS);
      const last = Math.min(WORDS, first + 1 + random.below(3));
      const label = this.labels[random.below(this.labels.length)] ?? 0;
      const span = key({ start: first * WORD, end: last * WORD - 1, label });
      if (!this.acknowledged.has(span)) added.add(span);
    }
    this.saves += 1;
    return {
      assignment: this.assignment,
      base: this.revision,
      key: `crash-${this.assignment}-${this.saves}-${random.below(1e9)}`,
      removed: removed.map(span),
      added: [...added].map(span),
    };
  }

  /**
   * Saves one change after the other until the server is gone, or it is told to stop.
   * @param {{ isOver: boolean }} round
   */
  async work(round) {
    while (!round.isOver) {
      this.pending = this.#change();
      let outcome;
      try {
        outcome = await this.client.save(this.pending);
      } catch (error) {
        // A killed server gives no answer; any answer but "saved" is a defect.
        if (error instanceof Refused) throw error;
        return;
      }
      if (!('Saved' in outcome)) throw new Error(`conflict with nobody: ${JSON.stringify(outcome)}`);
      this.#acknowledge(this.pending, outcome.Saved.revision);
    }
  }

  /**
   * @param {SaveSpans} command
   * @param {number} revision
   */
  #acknowledge(command, revision) {
    for (const removed of command.removed) this.acknowledged.delete(key(removed));
    for (const added of command.added) this.acknowledged.add(key(added));
    this.revision = revision;
    this.pending = null;
  }

  /**
   * Compares the server's copy with what it acknowledged; the save on its way may be there or not.
   * Sends that save again, under the same key: afterwards it is there, once.
   * @param {Tally} tally
   */
  async check(tally) {
    const { content } = await this.client.open(this.assignment);
    const stored = new Set(content.spans.map(key));
    const { pending } = this;
    const arrived = new Set(this.acknowledged);
    for (const removed of pending?.removed ?? []) arrived.delete(key(removed));
    for (const added of pending?.added ?? []) arrived.add(key(added));
    const holds =
      (content.revision === this.revision && same(stored, this.acknowledged)) ||
      (pending !== null && content.revision === this.revision + 1 && same(stored, arrived));
    tally.check(
      'every acknowledged save is there, and nothing else',
      holds,
      `copy ${this.assignment}: revision ${content.revision} with ${[...stored].sort()}; ` +
        `acknowledged ${this.revision} with ${[...this.acknowledged].sort()}; ` +
        `on its way ${JSON.stringify(pending)}`,
    );
    if (pending === null) return;

    const outcome = await this.client.save(pending);
    const again = new Set((await this.client.open(this.assignment)).content.spans.map(key));
    tally.check(
      'the save on its way, sent again, is carried out once',
      'Saved' in outcome && outcome.Saved.revision === this.revision + 1 && same(again, arrived),
      `copy ${this.assignment}: ${JSON.stringify(outcome)}`,
    );
    if ('Saved' in outcome) this.#acknowledge(pending, outcome.Saved.revision);
  }
}

/** @param {Span} span */
function key({ start, end, label }) {
  return `${start}-${end}-${label}`;
}

/** @param {string} key @returns {Span} */
function span(key) {
  const [start = 0, end = 0, label = 0] = key.split('-').map(Number);
  return { start, end, label };
}

/**
 * @param {Set<string>} left
 * @param {Set<string>} right
 */
function same(left, right) {
  return left.size === right.size && [...left].every((item) => right.has(item));
}

/**
 * Sets up a project with labelers who have a copy each of one document.
 * @param {Server} server
 * @param {Random} random
 */
async function setUp(server, random) {
  const token = server.setUp?.split('/').at(-1) ?? '';
  const password = 'copper walnut lantern ferry';
  const manager = await new Client(server.url).accept(token, {
    email: 'manager@example.org',
    name: 'Manager',
    password,
  });
  const project = await manager.createProject('Crash', LABELS);
  await manager.importFiles(project, { 'words.txt': TEXT });
  const labels = (await manager.labels(project)).map((label) => label.id);
  const labelers = [];
  for (let number = 1; number <= LABELERS; number += 1) {
    const email = `labeler${number}@example.org`;
    const invitation = await manager.invite(project, 'labeler');
    const client = await new Client(server.url).accept(invitation, {
      email,
      name: `Labeler ${number}`,
      password,
    });
    const copy = (await client.assignments(project))[0];
    if (!copy) throw new Error(`${email} has no copy`);
    labelers.push(new Labeler(client, copy.id, labels, random));
  }
  return { manager, project, labelers };
}

/**
 * What the manager is told about the tallies.
 * @param {Client} manager
 * @param {number} project
 * @param {Tally} tally
 */
async function verifyLive(manager, project, tally) {
  // Looking at the matrix makes the server keep tallies.
  await manager.agreement(project);
  const report = JSON.parse(await manager.text(`/api/v1/projects/${project}/verification`));
  tally.check(
    'the tallies in memory are those of the rows',
    Array.isArray(report.problems) && report.problems.length === 0 && report.project === project,
    JSON.stringify(report),
  );
}

/**
 * One database, one of whose servers is killed so many times.
 * @param {Tally} tally
 * @param {{ name: string, servers: number, kills: number, seed: number, databaseUrl?: string }} options
 */
async function crash(tally, { name, servers: count, kills, seed, databaseUrl }) {
  const random = new Random(seed);
  const dataDir = await newDataDir();
  const options = { dataDir, ...(databaseUrl ? { databaseUrl } : {}) };
  const verify = ['verify', '--data-dir', dataDir];
  if (databaseUrl) verify.push('--database-url', databaseUrl);
  const servers = [await Server.start(options)];
  try {
    const { manager, project, labelers } = await setUp(/** @type {Server} */ (servers[0]), random);
    while (servers.length < count) servers.push(await Server.start(options));
    const verifyAll = async () => {
      for (const server of servers) {
        manager.url = server.url;
        await verifyLive(manager, project, tally);
      }
    };
    for (let kill = 1; kill <= kills; kill += 1) {
      // Each round, another server may be the one that somebody works at.
      for (const [place, { client }] of labelers.entries()) {
        client.url = servers[(place + kill) % count]?.url ?? '';
      }
      const round = { isOver: false };
      const working = Promise.all(labelers.map((labeler) => labeler.work(round)));
      // A defect while they work is reported below, where it is awaited.
      working.catch(() => {});
      await pause(random.below(LATEST_KILL));
      const killed = random.below(count);
      await servers[killed]?.kill();
      // Those at the other server go on for a moment: it takes over nothing that is half done.
      if (count > 1) await pause(random.below(LATEST_KILL / 4));
      round.isOver = true;
      await working;

      const { code, output } = await run(verify);
      tally.check('concord verify finds nothing wrong', code === 0, `exit ${code}: ${output}`);
      servers[killed] = await Server.start(options);
      await verifyAll();
      // What had no answer is sent again, to whichever server.
      const other = servers[random.below(count)]?.url ?? '';
      for (const labeler of labelers) {
        labeler.client.url = other;
        await labeler.check(tally);
      }
      // Now the tallies in memory have been moved by saves, not only counted.
      await verifyAll();
    }
    const saves = labelers.reduce((sum, labeler) => sum + labeler.revision, 0);
    tally.check('something was saved between the kills', saves > kills * LABELERS, `${saves} saves`);
    console.log(`${name}: ${kills} kills, ${saves} saves, seed ${seed}`);
  } finally {
    for (const server of servers) await server.kill();
    await removeDataDir(dataDir);
  }
}

const tally = new Tally();
const seed = Number(process.env['CONCORD_CRASH_SEED'] ?? randomInt(2 ** 31));
console.log(`seed ${seed} (CONCORD_CRASH_SEED=${seed} runs the same again)`);
try {
  await crash(tally, { name: 'SQLite', servers: 1, kills: 30, seed });
  await crash(tally, { name: 'SQLite, two servers', servers: 2, kills: 10, seed });
  const postgres = process.env['CONCORD_TEST_POSTGRES'];
  if (postgres) {
    for (const [name, servers] of /** @type {const} */ ([
      ['PostgreSQL', 1],
      ['PostgreSQL, two servers', 2],
    ])) {
      const database = await createDatabase(postgres);
      try {
        await crash(tally, { name, servers, kills: 5, seed, databaseUrl: database.url });
      } finally {
        await dropDatabase(postgres, database.name);
      }
    }
  } else {
    console.log('PostgreSQL: skipped, CONCORD_TEST_POSTGRES names no server');
    if (process.env['CONCORD_REQUIRE_POSTGRES'] === '1') {
      tally.check('PostgreSQL is there where it is required', false);
    }
  }
} catch (error) {
  tally.check('the crash test ran to its end', false, error instanceof Error ? error.stack : String(error));
}
tally.end();
