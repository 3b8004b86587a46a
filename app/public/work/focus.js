// Time on task: counts for how long the document is in front of somebody who works on it, and reports
// whole minutes, at most once a minute. What is done in them stays here.

const MINUTE = 60_000;
// Where the page is, /assignments/7 or /documents/7/review, says what is worked on.
const [, noun, id] = location.pathname.split('/');
const task = noun === 'assignments' ? 'assignment' : 'review';

let gathered = 0;
let looked = performance.now();
let worked = -MINUTE;
const work = () => { worked = performance.now(); };
for (const kind of ['keydown', 'pointerdown', 'pointermove', 'wheel', 'scroll']) {
  addEventListener(kind, work, { capture: true, passive: true });
}

const gather = () => {
  const now = performance.now();
  const is_there = document.visibilityState === 'visible' && document.hasFocus();
  // A page that was asleep did not see anybody work.
  if (is_there && now - worked < MINUTE) gathered += Math.min(now - looked, 2000);
  looked = now;
};

const report = (minutes) => {
  gathered -= minutes * MINUTE;
  fetch('/fn/focus/report_focus', {
    method: 'POST', keepalive: true, body: new URLSearchParams({ [task]: id, minutes }),
  }).catch(() => { gathered += minutes * MINUTE; });
};

// The server counts no more than the clock allows: what could not be sent goes with the next report.
let sent = -MINUTE;
setInterval(() => {
  gather();
  if (gathered >= MINUTE && looked - sent >= MINUTE) {
    sent = looked;
    report(Math.floor(gathered / MINUTE));
  }
}, 1000);
addEventListener('pagehide', () => {
  gather();
  const minutes = Math.round(gathered / MINUTE);
  if (minutes > 0) report(minutes);
});
