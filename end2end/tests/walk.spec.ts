//! The disagreement walk, by keyboard alone: from a list through its positions, deciding with a
//! reason, the same decision for all that are alike, and the undo of both.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { expect, reached, test } from '../support/fixtures.ts';
import { copyOf, type Account, type Installation, type Project } from '../support/installation.ts';
import { tabTo } from '../support/text.ts';

const TEXT = 'Hamlet met Horatio at Elsinore.';

/** Marks words of the text with a label, and hands in. */
async function mark(
  person: Account,
  project: Project,
  document: string,
  marks: readonly (readonly [string, string])[],
): Promise<void> {
  const assignment = await copyOf(person, project, document);
  const added = marks.map(([word, label]) => {
    const start = TEXT.indexOf(word);
    return { start, end: start + word.length, label: project.labels.get(label) ?? 0 };
  });
  const key = `${person.email}-${document}`;
  await person.client.save({ assignment, base: 0, key, removed: [], added });
  await person.client.submit(assignment, 1);
}

/** Three documents; in each, two labelers differ on one name, and on another in the first. */
async function differing(installation: Installation): Promise<Project> {
  const files = { 'one.txt': TEXT, 'two.txt': TEXT, 'three.txt': TEXT };
  const people = { labelers: ['Ada', 'Bo'], reviewers: ['Rae'] };
  const project = await installation.project({ files, ...people });
  const [ada, bo] = project.labelers;
  if (!ada || !bo) throw new Error('two labelers');
  await mark(ada, project, 'one', [['Hamlet', 'PER'], ['Horatio', 'PER'], ['Elsinore', 'LOC']]);
  await mark(bo, project, 'one', [['Hamlet', 'ORG'], ['Horatio', 'PER'], ['Elsinore', 'ORG']]);
  for (const document of ['two', 'three']) {
    await mark(ada, project, document, [['Hamlet', 'PER'], ['Horatio', 'PER']]);
    await mark(bo, project, document, [['Hamlet', 'ORG'], ['Horatio', 'PER']]);
  }
  return project;
}

test('a reviewer walks, decides, and undoes by keyboard alone', async ({ people, installation }) => {
  const project = await differing(installation);
  const [rae] = project.reviewers;
  if (!rae) throw new Error('a reviewer');
  const reviewer = await people.signedIn(rae);
  const { page } = reviewer;
  const press = (key: string) => page.keyboard.press(key);
  const place = page.locator('.place');
  const quote = page.locator('.walk-text mark');
  const said = page.locator('.acted [role=status]');
  const decision = page.locator('.decided-line');
  const reviewers = page.locator('.walk-agreement td:last-child');

  await reviewer.goto(`/projects/${project.id}/review/disagreements`);
  await tabTo(page, page.getByRole('link', { name: 'Step through these' }));
  await press('Enter');
  await reached(page, 'One by one');
  await expect(place).toHaveText('1 of 4 · 4 to decide');
  await expect(quote).toHaveText('Hamlet');
  await expect(reviewers.first()).toContainText('nothing to compare yet');

  // Folded out, the guidelines stay so from position to position.
  const guidelines = page.locator('.walk-guidelines');
  await tabTo(page, guidelines.locator('summary'));
  await press('Enter');
  await expect(guidelines).toHaveAttribute('open', '');
  await press('ArrowRight');
  await expect(quote).toHaveText('Elsinore');
  await press('j');
  await expect(place).toContainText('3 of 4');
  await press('k');
  await press('k');
  await expect(place).toContainText('1 of 4');
  await press('ArrowLeft');
  await expect(place).toContainText('1 of 4');
  await press('ArrowRight');
  await expect(quote).toHaveText('Elsinore');
  await expect(guidelines).toHaveAttribute('open', '');

  // A reason is text, whatever its letters are keys of.
  await tabTo(page, page.getByLabel('Reason in your own words'));
  await page.keyboard.type('1 just a castle');
  await press('Escape');
  const accept = page.getByRole('button', { name: /^Accept LOC/ });
  const key = (await accept.locator('kbd').textContent())?.trim() ?? '';
  await press(key);
  await expect(said).toHaveText('Decided LOC on “Elsinore”.');
  await expect(place).toHaveText('3 of 4 · 3 to decide');
  await expect(page.getByLabel('Reason in your own words')).toHaveValue('');
  await expect(reviewers.last()).toHaveText('0.50');
  await press('k');
  await expect(decision).toContainText('1 just a castle');
  await press('Delete');
  await expect(said).toHaveText('Undid the decision on “Elsinore”.');
  await press('u');
  await expect(said).toHaveText('Undone: Undid the decision on “Elsinore”.');
  await expect(quote).toHaveText('Elsinore');
  await expect(decision).toContainText('1 just a castle');

  // Letters and digits are no keys while they are switched off.
  await press('ArrowRight');
  await expect(quote).toHaveText('Hamlet');
  const letters = page.getByLabel('Use single-key shortcuts');
  await tabTo(page, letters);
  await press('Space');
  await expect(letters).not.toBeChecked();
  await press('r');
  await press('ArrowLeft');
  await expect(quote).toHaveText('Elsinore');
  await press('ArrowRight');
  await expect(decision).toContainText('not decided');
  await tabTo(page, letters);
  await press('Space');
  await expect(letters).toBeChecked();
  await press('r');
  await expect(said).toHaveText('Rejected “Hamlet”.');
  await press('u');
  await expect(said).toHaveText('Undone: Rejected “Hamlet”.');
  await expect(decision).toContainText('not decided');

  await press('Escape');
  await reached(page, 'Disagreements');
  await expect(page.locator('table.disagreements')).toContainText('1 just a castle');
});

