// What pages that are read have of a script: filters and switches that take effect where they stand,
// and numbers that follow the work of others. Pages can be read without it.

import { Idiomorph } from '/idiomorph.js';

const root = document.documentElement;

// In the fields of keys, keys are written by being pressed; Tab leads on, and Backspace by itself
// empties the field.
const ARROWS = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', PageUp: 'Page Up', PageDown: 'Page Down' };
for (const field of document.querySelectorAll('.own-keys input')) {
  field.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const types = key.length === 1;
    if ([' ', 'Tab', 'Control', 'Meta', 'Alt', 'AltGraph', 'Shift', 'Dead', 'Process'].includes(key)) return;
    const held = ctrlKey || metaKey || altKey;
    if (!held && !shiftKey && ['Backspace', 'Enter'].includes(key)) return;
    event.preventDefault();
    // A sign is the same with Shift or without: keyboards differ.
    const shift = shiftKey && (!types || /\p{L}/u.test(key));
    const words = [(ctrlKey || metaKey) && 'Ctrl', altKey && 'Alt', shift && 'Shift', ARROWS[key] ?? (types ? key.toUpperCase() : key)];
    field.value = words.filter(Boolean).join(' ');
  });
}

// A new state of the page is put in place of the old one piece by piece, so that focus, selection,
// scroll positions and what is typed or folded out stay.
const OWN = new Set(['open', 'aria-pressed', 'tabindex', 'nonce', 'data-change', 'data-way']);
const TYPED = { value: 'input, textarea', checked: 'input', selected: 'option' };
const isOwn = (name, element) => OWN.has(name)
  // Where the keyboard stops is the page's to say at first.
  && (name !== 'tabindex' || element.hasAttribute(name))
  || (TYPED[name] && element.matches(TYPED[name]) && element.type !== 'hidden'
    // A form of filters shows what its page's address says.
    && (element === document.activeElement || !element.closest('form[data-instant]')));
