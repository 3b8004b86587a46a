// The study workbench: a file or a pasted table is measured in a worker of this browser, and what
// comes of it is put into the page. Nothing is sent.

import { refuseIn, takeDrops } from '/dropping.js';

const form = document.getElementById('study');
const file = form.querySelector('input[type="file"]');
const pasted = form.querySelector('textarea');
const results = document.getElementById('study-results');
const status = document.getElementById('study-status');
const [news, bar, cancel] = ['[data-news]', 'progress', '[data-cancel]'].map((it) => status.querySelector(it));
const saving = document.getElementById('study-saving');
const { module, wasm } = form.dataset;

let worker = null;
let own = 0;
let reports = {};

const say = (words) => { if (news.textContent !== words) news.textContent = words; };
const count = (n) => n.toLocaleString('en');
const rest = () => {
  status.dataset.busy = '';
  bar.hidden = true;
  cancel.hidden = true;
  results.removeAttribute('aria-busy');
};
const end = () => {
  worker?.terminate();
  worker = null;
};
const refuse = (words) => refuseIn(results, words);

// The ways to read a table, each as a button that chooses it, above the first lines as it would read them.
const offer = (choices) => {
  for (const { reading, options, preview } of choices) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'small';
    button.textContent = `Read as ${reading}`;
    button.addEventListener('click', () => {
      for (const [name, value] of options) form.elements[name].value = value;
      void measure();
    });
    const lines = document.createElement('pre');
    lines.textContent = preview.join('\n');
    results.append(button, lines);
  }
};

// What is measured: the file, or what was pasted.
const source = () => {
  const [chosen] = file.files;
  if (chosen) return { name: chosen.name, bytes: () => chosen.arrayBuffer() };
  const text = pasted.value;
  if (text.trim() === '') return null;
  return { name: pasted.dataset.name || 'the table', bytes: async () => new TextEncoder().encode(text).buffer };
};
const fields = () => [...new FormData(form)]
  .filter(([name, value]) => typeof value === 'string' && name !== 'table' && value.trim() !== '');

// The same on a command line: options that say something else than they do by themselves.
const quoted = (word) => (/^[\w.,:@%+=/-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`);
const command = (name) => {
  const usual = { level: 'nominal', top: '20', confidence: '0.95', seed: '1' };
  const options = fields().filter(([field, value]) => usual[field] !== value).map(([field, value]) => {
    if (field === 'header') return value === 'yes' ? '--header' : '--no-header';
    if (field === 'units' && value === 'yes') return '--units';
    return `--${field}=${quoted(value)}`;
  });
  return ['concord measure', ...options, quoted(name)].join(' ');
};

const show = (name, found) => {
  reports = found;
  results.innerHTML = found.parts;
  const line = document.createElement('p');
  line.className = 'note';
  const code = document.createElement('code');
  code.textContent = command(name);
  line.append('The same on a command line: ', code);
  results.append(line);
  saving.hidden = false;
  say('Report ready.');
};

const measure = async () => {
  own += 1;
  const mine = own;
  end();
  const what = source();
  saving.hidden = true;
  if (!what) {
    rest();
    results.replaceChildren();
    say('');
    return;
  }
  say(`Reading ${what.name} …`);
  status.dataset.busy = 'busy';
  results.setAttribute('aria-busy', 'true');
  bar.removeAttribute('value');
  bar.hidden = false;
  cancel.hidden = false;
  let bytes;
  try {
    bytes = await what.bytes();
  } catch {
    if (mine !== own) return;
    rest();
    say('');
    refuse(`${what.name} cannot be read.`);
    return;
  }
  if (mine !== own) return;
  worker = new Worker('/study_worker.js', { type: 'module' });
  worker.addEventListener('message', ({ data }) => {
    if (mine !== own) return;
    if (data.kind === 'progress') {
      if (data.step === 'read') say('Measuring …');
      bar.max = data.of;
      bar.value = data.done;
      if (data.step === 'measured') bar.textContent = `${count(data.done)} of ${count(data.of)} resamples`;
      return;
    }
    rest();
    end();
    if (data.kind === 'measured') show(what.name, data);
    else {
      say('');
      const hasChoices = data.choices?.length > 0;
      const words = hasChoices ? 'this table can be read in several ways. Choose one:' : data.words;
      refuse(data.kind === 'refused' ? `${what.name}: ${words}` : data.words);
      offer(data.choices ?? []);
    }
  });
  worker.addEventListener('error', () => {
    if (mine !== own) return;
    rest();
    end();
    say('');
    refuse('Loading failed. Reload the page.');
  });
  worker.postMessage({ module, wasm, bytes, fields: fields().flat() }, [bytes]);
};

// While somebody types, the last whole second is waited for.
let typing;
const later = () => {
  clearTimeout(typing);
  typing = setTimeout(() => { void measure(); }, 600);
};
file.addEventListener('change', () => {
  if (file.files.length > 0) pasted.value = '';
});
pasted.addEventListener('input', () => {
  file.value = '';
  delete pasted.dataset.name;
  later();
});
form.addEventListener('change', ({ target }) => { if (target !== pasted) void measure(); });
form.addEventListener('submit', (event) => {
  event.preventDefault();
  clearTimeout(typing);
  void measure();
});
form.addEventListener('reset', () => {
  delete pasted.dataset.name;
  setTimeout(() => { void measure(); });
});
cancel.addEventListener('click', () => {
  own += 1;
  end();
  rest();
  say('Cancelled.');
  form.querySelector('button').focus();
});

// An example takes the place of what was there, with the options that it needs.
for (const button of document.querySelectorAll('[data-example]')) {
  button.addEventListener('click', () => {
    const name = button.dataset.example;
    form.reset();
    file.value = '';
    pasted.value = button.dataset.file;
    for (const [field, value] of new URLSearchParams(button.dataset.fields)) form.elements[field].value = value;
    setTimeout(() => {
      pasted.dataset.name = name;
      void measure();
    });
  });
}

const KINDS = { json: 'application/json', html: 'text/html', text: 'text/plain' };
for (const button of saving.querySelectorAll('[data-save]')) {
  button.addEventListener('click', () => {
    const kind = button.dataset.save;
    const address = URL.createObjectURL(new Blob([reports[kind]], { type: `${KINDS[kind]};charset=utf-8` }));
    const link = document.createElement('a');
    link.href = address;
    link.download = `agreement.${kind === 'text' ? 'txt' : kind}`;
    link.click();
    setTimeout(() => { URL.revokeObjectURL(address); });
  });
}

takeDrops(form, ({ files: [first] }) => {
  if (!first) return;
  const transfer = new DataTransfer();
  transfer.items.add(first);
  file.files = transfer.files;
  pasted.value = '';
  void measure();
});
// What a browser has kept over a reload.
if (source()) void measure();
