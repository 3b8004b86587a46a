//! What labels mean, forbid and ask: a manager says so, a labeler is told and answers by keyboard, and
//! what is agreed elsewhere is suggested only where the manager wants it.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { openCopy, settled } from '../support/editor.ts';
import { expect, test } from '../support/fixtures.ts';
import { copyOf, type Account, type Project } from '../support/installation.ts';
import { drawnMarks, selectByKeyboard, tabTo, text } from '../support/text.ts';

const TEXT = 'Ada Lovelace wrote to Charles Babbage in London.';

async function submitBabbage(person: Account, project: Project, document: string): Promise<void> {
  const assignment = await copyOf(person, project, document);
  const start = TEXT.indexOf('Babbage');
  const added = [{ start, end: start + 7, label: project.labels.get('PER') ?? 0 }];
  const key = `${person.email}-${document}`;
  await person.client.save({ assignment, base: 0, key, removed: [], added });
  await person.client.submit(assignment, 1);
}

test('a label says what it means, forbids overlaps and asks for a choice', async ({
  people,
  installation,
}) => {
  const project = await installation.project({
    labels: ['PER', 'LOC'],
    files: { 'letter.txt': TEXT },
    labelers: ['Lea'],
  });
  const manager = await people.signedIn(project.manager);
  const settings = `/projects/${project.id}/settings/labels`;

  await test.step('the manager says so', async () => {
    const { page } = manager;
    await manager.goto(settings);
    await page.getByRole('link', { name: 'Describe : PER' }).click();
    await page.getByLabel('Group (optional)').fill('People');
    await page.getByLabel('Description and examples').fill('A person, as in **Ada**.');
    await page.getByLabel('Crossing spans with other labels').selectOption('not allowed');
    await expectAccessibleInAllLooks(page, 'the label');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'PER' });
    await expect(row).toContainText('no crossing with others');
    await expect(page.getByRole('columnheader', { name: 'People' })).toBeVisible();
    await page.getByRole('link', { name: 'Described : PER' }).click();
    await page.getByLabel('Name').fill('Gender');
    await page.getByLabel('Choices, one per line').fill('female\nmale');
    await page.getByLabel(/^Required/).check();
    await page.getByRole('button', { name: 'Add attribute' }).click();
    await expect(page.getByRole('button', { name: 'Save attribute' })).toBeVisible();
  });

  const [lea] = project.labelers as [Account];
  const person = await people.signedIn(lea);
  const { page } = person;
  const press = (key: string) => page.keyboard.press(key);
  const marks = async () => (await drawnMarks(page)).map(({ title }) => title);
  await openCopy(person, await copyOf(lea, project, 'letter'));

  await test.step('the palette has groups, and says on demand what a label means', async () => {
    const palette = page.getByRole('region', { name: 'Labels' });
    await expect(palette.getByRole('heading', { level: 3 })).toHaveText(['People', 'Other labels']);
    const about = palette.getByText('A person, as in');
    await expect(about).toBeHidden();
    await tabTo(page, palette.locator('summary'));
    await press('Enter');
    await expect(about).toBeVisible();
    await press('Enter');
    await expect(about).toBeHidden();
  });
  const refused = page.locator('.refused');
  await test.step('what is forbidden is not drawn, and the span in the way is named', async () => {
    await text(page).focus();
    await selectByKeyboard(page, ['Ada', 'Lovelace']);
    await press('1');
    await press('Escape');
    await selectByKeyboard(page, ['Lovelace', 'wrote']);
    await press('2');
    await expect(refused).toContainText('LOC is not allowed here: it overlaps PER "Ada Lovelace".');
    expect(await marks()).toEqual(['PER: Ada Lovelace']);
    await press('Escape');
    await selectByKeyboard(page, ['London']);
    await press('2');
    await expect(refused).toBeHidden();
    expect(await marks()).toEqual(['PER: Ada Lovelace', 'LOC: London']);
  });
  const gender = page.getByLabel('Gender');
  await test.step('a copy without a required choice is not handed in', async () => {
    await settled(page);
    person.watch.expect(/Failed to load resource.*422/);
    await press('Control+Enter');
    await expect(refused).toContainText('PER "Ada Lovelace" (0 to 12): answer Gender');
    await expect(gender).toHaveValue('');
    await expect(text(page)).toBeFocused();
  });
  await test.step('a choice is made by keyboard, undone, and survives a reload', async () => {
    await press('q');
    await expect(gender).toBeFocused();
    await press('ArrowDown');
    await press('ArrowDown');
    await press('Enter');
    await expect(text(page)).toBeFocused();
    await expect(gender.locator('option:checked')).toHaveText('male');
    await press('Control+z');
    await expect(gender.locator('option:checked')).toHaveText('female');
    await press('Control+y');
    await expectAccessibleInAllLooks(page, 'the label');
    await page.reload();
    await settled(page);
    await press(']');
    await expect(gender.locator('option:checked')).toHaveText('male');
    // With its span it goes, and comes back.
    await press('Delete');
    await expect(gender).toHaveCount(0);
    await press('Control+z');
    await expect(gender.locator('option:checked')).toHaveText('male');
  });
  await test.step('then it is handed in', async () => {
    await settled(page);
    await press('Control+Enter');
    await expect(page.getByRole('button', { name: 'Reopen', exact: true })).toBeVisible();
  });
});

