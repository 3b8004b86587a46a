// Adding documents: files are chosen or dropped, the server says what they would bring, and then
// brings it. What is shown stands in the page as a template or is what the server answers: this
// only sends the files and puts one stage in place of the other.

import { takeDrops } from '/dropping.js';
import { refresh } from '/reading.js';

const panel = document.getElementById('import');
const news = document.getElementById('import-news');
let files = [];
let request = null;

// What was chosen of these files, as the address says it; what people and labels become is sent
// beside the files.
let chosen = null;
let mapping = null;
const CHOICES = ['as', 'raters'];
const beginAnew = () => {
  chosen = {
    as: 'suggestions', create_labels: true, state: 'submitted', differing: 'refuse', raters: 'auto',
  };
  mapping = { people: {}, labels: {} };
};

const template = (name) => document.getElementById(`import-${name}`).content.cloneNode(true);
// What had the focus is gone with the stage that it belonged to.
const show = (stage, focus = true) => {
  panel.replaceChildren(stage);
  news.textContent = panel.firstElementChild?.dataset.news ?? '';
  if (focus) panel.focus();
};

// How much has been sent; then what the server does with it.
const progress = ({ loaded, total }) => {
  const bar = panel.querySelector('progress');
  if (!bar || total === 0) return;
  bar.value = loaded / total;
  panel.querySelector('.percent').textContent = String(Math.round((100 * loaded) / total));
  panel.querySelector('.sending').hidden = loaded === total;
  panel.querySelector('.sent').hidden = loaded !== total;
};

// What the server answers, as a piece of the page.
const stageOf = (answer) => {
  if (answer.status === 413) return template('large');
  if (!answer.getResponseHeader('content-type')?.startsWith('text/html')) return template('lost');
  const piece = document.createElement('template');
  piece.innerHTML = answer.responseText;
  return piece.content;
};

// Sends the files. The answer to an older request is not shown any more.
const send = (query, meanwhile) => {
  const [old, mine] = [request, new XMLHttpRequest()];
  request = mine;
  old?.abort();
  mine.open('POST', `${panel.dataset.address}?${new URLSearchParams(query)}`);
  mine.setRequestHeader('accept', 'text/html');
  mine.upload.addEventListener('progress', progress);
  mine.addEventListener('loadend', () => {
    if (request !== mine) return;
    // The session has ended: the page says so.
    if (mine.status === 401) { location.reload(); return; }
    show(stageOf(mine));
    follow();
  });
  const form = new FormData();
  form.append('mapping', JSON.stringify(mapping));
  for (const file of files) form.append('files', file);
  show(template(meanwhile));
  mine.send(form);
};

// Asks how far an import has come, until it has ended; the table below has then what it brought.
const PAUSE = 400;
const follow = () => {
  const address = panel.firstElementChild?.dataset.follow;
  if (!address) return;
  const mine = request;
  setTimeout(async () => {
    const stage = await ask(address, 'GET').catch(() => null);
    if (request !== mine) return;
    if (stage) show(stage, !stage.firstElementChild?.dataset.follow);
    if (panel.firstElementChild?.dataset.follow) { follow(); return; }
    files = [];
    void refresh();
  }, PAUSE);
};
const ask = async (address, method) => {
  const answer = await fetch(address, { method, headers: { accept: 'text/html' } });
  if (answer.status === 401) location.reload();
  const piece = document.createElement('template');
  piece.innerHTML = await answer.text();
  return piece.content.firstElementChild ? piece.content : null;
};

const preview = () => send({ mode: 'preview', ...chosen }, 'reading');
const choose = (list) => {
  files = [...list];
  beginAnew();
  if (files.length > 0) preview();
};

// What a person or a label of the files becomes, as the server reads it.
const become = (value) => {
  const [kind, rest] = [value.split(':', 1)[0], value.slice(value.indexOf(':') + 1)];
  if (kind === 'member') return { member: Number(rest) };
  if (kind === 'label') return { label: rest };
  if (kind === 'model') return { model: JSON.parse(rest) };
  return value;
};

// How files are read, as the server takes it: of each name all values, the later ones being what counts.
const reading = (choices) => {
  const options = {};
  for (const { name, type, checked, value } of choices.querySelectorAll('[name]')) {
    const said = type === 'checkbox' && !checked ? '' : value;
    options[name] = [options[name], said].filter(Boolean).join(',');
  }
  return options;
};

panel.addEventListener('change', ({ target }) => {
  const { person, label } = target.dataset;
  if (target.type === 'file') { choose(target.files); return; }
  if (person !== undefined) mapping.people[person] = become(target.value);
  else if (label !== undefined) mapping.labels[label] = become(target.value);
  else if (target.closest('.reading-choices')) Object.assign(chosen, reading(target.closest('.reading-choices')));
  else if (target.name === 'create_labels') chosen.create_labels = target.checked;
  else if (target.name === 'state') chosen.state = target.checked ? 'saved' : 'submitted';
  else if (target.name === 'differing') chosen.differing = target.checked ? 'keep' : 'refuse';
  else if (target.name === 'pattern') chosen.raters = target.value ? `pattern:${target.value}` : 'auto';
  else if (CHOICES.includes(target.name)) chosen[target.name] = target.value;
  else return;
  preview();
});
panel.addEventListener('submit', (event) => {
  event.preventDefault();
  const { assign, labelers } = Object.fromEntries(new FormData(event.target));
  send({ mode: 'start', ...chosen, assign: assign === 'some' ? labelers : assign }, 'saving');
});
panel.addEventListener('click', async ({ target }) => {
  if (target.closest('.start-over')) show(template('choose'));
  const { post } = target.closest('[data-post]')?.dataset ?? {};
  if (!post) return;
  const stage = await ask(post, 'POST').catch(() => null);
  if (stage) { show(stage); void refresh(); }
});
takeDrops(panel, ({ files }) => choose(files));
show(template('choose'), false);
