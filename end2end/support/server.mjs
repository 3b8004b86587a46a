//! Starts and ends real servers: the `concord` binary on a port and a data folder of its own.

import { spawn } from 'node:child_process';
import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * A sign-in of the demo.
 * @typedef {{ email: string, password: string, name: string, description: string }} SignIn
 */

/**
 * What the server prints once it listens.
 * @typedef {{ url: string, sign_ins: SignIn[], set_up: string | null }} Started
 */

/**
 * How to start a server.
 * @typedef {object} Options
 * @property {string} dataDir
 * @property {number} [port] any free one if none is said
 * @property {boolean} [demo]
 * @property {string} [demoSize] of a generated project beside the samples
 * @property {string} [databaseUrl]
 * @property {string} [webhookAllow] what webhooks may reach beside the internet
 * @property {boolean} [requireSecondFactor]
 * @property {string} [smtpUrl] the mail server; the site is the port on this machine, which has to be said
 * @property {string} [config] a file of settings
 */

/** How long a debug build may take to migrate, to fill in the demo and to listen. */
const START_LIMIT = 60_000;

/** How long the server may take to say what it is doing. */
const SAY_LIMIT = 3_000;

/** What the log says of an answer that is late, and of what somebody has asked for. */
const LATE = 'not answered after';
const ASKED = 'asked what is being answered';

/** The servers that run, by their address. @type {Map<string, Server>} */
const running = new Map();

/** The server at an address, if it is one of ours. @param {string} url */
export function serverAt(url) {
  return URL.canParse(url) ? running.get(new URL(url).origin) : undefined;
}

/** All servers that run. */
export function runningServers() {
  return [...running.values()];
}

/** How long an orderly end may take. */
const STOP_LIMIT = 10_000;

/** The binary under test. */
export const BINARY =
  process.env['CONCORD_BIN'] ?? new URL('../../target/debug/concord', import.meta.url).pathname;

/** A new empty folder for a server's data. */
export async function newDataDir() {
  return mkdtemp(join(tmpdir(), 'concord-end2end-'));
}

/** A port that nobody listens on. @returns {Promise<number>} */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** @param {string} dataDir */
export async function removeDataDir(dataDir) {
  await rm(dataDir, { recursive: true, force: true });
}

/** The states of a connection, by their numbers in Linux. @type {Record<string, string>} */
const STATES = { '01': 'open', '06': 'ended', '08': 'left by the browser', '0A': 'listening' };

/** A running server. */
export class Server {
  /**
   * @param {import('node:child_process').ChildProcess} child
   * @param {Started} started
   * @param {string[]} log
   * @param {Promise<number | null>} ended
   */
  constructor(child, started, log, ended) {
    this.child = child;
    this.url = started.url.replace(/\/$/, '');
    this.signIns = started.sign_ins;
    this.setUp = started.set_up;
    this.log = log;
    this.ended = ended;
    running.set(this.url, this);
    void ended.then(() => running.delete(this.url));
  }