const callbacks = {
  beforeAttributeUpdated: (name, element) => !isOwn(name, element),
  beforeNodeMorphed: (old, now) => {
    // What a script fills is its own.
    if (old.hasAttribute?.('data-own')) return false;
    if (old.nodeType === Node.TEXT_NODE && old.nodeValue !== now.nodeValue) {
      const cell = old.parentElement?.closest('.number, td.pair');
      if (cell) flash(cell);
    }
    return true;
  },
};
const update = (old, now) => Idiomorph.morph(old, now, { callbacks });
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
const put = (html) => {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const now = page.querySelector('main');
  const old = document.querySelector('main');
  // Somebody else has signed in with this browser: nothing of the page is theirs.
  const reader = page.querySelector('[data-reader]')?.dataset.reader;
  if (person && reader && reader !== person) { location.reload(); return; }
  if (now && old) update(old, now);
  if (page.title) document.title = page.title;
  path = location.pathname + location.search;
  follow();
  reachable();
  show(true);
  tick();
  document.dispatchEvent(new Event('refreshed'));
};
export const refresh = async () => {
  if (loading || stepping) { again = true; return; }
  loading = true;
  try {
    const from = location.href;
    const answer = await fetch(from, HTML);
    // Whoever goes on meanwhile is not led back to where they were.
    if (stepping || from !== location.href) { again = true; return; }
    // A server that has trouble says nothing about the page; a refusal does.
    if (answer.status >= 500) return;
    if (!answer.ok || answer.redirected) { location.reload(); return; }
    put(await answer.text());
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

// What has moved is told by one stream for all pages that somebody has open: a shared worker has it,
// or the page itself where there are none. A page that nobody looks at asks for nothing, and is told
// where things stand when it is looked at again.
let port;
let person;
let ended;
let unanswered;
const open = () => {
  const script = '/follow_worker.js';
  if ('SharedWorker' in window) {
    // One of another name was begun by pages of a version before, and does not bring what has changed.
    port = new SharedWorker(script, { name: `concord pages ${person}`, type: 'module' }).port;
  } else {
    const { port1, port2 } = new MessageChannel();
    port = port1;
    void import(script).then(({ serve }) => serve(port2));
  }
  port.onmessage = ({ data }) => told(data);
};
const followed = () => {
  const subject = live()?.dataset.live;
  // Addresses stand beside each other, with a bar between them.
  return subject && `${subject}@${location.pathname}${location.search}`.replaceAll('|', '%7C');
};
const follow = () => {
  const address = followed();
  const of = document.hidden || address === ended ? undefined : address;
  if (!port && !of) return;
  person ??= document.querySelector('[data-reader]')?.dataset.reader;
  if (!port) open();
  port.postMessage({ person, of });
  // The worker ends with the page that it began with, if that one breaks.
  clearTimeout(unanswered);
  if (of) unanswered = setTimeout(() => { port = undefined; follow(); }, 10_000);
};
const shows = (html) => Number(html.match(/ data-live="[^>]*? data-revision="(\d+)"/)?.[1]);
const told = ({ news, revision, of, html }) => {
  clearTimeout(unanswered);
  if (news === 'here' || document.hidden) return;
  if (news === 'offline') { show(false, 'offline'); return; }
  if (news === 'page') {
    show(false, 'live');
    if (loading || stepping) again = true;
    // What was made before the page was loaded is not put in its place.
    else if (of === followed() && shows(html) >= Number(live()?.dataset.revision)) put(html);
    return;
  }
  if (news === 'stands' || news === 'moved') {
    show(false, 'live');
    const { revision: seen, pending } = live()?.dataset ?? {};
    if (news === 'moved' || pending !== undefined || seen !== revision) void refresh();
    return;
  }
  // Whoever may not follow any more is told so by the page itself, in place of its numbers.
  if (news === 'ended') ended = followed();
  show(false, 'ended');
  follow();
  void refresh();
};
follow();
// That it is still there is said again and again: nobody tells the worker of a page that has broken.
setInterval(follow, 20_000);
document.addEventListener('visibilitychange', follow);
addEventListener('pageshow', follow);
addEventListener('pagehide', () => port?.postMessage({ person }));

const ago = (seconds) => {
  if (seconds < 2) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86400)} days ago`;
};
const tick = () => {
  for (const time of document.querySelectorAll('time[data-ago]')) {
    const text = ago(Math.round((Date.now() - Date.parse(time.dateTime)) / 1000));
    if (time.textContent !== text) time.textContent = text;
  }
};
tick();
setInterval(tick, 1000);

// What is being counted is looked for again, ever more seldom.
let looked = 0;
const lookAgain = () => {
  if (!document.querySelector('[data-again]') || looked > 30) return;
  looked += 1;
  setTimeout(() => { void (document.hidden ? lookAgain() : refresh()); }, 250 * looked);
};
document.addEventListener('refreshed', lookAgain);
lookAgain();

// Filters take effect when they are changed; the button that sends them is for whom this does not
// run. They and the switches change the page where it stands: what has the focus keeps it.
export const visit = (address) => {
  history.pushState(null, '', address);
  void refresh();
};
// What is typed takes effect when one pauses, and leaves no steps in the history.
let typing;
document.addEventListener('input', ({ target }) => {
  const form = target.closest?.('form[data-typed]');
  if (!form || target.matches('select')) return;
  clearTimeout(typing);
  typing = setTimeout(() => {
    if (!form.checkValidity()) return;
    readdress(asked(form));
    void refresh();
  }, 300);
});
document.addEventListener('change', ({ target }) => {
  const form = target.closest?.('form[data-instant]');
  if (!form || (form.matches('[data-typed]') && !target.matches('select'))) return;
  form.requestSubmit();
});
const asked = (form) => {
  const action = new URL(form.action, location.href);
  action.search = new URLSearchParams(new FormData(form)).toString();
  return action;
};
document.addEventListener('submit', (event) => {
  const form = event.target.closest('form[data-instant]');
  if (!form) return;
  event.preventDefault();
  visit(asked(form));
});
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[data-noscroll]');
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  // A menu closes with the choice, and its button has the focus.
  link.closest(':popover-open')?.hidePopover();
  visit(link.href);
});
// Steps through the history on one page; the browser itself sees to places within a page.
let path = location.pathname + location.search;
// Writes another address for what is on the page already.
export const readdress = (address) => {
  history.replaceState(null, '', address);
  path = location.pathname + location.search;
};
addEventListener('popstate', () => {
  if (location.pathname + location.search !== path) void refresh();
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
const queued = [];
const go = async (address, options) => {
  stepping = true;
  try {
    const answer = await fetch(address, { ...HTML, ...options });
    if (!answer.ok) return false;
    const focused = document.activeElement;
    history.pushState(null, '', answer.url);
    const isRefused = new URL(answer.url).searchParams.has('refused');
    forget();
    takeSent();
    put(await answer.text());
    // What was typed is for the position it was typed at, unless it was refused.
    if (!isRefused) for (const form of document.querySelectorAll(`form${STEP}`)) form.reset();
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
    const key = queued.shift();
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
  else if (stepping && !event.repeat && wanted.matches(`a${STEP}`)) queued.push(pressed);
});
keysOn();

// Dialogs open by the browser's own means (`command`); here for browsers that do not have them yet.
if (!('command' in HTMLButtonElement.prototype)) {
  document.addEventListener('click', ({ target }) => {
    const button = target.closest?.('button[commandfor]');
    const dialog = button && document.getElementById(button.getAttribute('commandfor'));
    if (!dialog) return;
    if (button.getAttribute('command') === 'close') dialog.close(); else dialog.showModal();
  });
}

// A dialog whose form was refused opens again, and the address forgets the refusal. What was typed
// is there again, passwords left out; where a page has several forms of a kind, only the refused one
// says what is wrong. It is kept for this tab, until the next page is there.
const SENT = 'concord.sent';
const nameOf = (form) => `${form.action} ${form.closest('dialog')?.id ?? ''}`;
const fieldsOf = (form) => [...form.elements].filter(
  ({ name, type }) => name !== '' && !['hidden', 'password', 'file'].includes(type),
);
document.addEventListener('submit', ({ target: form }) => {
  if (form.method !== 'post') return;
  const typed = fieldsOf(form).map(({ value, checked }) => [value, checked]);
  try { sessionStorage.setItem(SENT, JSON.stringify([nameOf(form), typed])); } catch { /* Full. */ }
});
const takeSent = () => {
  try {
    const sent = JSON.parse(sessionStorage.getItem(SENT));
    sessionStorage.removeItem(SENT);
    return sent;
  } catch { return null; }
};
const giveBack = ([name, typed]) => {
  const form = [...document.forms].find((other) => nameOf(other) === name);
  if (!form) return undefined;
  fieldsOf(form).forEach((field, place) => {
    // Whoever was faster than this script goes on where they are.
    const isTyped = ['checkbox', 'radio'].includes(field.type)
      ? field.checked !== field.defaultChecked
      : field.defaultValue !== undefined && field.value !== field.defaultValue;
    if (typed[place] === undefined || isTyped) return;
    if ('checked' in field) field.checked = typed[place][1] === true;
    if (!['checkbox', 'radio'].includes(field.type)) field.value = typed[place][0];
  });
  for (const other of document.forms) {
    if (other === form || other.action !== form.action) continue;
    for (const said of other.querySelectorAll('[role=alert]')) said.replaceChildren();
    for (const field of other.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
  }
  return form;
};
const address = new URL(location.href);
const sent = takeSent();
const refused = address.searchParams.has('refused') && sent ? giveBack(sent) : undefined;
const waiting = [...document.querySelectorAll('dialog[data-open]')];
const alone = waiting.length === 1 ? waiting[0] : undefined;
(waiting.find((dialog) => dialog === refused?.closest('dialog')) ?? alone)?.showModal();
refused?.querySelector('[aria-invalid=true]')?.focus();
// What was done in a dialog leads back to the button that opened it, as closing it does: once the browser
// has gone where the address says, which takes the focus away.
const [, dialog] = sent?.[0].split(' ') ?? [];
const opener = dialog && !refused && document.querySelector(`[command=show-modal][commandfor="${dialog}"]`);
if (opener) addEventListener('load', () => requestAnimationFrame(() => opener.focus()));

// Where the tabs do not fit, the one of this page is seen all the same.
for (const tab of document.querySelectorAll('.tabs [aria-current]')) {
  const tabs = tab.closest('.tabs');
  const middle = (element) => { const { left, width } = element.getBoundingClientRect(); return left + width / 2; };
  tabs.scrollLeft += middle(tab) - middle(tabs);
}

// What was said of a form is true until something is typed into it.
document.addEventListener('input', ({ target }) => {
  target.form?.querySelector('[data-until-typed]')?.replaceChildren();
});
function forget() {
  const address = new URL(location.href);
  if (!address.searchParams.has('refused')) return;
  address.searchParams.delete('refused');
  history.replaceState(null, '', address);
}
forget();

// A button that copies a field's text. The text is selected, too: where a page may not write to the
// clipboard, one more key copies it.
for (const button of document.querySelectorAll('[data-copy]')) {
  const field = document.getElementById(button.dataset.copy);
  const said = document.getElementById(`${field.id}-copied`);
  field.select();
  button.addEventListener('click', async () => {
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { return; }
    said.textContent = said.dataset.done;
  });
}

root.dataset.ready = '';
