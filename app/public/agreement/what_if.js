// What the what-if page has of a script: it has the browser predict what the numbers would come to,
// and puts that beside the present ones. The calculation is all in the module; nothing is sent.

import { refresh } from '/reading.js';

const part = () => document.querySelector('[data-what-if]');
const say = (words) => {
  const said = part().querySelector('[data-outcome]');
  if (said.textContent !== words) said.textContent = words;
};

// The module is loaded once, the judgements once for each state of the project and of the switches,
// and once a second at most while many people save.
let calculator;
const load = ({ module, wasm }) => {
  calculator ??= import(module).then(async (loaded) => {
    await loaded.default({ module_or_path: wasm });
    return loaded.predict;
  });
  return calculator;
};
const NOTHING = { address: '', revision: -1 };
let study = NOTHING;
const shown = () => Number(document.querySelector('[data-live]')?.dataset.revision ?? 0);
const PAUSE = 1000;
let asked = -PAUSE;
const judgements = async (address, isWanted) => {
  const isOfAddress = () => study.address === address;
  if (isOfAddress() && study.revision >= shown()) return study;
  const rest = asked + PAUSE - performance.now();
  if (isOfAddress() && rest > 0) await new Promise((resolve) => { setTimeout(resolve, rest); });
  if (!isWanted()) return study;
  asked = performance.now();
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.statusText);
  return { address, bytes: new Uint8Array(await answer.arrayBuffer()) };
};

// A prediction is the revision and then ten numbers for each row; crates/whatif says what they are.
const WIDTH = 10;
const rows = (numbers) => {
  const found = new Map();
  for (let at = 1; at < numbers.length; at += WIDTH) {
    const [kind, first, second, lack, value, lower, upper, n, , positions] = numbers.subarray(at, at + WIDTH);
    found.set(`${kind}-${first}-${second}`, { kind, first, second, lack, value, lower, upper, n, positions });
  }
  return found;
};

// Numbers as the server writes them: three decimals, halves away from zero, a real minus sign.
const decimals = (value) => {
  const text = (Math.abs(value) + 1e-12).toFixed(3);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
};
const count = (n) => n.toLocaleString('en');
const element = (name, className, text) =>
  Object.assign(document.createElement(name), { className, textContent: text });
const show = (cell, row) => {
  if (!row) {
    cell.replaceChildren(element('span', 'soft', 'left out'));
    return;
  }
  const parts = row.lack === 0 ? [element('strong', 'value', decimals(row.value))] : [
    element('span', 'value', '–'),
    element('span', 'why soft', part().querySelectorAll('[data-lacks] li')[row.lack - 1].textContent),
  ];
  if (!Number.isNaN(row.lower)) {
    const interval = `${decimals(row.lower)} to ${decimals(Math.min(row.upper, 1))}`;
    parts.push(element('span', 'interval soft', interval));
  }
  if (row.n > 0 || row.positions > 0) {
    const basis = row.kind === 3 ? `n = ${count(row.n)}` : `n = ${count(row.n)} of ${count(row.positions)}`;
    parts.push(element('span', 'interval soft', basis));
  }
  cell.replaceChildren(...parts);
};

// The difference of what is shown, so that the columns add up, with a word beside the sign.
const change = (before, after) => {
  if (!after || (before.lack > 0 && after.lack > 0)) return { way: '', icon: '', text: '' };
  if (before.lack > 0) return { way: 'up', icon: '▲', text: 'a value now' };
  if (after.lack > 0) return { way: 'down', icon: '▼', text: 'no value any more' };
  const by = Math.round(after.value * 1000 + Math.sign(after.value) * 1e-9)
    - Math.round(before.value * 1000 + Math.sign(before.value) * 1e-9);
  if (by > 0) return { way: 'up', icon: '▲', text: `+${(by / 1000).toFixed(3)} higher`, by };
  if (by < 0) return { way: 'down', icon: '▼', text: `−${(-by / 1000).toFixed(3)} lower`, by };
  const same = before.value === after.value;
  return { way: 'same', icon: same ? '=' : '≈', text: same ? 'no change' : 'below 0.001', by };
};
const tell = (cell, { way, icon, text }) => {
  const sign = element('span', 'sign', icon);
  sign.setAttribute('aria-hidden', 'true');
  cell.dataset.way = way;
  cell.replaceChildren(...(text ? [sign, ` ${text}`] : []));
};

