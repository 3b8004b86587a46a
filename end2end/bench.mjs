//! How fast the server is with a large project: `node bench.mjs [SIZE]`, on the release binary. It
//! measures and judges nothing; one line of JSON for each figure.

import http from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

import { Client } from './support/client.mjs';
import { newDataDir, removeDataDir, Server } from './support/server.mjs';

const SIZE = process.argv[2] ?? '20x500x20';
const LOADS = 100;

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

const dataDir = await newDataDir();
const began = performance.now();
const server = await Server.start({ dataDir, demo: true, demoSize: SIZE });
tell('start, with the project generated', { size: SIZE, ms: Math.round(performance.now() - began) });
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
} finally {
  await server.stop();
  await removeDataDir(dataDir);
}