test('one decision for all alike is previewed, made, and undone as a whole', async ({
  people,
  installation,
}) => {
  const project = await differing(installation);
  const [rae] = project.reviewers;
  if (!rae) throw new Error('a reviewer');
  const reviewer = await people.signedIn(rae);
  const { page } = reviewer;
  const press = (key: string) => page.keyboard.press(key);
  const said = page.locator('.acted [role=status]');
  const place = page.locator('.place');
  const value = page.locator('.walk-agreement td:last-child').last();

  await reviewer.goto(`/projects/${project.id}/review/walk?kind=label`);
  const before = await value.textContent();
  await press('s');
  await reached(page, 'Same decision for all like');
  const rows = page.locator('table.alike tbody tr');
  await expect(rows).toHaveCount(3);
  await expect(rows.locator('mark')).toHaveText(['Hamlet', 'Hamlet', 'Hamlet']);
  // The last is left out.
  await tabTo(page, rows.last().getByRole('checkbox'));
  await press('Space');
  const accept = page.getByRole('button', { name: /^Accept PER for all/ });
  await press((await accept.locator('kbd').textContent())?.trim() ?? '');
  await expect(said).toHaveText('Decided PER on “Hamlet” and 1 other like it.');
  await expect(place).toHaveText('2 of 4 · 2 to decide');
  await expect(value).not.toHaveText(before ?? '');
  const after = await value.textContent();

  // In another window, one of the two is decided anew.
  const tab = await reviewer.tab(`/projects/${project.id}/review/walk?kind=label`);
  await tab.keyboard.press('ArrowLeft');
  await expect(tab.locator('.decided-line')).toContainText('accepted');
  await tab.keyboard.press('r');
  await expect(tab.locator('.acted [role=status]')).toHaveText('Rejected “Hamlet”.');
  await tab.close();

  // The numbers here have followed; undo leaves that one alone.
  await expect(value).not.toHaveText(after ?? '');
  await press('u');
  await expect(said).toHaveText(
    'Undone: Decided PER on “Hamlet” and 1 other like it. 1 position kept: changed since, or review finished.',
  );
  await expect(place).toContainText('3 to decide');
});

test('the walk is accessible, and only reviewers decide on it', async ({ people, installation }) => {
  test.setTimeout(240_000);
  const project = await differing(installation);
  const [rae] = project.reviewers;
  const [ada] = project.labelers;
  if (!rae || !ada) throw new Error('people');
  const walk = `/projects/${project.id}/review/walk?kind=label`;
  const reviewer = await people.signedIn(rae);
  await reviewer.goto(walk);
  await expectAccessibleInAllLooks(reviewer.page, 'at the first position');
  await reviewer.page.keyboard.press('r');
  await expect(reviewer.page.locator('.acted [role=status]')).toHaveText('Rejected “Hamlet”.');
  await expectAccessibleInAllLooks(reviewer.page, 'after a decision');
  await reviewer.page.keyboard.press('j');
  await expect(reviewer.page.locator('.place')).toContainText('3 of 4');
  await reviewer.page.keyboard.press('s');
  await expect(reviewer.page.locator('table.alike tbody tr')).toHaveCount(2);
  await expectAccessibleInAllLooks(reviewer.page, 'the positions alike');

  const manager = await people.signedIn(project.manager);
  await manager.goto(walk);
  await expect(manager.page.locator('.place')).toHaveText('1 of 4');
  await expect(manager.page.locator('.walk form')).toHaveCount(0);
  await manager.page.keyboard.press('ArrowRight');
  await expect(manager.page.locator('.walk-text mark')).toHaveText('Elsinore');

  const labeler = await people.signedIn(ada);
  labeler.watch.expect(/Failed to load resource.*403/);
  await labeler.goto(walk);
  await expect(labeler.page.locator('.failure')).toBeVisible();
  await expect(labeler.page.locator('main')).not.toContainText('Bo');
});

test('a manager, who decides nothing, is led from a row to its place in the walk', async ({ people, installation }) => {
  const project = await differing(installation);
  const manager = await people.signedIn(project.manager);
  const { page } = manager;
  for (const list of ['review/disagreements', `agreement/${await raters(project)}?part=differences`]) {
    await manager.goto(`/projects/${project.id}/${list}`);
    const row = page.getByRole('row').filter({ has: page.locator('mark', { hasText: 'Elsinore' }) });
    await row.getByRole('link', { name: 'one' }).first().click();
    await expect(page).toHaveURL(/\/walk\?.*at=/);
    await expect(page.locator('.walk-text mark')).toHaveText('Elsinore');
  }
});

/** The two labelers as the address of their pair has them. */
async function raters(project: Project): Promise<string> {
  const members: { id: number; role: string }[] = await project.manager.client.form('members/list_members', {
    project: project.id,
  });
  return members.filter(({ role }) => role === 'labeler').map(({ id }) => id).join('/');
}