  /**
   * Starts a server and returns once it listens.
   * @param {Options} options
   */
  static async start(options) {
    const { dataDir, port = 0, demo, demoSize, databaseUrl, webhookAllow } = options;
    await access(BINARY);
    const args = ['serve', '--bind', `127.0.0.1:${port}`, '--data-dir', dataDir, '--print-json'];
    if (demo) args.push('--demo');
    if (demoSize) args.push('--demo-size', demoSize);
    if (databaseUrl) args.push('--database-url', databaseUrl);
    if (webhookAllow) args.push('--webhook-allow', webhookAllow);
    if (options.smtpUrl) {
      args.push('--public-url', `http://127.0.0.1:${port}`, '--mail-from', 'Concord <concord@example.org>');
      args.push('--smtp-url', options.smtpUrl);
    }
    if (options.config) args.push('--config', options.config);
    if (options.requireSecondFactor) args.push('--require-second-factor');
    const child = spawn(BINARY, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    /** @type {Promise<number | null>} */
    const ended = new Promise((resolve) => child.once('close', (code) => resolve(code)));
    /** @type {string[]} */
    const log = [];
    createInterface({ input: child.stderr }).on('line', (line) => log.push(line));

    /** @type {Promise<Started>} */
    const listening = new Promise((resolve, reject) => {
      const fail = (/** @type {string} */ why) =>
        reject(new Error(`${BINARY} ${args.join(' ')}: ${why}\n${log.join('\n')}`));
      const limit = setTimeout(() => fail('does not listen'), START_LIMIT);
      child.once('error', (error) => fail(error.message));
      ended.then((code) => fail(`ended with ${code}`));
      createInterface({ input: child.stdout }).on('line', (line) => {
        log.push(line);
        if (!line.startsWith('{')) return;
        clearTimeout(limit);
        resolve(JSON.parse(line));
      });
    });
    try {
      return new Server(child, await listening, log, ended);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  /**
   * What the server has logged; it logs only what somebody should look at. How long a statement
   * takes depends on what else the machine does: that is for benchmarks.
   */
  warnings() {
    const lines = this.log.filter((line) => !line.startsWith('{') && line.trim() !== '');
    return lines.filter((line) => !line.includes('slow statement') && !line.includes(ASKED));
  }

  /** What the log says of answers that were late. */
  late() {
    return this.log.filter((line) => line.includes(LATE));
  }

  /** What is being answered, in the server's own words; what it says nothing for is told as that. */
  async inFlight() {
    const before = this.log.length;
    this.child.kill('SIGUSR1');
    for (const end = Date.now() + SAY_LIMIT; Date.now() < end; ) {
      const line = this.log.slice(before).find((line) => line.includes(ASKED));
      if (line) return line;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return 'the server does not say what it is doing';
  }

  /** What the server is doing: its requests, its threads and its connections. */
  async describe() {
    return [await this.inFlight(), await this.#threads(), await this.#connections()].join('\n');
  }

  /** What each thread waits for, as the system knows it. */
  async #threads() {
    const tasks = `/proc/${this.child.pid}/task`;
    const read = async (/** @type {string} */ file) => (await readFile(file, 'utf8').catch(() => '?')).trim();
    const threads = (await readdir(tasks).catch(() => [])).map(async (task) => {
      const [name, wait, stat] = await Promise.all(
        ['comm', 'wchan', 'stat'].map((file) => read(`${tasks}/${task}/${file}`)),
      );
      return `${name} ${stat?.split(') ')[1]?.[0] ?? '?'} ${wait}`;
    });
    return `threads: ${(await Promise.all(threads)).join('; ')}`;
  }

  /** How many connections are in which state: those that nobody has accepted yet stand in a queue. */
  async #connections() {
    const port = Number(new URL(this.url).port).toString(16).toUpperCase().padStart(4, '0');
    const table = await readFile(`/proc/${this.child.pid}/net/tcp`, 'utf8').catch(() => '');
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const row of table.split('\n').slice(1)) {
      const [, local, , state, queues] = row.trim().split(/\s+/);
      if (!local?.endsWith(`:${port}`)) continue;
      const name = `${STATES[state ?? ''] ?? state}${queues === '00000000:00000000' ? '' : ` waiting ${queues}`}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return `connections: ${[...counts].map(([name, count]) => `${count} ${name}`).join('; ')}`;
  }

  /** Ends the process at once, as a power cut would. */
  async kill() {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** Asks the server to end, and insists if it does not. */
  async stop() {
    this.child.kill('SIGTERM');
    const limit = setTimeout(() => this.child.kill('SIGKILL'), STOP_LIMIT);
    await this.ended;
    clearTimeout(limit);
  }
}

/**
 * Runs another command of the binary to its end.
 * @param {string[]} args
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export async function run(args) {
  const child = spawn(BINARY, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (output += data));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, output };
}
