//! A name with three boundaries is one decision: one row, one card in review, one step of the walk, decided
//! by a digit and taken back as a whole, by keyboard alone.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { expect, test } from '../support/fixtures.ts';
import { copyOf, type Account, type Installation, type Project } from '../support/installation.ts';
import { current, decided } from '../support/review.ts';
import { tabTo } from '../support/text.ts';

const TEXT = 'They say that Hamlet, Prince of Denmark, met Horatio at Elsinore.';
const SHORT = 'Hamlet';
const LONG = 'Hamlet, Prince of Denmark';

/** Marks words of the text with a label, and hands in. */
async function mark(person: Account, project: Project, marks: readonly (readonly [string, string])[]): Promise<void> {
  const assignment = await copyOf(person, project, 'one');
  const added = marks.map(([word, label]) => {
    const start = TEXT.indexOf(word);
    return { start, end: start + word.length, label: project.labels.get(label) ?? 0 };
  });
  await person.client.save({ assignment, base: 0, key: person.email, removed: [], added });
  await person.client.submit(assignment, 1);
}

/** Four labelers: two see a short name, one a long one, one a long one that is a place; on another name all agree. */
async function differing(installation: Installation): Promise<Project> {
  const people = { labelers: ['Ada', 'Bo', 'Cy', 'Di'], reviewers: ['Rae'] };
  const project = await installation.project({ files: { 'one.txt': TEXT }, ...people });
  const [ada, bo, cy, di] = project.labelers;
  if (!ada || !bo || !cy || !di) throw new Error('four labelers');
  const horatio = ['Horatio', 'PER'] as const;
  await mark(ada, project, [[SHORT, 'PER'], horatio]);
  await mark(bo, project, [[SHORT, 'PER'], horatio]);
  await mark(cy, project, [[LONG, 'PER'], horatio]);
  await mark(di, project, [['Prince of Denmark', 'LOC'], horatio]);
  return project;
}

test('in review a digit chooses one of the boundaries and rejects the others, and undo takes all back', async ({
  people,
  installation,
}) => {
  test.setTimeout(180_000);
  const project = await differing(installation);
  const [rae] = project.reviewers;
  if (!rae) throw new Error('a reviewer');
  const reviewer = await people.signedIn(rae);
  const { page } = reviewer;
  const press = (key: string) => page.keyboard.press(key);
  const said = page.locator('.said');
  const card = current(page);
  const answers = card.locator('.alternatives > li');
  const list = page.locator('.positions li');

  await reviewer.goto(`/projects/${project.id}/review`);
  const row = page.getByRole('row', { name: /^one / });
  await expect(row).toContainText('0 of 2');
  await tabTo(page, page.getByRole('link', { name: 'Next undecided' }));
  await press('Enter');
  await decided(page, '0 of 2 decided');
  await expect(list).toHaveCount(2);
  await expect(list.first()).toContainText('3 spans');
  await expect(card).toContainText('boundaries');
  await expect(answers).toHaveCount(3);
  await expect(answers.nth(0).locator('.bounds mark')).toHaveText(SHORT);
  await expect(answers.nth(0).locator('.bounds')).toHaveText(LONG);
  await expect(answers.nth(0)).toContainText('2 labelers');
  await expect(answers.nth(0).locator('.names')).toHaveText('Labeler 1, Labeler 2');
  await expect(answers.nth(1).locator('.bounds mark')).toHaveText(LONG);
  await expectAccessibleInAllLooks(page, 'boundaries in review');

  await press('2');
  await expect(said).toContainText('Accepted as PER; 2 others rejected.');
  await decided(page, '1 of 2 decided');
  await press('Control+z');
  await expect(said).toHaveText('Undone: Accepted as PER; 2 others rejected.');
  await decided(page, '0 of 2 decided');
  await press('Control+Shift+z');
  await expect(said).toHaveText('Redone: Accepted as PER; 2 others rejected.');
  await decided(page, '1 of 2 decided');
  await press('Control+z');
  await decided(page, '0 of 2 decided');

  // The others stay open where that is wanted.
  await tabTo(page, page.getByLabel('Reject the others'));
  await press('Space');
  await expect(page.getByLabel('Reject the others')).not.toBeChecked();
  await press('1');
  await expect(said).toContainText('Accepted as PER. 2 undecided.');
  await decided(page, '0 of 2 decided');
  await press('Control+z');

  // None of them.
  await press('r');
  await expect(said).toContainText('3 rejected.');
  await decided(page, '1 of 2 decided');
  await press('k');
  await press('Backspace');
  await expect(said).toHaveText('Undone: 3 rejected.');
  await decided(page, '0 of 2 decided');
});

test('the list has one row and the walk one step, decided by a digit and undone by keyboard', async ({
  people,
  installation,
}) => {
  test.setTimeout(180_000);
  const project = await differing(installation);
  const [rae] = project.reviewers;
  if (!rae) throw new Error('a reviewer');
  const reviewer = await people.signedIn(rae);
  const { page } = reviewer;
  const press = (key: string) => page.keyboard.press(key);
  const said = page.locator('.acted [role=status]');
  const place = page.locator('.place');

  await reviewer.goto(`/projects/${project.id}/review/disagreements`);
  const rows = page.locator('table.disagreements tbody tr');
  await expect(rows).toHaveCount(1);
  await expect(page.getByText('1 disagreement on 3 positions')).toBeVisible();
  await expect(rows.locator('.kind')).toContainText('boundaries');
  await expect(rows.locator('.judgements > li')).toHaveCount(3);
  await tabTo(page, page.getByRole('link', { name: 'Step to this position' }));
  await press('Enter');
  await expect(place).toHaveText('1 of 1 · 1 to decide');
  const answers = page.locator('.alternatives > li');
  await expect(answers).toHaveCount(3);
  await expect(answers.nth(0).locator('.bounds mark')).toHaveText(SHORT);
  await expect(answers.nth(2).locator('.names')).toHaveText('Labeler 4');
  await expectAccessibleInAllLooks(page, 'boundaries on the walk');

  await press('1');
  await expect(said).toHaveText(`Decided PER on “${SHORT}”; 2 others rejected.`);
  await expect(place).toHaveText('1 of 1 · none left to decide');
  await expect(answers.nth(0).getByRole('button')).toHaveAttribute('aria-current', 'true');
  await press('u');
  await expect(said).toHaveText(`Undone: Decided PER on “${SHORT}”; 2 others rejected.`);
  await expect(place).toHaveText('1 of 1 · 1 to decide');
  await press('r');
  await expect(said).toHaveText(`Rejected “${LONG}”.`);
  await expect(place).toHaveText('1 of 1 · none left to decide');
  await press('t');
  await expect(place).toHaveText('1 of 1 · 1 to decide');

  // A manager reads who sees what, and decides nothing.
  const manager = await people.signedIn(project.manager);
  await manager.goto(`/projects/${project.id}/review/walk`);
  await expect(manager.page.locator('.walk-position .judgements > li')).toHaveCount(3);
  await expect(manager.page.locator('.walk form')).toHaveCount(0);
});