test('what is agreed elsewhere is suggested where the manager wants it', async ({
  people,
  installation,
}) => {
  const project = await installation.project({
    files: { 'one.txt': TEXT, 'two.txt': TEXT, 'three.txt': `${TEXT} Babbage!` },
    labelers: ['Ada', 'Bo'],
  });
  const [ada] = project.labelers as [Account];
  for (const labeler of project.labelers) {
    for (const document of ['one', 'two']) await submitBabbage(labeler, project, document);
  }
  const manager = await people.signedIn(project.manager);
  const person = await people.signedIn(ada);
  const three = await copyOf(ada, project, 'three');
  const panel = person.page.getByRole('region', { name: 'Suggestions' });
  const save = async () => {
    await manager.page.getByRole('button', { name: 'Save suggestions' }).click();
    await expect(manager.page.getByText('Saved.')).toBeVisible();
    await openCopy(person, three);
  };

  await openCopy(person, three);
  await expect(panel).toHaveCount(0);
  await manager.goto(`/projects/${project.id}/settings/labels`);
  await manager.page.getByLabel('Suggest labels agreed elsewhere').check();
  await save();
  await expect(panel, 'two label the document').toHaveCount(0);
  await manager.page.getByLabel('Not in documents with two or more labelers').uncheck();
  await save();
  await expect(panel.getByText('agreed elsewhere')).toHaveCount(2);
  await expect(person.page.getByTestId('span-count')).toHaveText('0');
  await panel.getByRole('button', { name: 'Accept all' }).click();
  await expect(person.page.getByTestId('span-count')).toHaveText('2');
  await settled(person.page);
});

test('on a narrow screen the labels stand beside each other, each readable', async ({ people, installation }) => {
  const project = await installation.project({
    labels: ['PERSON', 'PLACE', 'ORGANISATION', 'QUANTITY', 'DATE', 'WORK'],
    files: { 'letter.txt': TEXT },
    labelers: ['Nan Narrow'],
  });
  const [nan] = project.labelers as [Account];
  const person = await people.signedIn(nan);
  const { page } = person;
  await page.setViewportSize({ width: 390, height: 800 });
  await openCopy(person, await copyOf(nan, project, 'letter'));
  const labels = page.locator('.palette .label');
  await expect(labels).toHaveCount(6);
  const boxes = await labels.evaluateAll((all) =>
    all.map((label) => ({ ...label.getBoundingClientRect().toJSON(), whole: label.scrollWidth <= label.clientWidth })),
  );
  for (const [place, box] of boxes.entries()) {
    expect(box.whole).toBe(true);
    expect(box.left).toBeGreaterThanOrEqual(boxes[place - 1]?.right ?? 0);
  }
});
