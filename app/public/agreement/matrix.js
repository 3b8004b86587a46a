// What the matrix has of a script: arrow keys, what has changed since somebody looked last, the
// arrangement that this browser remembers, and a copy of the numbers.

import { refresh, visit } from '/reading.js';

const stored = (name) => {
  try { return JSON.parse(localStorage.getItem(name)); } catch { return null; }
};
const store = (name, value) => {
  try { localStorage.setItem(name, JSON.stringify(value)); } catch { /* It is not kept, then. */ }
};

const table = () => document.querySelector('table.matrix');
const pairs = () => [...(table()?.querySelectorAll('td.pair') ?? [])];

// Of a large matrix only the part that is seen is in the page, and a little around it: whoever
// scrolls or steps out of it loads the page with another part. Its cells have one size.
const CELL = { height: 48, width: 88 };
const MOST = 80;
const along = (scrolled, shown, size) => {
  const [from, to] = [Math.floor(scrolled / size), Math.ceil((scrolled + shown) / size)];
  const around = Math.ceil((to - from) / 2);
  return { from, to, start: Math.max(0, from - around), count: Math.min(MOST, to - from + 2 * around) };
};
const look = () => {
  const named = table()?.dataset.window;
  if (!named) return;
  const [row, column, rows, columns] = named.split('=')[1].split('.').map(Number);
  const region = table().parentElement;
  const down = along(region.scrollTop, region.clientHeight, CELL.height);
  const across = along(region.scrollLeft, region.clientWidth, CELL.width);
  const width = table().querySelectorAll('thead tr:last-child th').length - 1;
  const isHere = row <= down.from && row + rows >= Math.min(down.to, raters().length)
    && column <= across.from && column + columns >= Math.min(across.to, width);
  if (isHere) return;
  const address = new URL(location.href);
  address.searchParams.set('window', [down.start, across.start, down.count, across.count].join('.'));
  history.replaceState(null, '', address);
  void refresh();
};
let looking;
document.addEventListener('scroll', ({ target }) => {
  if (!target.matches?.('.matrix-region')) return;
  clearTimeout(looking);
  looking = setTimeout(look, 50);
}, true);

// The arrow keys lead from one pair to the next; nobody is a pair with themselves.
const raters = () =>
  [...(table()?.querySelectorAll('th[data-rater]') ?? [])].map(({ dataset }) => dataset.rater);
const places = (row, column, last) => ({
  ArrowLeft: [row, column - (column - 1 === row ? 2 : 1)],
  ArrowRight: [row, column + (column + 1 === row ? 2 : 1)],
  ArrowUp: [row - (row - 1 === column ? 2 : 1), column],
  ArrowDown: [row + (row + 1 === column ? 2 : 1), column],
  Home: [row, row === 0 ? 1 : 0],
  End: [row, row === last ? last - 1 : last],
  'Control+Home': [0, 1],
  'Control+End': [last, last - 1],
});
const reach = (link) => {
  for (const other of table().querySelectorAll('a[tabindex="0"]')) other.tabIndex = -1;
  link.tabIndex = 0;
};
let wanted;
const arrive = () => {
  const link = wanted && document.getElementById(wanted);
  if (!link) return;
  wanted = undefined;
  link.focus();
};
document.addEventListener('keydown', (event) => {
  const here = event.target.closest?.('td.pair a');
  if (!here || event.altKey || event.shiftKey || event.metaKey) return;
  const all = raters();
  const [row, column] = here.id.split('-').slice(1).map((rater) => all.indexOf(rater));
  const next = places(row, column, all.length - 1)[event.ctrlKey ? `Control+${event.key}` : event.key];
  if (!next || next.some((place) => place < 0 || place >= all.length)) return;
  event.preventDefault();
  wanted = `pair-${all[next[0]]}-${all[next[1]]}`;
  if (!document.getElementById(wanted)) {
    const { parentElement: region } = table();
    region.scrollTo({
      top: next[0] * CELL.height - region.clientHeight / 3,
      left: next[1] * CELL.width - region.clientWidth / 3,
    });
  }
  arrive();
});
document.addEventListener('focusin', ({ target }) => {
  if (target.matches?.('td.pair a')) reach(target);
});

