//! A long document with many spans: it opens, and a key press paints a span. Times and memory are
//! reported, not judged: machines differ.

import { readFile } from 'node:fs/promises';

import type { Page } from '@playwright/test';

import { openCopy, settled } from '../support/editor.ts';
import { expect, test } from '../support/fixtures.ts';
import { copyOf, type Account } from '../support/installation.ts';
import { drawnMarks, selected, shownText, text } from '../support/text.ts';

const CHARACTERS = 100_000;
const SPANS = 5_000;
const PRESSES = 10;

/** The length of one paragraph in the middle, drawn as a whole and not line by line. */
const PARAGRAPH = 20_000;

// A trace takes a picture of the whole page at every press, which is what would be measured.
test.use({ trace: 'off' });

/** Words that all differ; `of` says which line they are on. */
function words(of: string, count: number): string {
  return Array.from({ length: count }, (_, word) => `${of}x${word}`).join(' ');
}

/** Lines of words with one long paragraph among them. */
function longText(): string {
  const paragraph = words('p', PARAGRAPH / 5).slice(0, PARAGRAPH).replace(/ \S*$/, '');
  const lines = ['beginning'];
  let length = paragraph.length;
  for (let line = 0; length < CHARACTERS; line += 1) {
    lines.push(words(`w${line}`, 14));
    length += (lines.at(-1) ?? '').length + 1;
  }
  lines.splice(lines.length / 2, 0, paragraph);
  return lines.join('\n').slice(0, CHARACTERS);
}

/** From the key press to the end of the frame that shows its span, in milliseconds. */
async function keyToPaint(page: Page, key: string): Promise<number> {
  // It is set up before the key is pressed, and read afterwards.
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
  await page.keyboard.press(key);
  return page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted);
}

/** The memory of the largest process that draws pages, in MiB. */
async function memory(page: Page): Promise<number> {
  const browser = page.context().browser();
  const session = await browser?.newBrowserCDPSession();
  if (!session) throw new Error('no browser');
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const drawing = processInfo.filter(({ type }) => type === 'renderer');
  const sizes = drawing.map(async ({ id }) => {
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  });
  return Math.max(...(await Promise.all(sizes)));
}

function told(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return `${Math.round(median)} ms (median), ${Math.round(sorted.at(-1) ?? Number.NaN)} ms (worst of ${times.length})`;
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
  const found = [...content.matchAll(/\S+/g)].slice(1);
  const added = Array.from({ length: SPANS }, (_, index) => {
    const word = found[Math.floor((index * found.length) / SPANS)];
    if (!word) throw new Error('fewer words than spans');
    const label = labels[index % labels.length] ?? 0;
    return { start: word.index, end: word.index + word[0].length, label };
  });
  await lena.client.save({ assignment, base: 0, key: 'large-document', removed: [], added });

  const person = await people.signedIn(lena);
  const { page } = person;
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (document.documentElement.dataset['ready'] === undefined) return;
      observer.disconnect();
      Object.assign(window, { readyAt: performance.now() });
    });
    observer.observe(document, { attributes: true, subtree: true, attributeFilter: ['data-ready'] });
  });
  // Once for the browser's cache, as every document but the first is opened.
  await openCopy(person, assignment);
  await openCopy(person, assignment);
  const opened = await page.evaluate(() => ({
    shown: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    ready: (window as unknown as { readyAt: number }).readyAt,
  }));
  expect(await shownText(page)).toBe(content);
  // Those on the screen are there at first, the others little by little.
  await expect.poll(async () => (await drawnMarks(page)).length).toBe(SPANS);

  await text(page).focus();
  const inLine: number[] = [];
  for (let press = 0; press < PRESSES; press += 1) {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => selected(page)).toBe('w0x0');
    for (let step = 0; step <= press; step += 1) await page.keyboard.press('Shift+ArrowRight');
    inLine.push(await keyToPaint(page, '2'));
  }
  // A match inside the long paragraph is selected by the search.
  const inParagraph: number[] = [];
  for (let press = 0; press < PRESSES; press += 1) {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+f');
    await expect(page.locator('#text-search')).toBeFocused();
    await page.keyboard.insertText(`px${1_000 + press} `);
    await page.keyboard.press('Enter');
    await expect.poll(() => selected(page)).toBe(`px${1_000 + press}`);
    await page.keyboard.press('Shift+ArrowRight');
    inParagraph.push(await keyToPaint(page, '2'));
  }
  await settled(page);
  const drawn = SPANS + 2 * PRESSES;
  expect((await drawnMarks(page)).length).toBe(drawn);
  expect((await lena.client.open(assignment)).content.spans.length).toBe(drawn);

  const report = {
    'text shown after': `${Math.round(opened.shown)} ms`,
    'keys work after': `${Math.round(opened.ready)} ms`,
    'key to paint, in a line': told(inLine),
    [`key to paint, in a paragraph of ${PARAGRAPH} characters`]: told(inParagraph),
    'memory of the page': `${Math.round(await memory(page))} MiB`,
  };
  for (const [type, description] of Object.entries(report)) {
    test.info().annotations.push({ type, description });
  }
  console.log(`large document: ${JSON.stringify(report)}`);
  expect(opened.ready).toBeLessThan(30_000);
});
