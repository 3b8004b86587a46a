//! Labeling by mouse and by finger: labels at the words, ends that are dragged, and a text that begins
//! near the top.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { openCopy, settled } from '../support/editor.ts';
import { alive, expect, reached, test } from '../support/fixtures.ts';
import { copyOf, type Account } from '../support/installation.ts';
import { drawnMarks, text } from '../support/text.ts';

const CONTENT = `Ada Lovelace met Charles Babbage in London. ${'They spoke of engines and of numbers. '.repeat(12)}The end.`;

test('labels stand at the words, ends are dragged, and lines grow where marks lie on each other', async ({
  people,
  installation,
}) => {
  const project = await installation.project({
    files: { 'one.txt': CONTENT, 'two.txt': 'Another text.' },
    labelers: ['Mona Mouse'],
  });
  const mona = project.labelers[0] as Account;
  const person = await people.signedIn(mona);
  const { page } = person;
  await openCopy(person, await copyOf(mona, project, 'one'));
  const toolbar = page.getByRole('toolbar', { name: 'Label the selection' });
  const place = async (words: string, at: 'start' | 'end') =>
    text(page).evaluate(
      (root, [words, at]) => {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const found = node.nodeValue?.indexOf(words) ?? -1;
          if (found < 0) continue;
          const range = document.createRange();
          range.setStart(node, found);
          range.setEnd(node, found + words.length);
          const box = range.getBoundingClientRect();
          return { x: at === 'start' ? box.left + 2 : box.right - 2, y: box.top + box.height / 2 };
        }
        throw new Error(`no ${words}`);
      },
      [words, at] as const,
    );
  const { x, y } = await place('Charles', 'start');

  await test.step('a label is a short way from the selection', async () => {
    await expect(toolbar).toBeHidden();
    await page.mouse.dblclick(x + 10, y);
    await expect(toolbar).toBeVisible();
    const box = await toolbar.boundingBox();
    expect(Math.hypot((box?.x ?? 0) - x, (box?.y ?? 0) - y)).toBeLessThan(120);
    await expectAccessibleInAllLooks(page, 'labels at the selection');
    await toolbar.getByRole('button', { name: 'PER' }).click();
    await expect(toolbar).toBeHidden();
    await expect.poll(() => drawnMarks(page)).toMatchObject([{ start: 17, end: 24 }]);
  });
  await test.step('an end is dragged to another word', async () => {
    await page.mouse.click(x + 10, y);
    await expect(toolbar.getByRole('button', { name: 'Delete' })).toBeVisible();
    const to = await place('Babbage', 'end');
    // Waits until the handle stands still, unlike a place that was asked for once.
    await page.locator('.text-handle.last').hover();
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => drawnMarks(page)).toMatchObject([{ start: 17, end: 32 }]);
    await settled(page);
  });
  await test.step('a second mark on the same words makes room on its line only', async () => {
    const lines = async () =>
      text(page).evaluate((root) => {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        const tops = new Set<number>();
        // Words without a mark stand where their line stands.
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          if (node.parentElement?.closest('.m')) continue;
          range.selectNodeContents(node);
          for (const { width, top } of range.getClientRects()) if (width > 20) tops.add(Math.round(top));
        }
        return [...tops].sort((one, other) => one - other);
      });
    const gaps = (tops: number[]) => tops.slice(1).map((top, index) => top - (tops[index] ?? 0));
    const before = gaps(await lines());
    await page.mouse.click(x + 10, y);
    await page.keyboard.press('Shift+2');
    await expect.poll(async () => (await drawnMarks(page)).length).toBe(2);
    const after = gaps(await lines());
    expect(after.length).toBe(before.length);
    // Of lines further down, what moved them is whole pixels at most one off.
    for (const [index, gap] of after.slice(1).entries()) expect(Math.abs(gap - (before[index + 1] ?? 0))).toBeLessThanOrEqual(1);
    expect(after[0] ?? 0).toBeGreaterThan(before[0] ?? 0);
  });
  await test.step('after submitting, Enter goes on', async () => {
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Reopen' })).toHaveCount(1);
    await expect(page.getByRole('button', { name: 'Next document' })).toBeVisible();
    await text(page).focus();
    await page.keyboard.press('Enter');
    await reached(page, 'two');
  });
});

test('on a phone the text begins near the top, and a tap selects the word', async ({ browser, installation, people }) => {
  const project = await installation.project({
    files: { 'phone.txt': CONTENT },
    labelers: ['Finn Finger'],
  });
  const finn = project.labelers[0] as Account;
  const person = await people.signedIn(finn);
  const state = await person.page.context().storageState();
  const context = await browser.newContext({ storageState: state, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(`${person.url}/assignments/${await copyOf(finn, project, 'phone')}`);
  await expect(text(page)).toBeVisible();
  await alive(page);
  const box = await text(page).boundingBox();
  expect(box?.y ?? 999).toBeLessThanOrEqual(110);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  const at = await text(page).evaluate((root) => {
    const range = document.createRange();
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const node = walker.nextNode();
    if (!node) throw new Error('no text');
    range.setStart(node, 4);
    range.setEnd(node, 12);
    const { left, width, top, height } = range.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  });
  await page.touchscreen.tap(at.x, at.y);
  const toolbar = page.getByRole('toolbar', { name: 'Label the selection' });
  await expect(toolbar).toBeVisible();
  await toolbar.getByRole('button', { name: 'LOC' }).tap();
  await expect.poll(() => drawnMarks(page)).toMatchObject([{ start: 4, end: 12 }]);
  await context.close();
});
