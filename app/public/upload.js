// Adding documents: files are chosen or dropped, the server says what they would bring, and then
// brings it. What is shown stands in the page as a template or is what the server answers: this
// only sends the files and puts one stage in place of the other.

import { refresh } from '/reading.js';

const panel = document.getElementById('import');
const news = document.getElementById('import-news');
let files = [];
let createLabels = true;
let request = null;

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
const send = (query, meanwhile, done) => {
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
    if (mine.status === 200) done();
  });
  const form = new FormData();
  for (const file of files) form.append('files', file);
  show(template(meanwhile));
  mine.send(form);
};

const preview = () => send({ mode: 'preview', create_labels: createLabels }, 'reading', () => {});
const choose = (chosen) => {
  files = [...chosen];
  if (files.length > 0) preview();
};

panel.addEventListener('change', ({ target }) => {
  if (target.type === 'file') choose(target.files);
  if (target.name === 'create_labels') { createLabels = target.checked; preview(); }
});
panel.addEventListener('submit', (event) => {
  event.preventDefault();
  const { assign, labelers } = Object.fromEntries(new FormData(event.target));
  const who = assign === 'some' ? labelers : assign;
  send({ mode: 'commit', assign: who, create_labels: createLabels }, 'saving', () => {
    files = [];
    // The table below has what was imported.
    void refresh();
  });
});
panel.addEventListener('click', ({ target }) => {
  if (target.closest('.start-over')) show(template('choose'));
});
for (const type of ['dragover', 'dragleave', 'drop']) {
  panel.addEventListener(type, (event) => {
    const zone = event.target.closest('.drop-zone');
    if (!zone) return;
    event.preventDefault();
    zone.classList.toggle('over', type === 'dragover');
    if (type === 'drop') choose(event.dataTransfer.files);
  });
}
show(template('choose'), false);
