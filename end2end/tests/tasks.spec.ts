//! What common tasks take, counted: the table in docs/people/tasks.md says it, and this does it.

import { readFile } from 'node:fs/promises';

import type { Page } from '@playwright/test';

import { openCopy, settled } from '../support/editor.ts';
import { expect, reached, test } from '../support/fixtures.ts';
import { copyOf, type Account } from '../support/installation.ts';
import { decided } from '../support/review.ts';
import { drawnMarks, rangeOf, selected, text } from '../support/text.ts';

/** The presses that the table promises for each task, by its words. */
async function promised(): Promise<Map<string, number>> {
  const table = await readFile(new URL('../../docs/people/tasks.md', import.meta.url), 'utf8');
  const rows = [...table.matchAll(/^\| (.+?) \| (\d+) press(?:es)? \|/gm)];
  return new Map(rows.map(([, task, presses]) => [task ?? '', Number(presses)]));
}

/** A keyboard that counts. */
class Keys {
  readonly #page: Page;
  readonly counted = new Map<string, number>();

  constructor(page: Page) {
    this.#page = page;
  }

  /** Does a task by these presses. */
  async task(name: string, ...presses: string[]): Promise<void> {
    await test.step(name, async () => {
      for (const key of presses) await this.#page.keyboard.press(key);
    });
    this.counted.set(name, (this.counted.get(name) ?? 0) + presses.length);
  }
}

const NAMES = Array.from({ length: 20 }, (_, index) => `N${String.fromCharCode(97 + index)}m`);
const CONTENT = [
  NAMES.map((name) => `then ${name} came`).join(' '),
  'the analytical engine of london works',
  Array.from({ length: 10 }, () => 'see engineer').join(' '),
].join('\n');

test('ten tasks take as many presses as the table says', async ({ people, installation }) => {
  test.setTimeout(120_000);
  const project = await installation.project({
    labels: ['PER', 'ORG', 'LOC'],
    files: { 'one.txt': CONTENT, 'two.txt': 'the next document' },
    labelers: ['Tara Task'],
  });
  const [tara] = project.labelers as [Account];
  const person = await people.signedIn(tara);
  const { page } = person;
  const keys = new Keys(page);
  const marks = async () => (await drawnMarks(page)).map(({ title }) => title);
  await openCopy(person, await copyOf(tara, project, 'one'));
  await text(page).focus();
  await page.keyboard.press('Control+Home');
  await expect.poll(() => selected(page)).toBe('then');
  await page.keyboard.press('Escape');

  await keys.task('Label 20 names of one word, all with the same label', ...NAMES.flatMap(() => ['>', '1']));
  expect(await marks()).toEqual(NAMES.map((name) => `PER: ${name}`));

  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+ArrowRight');
  await expect.poll(() => selected(page)).toBe('the');
  await page.keyboard.press('Escape');
  await keys.task('Label three words at the cursor', 'Shift+ArrowRight', 'Shift+ArrowRight', '2');
  expect((await marks()).at(-1)).toBe('ORG: the analytical engine');

  const before = await marks();
  await page.keyboard.press('Escape');
  await keys.task('Move the end of a span by a word', ']', 'Alt+Shift+ArrowRight');
  const moved = await marks();
  expect(moved).not.toEqual(before);
  expect(moved.length).toBe(before.length);
  await page.keyboard.press('Control+z');
  expect(await marks()).toEqual(before);

  await page.keyboard.press('Escape');
  await keys.task('Give a span another label', ']', '3');
  expect((await marks())[0]).toBe(`LOC: ${NAMES[0]}`);
  await page.keyboard.press('Escape');
  await keys.task('Give the same words a second label', ']', 'Shift+1');
  expect((await marks()).slice(0, 2).toSorted()).toEqual([`LOC: ${NAMES[0]}`, `PER: ${NAMES[0]}`]);
  await page.keyboard.press('Escape');
  const all = await marks();
  await keys.task('Delete a span', ']', 'Delete');
  expect((await marks()).length).toBe(all.length - 1);
  await keys.task('Undo that', 'Control+z');
  expect(await marks()).toEqual(all);

  await page.keyboard.press('Control+f');
  await page.keyboard.type('engineer');
  await page.keyboard.press('Enter');
  await expect.poll(() => selected(page)).toBe('engineer');
  await page.keyboard.press('1');
  await keys.task('Give all 10 places of a name the label of the first', 'Control+Shift+L', 'Enter');
  await expect.poll(async () => (await marks()).filter((mark) => mark === 'PER: engineer').length).toBe(10);

  await settled(page);
  await keys.task('Hand the document in and open the next', 'Control+Enter', 'Alt+PageDown');
  await reached(page, 'two');

  // Two labelers who differ on ten words.
  const reviewed = await installation.project({
    labels: ['PER', 'ORG'],
    files: { 'conflicts.txt': NAMES.join(' ') },
    labelers: ['Una Task', 'Uwe Task'],
    reviewers: ['Rita Review'],
  });
  const raters = reviewed.labelers as [Account, Account];
  for (const [index, labeler] of raters.entries()) {
    const label = [...reviewed.labels.values()][index] ?? 0;
    const assignment = await copyOf(labeler, reviewed, 'conflicts');
    const added = NAMES.slice(0, 10).map((name) => {
      const [start, end] = rangeOf(NAMES.join(' '), name);
      return { start, end, label };
    });
    await labeler.client.save({ assignment, base: 0, key: `conflicts-${assignment}`, removed: [], added });
    await labeler.client.submit(assignment, 1);
  }
  const [rita] = reviewed.reviewers as [Account];
  const reviewer = await people.signedIn(rita);
  await reviewer.goto(`/projects/${reviewed.id}/review`);
  await reviewer.page.getByRole('link', { name: 'Next undecided' }).click();
  await decided(reviewer.page, '0 of 10 decided');
  const decisions = new Keys(reviewer.page);
  await decisions.task('Resolve 10 conflicts of two labelers', ...NAMES.slice(0, 10).map((_, index) => String((index % 2) + 1)));
  await decided(reviewer.page, '10 of 10 decided');
  await settled(reviewer.page);

  expect(new Map([...keys.counted, ...decisions.counted])).toEqual(await promised());
});
