// Comparing files: what is chosen or dropped is sent at once, and again when a switch changes. Only
// what came of it is put in place, so that the files stay chosen. Without this, the form is sent as
// forms are.

import { refuseIn, takeDrops } from '/dropping.js';
import { readdress } from '/reading.js';

const form = document.getElementById('compare');
const results = document.getElementById('compare-results');
const news = document.getElementById('compare-news');
const list = document.getElementById('compare-files');
const [input, folder] = form.querySelectorAll('input[type="file"]');
let request = null;

const nameOf = (file) => file.webkitRelativePath || file.name;
const chosen = () => [...input.files, ...folder.files];

// The files that are there, by name: a file chosen once more takes the place of the former.
const add = (files) => {
  const all = new Map([...input.files, ...files].map((file) => [nameOf(file), file]));
  const transfer = new DataTransfer();
  for (const file of all.values()) transfer.items.add(file);
  input.files = transfer.files;
};
const showFiles = () => {
  const items = chosen().slice(0, 30).map((file) => {
    const item = document.createElement('li');
    item.className = 'badge';
    item.textContent = nameOf(file);
    return item;
  });
  list.replaceChildren(...items);
  list.hidden = items.length === 0;
};

const say = (words) => refuseIn(results, words);

// The switches stand in the address, as on other pages; the files do not.
const address = () => {
  const fields = [...new FormData(form)]
    .filter(([name, value]) => typeof value === 'string' && !/^(leave_out$|label:|pattern$)/.test(name));
  return `${form.getAttribute('action')}?${new URLSearchParams(fields)}`;
};

const compare = async () => {
  request?.abort();
  const mine = new AbortController();
  request = mine;
  // The start page stays the start page.
  if (location.pathname === form.getAttribute('action')) readdress(address());
  if (chosen().length === 0) {
    results.removeAttribute('aria-busy');
    results.replaceChildren();
    return;
  }
  news.textContent = 'Comparing …';
  results.setAttribute('aria-busy', 'true');
  const waiting = document.createElement('progress');
  waiting.setAttribute('aria-label', 'Comparing');
  results.prepend(waiting);
  try {
    const answer = await fetch(form.action, {
      method: 'POST',
      body: new FormData(form),
      headers: { accept: 'text/html' },
      signal: mine.signal,
    });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const found = page.getElementById('compare-results');
    if (found) results.replaceChildren(...found.childNodes);
    else if (answer.status === 413) say('The files are too large to compare here.');
    else say('The comparison failed. Try again.');
    news.textContent = results.querySelector('#matrix-title') ? 'Comparison ready.' : '';
  } catch (error) {
    if (error.name === 'AbortError') return;
    news.textContent = '';
    say('The server cannot be reached. Try again.');
  } finally {
    if (request === mine) results.removeAttribute('aria-busy');
  }
};

form.addEventListener('change', () => { showFiles(); void compare(); });
// Whom and what to leave out stands with what came of the files.
results.addEventListener('change', ({ target }) => { if (target.form === form) void compare(); });
form.addEventListener('submit', (event) => {
  // What is to be taken away is sent as forms are.
  if (event.submitter?.hasAttribute('formaction')) return;
  event.preventDefault();
  void compare();
});
form.addEventListener('reset', () => {
  setTimeout(() => { showFiles(); news.textContent = ''; void compare(); });
});

// Files of dropped folders, each under its path.
const inEntry = async (entry, path) => {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => { entry.file(done, failed); });
    return [path ? new File([file], path + file.name, { type: file.type }) : file];
  }
  const reader = entry.createReader();
  const entries = [];
  for (;;) {
    // A folder is read a part at a time.
    const part = await new Promise((done, failed) => { reader.readEntries(done, failed); });
    if (part.length === 0) break;
    entries.push(...part);
  }
  const visible = entries.filter(({ name }) => !name.startsWith('.'));
  const files = await Promise.all(visible.map((it) => inEntry(it, `${path}${entry.name}/`)));
  return files.flat();
};

takeDrops(form, (dropped) => {
  const items = [...dropped.items].filter((item) => item.kind === 'file');
  const entries = items.map((item) => item.webkitGetAsEntry()).filter(Boolean);
  const plain = [...dropped.files];
  const files = entries.some((entry) => entry.isDirectory)
    ? Promise.all(entries.map((entry) => inEntry(entry, ''))).then((all) => all.flat())
    : Promise.resolve(plain);
  void files.then((found) => { add(found); showFiles(); return compare(); })
    .catch(() => say('A dropped file cannot be read.'));
});
showFiles();
// Files that a browser has kept over a reload.
if (chosen().length > 0 && results.childElementCount === 0) void compare();
