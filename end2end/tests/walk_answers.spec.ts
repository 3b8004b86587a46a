//! The walk under a question, by keyboard alone: answers of spans and of documents are decided one by one, the same
//! for all that are alike, and undone.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { expect, reached, test } from '../support/fixtures.ts';
import { copyOf, type Account, type Installation, type Project } from '../support/installation.ts';
import { tabTo } from '../support/text.ts';

const TEXT = 'Hamlet met Horatio at Elsinore.';
const DOCUMENT = 0;

type Choice = { attribute: number; number: number } | { attribute: number; numbers: number[] };
interface Said {
  word?: string;
  label: number;
  choice: Choice;
}

/** Asks something of a label's spans, or of documents. */
async function ask(project: Project, label: number, name: string, answers: Record<string, string>): Promise<number> {
  const fields = Object.entries(answers).map(([field, value]) => [`answers[${field}]`, value]);
  const form = { project: project.id, label, name, ...Object.fromEntries(fields) };
  return project.manager.client.form('labels/create_attribute', form);
}

/** Gives words of the text labels, answers on them and about the document, and hands in. */
async function answer(person: Account, project: Project, document: string, said: readonly Said[]): Promise<void> {
  const assignment = await copyOf(person, project, document);
  const added = said.flatMap(({ word, label, choice }) => {
    if (word === undefined) return [{ start: 0, end: 0, label, choice }];
    const start = TEXT.indexOf(word);
    const span = { start, end: start + word.length, label };
    return [span, { ...span, choice }];
  });
  await person.client.save({ assignment, base: 0, key: `${person.email}-${document}`, removed: [], added });
  await person.client.submit(assignment, 1);
}

interface Asked {
  project: Project;
  sort: number;
  topics: number;
  rating: number;
  age: number;
}

/** Two documents, on which two labelers answer otherwise what is asked of a label and of documents. */
async function differing(installation: Installation): Promise<Asked> {
  const files = { 'one.txt': TEXT, 'two.txt': TEXT };
  const project = await installation.project({ files, labelers: ['Ada', 'Bo'], reviewers: ['Rae'] });
  const [ada, bo] = project.labelers;
  const person = project.labels.get('PER') ?? 0;
  if (!ada || !bo) throw new Error('two labelers');
  const sort = await ask(project, person, 'Sort', { are: 'one', choices: 'prince\nfriend\nghost' });
  const topics = await ask(project, DOCUMENT, 'Topics', { are: 'several', choices: 'court\nlove\nwar' });
  const rating = await ask(project, DOCUMENT, 'Rating', {
    are: 'number', least: '1', greatest: '5', least_means: 'poor', greatest_means: 'excellent',
  });
  const age = await ask(project, DOCUMENT, 'Age', { are: 'number', least: '0', greatest: '120' });
  const said = (of: { hamlet: number; horatio: number; topics: number[]; rating: number; age: number }): Said[] => [
    { word: 'Hamlet', label: person, choice: { attribute: sort, number: of.hamlet } },
    { word: 'Horatio', label: person, choice: { attribute: sort, number: of.horatio } },
    { label: DOCUMENT, choice: { attribute: topics, numbers: of.topics } },
    { label: DOCUMENT, choice: { attribute: rating, number: of.rating } },
    { label: DOCUMENT, choice: { attribute: age, number: of.age } },
  ];
  for (const document of ['one', 'two']) {
    await answer(ada, project, document, said({ hamlet: 0, horatio: 1, topics: [0], rating: 2, age: 30 }));
    await answer(bo, project, document, said({ hamlet: 1, horatio: 1, topics: [0, 1], rating: 4, age: 40 }));
  }
  return { project, sort, topics, rating, age };
}

function reviewerOf(project: Project): Account {
  const [rae] = project.reviewers;
  if (!rae) throw new Error('a reviewer');
  return rae;
}

