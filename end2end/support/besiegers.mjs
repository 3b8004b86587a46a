//! Those who besiege the server, on a thread of their own: each attack comes from an address of its own
//! of loopback, or from several, and goes on until it is ended. What became of it is told twice a second.

import net from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { url, project, copy, manager, labeler, email, scale } = workerData;
const { hostname, port } = new URL(url);
/** Attacks of other names stay away: so one finds which of them does what. */
const ONLY = process.env['CONCORD_SIEGE_ONLY'] ?? '';
const FROM = 'host: 127.0.0.1\r\nsec-fetch-site: same-origin\r\n';

/** @type {Record<string, Record<string, number>>} */
const met = {};
setInterval(() => parentPort?.postMessage(met), 500);

/** @param {string} attack @param {string} outcome */
function count(attack, outcome) {
  const outcomes = (met[attack] ??= {});
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
}

/**
 * Connects, says something, and goes on saying `more` now and then; whenever it is ended, it comes again.
 * @param {string} attack @param {number} from the last number of its address; from 256, the last two of it
 * @param {{ start: () => string | Buffer, more?: string | Buffer, every?: number, reads?: boolean }} what
 */
function besiege(attack, from, { start, more, every = 1_000, reads = true }) {
  const socket = net.connect({ host: hostname, port: Number(port), localAddress: `127.0.${from >> 8}.${from & 255}` });
  let answer = '';
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let isTold = false;
  const feed = () => {
    if (more === undefined || socket.destroyed) return;
    if (every > 0) timer = setInterval(() => { if (socket.writable) socket.write(more); }, every);
    else {
      // As fast as it is taken.
      const pour = () => { while (socket.writable && socket.write(more)); };
      socket.on('drain', pour);
      pour();
    }
  };
  socket.on('connect', () => {
    count(attack, 'connected');
    socket.write(start());
    feed();
    if (!reads) socket.pause();
  });
  if (reads) {
    socket.on('data', (data) => {
      if (isTold) return;
      answer += data.toString('latin1');
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
      if (!status) return;
      isTold = true;
      count(attack, status);
      if (status !== '200') socket.end();
    });
  }
  socket.on('error', () => {});
  socket.on('close', () => {
    clearInterval(timer);
    count(attack, 'ended');
    setTimeout(() => besiege(attack, from, { start, more, every, reads }), 250 + Math.random() * 500);
  });
}

/**
 * @param {string} attack @param {number} number @param {number} from @param {Parameters<typeof besiege>[2]} what
 * @param {number} [addresses] how many addresses it comes from, in turn
 */
function many(attack, number, from, what, addresses = 1) {
  if (!attack.includes(ONLY)) return;
  const all = Math.ceil(number * scale);
  for (let one = 0; one < all; one += 1) {
    setTimeout(() => besiege(attack, from + (one % addresses), what), (one * 2_000) / all);
  }
}

/** @param {string} path @param {string} cookie @param {string} kind @param {number} length @param {string} [more] */
const post = (path, cookie, kind, length, more = '') =>
  `${path.endsWith('/spans') ? 'PUT' : 'POST'} ${path} HTTP/1.1\r\n${FROM}cookie: ${cookie}\r\ncontent-type: ${kind}\r\ncontent-length: ${length}\r\n${more}\r\n`;

const FORM = 'application/x-www-form-urlencoded';
const FILES = 'multipart/form-data; boundary=cut';
const FILE = '--cut\r\nContent-Disposition: form-data; name="files"; filename="a.jsonl"\r\n\r\n';
const MUCH = Buffer.alloc(64 * 1024, 'more of it ');

many('slow heads', 300, 2, { start: () => `GET / HTTP/1.1\r\n${FROM}x-slow: `, more: 'x' });
many('idle connections', 100, 3, { start: () => '' });
many('slow bodies of strangers', 100, 4, { start: () => post('/fn/accounts/sign_in', '', FORM, 900_000) + 'email=', more: 'x' });
// Nearly all of what a stranger may send and of much more, and then silence, from many addresses.
for (const [length, addresses, from] of /** @type {const} */ ([[8 * 1024, 60, 0x102], [960 * 1024, 12, 0x182]])) {
  const unsent = Buffer.from(post('/fn/accounts/sign_in', '', FORM, length) + 'x'.repeat(length - 20));
  many(`silent strangers after ${length} bytes`, addresses * 10, from, { start: () => unsent }, addresses);
}
many('slow bodies of a labeler', 50, 5, {
  start: () => post(`/api/v1/assignments/${copy}/spans`, labeler, 'application/json', 16_000_000, 'if-match: "0"\r\n') + '{"spans":[',
  more: ' ',
});
many('slow uploads', 20, 6, { start: () => post('/api/v1/compare', labeler, FILES, 60_000_000) + FILE, more: 'x' });

// A new snapshot for every save: nobody takes any of them.
many('streams that nobody reads', 500, 7, {
  start: () => `GET /events/projects/${project}/agreement HTTP/1.1\r\n${FROM}cookie: ${manager}\r\naccept: text/event-stream\r\n\r\n`,
  reads: false,
});

many('floods of sign-ins', 20, 8, {
  start: () => {
    const body = `email=${Math.random() < 0.5 ? email : `nobody${Math.random()}@example.org`}&password=wrong-${Math.random()}`;
    return post('/fn/accounts/sign_in', '', FORM, body.length, 'connection: close\r\n') + body;
  },
});

const BOUNDARY = 'c'.repeat(12_000);
many('long boundaries', 4, 9, {
  start: () => {
    const kind = `multipart/form-data; boundary=${BOUNDARY}`;
    const key = `idempotency-key: siege-${Math.random()}\r\nconnection: close\r\n`;
    return post(`/api/v1/assignments/${copy}/submit`, labeler, kind, 500_000, key) + 'c'.repeat(500_000);
  },
});
const ALMOST = 'c'.repeat(69);
many('forms that are almost cut', 2, 9, {
  start: () => {
    const kind = `multipart/form-data; boundary=${ALMOST}d`;
    const key = `idempotency-key: siege-${Math.random()}\r\nif-match: "0"\r\nconnection: close\r\n`;
    return post(`/api/v1/assignments/${copy}/spans`, labeler, kind, 4_000_000, key) + 'c'.repeat(4_000_000);
  },
});
many('heads of parts without an end', 4, 10, {
  start: () => post('/api/v1/compare', labeler, FILES, 60_000_000) + '--cut\r\nx-long: ', more: MUCH, every: 0,
});
many('nested JSON', 4, 11, {
  start: () => post('/fn/annotating/save_spans', labeler, 'application/json', 900_000, 'connection: close\r\n') + '['.repeat(900_000),
});

many('uploads to a project that there is not', 20, 12, {
  start: () => post('/api/v1/projects/999999/imports?mode=preview', labeler, FILES, 200_000_000) + FILE, more: MUCH, every: 0,
});
many('uploads to compare', 8, 13, {
  start: () => post('/api/v1/compare', labeler, FILES, 60_000_000) + FILE, more: MUCH, every: 0,
});
