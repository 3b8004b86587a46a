// What pages that are only read have of a script: the choice of colours, filters that take effect
// at once, and numbers that follow the work of others. Everything works without it.

const root = document.documentElement;

// The choice of colours; the page's head applies it before the first paint.
const KEY = 'concord.theme';
const themes = document.querySelectorAll('[data-theme-choice]');
const kept = () => {
  try { return localStorage.getItem(KEY) ?? 'auto'; } catch { return 'auto'; }
};
const press = (chosen) => {
  for (const button of themes) {
    button.setAttribute('aria-pressed', String(button.dataset.themeChoice === chosen));
  }
};
const choose = (chosen) => {
  if (chosen === 'auto') delete root.dataset.theme; else root.dataset.theme = chosen;
  try {
    if (chosen === 'auto') localStorage.removeItem(KEY); else localStorage.setItem(KEY, chosen);
  } catch { /* A browser may refuse to keep anything; the page has its colours all the same. */ }
  press(chosen);
};
for (const button of themes) {
  button.addEventListener('click', () => choose(button.dataset.themeChoice));
}
press(kept());

// A new state of the page is put in place of the old one piece by piece, so that focus, selection,
// scroll positions and what is typed or folded out stay.
const OWN = new Set(['open', 'aria-pressed', 'tabindex']);
const update = (old, now) => {
  if (old.nodeType !== now.nodeType || old.nodeName !== now.nodeName) {
    old.replaceWith(now);
    return;
  }
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== now.nodeValue) {
      old.nodeValue = now.nodeValue;
      const cell = old.nodeType === Node.TEXT_NODE && old.parentElement?.closest('.number');
      if (cell) flash(cell);
    }
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (!now.hasAttribute(name) && !OWN.has(name)) old.removeAttribute(name);
  }
  for (const { name, value } of now.attributes) {
    if (old.getAttribute(name) !== value && !OWN.has(name)) old.setAttribute(name, value);
  }
  const before = [...old.childNodes];
  const after = [...now.childNodes];
  after.forEach((node, place) => {
    if (before[place]) update(before[place], node); else old.append(node);
  });
  before.slice(after.length).forEach((node) => node.remove());
};
const flash = (element) => {
  element.classList.remove('moved');
  void element.getBoundingClientRect();
  element.classList.add('moved');
};

// A page that moved while it was being loaded again is loaded once more.
let loading = false;
let again = false;
let stepping = false;
const HTML = { headers: { accept: 'text/html' } };
const put = async (answer) => {
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const now = page.querySelector('main');
  const old = document.querySelector('main');
  if (now && old) update(old, document.adoptNode(now));
  reachable();
  show(true);
};
const refresh = async () => {
  if (loading || stepping) { again = true; return; }
  loading = true;
  try {
    const from = location.href;
    const answer = await fetch(from, HTML);
    // Whoever goes on meanwhile is not led back to where they were.
    if (stepping || from !== location.href) { again = true; return; }
    if (!answer.ok || answer.redirected) { location.reload(); return; }
    await put(answer);
  } catch {
    // Offline: the stream says so, and refreshes when it is back.
  } finally {
    loading = false;
    catchUp();
  }
};
const catchUp = () => {
  if (!again || loading || stepping) return;
  again = false;
  void refresh();
};

const live = () => document.querySelector('[data-live]');
let state = 'waiting';
const show = (keep, next) => {
  state = keep ? state : next;
  for (const word of live()?.querySelectorAll('[data-state]') ?? []) {
    word.hidden = word.dataset.state !== state;
  }
};
const follow = () => {
  const source = new EventSource(live().dataset.live);
  let first = true;
  source.addEventListener('moved', ({ data }) => {
    show(false, 'live');
    const seen = live()?.dataset.revision;
    const waits = live()?.dataset.pending !== undefined;
    if (!first || waits || (seen !== undefined && seen !== data)) void refresh();
    first = false;
  });
  source.addEventListener('error', () => {
    show(false, source.readyState === EventSource.CLOSED ? 'ended' : 'offline');
  });
};
if (live()) follow();

// Filters take effect when they are changed; the button that sends them is for whom this does not
// run.
document.addEventListener('change', ({ target }) => {
  const form = target.closest?.('form[data-instant]');
  if (form) form.requestSubmit();
});

