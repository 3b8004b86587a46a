//! The gold standard: what holds and why, a version that is locked, and what changed since; by
//! keyboard, with a reviewer who accepts by rule and takes it back.

import { createHash } from 'node:crypto';

import { expectAccessible, expectAccessibleInAllLooks } from '../support/accessible.ts';
import { alive, expect, test } from '../support/fixtures.ts';
import { copyOf } from '../support/installation.ts';
import { tabTo } from '../support/text.ts';

const TEXT = 'Hamlet met Horatio at Elsinore.';

test('a version is locked, a rule decides, and the comparison tells', async ({ people, installation }) => {
  test.setTimeout(240_000);
  const project = await installation.project({
    files: { 'one.txt': TEXT, 'two.txt': TEXT },
    labelers: ['Ada', 'Bo', 'Cy'],
    reviewers: ['Rae'],
  });
  // All agree on Hamlet, two of three on Horatio, one alone marks Elsinore.
  for (const [place, labeler] of project.labelers.entries()) {
    for (const document of ['one', 'two']) {
      const marks: [string, string][] = [['Hamlet', 'PER'], ['Horatio', place === 2 ? 'ORG' : 'PER']];
      if (place === 0) marks.push(['Elsinore', 'LOC']);
      const added = marks.map(([word, label]) => {
        const start = TEXT.indexOf(word);
        return { start, end: start + word.length, label: project.labels.get(label) ?? 0 };
      });
      const assignment = await copyOf(labeler, project, document);
      const key = `${labeler.email}-${document}`;
      await labeler.client.save({ assignment, base: 0, key, removed: [], added });
      await labeler.client.submit(assignment, 1);
    }
  }
  const manager = await people.signedIn(project.manager);
  const { page } = manager;
  const address = `/projects/${project.id}/review/gold`;
  await manager.goto(address);
  await expect(page.getByText('1 in conflict, 1 marked by only one').first()).toBeVisible();

  await tabTo(page, page.getByRole('button', { name: 'Lock a version…' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await tabTo(page, page.getByLabel('Name', { exact: true }));
  await page.keyboard.type('before the review');
  await page.keyboard.press('Enter');
  const versions = page.getByRole('table', { name: 'Locked versions of the gold standard' });
  await expect(versions.getByRole('row')).toHaveCount(2);
  await expectAccessible(page, 'gold standard');
  const hash = await versions.locator('.hash').innerText();
  const file = await page.request.get(
    `${manager.url}/api/v1/projects/${project.id}/gold-versions/1/gold.jsonl`,
  );
  expect(createHash('sha256').update(await file.body()).digest('hex')).toBe(hash);

  const [rae] = project.reviewers;
  if (!rae) throw new Error('a reviewer');
  const reviewer = await people.signedIn(rae);
  await reviewer.goto(`/projects/${project.id}/review/rules?at_least=2`);
  const rule = reviewer.page;
  await expect(rule.getByRole('table', { name: 'Positions to accept, by label' })).toContainText('PER4');
  await expectAccessible(rule, 'accept by rule');
  await tabTo(rule, rule.getByRole('button', { name: 'Accept 4 positions' }));
  await rule.keyboard.press('Enter');
  await expect(rule.getByText('Accepted 4 positions.')).toBeVisible();

  // The manager's page follows.
  await expect(page.getByText('0 unanimous, 4 decided').first()).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'Compare version 1 with current' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText('2 changes; 2 positions unchanged.');
  await expectAccessible(page, 'gold standards compared');
  await page.getByRole('link', { name: 'one', exact: true }).click();
  await alive(page);
  await expect(page.locator('.text .m')).not.toHaveCount(0);
  await expect(page.getByText('by rule: at least 2 labelers agree').first()).toBeVisible();
  await expectAccessibleInAllLooks(page, 'gold standard of a document');

  await rule.keyboard.press('u');
  await expect(rule.getByText('Undone: 4 positions.')).toBeVisible();
  await manager.goto(`${address}/compare?from=1&to=now`);
  await expect(page.getByText('No differences')).toBeVisible();
});