test('answers on spans are decided by keyboard, with the label', async ({ people, installation }) => {
  const { project, sort } = await differing(installation);
  const reviewer = await people.signedIn(reviewerOf(project));
  const { page } = reviewer;
  const press = (key: string) => page.keyboard.press(key);
  const said = page.locator('.acted [role=status]');
  const place = page.locator('.place');
  const lines = page.locator('.decided-line');
  const chosen = page.locator('.choices-row [aria-current=true]');

  await reviewer.goto(`/projects/${project.id}/review/disagreements?question=${sort}`);
  await tabTo(page, page.getByRole('link', { name: 'Step through these' }));
  await press('Enter');
  await reached(page, 'One by one');
  await expect(page.locator('.page-head')).toContainText('PER: Sort');
  await expect(place).toHaveText('1 of 2 · 2 to decide');
  await expect(page.locator('.walk-text mark')).toHaveText('Hamlet');
  const rows = page.locator('.walk-marks tbody tr');
  await expect(rows.filter({ hasText: 'Labeler 1' })).toContainText('prince');
  await expect(rows.filter({ hasText: 'Labeler 2' })).toContainText('friend');
  const buttons = page.getByRole('list', { name: 'Answers' }).getByRole('button');
  await expect(buttons).toHaveCount(3);
  await expect(buttons.last()).toHaveAccessibleName('Answer ghost');

  await expect(page.getByLabel('Reason in your own words')).toHaveCount(0);
  await expect(lines.last()).toContainText('PER');
  await press('3');
  await expect(said).toHaveText('Decided ghost on “Hamlet”.');
  await expect(place).toHaveText('2 of 2 · 1 to decide');
  await expect(page.locator('.walk-agreement td:last-child').first()).not.toContainText('nothing to compare');
  await press('k');
  await expect(lines.first()).toContainText('ghost');
  await expect(lines.last()).toContainText('PER');
  await expect(chosen).toHaveAccessibleName('Answer ghost');

  // Only the answer is taken back; undo brings it again.
  await press('Delete');
  await expect(said).toHaveText('Undid the decision on “Hamlet”.');
  await press('u');
  await expect(said).toHaveText('Undone: Undid the decision on “Hamlet”.');
  await expect(chosen).toHaveAccessibleName('Answer ghost');

  await expect(page.getByRole('button', { name: /^Reject/ })).toHaveCount(0);
  await press('Delete');
  await expect(said).toHaveText('Undid the decision on “Hamlet”.');
  await expect(place).toContainText('2 to decide');
  await press('k');
  await expect(place).toContainText('1 of 2');
  await expect(lines.first()).toContainText('not decided');
  await expect(lines.last()).toContainText('PER');

  await test.step('one answer for all alike', async () => {
    await press('s');
    await reached(page, 'Same decision for all like');
    await expect(page.locator('table.alike tbody tr')).toHaveCount(2);
    await expectAccessibleInAllLooks(page, 'the positions alike');
    const friend = page.getByRole('button', { name: 'Accept friend for all selected' });
    await press((await friend.locator('kbd').textContent())?.trim() ?? '');
    await expect(said).toHaveText('Decided friend on “Hamlet” and 1 other like it.');
    await expect(place).toContainText('none left to decide');
    await press('u');
    await expect(place).toContainText('2 to decide');
    await expect(said).toHaveText('Undone: Decided friend on “Hamlet” and 1 other like it.');
  });
  await expectAccessibleInAllLooks(page, 'an answer to decide');
});

