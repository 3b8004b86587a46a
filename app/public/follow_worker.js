// Follows what moves, for all pages that one person has open in this browser: each says over a port
// what it shows, and one stream tells of all of it, and brings what has changed. A browser opens six
// connections to a server, so a stream of its own for each page would stop the seventh.

// Pages say three times a minute that they are there; who is silent for longer is gone.
const SILENT = 70_000;
// Pages that come and go at once are one change of the stream.
const GATHER = 100;
// Who was refused comes again as after a loss, each at another time: a proxy refuses everybody at once
// while a server is away.
const later = () => 1_000 + Math.random() * 3_000;
// A page that stays open has its text before anything changes on it: all who wait for the same change
// would ask for it at once.
const soon = () => 1_000 + Math.random() * 4_000;
// Their addresses have to fit into one.
const MOST = 32;

const pages = new Map();
const known = new Map();
// The text of pages, as it was last sent: what changes next is told as edits of it.
const texts = new Map();
// When it is asked for of those that have not changed yet.
const expected = new Map();
// Those that are asked for, and whether they have changed meanwhile.
const asking = new Map();
let source;
let followed = '';
let waiting;
let refused = false;

const tell = (message, of) => {
  for (const [port, page] of pages) if (of === undefined || page.of === of) port.postMessage(message);
};

const edited = (text, edits) => {
  let [now, from] = ['', 0];
  for (const [at, removed, added] of edits) {
    now += text.slice(from, at) + added;
    from = at + removed;
  }
  return now + text.slice(from);
};

// The text of a page with its version; none if it is not kept for anybody.
const load = async (address) => {
  const answer = await fetch(address);
  if (answer.status !== 200) return undefined;
  return { version: answer.headers.get('concord-version'), html: await answer.text() };
};

// What a page shows now, from the edits of what it showed before, or from the server.
const change = async (of, edits, person, hasMoved = true) => {
  const text = texts.get(of);
  if (edits && text?.version === edits.to) return;
  if (edits && text?.version === edits.from) {
    texts.set(of, { version: edits.to, html: edited(text.html, edits.edits) });
  } else {
    // One question at a time: what changes meanwhile is asked for afterwards.
    if (asking.has(of)) { asking.set(of, true); return; }
    asking.set(of, false);
    const address = `/events/projects/${parseInt(of)}/page?${new URLSearchParams({ person, of })}`;
    const loaded = await load(address).catch(() => undefined);
    const again = asking.get(of);
    asking.delete(of);
    if (!loaded) { if (hasMoved || again) tell({ news: 'moved' }, of); return; }
    texts.set(of, loaded);
    if (again) { await change(of, undefined, person); return; }
  }
  tell({ news: 'page', of, html: texts.get(of)?.html }, of);
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
  for (const of of texts.keys()) if (!wanted.includes(of)) texts.delete(of);
  if (wanted.length === 0) return;
  const mine = new EventSource(`/events/revisions?${new URLSearchParams({ person, of })}`);
  source = mine;
  for (const news of ['stands', 'moved', 'edited', 'ended']) {
    mine.addEventListener(news, ({ data }) => {
      const [own, edits] = data.split('\n');
      const [place, revision] = own.split(' ');
      const of = wanted[place];
      known.set(of, revision);
      if (news === 'stands') {
        clearTimeout(expected.get(of));
        expected.set(of, setTimeout(() => {
          if (known.has(of) && !texts.has(of)) void change(of, undefined, person, false);
        }, soon()));
      }
      if (news === 'moved' || news === 'edited') void change(of, edits && JSON.parse(edits), person);
      else tell({ news, revision }, of);
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
