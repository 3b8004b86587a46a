//! Giving work out by keyboard: previewed, done, undone; a pool that a labeler draws from.

import { expectAccessible, expectAccessibleInAllLooks } from '../support/accessible.ts';
import { expect, reached, test } from '../support/fixtures.ts';
import { tabTo } from '../support/text.ts';

test('work is given out as previewed, taken back, and drawn', async ({ people, installation }) => {
  test.setTimeout(240_000);
  const project = await installation.project({ files: { 'zero.txt': 'A text.' }, labelers: ['Ada', 'Bo'] });
  const files = new FormData();
  for (const name of ['one', 'two', 'three', 'four']) files.append('files', new Blob(['Text.']), `${name}.txt`);
  const path = `/api/v1/projects/${project.id}/imports?mode=commit&assign=1`;
  const imported = await project.manager.client.request(path, { method: 'POST', body: files });
  expect(imported.status).toBeLessThan(300);
  const manager = await people.signedIn(project.manager);
  const { page } = manager;
  const press = (key: string) => page.keyboard.press(key);

  await manager.goto(`/projects/${project.id}/work/documents`);
  await tabTo(page, page.getByRole('link', { name: 'People', exact: true }));
  await press('Enter');
  await reached(page, 'People');
  // Half of five documents, rounded up, and one of them has two already.
  // The sentence is filled in by keyboard; the preview follows what is typed.
  await tabTo(page, page.getByLabel('Which documents'));
  await press('ArrowDown');
  await expect(page.getByRole('heading', { name: 'Preview' })).toBeVisible();
  await expect(page.getByLabel('Which documents')).toBeFocused();
  await tabTo(page, page.getByLabel('Percent also to a second labeler'));
  await press('Control+A');
  await page.keyboard.type('50');
  await expect(page.getByText('3 documents will have 2 labelers.')).toBeVisible();
  await expect(page).toHaveURL(/kind=give&most=&of=all&who=1&percent=50/);
  const spread = page.getByRole('table', { name: 'Documents by number of labelers' });
  await expect(spread.getByRole('row', { name: '2 labelers' })).toContainText('13');
  await expectAccessibleInAllLooks(page, 'workload');
  await tabTo(page, page.getByRole('button', { name: 'Apply 2 changes' }));
  await press('Enter');
  const acts = page.getByRole('table', { name: 'Assigned so far, latest first' });
  await expect(acts.getByRole('row')).toHaveCount(2);
  await tabTo(page, acts.getByRole('button', { name: /^Undo/ }), 120);
  await press('Enter');
  await expect(acts.getByText('undone', { exact: true })).toBeVisible();

  // A number leads to what it counts.
  const ada = page.getByRole('table', { name: 'Progress by labeler' }).getByRole('row', { name: 'Ada' });
  const open = ada.getByRole('link', { name: /open, Ada$/ });
  const number = await open.innerText();
  await open.click();
  const copies = page.getByRole('table', { name: 'Assignments' });
  await expect(copies.getByRole('row')).toHaveCount(Number(number) + 1);
  await expectAccessible(page, 'assignments');

  await manager.goto(`/projects/${project.id}/work/people`);
  await tabTo(page, page.getByRole('button', { name: 'Turn on' }), 120);
  await press('Enter');
  await expect(page.getByText('On: 4 assignments left, in 4 documents.')).toBeVisible();

  const [, bo] = project.labelers;
  if (!bo) throw new Error('a second labeler');
  const labeler = await people.signedIn(bo);
  await labeler.goto(`/projects/${project.id}/work`);
  // Three are open, which is all that may be.
  await expect(labeler.page.getByText('You have 3 documents open')).toBeVisible();
  const [first] = await bo.client.assignments(project.id);
  if (!first) throw new Error('a document');
  await bo.client.submit(first.id, 0);
  await labeler.page.reload();
  await tabTo(labeler.page, labeler.page.getByRole('button', { name: 'Get next document' }));
  await labeler.page.keyboard.press('Enter');
  await expect(labeler.page).toHaveURL(/\/assignments\/\d+$/);

  await manager.goto(`/projects/${project.id}/work/second`);
  await expect(page.getByText('No interval yet')).toBeVisible();
  await expectAccessible(page, 'next best double annotation');
});