// A list of positions is walked through with the arrow keys (or j and k) once the keyboard is on one
// of its rows; Enter opens what the row leads to.
const ROW = 'table.disagreements tbody tr';
const reachable = () => {
  const rows = [...document.querySelectorAll(ROW)];
  if (!rows.some((row) => row.tabIndex === 0)) rows[0]?.setAttribute('tabindex', '0');
};
const STEPS = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const here = target.closest?.(ROW);
  if (!here) return;
  if (key === 'Enter' && target === here) { here.querySelector('a')?.click(); return; }
  const by = STEPS[key];
  const next = by === 1 ? here.nextElementSibling : here.previousElementSibling;
  if (!by || !next) return;
  event.preventDefault();
  here.setAttribute('tabindex', '-1');
  next.setAttribute('tabindex', '0');
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
});
reachable();

// A walk goes from position to position in its place: what is folded out stays, and what was
// decided is read out. Where that fails, the browser goes there as it would without this.
const STEP = '[data-step]';
const waiting = [];
const go = async (address, options) => {
  stepping = true;
  try {
    const answer = await fetch(address, { ...HTML, ...options });
    if (!answer.ok) return false;
    const focused = document.activeElement;
    history.pushState(null, '', answer.url);
    forget();
    await put(answer);
    for (const form of document.querySelectorAll(`form${STEP}`)) form.reset();
    keysOn();
    if (!focused?.isConnected || focused === document.body || focused.disabled) {
      document.querySelector('[data-focus]')?.focus({ preventScroll: true });
    }
    scrollTo(0, 0);
    return true;
  } catch {
    return false;
  } finally {
    stepping = false;
    const key = waiting.shift();
    if (key === undefined) catchUp(); else keyed(key)?.click();
  }
};
document.addEventListener('click', async (event) => {
  const link = event.target.closest?.(`a${STEP}`);
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (!stepping && !await go(link.href)) location.assign(link.href);
});
document.addEventListener('submit', async (event) => {
  const { target, submitter } = event;
  if (!target.matches(STEP) || target.dataset.plain !== undefined) return;
  event.preventDefault();
  if (stepping) return;
  const body = new URLSearchParams(new FormData(target, submitter));
  if (await go(target.action, { method: 'POST', body })) return;
  target.dataset.plain = '';
  target.requestSubmit(submitter);
});
addEventListener('popstate', () => { if (document.querySelector('[data-walk]')) void refresh(); });

// Keys of what the page offers. Letters and digits can be switched off, for who speaks to their
// computer or strays across the keyboard; the review of a document keeps the same choice.
const LETTER_KEYS = 'concord.review.letter-keys';
const letterKeys = () => {
  try { return localStorage.getItem(LETTER_KEYS) !== 'off'; } catch { return true; }
};
const keyed = (pressed) => [...document.querySelectorAll('[data-key]')]
  .find((element) => !element.disabled && element.dataset.key.split(' ').includes(pressed));
const keysOn = () => {
  for (const box of document.querySelectorAll('[data-letter-keys]')) box.checked = letterKeys();
};
document.addEventListener('change', ({ target }) => {
  if (!target.matches?.('[data-letter-keys]')) return;
  try { localStorage.setItem(LETTER_KEYS, target.checked ? 'on' : 'off'); } catch { /* As above. */ }
});
document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (event.defaultPrevented || event.isComposing) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (target.matches?.('input:not([type="checkbox"]), select, textarea')) {
    if (key === 'Escape') target.blur();
    return;
  }
  if (document.querySelector('dialog[open]')) return;
  const isLetter = key.length === 1;
  if (isLetter && !letterKeys()) return;
  const pressed = isLetter ? key.toLowerCase() : key;
  const wanted = keyed(pressed);
  if (!wanted) return;
  event.preventDefault();
  // A key held down, or pressed before the next position is there, walks on; but it does not
  // decide on what nobody has seen yet.
  if (!stepping && (!event.repeat || wanted.matches('a'))) wanted.click();
  else if (stepping && !event.repeat && wanted.matches(`a${STEP}`)) waiting.push(pressed);
});
keysOn();

// Dialogs open by the browser's own means (`command`); here for browsers that do not have them yet.
// A dialog whose form was refused opens again, and the address forgets the refusal.
if (!('command' in HTMLButtonElement.prototype)) {
  document.addEventListener('click', ({ target }) => {
    const button = target.closest?.('button[commandfor]');
    const dialog = button && document.getElementById(button.getAttribute('commandfor'));
    if (!dialog) return;
    if (button.getAttribute('command') === 'close') dialog.close(); else dialog.showModal();
  });
}
for (const dialog of document.querySelectorAll('dialog[data-open]')) dialog.showModal();
function forget() {
  const address = new URL(location.href);
  if (!address.searchParams.has('__err')) return;
  for (const name of ['__err', '__path']) address.searchParams.delete(name);
  history.replaceState(null, '', address);
}
forget();

root.dataset.hydrated = '';
