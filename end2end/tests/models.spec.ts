//! Models that answer questions: imported with people's answers, set beside these, and their versions side by side.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { expect, reached, test } from '../support/fixtures.ts';
import type { Account } from '../support/installation.ts';
import { choose } from '../support/matrix.ts';

/** Forty texts by three people, a model that says what two of them say, and its version before, which is wrong. */
function tones(): string {
  const lines = ['item,text,ana,bo,cy,new,old'];
  for (let item = 1; item <= 40; item += 1) {
    const tone = item % 2 === 0 ? 'glad' : 'sad';
    const other = tone === 'glad' ? 'sad' : 'glad';
    const cy = item % 4 === 0 ? other : tone;
    lines.push(`${item},Text ${item}.,${tone},${tone},${cy},${tone},${other}`);
  }
  return `${lines.join('\n')}\n`;
}

test('a model answers a question, stands beside labelers, and gets better with its versions', async ({
  people,
  installation,
}) => {
  const project = await installation.project({
    labels: [],
    files: { 'other.txt': 'Another text.' },
    labelers: ['Lea'],
  });
  const { client } = project.manager;
  const version = async (version: string, made_on: string) => {
    const model = { name: 'tagger', version };
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ ...model, made_on });
    const path = `/api/v1/projects/${project.id}/models`;
    const added = await client.request(path, { method: 'POST', headers, body });
    expect(added.status, await added.text()).toBe(201);
    return { model };
  };
  const body = new FormData();
  body.append('files', new Blob([tones()]), 'Tone.csv');
  const mapping = {
    people: {
      ana: 'placeholder',
      bo: 'placeholder',
      cy: 'placeholder',
      new: await version('2', '2026-11-20'),
      old: await version('1', '2026-10-01'),
    },
  };
  body.append('mapping', JSON.stringify(mapping));
  const path = `/api/v1/projects/${project.id}/imports?mode=commit&as=work`;
  const imported = await client.request(path, { method: 'POST', body });
  expect(imported.status, await imported.text()).toBe(200);

  const manager = await people.signedIn(project.manager);
  const { page } = manager;
  await manager.goto(`/projects/${project.id}/agreement`);
  await reached(page, 'Agreement');
  await choose(page, 'Question', 'Document: Tone');
  const band = page.getByRole('region', { name: 'Models', exact: true });
  const row = band.getByRole('row').filter({ hasText: 'tagger' }).filter({ hasText: '2' }).last();
  // With ana and bo the new one agrees on all, with cy on three of four.
  await expect(row.getByRole('cell')).toContainText(['1.00', '1.00', '0.50']);
  await expectAccessibleInAllLooks(page, 'models beside answers');

  await row.getByRole('link', { name: 'tagger' }).focus();
  await page.keyboard.press('Enter');
  await reached(page, 'Stand-in');
  await expect(page.getByText('Question: Document: Tone')).toBeVisible();
  await expect(page.getByText('tagger 2 may stand in for one of the labelers')).toBeVisible();
  await expect(page.getByText('Spans match')).toHaveCount(0);
  const answers = page.getByRole('region', { name: 'By answer' });
  await expect(answers.getByRole('rowheader')).toHaveText(['glad', 'sad']);

  const versions = page.getByRole('region', { name: 'Versions' });
  await expect(versions.getByRole('rowheader')).toHaveText(['1', '2']);
  const [older, newer] = [1, 2].map((place) => versions.getByRole('row').nth(place));
  await expect(older!).toContainText('2026-10-01');
  await expect(older!).toContainText('no');
  await expect(newer!).toContainText('yes');
  await expect(newer!.getByRole('link', { name: '2' })).toHaveAttribute('aria-current', 'page');
  await expectAccessibleInAllLooks(page, 'versions of a model');
  await older!.getByRole('link', { name: '1' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('tagger 1 may not stand in for one of the labelers')).toBeVisible();
  await expect(page.getByText('Question: Document: Tone')).toBeVisible();
  const address = new URL(page.url());

  const [lea] = project.labelers as [Account];
  const labeler = await lea.client.request(address.pathname + address.search);
  expect(await labeler.text()).not.toContain('tagger');
});
