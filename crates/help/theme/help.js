// What a page of the book has of a script: the colours that were chosen in the product, and the search. The
// index is a file of this server, loaded when somebody first wants to search. Pages can be read without it.

(() => {
  'use strict';

  // Before the first paint, as in the product.
  try {
    const theme = localStorage.getItem('concord.theme');
    if (theme) document.documentElement.dataset.theme = theme;
  } catch { /* A browser may keep nothing. */ }

  /** What `searchindex.js` fills. */
  window.search = {};

  const load = (src) => new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.addEventListener('load', resolve);
    script.addEventListener('error', () => reject(new Error(src)));
    document.head.append(script);
  });

  let index;
  /** The index, loaded once. */
  const loadIndex = (root) => {
    index ??= Promise.all([load(`${root}elasticlunr.min.js`), load(`${root}searchindex.js`)])
      .then(() => window.elasticlunr.Index.load(window.search.index));
    return index;
  };

  const WORDS = 24;
  /** Words of a text around the first of those that were looked for. */
  const around = (text, wanted) => {
    const words = text.split(/\s+/);
    const at = words.findIndex((word) => wanted.some((part) => word.toLowerCase().startsWith(part)));
    const from = Math.max(0, at - WORDS / 3);
    const part = words.slice(from, from + WORDS).join(' ');
    return `${from > 0 ? '… ' : ''}${part}${from + WORDS < words.length ? ' …' : ''}`;
  };

  const item = (root, { ref, doc }, wanted) => {
    const link = document.createElement('a');
    link.href = root + window.search.doc_urls[ref];
    link.textContent = doc.title;
    const where = document.createElement('small');
    where.textContent = doc.breadcrumbs;
    const text = document.createElement('p');
    text.textContent = around(doc.body, wanted);
    const entry = document.createElement('li');
    entry.append(link, where, text);
    return entry;
  };

  const prepareSearch = () => {
    const { root } = document.body.dataset;
    const form = document.querySelector('.help-search');
    const field = form.querySelector('input');
    const found = document.querySelector('.help-found');
    const heading = found.querySelector('h2');
    const list = found.querySelector('ol');

    const search = async () => {
      const words = field.value.trim().toLowerCase();
      if (!words) {
        found.hidden = true;
        return;
      }
      const loaded = await loadIndex(root);
      // Somebody has typed on.
      if (words !== field.value.trim().toLowerCase()) return;
      const { search_options: options, results_options: { limit_results: most } } = window.search;
      const results = loaded.search(words, options).slice(0, most);
      heading.textContent = results.length === 0 ? `Nothing found for “${words}”` : `Found for “${words}”`;
      list.replaceChildren(...results.map((result) => item(root, result, words.split(/\s+/))));
      found.hidden = false;
    };
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      list.querySelector('a')?.focus();
    });
    field.addEventListener('focus', () => loadIndex(root), { once: true });
    field.addEventListener('input', search);
    addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !found.hidden) {
        field.value = '';
        found.hidden = true;
        field.focus();
      } else if (event.key === '/' && event.target !== field && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        field.focus();
      }
    });
  };

  /** What is wider than the page scrolls by itself, for which the keyboard has to reach it. */
  const reachScrollers = () => {
    for (const wide of document.querySelectorAll('main pre, main .table-wrapper')) {
      if (wide.scrollWidth > wide.clientWidth) {
        wide.tabIndex = 0;
        wide.setAttribute('role', 'region');
        wide.setAttribute('aria-label', wide.tagName === 'PRE' ? 'Code' : 'Table');
      }
    }
  };

  document.addEventListener('DOMContentLoaded', () => {
    prepareSearch();
    reachScrollers();
    addEventListener('resize', reachScrollers);
    // On a narrow page the contents would stand before the text.
    if (matchMedia('(width < 60rem)').matches) document.querySelector('.help-contents').open = false;
    // As on every page: from here on nothing that somebody does is lost.
    document.documentElement.dataset.ready = '';
  });
})();
