// What every page has of a script: the choice of colours, how documents look, and moments in the reader's
// zone. Pages can be read without it.

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

// How documents look: the size of their letters by its step, and what is switched on. The page's
// head applies it before the first paint.
const NORMAL = 1;
const LARGEST = 5;
const SIZE_STEPS = { smaller: -1, larger: 1 };
const looks = document.querySelectorAll('button[data-look]');
const pressLooks = (words) => {
  for (const button of looks) {
    const { look } = button.dataset;
    if (!(look in SIZE_STEPS)) button.setAttribute('aria-pressed', String(words.has(look)));
  }
};
const chosenLook = () => new Set(root.dataset.look?.match(/\S+/g));
const changeLook = (look) => {
  const words = chosenLook();
  if (look in SIZE_STEPS) {
    const size = [...words].find((word) => Number.isInteger(Number(word))) ?? NORMAL;
    words.delete(size);
    words.add(String(Math.min(LARGEST, Math.max(0, Number(size) + SIZE_STEPS[look]))));
  } else if (!words.delete(look)) words.add(look);
  root.dataset.look = [...words].join(' ');
  try { localStorage.setItem('concord.look', root.dataset.look); } catch { /* As for the colours. */ }
  pressLooks(words);
};
// The focus stays in the text.
document.querySelector('.text-look')?.addEventListener('mousedown', (event) => event.preventDefault());
for (const button of looks) {
  button.addEventListener('click', () => changeLook(button.dataset.look));
}
// By the place of the key: with Alt, some keyboards type another sign.
const LOOK_KEYS = {
  Minus: 'smaller', NumpadSubtract: 'smaller', Equal: 'larger', NumpadAdd: 'larger', KeyL: 'lines', KeyM: 'fixed',
};
if (document.querySelector('.text')) {
  addEventListener('keydown', (event) => {
    const look = LOOK_KEYS[event.code];
    if (!look || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    changeLook(look);
  });
  pressLooks(chosenLook());
  // Not by `:has()`: a browser would look at the whole page again for every span that is marked.
  document.querySelector('.text-look').hidden = false;
}

// Times are written in the reader's own zone; the server knows none, and writes UTC.
const dates = (timeStyle) => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle });
const [MINUTES, SECONDS] = [dates('short'), dates('medium')];
const localize = () => {
  for (const time of document.querySelectorAll('time[datetime]:not([data-ago])')) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.valueOf())) continue;
    const text = ('seconds' in time.dataset ? SECONDS : MINUTES).format(at);
    if (time.textContent === text) continue;
    time.title ||= time.textContent;
    time.textContent = text;
  }
};
localize();
document.addEventListener('refreshed', localize);
