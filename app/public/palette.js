// The palette, by Ctrl K on every page: what can be done here, where one can go, and the projects and
// documents whose names have what is typed. What a person may not do or see is not on their page, and the
// server does not find it for them.

const ALWAYS = [
  ['Projects', '/'], ['Account', '/account'], ['API tokens', '/tokens'], ['Keyboard shortcuts', '/keys'],
  ['Compare finished exports', '/compare'], ['Measure a study', '/study'], ['Help', '/help/'],
];
const isShown = (element) => element.checkVisibility?.() ?? element.offsetParent !== null;
const wordsOf = (element) => {
  const copy = element.cloneNode(true);
  for (const aside of copy.querySelectorAll('kbd, [aria-hidden=true]')) aside.remove();
  return (element.getAttribute('aria-label') ?? copy.textContent).replace(/\s+/g, ' ').trim();
};
const keysOf = (element) => element.querySelector('kbd')?.textContent ?? '';

// What is on the page, each name once.
const offered = () => {
  const items = new Map();
  const add = (group, name, keys, run) => {
    if (name && !items.has(name)) items.set(name, { group, name, keys, run });
  };
  for (const element of document.querySelectorAll('main :is(button, a.button)')) {
    if (element.disabled || element.ariaDisabled === 'true' || !isShown(element)) continue;
    add('Do', wordsOf(element), keysOf(element), () => element.click());
  }
  for (const link of document.querySelectorAll('nav a[href], .tabs a[href]')) {
    if (isShown(link)) add('Go to', wordsOf(link), keysOf(link), () => link.click());
  }
  const pages = document.querySelector('[data-pages]')?.dataset.pages || '[]';
  for (const [name, href] of [...JSON.parse(pages), ...ALWAYS]) add('Go to', name, '', () => location.assign(href));
  return [...items.values()];
};

const FOUND = { project: 'Project', document: 'Document' };
const find = async (typed) => {
  const answer = await fetch('/fn/projects/search', { method: 'POST', body: new URLSearchParams({ typed }) });
  if (!answer.ok) return [];
  const found = await answer.json();
  return found.map(({ kind, name, within, address }) => (
    { group: FOUND[kind], name: within ? `${name} · ${within}` : name, keys: '', run: () => location.assign(address) }
  ));
};

const element = (name, attributes, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
let dialog;
let input;
let list;
let page = [];
let shown = [];
let at = 0;
let asked = 0;

const draw = () => {
  at = Math.min(at, Math.max(0, shown.length - 1));
  list.replaceChildren(...shown.map(({ group, name, keys }, place) => {
    const row = element('li', { id: `palette-${place}`, role: 'option', 'aria-selected': String(place === at) },
      element('span', { class: 'soft' }, group), element('span', { dir: 'auto' }, name),
      element('span', { class: 'keys' }, ...(keys ? [element('kbd', {}, keys)] : [])));
    row.addEventListener('click', () => run(place));
    return row;
  }));
  input.setAttribute('aria-activedescendant', shown.length > 0 ? `palette-${at}` : '');
  document.getElementById(`palette-${at}`)?.scrollIntoView({ block: 'nearest' });
};
const run = (place) => {
  const chosen = shown[place];
  if (!chosen) return;
  dialog.close();
  // The dialog gives the focus back first.
  requestAnimationFrame(() => chosen.run());
};
const look = async () => {
  const typed = input.value.trim().toLowerCase();
  const has = ({ group, name }) => name.toLowerCase().includes(typed) || group.toLowerCase().includes(typed);
  const here = page.filter(has);
  shown = here;
  at = 0;
  draw();
  asked += 1;
  const turn = asked;
  if (typed.length < 2) return;
  await new Promise((resolve) => { setTimeout(resolve, 150); });
  if (turn !== asked) return;
  const found = await find(typed).catch(() => []);
  if (turn !== asked || !dialog.open) return;
  const known = new Set(here.map(({ name }) => name));
  shown = [...here, ...found.filter(({ name }) => !known.has(name))];
  draw();
};
const build = () => {
  list = element('ul', { id: 'palette-list', class: 'commands', role: 'listbox', 'aria-label': 'Commands, pages and documents' });
  input = element('input', {
    type: 'search', role: 'combobox', autocomplete: 'off', 'aria-label': 'Go to, find or do',
    'aria-expanded': 'true', 'aria-controls': 'palette-list', placeholder: 'Go to, find or do',
  });
  dialog = element('dialog', { id: 'palette', 'aria-label': 'Palette' }, element('div', { class: 'stack' }, input, list));
  document.body.append(dialog);
  input.addEventListener('input', () => void look());
  input.addEventListener('keydown', (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by && shown.length > 0) at = (at + by + shown.length) % shown.length;
    else if (event.key === 'Enter' && !event.isComposing) { event.preventDefault(); run(at); return; }
    // The browser would only empty the field.
    else if (event.key === 'Escape') dialog.close();
    else return;
    event.preventDefault();
    draw();
  });
  dialog.addEventListener('click', ({ target }) => { if (target === dialog) dialog.close(); });
};
const isIn = () => document.querySelector('.person') !== null;
addEventListener('keydown', (event) => {
  const isAsked = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  if (!isAsked || !isIn() || document.querySelector('dialog[open]')) return;
  event.preventDefault();
  event.stopPropagation();
  if (!dialog) build();
  page = offered();
  input.value = '';
  dialog.showModal();
  void look();
}, { capture: true });
