//! Exports: what a format loses is seen before the file is taken away, and a labeler is offered their
//! own work only.

import { readFile } from 'node:fs/promises';

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { expect, reached, test } from '../support/fixtures.ts';
import { copyOf } from '../support/installation.ts';

const TEXT = 'Hamlet met Horatio at Elsinore.';

test('what a format cannot hold is told, and the file has the rest', async ({ people, installation }) => {
  const project = await installation.project({
    files: { 'one.txt': TEXT },
    labelers: ['Ada', 'Bo'],
    reviewers: [],
  });
  const [ada, bo] = project.labelers;
  if (!ada || !bo) throw new Error('two labelers');
  // Ada's second span holds the first, which CoNLL cannot; Bo's are two words.
  const marks = [
    [ada, [[0, 6, 'PER'], [0, 18, 'LOC']]],
    [bo, [[0, 6, 'PER'], [11, 18, 'PER']]],
  ] as const;
  for (const [labeler, spans] of marks) {
    const added = spans.map(([start, end, label]) => ({
      start,
      end,
      label: project.labels.get(label) ?? 0,
    }));
    const assignment = await copyOf(labeler, project, 'one');
    await labeler.client.save({ assignment, base: 0, key: `${labeler.email}-one`, removed: [], added });
  }

  const manager = await people.signedIn(project.manager);
  const { page } = manager;
  await manager.goto(`/projects/${project.id}`);
  await page.getByRole('link', { name: 'Export', exact: true }).click();
  await reached(page, 'Export');
  await expect(page.getByText('1 document with 4 spans, as one file.')).toBeVisible();
  await expect(page.getByText('No losses.')).toBeVisible();

  await page.getByLabel('Format').selectOption({ label: 'CoNLL-2003' });
  const losses = page.getByRole('table', { name: 'What this format cannot hold' });
  await expect(losses.getByRole('row', { name: /overlaps/ })).toContainText('missing1');
  await expect(page.getByText('as a zip.')).toBeVisible();
  await expectAccessibleInAllLooks(page, 'exports');

  await page.getByLabel('What', { exact: true }).selectOption({ label: 'Bo (labeler)' });
  await expect(page.getByText('1 document with 2 spans, as one file.')).toBeVisible();
  const begun = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download', exact: true }).click();
  const file = await begun;
  expect(file.suggestedFilename()).toBe(`work-${project.id}-Bo.conll`);
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toContain('Hamlet _ _ B-PER');
  expect(text).toContain('Horatio _ _ B-PER');

  const labeler = await people.signedIn(ada);
  await labeler.goto(`/projects/${project.id}/exports`);
  await expect(labeler.page.getByLabel('What', { exact: true }).getByRole('option')).toHaveText([
    'My work',
  ]);
  await expect(labeler.page.getByText('1 document with 2 spans, as one file.')).toBeVisible();
  await expect(labeler.page.getByText('Lists and reports')).toHaveCount(0);
});
