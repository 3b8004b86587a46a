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

  /** The index has no words for what is not Latin: letters that measures are called by, and their names. */
  const GREEK = { α: 'alpha', γ: 'gamma', κ: 'kappa', π: 'pi' };

  const named = (text) => text.replace(/[αγκπ]/gu, (letter) => ` ${GREEK[letter]} `);

  /** Sections are found by the names of the letters in them. */
  const addNames = (loaded) => {
    for (const [ref, doc] of Object.entries(window.search.index.documentStore.docs)) {
      for (const [letter, name] of Object.entries(GREEK)) {
        const [word] = loaded.pipeline.run([name]);
        const words = loaded.index.body;
        if (doc.body.includes(letter) && !(ref in words.getDocs(word))) words.addToken(word, { ref, tf: 1 });
      }
    }
    return loaded;
  };

  let index;
  /** The index, loaded once; again if it did not come. */
  const loadIndex = (root) => {
    index ??= Promise.all([load(`${root}elasticlunr.min.js`), load(`${root}searchindex.js`)])
      .then(() => addNames(window.elasticlunr.Index.load(window.search.index)))
      .catch((error) => {
        index = undefined;
        throw error;
      });
    return index;
  };

  /** Whether keys of one letter are wanted: a person may switch them off in the editors. */
  const hasLetterKeys = () => {
    try {
      return localStorage.getItem('concord.review.letter-keys') !== 'off';
    } catch {
      return true;
    }
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
    const status = document.querySelector('.help-status');

    const show = (words, items) => {
      heading.textContent = words;
      list.replaceChildren(...items);
      found.hidden = false;
      // Of what was hidden nothing would be told.
      status.textContent = words;
    };
    const search = async () => {
      const words = field.value.trim().toLowerCase();
      if (!words) {
        found.hidden = true;
        status.textContent = '';
        return;
      }
      let loaded;
      try {
        loaded = await loadIndex(root);
      } catch {
        show('The search did not load. Type on to try again.', []);
        return;
      }
      // Somebody has typed on.
      if (words !== field.value.trim().toLowerCase()) return;
      const { search_options: options, results_options: { limit_results: most } } = window.search;
      const results = loaded.search(named(words), options).slice(0, most);
      const items = results.map((result) => item(root, result, words.split(/\s+/)));
      show(items.length === 0 ? `Nothing found for “${words}”` : `Found for “${words}”`, items);
    };
    form.hidden = false;
    const letters = hasLetterKeys();
    if (!letters) field.removeAttribute('aria-keyshortcuts');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      list.querySelector('a')?.focus();
    });
    // Whoever searches is told if it does not come.
    field.addEventListener('focus', () => loadIndex(root).catch(() => {}), { once: true });
    field.addEventListener('input', search);
    addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !found.hidden) {
        field.value = '';
        found.hidden = true;
        status.textContent = '';
        field.focus();
      } else if (letters && event.key === '/' && event.target !== field && !event.ctrlKey && !event.metaKey && !event.altKey) {
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