// The matrix of differences: darker for more, with a sign for whoever sees no colours.
const STEPS = [0.005, 0.05, 0.15];
const paint = (cell, before, after) => {
  const found = before ? change(before, after) : { way: '' };
  cell.dataset.way = found.way;
  cell.dataset.step = String(STEPS.filter((step) => Math.abs(found.by ?? 0) / 1000 >= step).length);
  cell.textContent = !after ? 'left out' : found.by === undefined ? found.text ?? '' : found.by === 0 ? '=' : found.text.split(' ')[0];
};

// The outcome in a few sentences. Names are those of the form, which has everybody's.
const name = (id) => document.querySelector(`[name="without"][value="${id}"]`)?.closest('label').textContent;
const isChanged = () => [...new URLSearchParams(location.search)].some(([key, value]) =>
  /^merge\d+$/.test(key) || key === 'without' || (key === 'decisions' && value === 'given')
    || (key === 'relax' && Number(value) > 0));
const sentences = (present, predicted) => {
  if (!isChanged()) return 'No changes yet: predicted values equal the present ones.';
  const pairs = [...present.values()].filter(({ kind }) => kind === 0);
  const after = (row) => predicted.get(`0-${row.first}-${row.second}`);
  const kept = pairs.filter(after).map((row) => ({ row, ...change(row, after(row)) }));
  const many = (way) => count(kept.filter((found) => found.way === way).length);
  const { headline, symbol, lost } = part().dataset;
  const [was, is] = [present.get(headline), predicted.get(headline)];
  // With relaxed boundaries there are values of pairs only.
  const isKnown = was?.lack === 0 && is?.lack === 0;
  const all = [isKnown ? `${symbol} ${decimals(was.value)} → ${decimals(is.value)}` : '', lost].filter(Boolean);
  const words = [
    ...(all.length > 0 ? [`${all.join('; ')}.`] : []),
    `Of ${count(kept.length)} ${kept.length === 1 ? 'pair' : 'pairs'} ${many('up')} would be higher, ${many('down')} lower, ${many('same')} the same.`,
  ];
  const left = pairs.length - kept.length;
  if (left > 0) words.push(left === 1 ? '1 pair is left out.' : `${count(left)} pairs are left out.`);
  const extreme = (sign, word) => {
    const most = kept.filter(({ by }) => sign * by > 0).sort((one, other) => sign * (other.by - one.by))[0];
    if (most) words.push(`The largest ${word}: ${name(most.row.first)} and ${name(most.row.second)}, ${most.text}.`);
  };
  extreme(1, 'rise');
  extreme(-1, 'fall');
  return words.join(' ');
};

let turn = 0;
const painted = () => new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); });
const predict = async () => {
  if (!part()) return;
  turn += 1;
  const own = turn;
  const { dataset } = part();
  try {
    if (study.address === '') say('Loading the judgements …');
    const [calculate, found] = await Promise.all([load(dataset), judgements(dataset.whatIf, () => own === turn)]);
    if (own !== turn) return;
    if (found !== study) {
      if (study.address === '') {
        say('Predicting …');
        await painted();
      }
      const numbers = calculate(found.bytes, '');
      study = { ...found, revision: numbers[0], present: rows(numbers) };
    }
    const predicted = rows(calculate(study.bytes, location.search));
    for (const row of document.querySelectorAll('table.what-if tr[data-row]')) {
      const before = study.present.get(row.dataset.row);
      const after = predicted.get(row.dataset.row);
      show(row.querySelector('[data-predicted]'), after);
      tell(row.querySelector('[data-difference]'), before ? change(before, after) : { way: '', text: '' });
    }
    for (const cell of document.querySelectorAll('[data-of]')) {
      paint(cell, study.present.get(cell.dataset.of), predicted.get(cell.dataset.of));
    }
    say(sentences(study.present, predicted));
    part().dataset.predicted = location.search;
    // Somebody has saved since the page was made: it catches up with the judgements.
    if (study.revision > shown()) void refresh();
  } catch {
    if (own === turn) say('Prediction failed: the server did not answer. Reload the page.');
  }
};
document.addEventListener('refreshed', () => { void predict(); });
void predict();
