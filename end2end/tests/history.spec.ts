//! The versions of a copy: looked at, restored while an editor is open elsewhere, restored again by the
//! manager. And time on task, from the browser to the board.

import { expectAccessible, expectAccessibleInAllLooks } from '../support/accessible.ts';
import { openCopy, settled } from '../support/editor.ts';
import { expect, reached, test } from '../support/fixtures.ts';
import { copyOf, type Account } from '../support/installation.ts';
import { drawnMarks, selectByKeyboard } from '../support/text.ts';

test('an earlier version is looked at and restored, also by the manager', async ({ people, installation }) => {
  test.setTimeout(120_000);
  const project = await installation.project({
    files: { 'letter.txt': 'Ada Lovelace wrote to Charles Babbage in London.' },
    labelers: ['Lea'],
    reviewers: ['Rita'],
  });
  const [lea] = project.labelers as [Account];
  const [rita] = project.reviewers as [Account];
  const copy = await copyOf(lea, project, 'letter');
  const label = project.labels.get('PER') ?? 0;
  const save = (base: number, added: [number, number][], removed: [number, number][] = []) => {
    const spans = (ranges: [number, number][]) => ranges.map(([start, end]) => ({ start, end, label }));
    const key = `history-${base}`;
    return lea.client.save({ assignment: copy, base, key, added: spans(added), removed: spans(removed) });
  };
  await save(0, [[0, 12]]);
  await save(1, [[22, 37]]);
  await save(2, [[41, 47]], [[0, 12]]);

  const labeler = await people.signedIn(lea);
  const editor = labeler.page;
  await openCopy(labeler, copy);
  await editor.getByRole('link', { name: 'History' }).click();
  const { page } = labeler;
  await reached(page, 'History of letter');
  // Saves of one sitting are one line.
  const sitting = page.locator('summary.version');
  await expect(sitting).toContainText('you, 3 saves');
  await expect(sitting).toContainText('+3 −1');
  await sitting.press('Enter');
  await page.getByRole('link', { name: 'Show version 1', exact: true }).click();
  const version = page.getByRole('region', { name: 'Version 1', exact: true });
  await expect(version.getByRole('status')).toHaveText(
    'Compared with now: 1 span only in this version (+), 2 only now (−), 0 in both.',
  );
  await expect(version.getByRole('row').filter({ hasText: 'Ada Lovelace' })).toContainText('only in this version');
  await expectAccessibleInAllLooks(page, 'a version');

  // The same copy is open in another tab while the version is restored.
  const other = await labeler.tab(`/assignments/${copy}`);
  await expect(other.locator('#text')).toBeVisible();
  await version.getByRole('button', { name: 'Restore version 1' }).click();
  await expect(page.getByText('restored version 1')).toBeVisible();
  await selectByKeyboard(other, ['Babbage']);
  await other.keyboard.press('2');
  await expect(other.getByText('Also saved in another tab or on another device')).toBeVisible();
  await other.getByRole('button', { name: 'Use the saved version' }).click();
  await settled(other);
  await other.close();

  const looks = await people.signedIn(rita);
  await looks.page.goto(`${looks.url}/assignments/${copy}/history?version=1`);
  await expect(looks.page.getByText('Labeler 1').first()).toBeVisible();
  await expect(looks.page.getByText('Lea')).toHaveCount(0);
  await expect(looks.page.getByRole('button', { name: /^Restore/ })).toHaveCount(0);

  // From the documents page; the labeler finds what was put back.
  const manager = await people.signedIn(project.manager);
  await manager.page.goto(`${manager.url}/projects/${project.id}/work/documents`);
  await manager.page.getByRole('link', { name: 'Lea' }).click();
  await manager.page.goto(`${manager.page.url()}?version=3`);
  await manager.page.getByRole('button', { name: 'Restore version 3' }).click();
  await expect(manager.page.getByText('restored version 3')).toBeVisible();
  await openCopy(labeler, copy);
  await settled(page);
  expect((await drawnMarks(page)).map(({ title }) => title)).toEqual(['PER: Charles Babbage', 'PER: London']);

  const { content } = await lea.client.open(copy);
  await lea.client.submit(copy, content.revision);
  await page.goto(`${labeler.url}/assignments/${copy}/history?version=1`);
  await expect(page.getByText('reopen the document in the editor to restore')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Restore/ })).toHaveCount(0);
});

test('minutes of work reach the board, minutes without work do not', async ({ people, installation }) => {
  const project = await installation.project({ files: { 'letter.txt': 'Ada wrote.' }, labelers: ['Lea'] });
  const [lea] = project.labelers as [Account];
  const copy = await copyOf(lea, project, 'letter');
  const labeler = await people.signedIn(lea);
  const reports: string[] = [];
  await labeler.page.route('**/fn/focus/report_focus', async (route) => {
    reports.push(route.request().postData() ?? '');
    await route.continue();
  });
  await labeler.page.clock.install();
  await openCopy(labeler, copy);
  // Nobody works.
  await labeler.page.clock.runFor(90_000);
  expect(reports).toEqual([]);
  for (let second = 0; second < 70; second += 10) {
    await labeler.page.keyboard.press('ArrowRight');
    await labeler.page.clock.runFor(10_000);
  }
  await expect.poll(() => reports).toEqual([`assignment=${copy}&minutes=1`]);
  await lea.client.submit(copy, 0);

  const manager = await people.signedIn(project.manager);
  await manager.page.goto(`${manager.url}/projects/${project.id}/work/people`);
  const times = manager.page.getByRole('table', { name: 'Time per document by person' });
  await expect(times.getByRole('row').filter({ hasText: 'Lea' })).toContainText('1.0 min');
  await manager.page.goto(`${manager.url}/projects/${project.id}/settings`);
  await manager.page.getByRole('button', { name: 'Stop measuring' }).click();
  await expect(manager.page.getByText('Off.')).toBeVisible();
  await labeler.page.goto(`${labeler.url}/projects/${project.id}/work`);
  await expect(labeler.page.getByText('Not measured in this project.')).toBeVisible();
  await expectAccessible(labeler.page, 'my work');
  await openCopy(labeler, copy);
  await expect(labeler.page.locator('script[src="/focus.js"]')).toHaveCount(0);
});
