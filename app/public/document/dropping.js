// What pages have in common that take files into themselves: where these are dropped, and what is said in
// place of results.

/** Has `take` get what is dropped on a zone, which shows that something is over it; zones may come and go. */
export const takeDrops = (within, take) => {
  for (const type of ['dragover', 'dragleave', 'drop']) {
    within.addEventListener(type, (event) => {
      const zone = event.target.closest('.drop-zone');
      if (!zone) return;
      event.preventDefault();
      zone.classList.toggle('over', type === 'dragover');
      if (type === 'drop') take(event.dataTransfer);
    });
  }
};

/** Says in the place of results why there are none. */
export const refuseIn = (results, words) => {
  const notice = document.createElement('p');
  notice.className = 'notice danger';
  notice.setAttribute('role', 'alert');
  notice.textContent = words;
  results.replaceChildren(notice);
};
