//! The text of a document on the page: reading it and its marks, selecting in it with the mouse
//! and with the keyboard. Offsets are Unicode scalar values, as everywhere.

import { expect, type Locator, type Page } from '@playwright/test';

/** A mark as it is drawn. */
export interface DrawnMark {
  readonly start: number;
  readonly end: number;
  /** What hovering says: "PER: Hamlet". */
  readonly title: string;
}

/** The element that holds the text. */
export function text(page: Page): Locator {
  return page.locator('#text');
}

/** The offsets of a piece of text, the `nth` time it occurs. */
export function rangeOf(whole: string, piece: string, nth = 0): [start: number, end: number] {
  let at = -1;
  for (let found = 0; found <= nth; found += 1) {
    at = whole.indexOf(piece, at + 1);
    if (at < 0) throw new Error(`${JSON.stringify(piece)} does not occur ${nth + 1} times`);
  }
  const start = [...whole.slice(0, at)].length;
  return [start, start + [...piece].length];
}

/** The text as it stands on the page. */
export async function shownText(page: Page): Promise<string> {
  return (await text(page).textContent()) ?? '';
}

/** All marks on the page, in order of position. */
export async function drawnMarks(page: Page): Promise<DrawnMark[]> {
  return text(page).evaluate((root) => {
    const length = (text: string) => Array.from(text).length;
    const marks: { start: number; end: number; title: string; open: boolean }[] = [];
    for (const chunk of root.querySelectorAll<HTMLElement>('.chunk')) {
      const found = new Map<string, { start: number; end: number; title: string; open: boolean }>();
      let at = Number(chunk.dataset['start']);
      const walker = document.createTreeWalker(chunk, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const end = at + length(node.textContent ?? '');
        let run = node.parentElement?.closest<HTMLElement>('.m');
        while (run) {
          const number = run.dataset['m'] ?? '';
          const mark = found.get(number);
          if (mark) mark.end = end;
          else found.set(number, { start: at, end, title: run.title, open: false });
          run = run.parentElement?.closest<HTMLElement>('.m');
        }
        at = end;
      }
      for (const mark of found.values()) {
        // A mark that goes on from the chunk before is one mark.
        const begun = marks.find((other) => other.end === mark.start && other.title === mark.title);
        if (begun && mark.start === Number(chunk.dataset['start'])) begun.end = mark.end;
        else marks.push(mark);
      }
    }
    marks.sort((a, b) => a.start - b.start || a.end - b.end || a.title.localeCompare(b.title));
    return marks.map(({ start, end, title }) => ({ start, end, title }));
  });
}

/** Where the mouse has to go to select from one offset to another, in the middle of the edge
 * characters' outer halves. Scrolls there. */
async function edges(page: Page, start: number, end: number) {
  return text(page).evaluate(
    (root, [start, end]) => {
      const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
      const place = (offset: number): [Node, number] => {
        const chunks = [...root.querySelectorAll<HTMLElement>('.chunk')];
        const chunk = chunks.findLast((chunk) => Number(chunk.dataset['start']) <= offset);
        if (!chunk) throw new Error(`no chunk at ${offset}`);
        let left = offset - Number(chunk.dataset['start']);
        const walker = document.createTreeWalker(chunk, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const characters = Array.from(node.textContent ?? '');
          if (left < characters.length) return [node, characters.slice(0, left).join('').length];
          left -= characters.length;
        }
        throw new Error(`no text at ${offset}`);
      };
      /** The box of the character, as people see it, at an offset. */
      const box = (offset: number, last: boolean) => {
        const [node, at] = place(offset);
        const content = node.textContent ?? '';
        const segment = graphemes.segment(content).containing(at);
        if (!segment) throw new Error(`no character at ${offset}`);
        const range = document.createRange();
        range.setStart(node, segment.index);
        range.setEnd(node, segment.index + segment.segment.length);
        const rects = range.getClientRects();
        const rect = rects[last ? rects.length - 1 : 0];
        if (!rect) throw new Error(`nothing is drawn at ${offset}`);
        const isRtl = /\p{Script=Hebrew}|\p{Script=Arabic}/u.test(segment.segment);
        return { rect, isRtl };
      };
      const [node] = place(start);
      node.parentElement?.scrollIntoView({ block: 'center', behavior: 'instant' });
      const first = box(start, false);
      const last = box(end - 1, true);
      const inset = (width: number) => Math.min(2, width / 4);
      const startX = first.isRtl
        ? first.rect.right - inset(first.rect.width)
        : first.rect.left + inset(first.rect.width);
      const endX = last.isRtl
        ? last.rect.left + inset(last.rect.width)
        : last.rect.right - inset(last.rect.width);
      return {
        from: { x: startX, y: first.rect.top + first.rect.height / 2 },
        to: { x: endX, y: last.rect.top + last.rect.height / 2 },
      };
    },
    [start, end] as const,
  );
}

/** Selects with the mouse, from the first character to the last. */
export async function drag(page: Page, [start, end]: readonly [number, number]): Promise<void> {
  const { from, to } = await edges(page, start, end);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await page.mouse.up();
}

/** Clicks into the middle of a range. */
export async function clickAt(page: Page, [start, end]: readonly [number, number]): Promise<void> {
  const { from, to } = await edges(page, start, end);
  await page.mouse.click((from.x + to.x) / 2, (from.y + to.y) / 2);
}

/** What a screen reader is told to be selected; nothing if nothing is. */
export async function selected(page: Page): Promise<string | null> {
  const spoken = await page.locator('.text-view > [role=status]').textContent();
  return /^Selected: "(.*?)"(?:, labelled .*)?$/s.exec(spoken ?? '')?.[1] ?? null;
}

/** Presses Tab until something has the focus, as somebody without a mouse would. */
export async function tabTo(page: Page, target: Locator, most = 60): Promise<void> {
  const focused = () => target.evaluate((element) => element === document.activeElement);
  await expect(target).toBeVisible();
  for (let pressed = 0; pressed < most; pressed += 1) {
    if (await focused()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target} is not reached with ${most} presses of Tab`);
}

/** Moves through the text with the arrow keys, from where the keyboard is now, until this unit is
 * selected; the text has the focus. */
export async function arrowTo(page: Page, unit: string, most = 200): Promise<void> {
  const isRtl = await text(page).locator('.block').first().evaluate((block) => block.matches(':dir(rtl)'));
  for (let pressed = 0; pressed < most; pressed += 1) {
    if ((await selected(page)) === unit) return;
    await page.keyboard.press(isRtl ? 'ArrowLeft' : 'ArrowRight');
  }
  throw new Error(`${JSON.stringify(unit)} is not reached with ${most} presses of an arrow key`);
}

/** Selects whole words with the keyboard alone, from the text's beginning; the text has the focus. */
export async function selectByKeyboard(page: Page, words: readonly string[]): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Home');
  await arrowTo(page, words[0] ?? '');
  for (let more = 1; more < words.length; more += 1) await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => selected(page)).toBe(words.join(' '));
}