// A pair is shown beside the matrix; without this, its link leads to its page. The address says which.
const panel = () => document.getElementById('pair-panel');
const showPair = (pair) => {
  const address = new URL(location.href);
  if (pair) address.searchParams.set('pair', pair); else address.searchParams.delete('pair');
  visit(address);
};
const choosePair = () => {
  for (const old of document.querySelectorAll('td.pair.chosen')) old.classList.remove('chosen');
  const chosen = panel()?.dataset.pair;
  if (chosen) document.getElementById(`pair-${chosen}`)?.closest('td').classList.add('chosen');
};
let isToHaveFocus = false;
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('td.pair a');
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  // Enter leads on into what it opened; a pointer is there already.
  isToHaveFocus = event.detail === 0;
  showPair(link.id.split('-').slice(1).join('.'));
});
document.addEventListener('keydown', (event) => {
  const open = panel();
  if (event.key !== 'Escape' || event.defaultPrevented || !open || document.querySelector(':popover-open')) return;
  event.preventDefault();
  const cell = document.getElementById(`pair-${open.dataset.pair}`);
  showPair();
  cell?.focus({ preventScroll: true });
});

// What has changed is measured against the matrix as somebody looked at it last, or as they marked
// it as seen: under the same switches, by what stands on screen.
const REMEMBERED = 6;
const LISTED = 50;
const seen = () => document.querySelector('[data-seen]');
const part = (name) => seen().querySelector(`[data-seen-${name}]`);
const now = () => {
  const { switches, revision } = seen().dataset;
  const cells = {};
  for (const cell of pairs()) {
    cells[cell.dataset.pair] = [cell.querySelector('.value')?.textContent ?? '–', Number(cell.dataset.n ?? 0)];
  }
  return { switches, revision: Number(revision), cells };
};
const number = (text) => Number(text.replace('−', '-'));
const signed = (value, text) => (value > 0 ? `+${text}` : `−${text}`);
const change = ([before, beforeN], [after, n]) => {
  if (before === after) {
    return n === beforeN ? null
      : { way: 'same', by: 0, text: `• n ${signed(n - beforeN, Math.abs(n - beforeN).toLocaleString('en'))}` };
  }
  if (before === '–') return { way: 'up', by: Infinity, text: '▲ new' };
  if (after === '–') return { way: 'down', by: Infinity, text: '▼ no value now' };
  const by = number(after) - number(before);
  const way = by > 0 ? 'up' : 'down';
  return { way, by: Math.abs(by), text: `${by > 0 ? '▲' : '▼'} ${signed(by, Math.abs(by).toFixed(2))}` };
};

let baselines = seen() ? stored(seen().dataset.seen) ?? [] : [];
let marked = false;
const baseline = () => baselines.find(({ switches }) => switches === seen().dataset.switches);
// What is not in the page has been seen as it was then.
const seenNow = () => {
  const shown = now();
  return { ...shown, cells: { ...baseline()?.cells, ...shown.cells } };
};
const item = (cell, { text }, before, after) => {
  const row = document.createElement('li');
  const link = document.createElement('a');
  link.href = cell.querySelector('a').href;
  link.textContent = cell.querySelector('.visually-hidden').textContent.replace(/: $/, '');
  const facts = [
    [`${before[0]} → ${after[0]}`, 'number'],
    [text, 'number'],
    [`n ${before[1].toLocaleString('en')} → ${after[1].toLocaleString('en')}`, 'number soft'],
  ].map(([fact, name]) => Object.assign(document.createElement('span'), { textContent: fact, className: name }));
  const whose = Object.assign(document.createElement('span'), { className: 'soft' });
  whose.dataset.movers = cell.querySelector('a').id.replace('pair-', '');
  row.append(link, ...facts, whose);
  return row;
};
const tell = (cell, found) => {
  const top = cell.querySelector('.top');
  if (!top) return;
  if (found) Object.assign(top.dataset, { change: found.text, way: found.way });
  else for (const name of ['change', 'way']) delete top.dataset[name];
};
const compare = () => {
  if (!seen()) return;
  const shown = now();
  if (!baseline()) baselines.push(shown);
  const before = baseline();
  const changes = new Map();
  for (const cell of pairs()) {
    const { pair } = cell.dataset;
    before.cells[pair] ??= shown.cells[pair];
    const old = before.cells[pair];
    const found = change(old, shown.cells[pair]);
    if (found) {
      tell(cell, found);
      if (!changes.has(pair)) changes.set(pair, [cell, found, old, shown.cells[pair]]);
    } else {
      tell(cell, null);
    }
  }
  const since = marked ? 'since you marked them as seen' : 'since your last visit';
  const { size } = changes;
  const words = size === 0 ? `No changes ${since}.`
    : size === 1 ? `1 pair has changed ${since}.`
      : `${size.toLocaleString('en')} pairs have changed ${since}.`;
  if (part('count').textContent !== words) part('count').textContent = words;
  for (const name of ['list', 'mark']) part(name).disabled = size === 0;
  const list = seen().querySelector('.changes');
  const isOpen = part('list').getAttribute('aria-expanded') === 'true' && size > 0;
  list.hidden = !isOpen;
  if (!isOpen) return;
  const rows = [...changes.values()].sort(([, a], [, b]) => b.by - a.by).slice(0, LISTED);
  list.replaceChildren(...rows.map((row) => item(...row)));
  void name(before.revision);
};
// Who has moved the numbers: only the two of a pair can.
const name = async (since) => {
  const { project, movers } = seen().dataset;
  const answer = await fetch(movers, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ project: Number(project), since }),
  }).catch(() => null);
  // Offline the list stands without the names.
  if (!answer?.ok) return;
  const found = await answer.json();
  for (const whose of seen().querySelectorAll('li [data-movers]')) {
    const two = whose.dataset.movers.split('-').map(Number);
    const [first, second] = whose.closest('li').querySelector('a').textContent.split(' and ');
    const names = { [two[0]]: first, [two[1]]: second };
    const saves = found.filter(({ rater }) => two.includes(rater))
      .map(({ rater, saves }) => `${saves.toLocaleString('en')} ${saves === 1 ? 'save' : 'saves'} of ${names[rater]}`);
    whose.textContent = saves.length ? `through ${saves.join(' and ')}` : '';
  }
};
document.addEventListener('click', ({ target }) => {
  const button = target.closest?.('button');
  if (button?.matches('[data-seen-list]')) {
    button.setAttribute('aria-expanded', String(button.getAttribute('aria-expanded') !== 'true'));
    compare();
  } else if (button?.matches('[data-seen-mark]')) {
    baselines = [seenNow()];
    marked = true;
    compare();
  } else if (button?.matches('[data-copy-file]')) {
    void copy(button);
  } else if (button?.matches('[data-simulate]')) {
    simulate(button);
  }
});
addEventListener('pagehide', () => {
  if (!seen()) return;
  const shown = seenNow();
  const others = baselines.filter(({ switches }) => switches !== shown.switches);
  store(seen().dataset.seen, [shown, ...others].slice(0, REMEMBERED));
});

