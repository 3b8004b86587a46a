//! Silent repeats: a manager gives documents back, a labeler does them again without being told,
//! sees how far they agree with themselves, and no number between raters has moved.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { openCopy, settled } from '../support/editor.ts';
import { expect, reached, test, type Person } from '../support/fixtures.ts';
import { copyOf, type Account, type Installation, type Project } from '../support/installation.ts';
import { everything } from '../support/matrix.ts';
import { drawnMarks, selectByKeyboard, tabTo } from '../support/text.ts';

const TEXT = 'Hamlet met Horatio at Elsinore.';
const DOCUMENTS = ['one', 'two', 'three', 'four'];

/** Four documents in which two labelers have marked three names, and one of them differently. */
async function submitted(installation: Installation): Promise<Project> {
  const files = Object.fromEntries(DOCUMENTS.map((name) => [`${name}.txt`, TEXT]));
  const project = await installation.project({ files, labelers: ['Ada', 'Bo'] });
  for (const [place, labeler] of project.labelers.entries()) {
    for (const document of DOCUMENTS) {
      const horatio = place === 1 && document === 'one' ? 'ORG' : 'PER';
      await mark(labeler, project, document, horatio);
    }
  }
  return project;
}

/** Marks the three names in what the labeler has before them, and hands in. */
async function mark(person: Account, project: Project, document: string, horatio: string) {
  const assignment = await copyOf(person, project, document);
  const { content } = await person.client.open(assignment);
  const base = content.revision;
  const marks = { Hamlet: 'PER', Horatio: horatio, Elsinore: 'LOC' };
  const added = Object.entries(marks).map(([word, label]) => {
    const start = TEXT.indexOf(word);
    return { start, end: start + word.length, label: project.labels.get(label) ?? 0 };
  });
  const key = `${person.email}-${document}-${base}`;
  await person.client.save({ assignment, base, key, removed: [], added });
  await person.client.submit(assignment, base + 1);
}

/** Gives everybody so many documents back, by keyboard alone. */
async function give(manager: Person, project: Project, documents: number): Promise<void> {
  const { page } = manager;
  await manager.goto(`/projects/${project.id}/work/documents`);
  await tabTo(page, page.getByRole('link', { name: 'Repeats', exact: true }));
  await page.keyboard.press('Enter');
  await reached(page, 'Repeats');
  // Nobody submitted anything a week ago.
  await expect(page.getByText('Nothing to repeat')).toBeVisible();
  await tabTo(page, page.getByLabel('Documents per labeler'));
  await page.keyboard.press('Control+A');
  await page.keyboard.type(String(documents));
  await tabTo(page, page.getByLabel('Submitted at least this many days ago'));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('0');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/documents=\d+&days=0/);
  const button = page.getByRole('button', { name: /^Give \d+ documents again$/ });
  await tabTo(page, button);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: 'Repeats so far' })).toBeVisible();
}

