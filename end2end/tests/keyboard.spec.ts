//! The whole work of a labeler and of a reviewer without a mouse, from sign-in on.

import type { Page } from '@playwright/test';

import { settled } from '../support/editor.ts';
import { expect, reached, test, type Person } from '../support/fixtures.ts';
import { copyOf, type Account, type Project } from '../support/installation.ts';
import { current, decided } from '../support/review.ts';
import { drawnMarks, rangeOf, selectByKeyboard, selected, tabTo, text } from '../support/text.ts';

const TEXT = 'Ada Lovelace wrote to Charles Babbage in London about the Analytical Engine.';

/** Fails the test if the mouse was used after all. */
async function forbidPointer(person: Person): Promise<void> {
  await person.context.addInitScript(() => {
    addEventListener('pointerdown', () => console.error('a pointer was used'), { capture: true });
  });
}

/** Signs in with the keyboard and opens the one project there is. */
async function signInByKeyboard(person: Person, account: Account, project: Project): Promise<void> {
  const { page } = person;
  await person.goto('/sign-in');
  await tabTo(page, page.getByLabel('E-mail address'));
  await page.keyboard.type(account.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(account.password);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('link', { name: project.name }));
  await page.keyboard.press('Enter');
}

async function marks(page: Page): Promise<string[]> {
  return (await drawnMarks(page)).map(({ title }) => title);
}

test('a labeler marks, corrects and submits a document by keyboard alone', async ({
  people,
  installation,
}) => {
  const project = await installation.project({
    name: 'Keyboard work',
    labels: ['PER', 'ORG', 'LOC'],
    files: { 'letter.txt': TEXT },
    labelers: ['Kim Keyboard'],
  });
  const [kim] = project.labelers as [Account];
  const person = await people.stranger(installation.server.url);
  await forbidPointer(person);
  const { page } = person;
  const press = (key: string) => page.keyboard.press(key);

  await signInByKeyboard(person, kim, project);
  await reached(page, 'My work');
  await tabTo(page, page.getByRole('link', { name: 'Start with letter' }));
  await press('Enter');
  await expect(text(page)).toBeFocused();

  await test.step('mark', async () => {
    await selectByKeyboard(page, ['Ada', 'Lovelace']);
    await press('1');
    expect(await marks(page)).toEqual(['PER: Ada Lovelace']);
  });
  await test.step('relabel', async () => {
    await press('2');
    expect(await marks(page)).toEqual(['ORG: Ada Lovelace']);
    await press('1');
    expect(await marks(page)).toEqual(['PER: Ada Lovelace']);
  });
  await test.step('resize, by token and by character', async () => {
    await press('Alt+Shift+ArrowRight');
    expect(await marks(page)).toEqual(['PER: Ada Lovelace wrote']);
    await press('Control+Shift+ArrowRight');
    expect(await marks(page)).toEqual(['PER: Lovelace wrote']);
    await press('Control+Shift+ArrowLeft');
    await press('Alt+Shift+ArrowLeft');
    expect(await marks(page)).toEqual(['PER: Ada Lovelace']);
    await press('t');
    await press('Alt+Shift+ArrowLeft');
    expect(await marks(page)).toEqual(['PER: Ada Lovelac']);
    await press('Alt+Shift+ArrowRight');
    await press('t');
  });
  await test.step('a second label on the same place', async () => {
    await press('Shift+2');
    expect(await marks(page)).toEqual(['ORG: Ada Lovelace', 'PER: Ada Lovelace']);
    await press('Delete');
    expect(await marks(page)).toEqual(['PER: Ada Lovelace']);
  });
  await test.step('label by name', async () => {
    await selectByKeyboard(page, ['London']);
    await press('/');
    await page.keyboard.type('lo');
    await press('Enter');
    await expect(text(page)).toBeFocused();
    expect(await marks(page)).toEqual(['PER: Ada Lovelace', 'LOC: London']);
  });
  await test.step('walk, delete, undo, redo', async () => {
    await press('Escape');
    await press('[');
    await press(']');
    await press('Delete');
    const left = await marks(page);
    expect(left.length).toBe(1);
    await press('Control+z');
    expect(await marks(page)).toEqual(['PER: Ada Lovelace', 'LOC: London']);
    await press('Control+Shift+z');
    expect(await marks(page)).toEqual(left);
    await press('Control+z');
    expect(await marks(page)).toEqual(['PER: Ada Lovelace', 'LOC: London']);
  });
  await test.step('help opens and closes', async () => {
    await press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
    await press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(text(page)).toBeFocused();
  });
  await test.step('submit', async () => {
    await settled(page);
    await press('Control+Enter');
    await expect(page.getByRole('button', { name: 'Reopen', exact: true })).toBeVisible();
    await press('Control+Home');
    await press('1');
    expect(await marks(page)).toEqual(['PER: Ada Lovelace', 'LOC: London']);
  });

  const { content } = await kim.client.open(await copyOf(kim, project, 'letter'));
  const [adaStart, adaEnd] = rangeOf(TEXT, 'Ada Lovelace');
  const [londonStart, londonEnd] = rangeOf(TEXT, 'London');
  expect(content.state).toBe('submitted');
  expect(content.spans).toEqual([
    { start: adaStart, end: adaEnd, label: project.labels.get('PER') },
    { start: londonStart, end: londonEnd, label: project.labels.get('LOC') },
  ]);
});

