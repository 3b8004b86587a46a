//! A long document with many spans: it opens, and a key press paints a span. Times are reported,
//! not judged: machines differ.

import { openCopy, settled } from '../support/editor.ts';
import { expect, test } from '../support/fixtures.ts';
import { copyOf, type Account } from '../support/installation.ts';
import { drawnMarks, selected, shownText, text } from '../support/text.ts';

const CHARACTERS = 50_000;
const SPANS = 2_000;
const PRESSES = 10;

/** Lines of words, with one word that occurs once at the beginning. */
function longText(): string {
  const lines = ['beginning'];
  let length = lines.join('\n').length;
  for (let line = 0; length < CHARACTERS; line += 1) {
    const words = Array.from({ length: 14 }, (_, word) => `w${line}x${word}`).join(' ');
    lines.push(words);
    length += words.length + 1;
  }
  return lines.join('\n').slice(0, CHARACTERS);
}

test(`a document of ${CHARACTERS} characters with ${SPANS} spans`, async ({ people, installation }) => {
  test.setTimeout(240_000);
  const content = longText();
  const project = await installation.project({
    files: { 'long.txt': content },
    labelers: ['Lena Long'],
  });
  const [lena] = project.labelers as [Account];
  const assignment = await copyOf(lena, project, 'long');
  const labels = [...project.labels.values()];
  const words = [...content.matchAll(/\S+/g)].slice(1);
  const added = Array.from({ length: SPANS }, (_, index) => {
    const word = words[Math.floor((index * words.length) / SPANS)];
    if (!word) throw new Error('fewer words than spans');
    const label = labels[index % labels.length] ?? 0;
    return { start: word.index, end: word.index + word[0].length, label };
  });
  await lena.client.save({ assignment, base: 0, key: 'large-document', removed: [], added });

  const person = await people.signedIn(lena);
  const { page } = person;
  const began = performance.now();
  await openCopy(person, assignment);
  const opened = performance.now() - began;
  expect(await shownText(page)).toBe(content);
  expect((await drawnMarks(page)).length).toBe(SPANS);

  await text(page).focus();
  const times: number[] = [];
  for (let press = 0; press < PRESSES; press += 1) {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => selected(page)).toBe('w0x0');
    for (let step = 0; step <= press; step += 1) await page.keyboard.press('Shift+ArrowRight');
    // From the key press to the end of the frame that shows its span. It is set up before the
    // key is pressed, and read afterwards.
    await page.evaluate(() => {
      const observed = document.querySelector('#text');
      if (!observed) throw new Error('no text');
      let pressed = 0;
      addEventListener('keydown', (event) => (pressed = event.timeStamp), {
        capture: true,
        once: true,
      });
      const painted = new Promise<number>((resolve) => {
        const observer = new MutationObserver(() => {
          observer.disconnect();
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - pressed);
            port2.postMessage(null);
          });
        });
        observer.observe(observed, { childList: true, subtree: true });
      });
      Object.assign(window, { painted });
    });
    await page.keyboard.press('2');
    times.push(await page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted));
  }
  times.sort((a, b) => a - b);
  await settled(page);
  expect((await drawnMarks(page)).length).toBe(SPANS + PRESSES);
  expect((await lena.client.open(assignment)).content.spans.length).toBe(SPANS + PRESSES);

  const median = times[Math.floor(times.length / 2)] ?? Number.NaN;
  const report = {
    open: `${Math.round(opened)} ms`,
    'key to paint, median': `${Math.round(median)} ms`,
    'key to paint, worst': `${Math.round(times.at(-1) ?? Number.NaN)} ms`,
  };
  for (const [type, description] of Object.entries(report)) {
    test.info().annotations.push({ type, description });
  }
  console.log(`large document: ${JSON.stringify(report)}`);
  expect(opened).toBeLessThan(30_000);
});