// The arrangement stands in the address; this browser remembers the last one of each project.
const PARTS = ['in_order', 'first', 'hidden'];
const arrangement = () => [...new URLSearchParams(location.search)].filter(([key]) => PARTS.includes(key));
const form = () => document.querySelector('form[data-kept]');
const keep = () => { if (form()) store(form().dataset.kept, arrangement()); };
const remembered = form() ? stored(form().dataset.kept) ?? [] : [];
if (remembered.length && !arrangement().length) {
  const address = new URL(location.href);
  for (const [key, value] of remembered) address.searchParams.append(key, value);
  visit(address);
}
document.addEventListener('refreshed', () => {
  keep();
  compare();
  arrive();
  look();
  choosePair();
  if (isToHaveFocus) panel()?.focus({ preventScroll: true });
  isToHaveFocus = false;
});
compare();
look();
choosePair();

// The matrix as text to paste.
const copy = async (button) => {
  const said = button.closest('section').querySelector('[role="status"]');
  try {
    const answer = await fetch(button.dataset.copyFile);
    if (!answer.ok) throw new Error(answer.statusText);
    await navigator.clipboard.writeText(await answer.text());
    said.textContent = 'Copied.';
  } catch {
    said.textContent = 'This browser blocks copying. Download a file instead.';
  }
};

// Labelers of a demo at work, slowly enough to follow what moves.
const PAUSE = 1500;
let working = null;
const simulate = (button) => {
  const said = button.parentElement.querySelector('[role="status"]');
  const show = () => {
    button.textContent = working ? 'Stop' : 'Simulate labelers';
    button.classList.toggle('primary', !working);
  };
  const stop = () => { clearInterval(working); working = null; show(); };
  if (working) { stop(); return; }
  let asked = false;
  const ask = async () => {
    // A slow answer is waited for instead of piling calls up.
    if (asked) return;
    asked = true;
    const answer = await fetch(button.dataset.simulate, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ project: button.dataset.project }),
    }).catch(() => null);
    asked = false;
    if (!answer?.ok) { stop(); said.textContent = 'Stopped: the server did not answer.'; return; }
    const spans = Number(said.dataset.spans ?? 0) + Number(await answer.json());
    said.dataset.spans = String(spans);
    said.textContent = spans === 1 ? '1 span saved' : `${spans.toLocaleString('en')} spans saved`;
  };
  working = setInterval(ask, PAUSE);
  show();
  void ask();
};