test('a manager gives documents back, a labeler does them again, and the matrix stays', async ({
  people,
  installation,
}, info) => {
  test.setTimeout(240_000);
  const project = await submitted(installation);
  const [ada] = project.labelers;
  if (!ada) throw new Error('a labeler');
  const manager = await people.signedIn(project.manager);
  const { page } = manager;

  const matrix = await manager.tab(`/projects/${project.id}/agreement`);
  const before = await everything(matrix);
  expect(Object.values(before)).not.toEqual([]);

  // On the labeler's page nothing is there yet, and it does not say whether something will be.
  const labeler = await people.signedIn(ada);
  await labeler.goto(`/projects/${project.id}/work`);
  const own = labeler.page.getByRole('region', { name: 'My agreement with myself' });
  const nothing = await own.innerText();
  expect(nothing).toContain('Not enough yet');

  await give(manager, project, 4);
  await expectAccessibleInAllLooks(page, 'repeats');
  for (const width of [360, 1280, 2560]) {
    await page.setViewportSize({ width, height: 800 });
    await page.screenshot({ path: info.outputPath(`repeats-${width}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 800 });

  // The same list, everything open, and not a mark of the first time.
  await labeler.goto(`/projects/${project.id}/work`);
  const rows = labeler.page.getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(DOCUMENTS.length + 1);
  await expect(labeler.page.getByText('0 of 4 submitted')).toBeVisible();
  expect(await labeler.page.locator('main').innerText()).not.toMatch(/repeat|again|second/i);
  expect(await own.innerText()).toBe(nothing);

  // One is done by keyboard, with one name left out and one label changed.
  await openCopy(labeler, await copyOf(ada, project, 'one'));
  expect(await drawnMarks(labeler.page)).toEqual([]);
  await selectByKeyboard(labeler.page, ['Hamlet']);
  await labeler.page.keyboard.press('2');
  await settled(labeler.page);
  await labeler.page.getByRole('button', { name: 'Submit', exact: true }).click();
  await expect(labeler.page.getByRole('button', { name: 'Reopen', exact: true })).toBeVisible();
  await labeler.goto(`/projects/${project.id}/work`);
  expect(await own.innerText(), 'others are still to be done').toBe(nothing);

  for (const document of DOCUMENTS.slice(1)) await mark(ada, project, document, 'PER');
  await labeler.goto(`/projects/${project.id}/work`);
  await expect(own).toContainText(
    '4 documents done twice: 12 places, 10 labelled both times, 9 of these with the same label.',
  );
  await expect(own).toContainText('95 % interval');
  await expectAccessibleInAllLooks(labeler.page, 'own consistency');
  for (const [width, colorScheme] of [[360, 'light'], [1280, 'light'], [1280, 'dark']] as const) {
    await labeler.page.setViewportSize({ width, height: 800 });
    await labeler.page.emulateMedia({ colorScheme });
    const path = info.outputPath(`own-${width}-${colorScheme}.png`);
    await labeler.page.screenshot({ path, fullPage: true });
  }

  // The matrix that was open all the while, and a new one, say what they said.
  expect(await everything(matrix)).toEqual(before);
  await manager.goto(`/projects/${project.id}/agreement`);
  expect(await everything(page)).toEqual(before);

  // The manager sees who agrees with themselves, and nothing of Bo, who has not begun.
  await manager.goto(`/projects/${project.id}/agreement/people`);
  const person = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
  await expect(person('Ada')).toContainText('n = 10 of 12 in 4 documents');
  await expect(person('Bo')).toContainText('no repeats');
  await expectAccessibleInAllLooks(page, 'people with repeats');
  await page.screenshot({ path: info.outputPath('people.png'), fullPage: true });

  // What nobody has begun is taken back.
  await manager.goto(`/projects/${project.id}/work/repeats`);
  await page.getByRole('button', { name: /^Withdraw unstarted repeats of/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('4 documents not started');
  await expectAccessibleInAllLooks(page, 'taking back');
  await dialog.getByRole('button', { name: 'Withdraw 4 documents' }).click();
  const given = page.getByRole('table', { name: 'Repeats so far' });
  await expect(given.getByRole('row').nth(1)).toContainText('4 each');
  await expect(page.getByRole('button', { name: /^Withdraw/ })).toHaveCount(0);
});

test('a page that was open before a repeat was given saves nothing over either pass', async ({
  people,
  installation,
}) => {
  const project = await submitted(installation);
  const [ada] = project.labelers;
  if (!ada) throw new Error('a labeler');
  const labeler = await people.signedIn(ada);
  const copy = await copyOf(ada, project, 'one');
  await openCopy(labeler, copy);
  const manager = await people.signedIn(project.manager);
  await give(manager, project, 4);
  await labeler.page.getByRole('button', { name: 'Reopen', exact: true }).click();
  // It is told what is there now: a document that was never done. Nothing goes over it.
  await labeler.page.getByRole('button', { name: 'Use the saved version' }).click();
  expect(await drawnMarks(labeler.page)).toEqual([]);
  await expect(labeler.page.getByRole('button', { name: 'Submit', exact: true })).toBeVisible();
  const { content } = await ada.client.open(copy);
  expect([content.state, content.spans]).toEqual(['open', []]);
});
