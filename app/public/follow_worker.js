// Follows what moves, for all pages that one person has open in this browser: each says over a port
// what it shows, and one stream tells of all of it. A browser opens six connections to a server, so a
// stream of its own for each page would stop the seventh.

// Pages say three times a minute that they are there; who is silent for longer is gone.
const SILENT = 70_000;
// Pages that come and go at once are one change of the stream.
const GATHER = 100;
// Who was refused comes again as after a loss, each at another time: a proxy refuses everybody at once
// while a server is away.
const later = () => 1_000 + Math.random() * 3_000;
// As many as the server follows at once.
const MOST = 64;

const pages = new Map();
const known = new Map();
let source;
let followed = '';
let waiting;
let refused = false;

const tell = (message, of) => {
  for (const [port, page] of pages) if (of === undefined || page.of === of) port.postMessage(message);
};

const connect = (person) => {
  waiting = undefined;
  for (const [port, { heard }] of pages) if (Date.now() - heard > SILENT) pages.delete(port);
  const wanted = [...new Set([...pages.values()].map(({ of }) => of))].slice(0, MOST).sort();
  const of = wanted.join('|');
  // One that was refused is tried again: the server may have been too busy.
  if (of === followed && source?.readyState !== EventSource.CLOSED) return;
  source?.close();
  source = undefined;
  followed = of;
  refused = false;
  known.clear();
  if (wanted.length === 0) return;
  const mine = new EventSource(`/events/revisions?${new URLSearchParams({ person, of })}`);
  source = mine;
  for (const news of ['stands', 'moved', 'ended']) {
    mine.addEventListener(news, ({ data }) => {
      const [place, revision] = data.split(' ');
      known.set(wanted[place], revision);
      tell({ news, revision }, wanted[place]);
    });
  }
  mine.addEventListener('error', () => {
    refused = mine.readyState === EventSource.CLOSED;
    tell({ news: refused ? 'refused' : 'offline' });
  });
};

export const serve = (port) => {
  port.onmessage = ({ data: { person, of } }) => {
    const isNew = pages.get(port)?.of !== of;
    if (of) pages.set(port, { of, heard: Date.now() }); else pages.delete(port);
    port.postMessage({ news: 'here' });
    const revision = known.get(of);
    if (isNew && revision !== undefined) port.postMessage({ news: 'stands', revision });
    waiting ??= setTimeout(connect, refused ? later() : GATHER, person);
  };
};

globalThis.onconnect = ({ ports: [port] }) => serve(port);