test('answers about documents are decided by keyboard: sets, points and numbers', async ({ people, installation }) => {
  test.setTimeout(240_000);
  const { project, topics, rating, age } = await differing(installation);
  const reviewer = await people.signedIn(reviewerOf(project));
  const { page } = reviewer;
  const press = (key: string) => page.keyboard.press(key);
  const said = page.locator('.acted [role=status]');
  const place = page.locator('.place');
  const line = page.locator('.decided-line');
  const walk = (question: number) => `/projects/${project.id}/review/walk?question=${question}`;

  await test.step('a set', async () => {
    await reviewer.goto(walk(topics));
    await expect(page.locator('.page-head')).toContainText('Document: Topics');
    await expect(place).toHaveText('1 of 2 · 2 to decide');
    await expect(page.locator('.walk-text')).toHaveText(TEXT);
    await expect(page.locator('.walk-text mark')).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Reject/ })).toHaveCount(0);
    await expectAccessibleInAllLooks(page, 'a set to decide');
    const war = page.getByRole('checkbox', { name: 'war' });
    const court = page.getByRole('checkbox', { name: 'court' });
    await press('5');
    await expect(war).toBeChecked();
    await tabTo(page, court);
    await press('Space');
    await press('d');
    await expect(said).toHaveText('Decided court + war on “one”.');
    await expect(place).toHaveText('2 of 2 · 1 to decide');
    // What was ticked was for the other document.
    await expect(war).not.toBeChecked();
    await press('k');
    await expect(line).toContainText('court');
    await expect(war).toBeChecked();
    await tabTo(page, war);
    await press('Space');
    await press('Enter');
    await expect(said).toHaveText('Decided court on “one”.');
    await expect(place).toContainText('2 of 2');
    await press('u');
    await expect(place).toContainText('1 of 2');
    await expect(line).toContainText('war');
    await expect(line).toHaveCount(1);
    await press('Delete');
    await expect(said).toHaveText('Undid the decision on “one”.');
    await press('k');
    await expect(place).toContainText('1 of 2');
    for (const box of await page.getByRole('checkbox', { name: /court|love|war/ }).all()) {
      if (await box.isChecked()) await box.uncheck();
    }
    await press('d');
    await expect(page.getByRole('alert')).toContainText('Tick at least one choice');
    await expect(place).toContainText('2 to decide');
  });

  await test.step('points', async () => {
    await reviewer.goto(walk(rating));
    const points = page.getByRole('list', { name: 'Answers' }).getByRole('button');
    await expect(points).toHaveCount(5);
    await expect(points.first()).toHaveAccessibleName('Answer 1 poor');
    await expect(points.nth(2)).toHaveAccessibleName('Accept 3');
    await expectAccessibleInAllLooks(page, 'points to decide');
    await press('4');
    await expect(said).toHaveText('Decided 4 on “one”.');
    await expect(place).toHaveText('2 of 2 · 1 to decide');
  });

  await test.step('a number', async () => {
    await reviewer.goto(walk(age));
    const field = page.getByRole('spinbutton', { name: 'Age' });
    await tabTo(page, field);
    await page.keyboard.type('37');
    await press('Enter');
    await expect(said).toHaveText('Decided 37 on “one”.');
    await expect(place).toHaveText('2 of 2 · 1 to decide');
    await expect(field).toHaveValue('');
    await press('1');
    await expect(said).toHaveText(/^Decided (30|40) on “two”\.$/);
    await expect(place).toContainText('none left to decide');
    await expectAccessibleInAllLooks(page, 'a number that is decided');
  });
});

test('a manager is led to the place of an answer and decides nothing', async ({ people, installation }) => {
  const { project, sort, topics } = await differing(installation);
  const manager = await people.signedIn(project.manager);
  const { page } = manager;
  for (const [question, where] of [[sort, '.walk-text mark'], [topics, '.walk-text']] as const) {
    await manager.goto(`/projects/${project.id}/review/disagreements?question=${question}`);
    await page.locator('table.disagreements').getByRole('link', { name: 'two' }).click();
    await expect(page).toHaveURL(/\/walk\?.*at=/);
    await expect(page.locator('.place')).toHaveText('2 of 2');
    await expect(page.locator(where)).toContainText('Hamlet');
    await expect(page.locator('.walk form')).toHaveCount(0);
  }
  const [ada] = project.labelers;
  if (!ada) throw new Error('a labeler');
  const labeler = await people.signedIn(ada);
  labeler.watch.expect(/Failed to load resource.*403/);
  await labeler.goto(`/projects/${project.id}/review/walk?question=${sort}`);
  await expect(labeler.page.locator('.failure')).toBeVisible();
  await expect(labeler.page.locator('main')).not.toContainText('Bo');
});
