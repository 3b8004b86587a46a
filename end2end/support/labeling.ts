//! Somebody who labels by keyboard, and what the server must have of it afterwards.

import { expect, type Page } from '@playwright/test';

import { selected, text } from './text.ts';
import type { Random } from './random.mjs';

/** How old an edit has to be that nothing may lose any more, in milliseconds. */
const SAFE = 500;

const TOKENS = 60;

/** Words that are all different. */
export const WORDS = Array.from({ length: TOKENS }, (_, index) => `w${String(index).padStart(2, '0')}`).join(' ');

/** "w07:2": the word and the place of its label. */
type Mark = string;

interface Change {
  readonly added: readonly Mark[];
  readonly removed: readonly Mark[];
}

/** What was marked after an edit, and how it came to be. */
interface State {
  readonly marks: ReadonlySet<Mark>;
  readonly done: readonly Change[];
  readonly undone: readonly Change[];
}

function changed(marks: ReadonlySet<Mark>, { added, removed }: Change): Set<Mark> {
  const left = [...marks].filter((mark) => !removed.includes(mark));
  return new Set([...left, ...added]);
}

/** The edits of one copy, as they were made. */
export class Edits {
  #states: { at: number; state: State }[] = [];

  constructor(state: State = { marks: new Set(), done: [], undone: [] }) {
    this.#states = [{ at: 0, state }];
  }

  get now(): State {
    const last = this.#states.at(-1);
    if (!last) throw new Error('there is always a state');
    return last.state;
  }

  push(state: State): void {
    this.#states.push({ at: Date.now(), state });
  }

  /** What somebody else has marked in the meantime is there, too, and nothing is to be undone. */
  join(marks: Iterable<Mark>): void {
    this.#states = [{ at: 0, state: { marks: new Set([...this.now.marks, ...marks]), done: [], undone: [] } }];
  }

  /** Takes what the server has: all edits, at most without those that were younger than half a
   * second when `ended` came. */
  settle(stored: readonly Mark[], ended: number, what: string): void {
    const isStored = ({ marks }: State) =>
      marks.size === stored.length && stored.every((mark) => marks.has(mark));
    const possible = this.#states.filter(
      (_, index) => (this.#states[index + 1]?.at ?? Infinity) > ended - SAFE,
    );
    const found = possible.findLast(({ state }) => isStored(state));
    if (!found) {
      expect([...stored].sort(), what).toEqual([...this.now.marks].sort());
    }
    this.#states = [{ at: 0, state: found?.state ?? this.now }];
  }
}

/** Makes one edit with the keyboard, on words whose number leaves `rest` if halved. */
export async function edit(page: Page, edits: Edits, random: Random, rest?: number): Promise<void> {
  const { marks, done, undone } = edits.now;
  const dice = random.below(10);
  const press = (key: string) => page.keyboard.press(key);
  const last = done.at(-1);
  if (rest === undefined && dice < 2 && last) {
    await press('Control+z');
    const back = { added: last.removed, removed: last.added };
    edits.push({ marks: changed(marks, back), done: done.slice(0, -1), undone: [...undone, last] });
    return;
  }
  const again = undone.at(-1);
  if (rest === undefined && dice === 2 && again) {
    await press('Control+Shift+z');
    edits.push({ marks: changed(marks, again), done: [...done, again], undone: undone.slice(0, -1) });
    return;
  }
  const word = await goTo(page, random, rest);
  const there = [...marks].filter((mark) => mark.startsWith(word));
  const change = { added: [] as Mark[], removed: [] as Mark[] };
  if (there.length > 0) {
    await press('Delete');
    change.removed = there;
  } else {
    const label = 1 + random.below(3);
    await press(String(label));
    change.added = [`${word}:${label}`];
  }
  edits.push({ marks: changed(marks, change), done: [...done, change], undone: [] });
}

/** Goes to some word near by; at the end of the text, to its beginning first. */
async function goTo(page: Page, random: Random, rest?: number): Promise<string> {
  if (!(await text(page).evaluate((root) => root === document.activeElement))) await text(page).focus();
  for (let steps = 1 + random.below(3); ; steps -= 1) {
    await page.keyboard.press('ArrowRight');
    const word = await selected(page);
    if (word === null) throw new Error('nothing is selected');
    if (word === `w${TOKENS - 1}`) {
      await page.keyboard.press('Control+Home');
      steps += 1 + random.below(8);
    } else if (steps <= 1 && (rest === undefined || Number(word.slice(1)) % 2 === rest)) {
      return word;
    }
  }
}