test('a reviewer decides on a whole document by keyboard alone', async ({ people, installation }) => {
  const project = await installation.project({
    name: 'Keyboard review',
    labels: ['PER', 'ORG', 'LOC'],
    files: { 'letter.txt': TEXT },
    labelers: ['Lars One', 'Lily Two'],
    reviewers: ['Rob Keys'],
  });
  const mark = async (labeler: Account, marked: Record<string, string>) => {
    const assignment = await copyOf(labeler, project, 'letter');
    const added = Object.entries(marked).map(([words, label]) => {
      const [start, end] = rangeOf(TEXT, words);
      return { start, end, label: project.labels.get(label) ?? 0 };
    });
    const key = `keyboard-${assignment}`;
    await labeler.client.save({ assignment, base: 0, key, removed: [], added });
    await labeler.client.submit(assignment, 1);
  };
  const [lars, lily] = project.labelers as [Account, Account];
  await mark(lars, { 'Ada Lovelace': 'PER', 'Charles Babbage': 'PER', London: 'LOC' });
  await mark(lily, { 'Ada Lovelace': 'PER', 'Charles Babbage': 'ORG', Engine: 'ORG' });

  const [rob] = project.reviewers as [Account];
  const person = await people.stranger(installation.server.url);
  await forbidPointer(person);
  const { page } = person;
  const press = (key: string) => page.keyboard.press(key);
  const at = (words: string) => expect(current(page).locator('blockquote')).toHaveText(words);
  const said = (words: string) => expect(page.locator('.said')).toContainText(words);
  const decision = (words: string) => expect(current(page).locator('.decision')).toContainText(words);

  await signInByKeyboard(person, rob, project);
  await reached(page, 'Queue');
  await tabTo(page, page.getByRole('link', { name: 'Next undecided' }));
  await press('Enter');
  await reached(page, 'letter');
  await decided(page, '0 of 4 decided');

  await test.step('a conflict: one of the answers, another, back again', async () => {
    await press('d');
    await at('Charles Babbage');
    await press('2');
    await said('Accepted as ORG');
    // A decision leads to the next position that has none.
    await at('London');
    await press('k');
    await at('Charles Babbage');
    await decision('Accepted as ORG');
    await press('1');
    await said('Accepted as PER');
    await press('Control+z');
    await press('d');
    await decision('Accepted as ORG');
    await press('Control+Shift+z');
    await press('d');
    await decision('Accepted as PER');
  });
  await test.step('all unanimous positions', async () => {
    await press('Shift+A');
    await expect(page.getByRole('dialog')).toContainText('1 position');
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Accept all' }));
    await press('Enter');
    await decided(page, '2 of 4 decided');
  });
  await test.step('marked by only one: rejected, undone, relabelled', async () => {
    await press('d');
    await press('n');
    await at('London');
    await press('r');
    await said('Rejected');
    await at('Engine');
    await press('k');
    await decision('Rejected');
    await press('Backspace');
    await decision('Undecided');
    await press('l');
    await page.keyboard.type('org');
    await press('Enter');
    await said('Relabelled as ORG');
    await at('Engine');
    await press('[');
    await at('London');
    await decision('Relabelled as ORG');
    await press(']');
    await press('r');
    await decided(page, '4 of 4 decided');
  });
  await test.step('what nobody marked is added', async () => {
    await tabTo(page, text(page));
    // The first key of all begins at the current position, the next ones move from there.
    await press('ArrowRight');
    await selectByKeyboard(page, ['Analytical']);
    await press('2');
    await decided(page, '5 of 5 decided');
  });
  await test.step('its boundary is moved, and a reason given', async () => {
    await at('Analytical');
    await press('Alt+Shift+ArrowRight');
    await at('Analytical Engine');
    const reason = page.getByLabel('Reason');
    await press('e');
    await expect(reason).toBeFocused();
    // As slowly as people do: meanwhile the boundary is saved.
    await page.keyboard.type('The name of one machine', { delay: 50 });
    await press('Enter');
    await said('Reason saved');
    await expect(text(page)).toBeFocused();
    await expect(reason).toHaveValue('The name of one machine');
    await press('Control+z');
    await expect(reason).toHaveValue('');
    await press('Control+Shift+z');
    await expect(reason).toHaveValue('The name of one machine');
    await decided(page, '5 of 5 decided');
  });
  await test.step('end', async () => {
    await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible();
    await press('Control+Enter');
    await expect(page.getByText('Review finished', { exact: true })).toBeVisible();
  });

  const gold = JSON.parse(await project.manager.client.text(`/api/v1/projects/${project.id}/gold.jsonl`));
  const span = (words: string, label: string) => {
    const [start, end] = rangeOf(TEXT, words);
    return { start, end, label, origin: 'reviewer' };
  };
  expect(gold.spans).toEqual([
    span('Ada Lovelace', 'PER'),
    span('Charles Babbage', 'PER'),
    span('London', 'ORG'),
    span('Analytical Engine', 'ORG'),
  ]);
  expect(await selected(page)).toBeNull();
});
