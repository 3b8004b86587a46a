// The labelers side by side on the review screen: the table of /documents/7/side in place of the merged
// text. It follows what is decided, and marks the position that is current.

const KEY = 'concord.review.side';
const remember = (on) => { try { localStorage.setItem(KEY, on); } catch { /* It holds for this page. */ } };
const remembered = () => { try { return localStorage.getItem(KEY) === 'true'; } catch { return false; } };

const button = () => document.getElementById('side-by-side');
const columns = () => document.querySelector('.review-columns');
let on = false;
let waiting;

// The position that is current in the list.
const point = (scrolls) => {
  const at = document.querySelector('.positions [aria-current]')?.dataset.at;
  for (const link of document.querySelectorAll('.side [data-at]')) {
    const is = link.dataset.at === at;
    if (is) link.setAttribute('aria-current', 'true'); else link.removeAttribute('aria-current');
    if (is && scrolls) link.closest('tr').scrollIntoView({ block: 'nearest' });
  }
};
const load = async () => {
  const answer = await fetch(location.pathname.replace('review', 'side')).catch(() => null);
  if (!answer?.ok || !on) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const now = page.querySelector('.side');
  const old = document.querySelector('.side');
  if (old) old.replaceWith(now); else columns()?.querySelector('.review-text').prepend(now);
  columns()?.toggleAttribute('data-side', true);
  point(!old);
};
const show = (wanted) => {
  on = wanted;
  button()?.setAttribute('aria-pressed', String(on));
  if (on) { load(); return; }
  columns()?.toggleAttribute('data-side', false);
  document.querySelector('.side')?.remove();
};
addEventListener('click', (event) => {
  if (!event.target.closest?.('#side-by-side')) return;
  show(!on);
  remember(on);
});

const begin = () => {
  if (remembered()) show(true);
  // What is decided shows in the head: as progress, and once it is stored.
  const head = document.querySelector('.review .editor-head');
  const decided = () => { clearTimeout(waiting); waiting = setTimeout(() => { if (on) load(); }, 300); };
  if (head) new MutationObserver(decided).observe(head, { subtree: true, childList: true, characterData: true });
  const list = document.querySelector('.positions');
  const moved = { subtree: true, childList: true, attributeFilter: ['aria-current'] };
  if (list) new MutationObserver(() => point(true)).observe(list, moved);
};
// The island is put in place of what the server has rendered.
const root = document.documentElement;
const wait = new MutationObserver(() => {
  if (!('ready' in root.dataset)) return;
  wait.disconnect();
  begin();
});
if ('ready' in root.dataset) begin(); else wait.observe(root, { attributes: true });
