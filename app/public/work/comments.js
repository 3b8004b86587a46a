// Flags and comments beside a text: pages of their own, shown in a dialog of the page where they are
// asked for. Without this the links lead to those pages.

const dialog = document.getElementById('comments');
const here = dialog?.querySelector('[data-here]');
const HTML = { accept: 'text/html' };
let shown = '';
let sent = false;
const parse = (html) => new DOMParser().parseFromString(html, 'text/html');

// What was typed and not sent stays, whatever the box is about.
const typed = () => new Map([...here.querySelectorAll('textarea, input[name=note]')]
  .filter(({ value }) => value).map(({ id, value }) => [id, value]));
const put = (html, kept) => {
  const part = parse(html).querySelector('[data-part]');
  if (!part) return false;
  here.replaceChildren(document.adoptNode(part));
  for (const [id, value] of kept) {
    const field = document.getElementById(id);
    if (field) { field.value = value; field.closest('details')?.setAttribute('open', ''); }
  }
  document.dispatchEvent(new Event('refreshed'));
  return true;
};

document.addEventListener('click', async (event) => {
  const link = event.target.closest?.('a[data-comments]');
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const at = document.getElementById('comments-open')?.dataset.at;
  const address = link.id === 'comments-open' && at ? `${link.href}?at=${at}` : link.href;
  try {
    const answer = await fetch(address, { headers: HTML });
    if (!answer.ok || !put(await answer.text(), typed())) throw answer;
    shown = address;
    if (!dialog.open) dialog.showModal();
  } catch {
    // Offline what is open already can still be read and typed into.
    if (here.hasChildNodes()) dialog.showModal(); else location.assign(address);
  }
});

here?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { target: form, submitter } = event;
  if (form.dataset.sending !== undefined) return;
  form.dataset.sending = '';
  try {
    const body = new URLSearchParams(new FormData(form, submitter));
    // Where a refusal leads back to.
    const options = { method: 'POST', body, headers: HTML, referrer: shown };
    const answer = await fetch(form.action, options);
    if (!answer.ok) throw answer;
    const isRefused = new URL(answer.url).searchParams.has('refused');
    const own = new Set([...form.elements].map(({ id }) => id));
    const kept = [...typed()].filter(([id]) => isRefused || !own.has(id));
    sent = true;
    if (!put(await answer.text(), kept)) location.assign(answer.url);
  } catch {
    const said = form.querySelector('[data-said]') ?? form.appendChild(document.createElement('p'));
    said.textContent = 'Not sent: offline or signed out. Your text is still here; send it again.';
  } finally {
    delete form.dataset.sending;
  }
});

// Keys are for the dialog while it is there.
dialog?.addEventListener('keydown', (event) => event.stopPropagation());
dialog?.addEventListener('close', async () => {
  if (!sent) return;
  sent = false;
  try {
    const now = parse(await (await fetch(location.href, { headers: HTML })).text());
    const [old, line] = [document, now].map((page) => page.querySelector('[data-comments-line]'));
    const at = document.getElementById('comments-open').dataset.at ?? '';
    old.replaceWith(document.adoptNode(line));
    document.getElementById('comments-open').dataset.at = at;
  } catch { /* The next load shows it. */ }
});
