//! Review by other ways: one label at a time across documents, labelers side by side, conflicts first.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { alive, expect, test, type People } from '../support/fixtures.ts';
import { copyOf, type Account, type Installation } from '../support/installation.ts';
import { current, decided } from '../support/review.ts';
import { tabTo } from '../support/text.ts';

const TEXT = 'Ada met Bob in Rome.\nCleo stayed in Oslo.';

/** Two labelers agree on Ada, differ on Rome, and one alone marks Cleo; in two documents. */
async function differing(people: People, installation: Installation) {
  const project = await installation.project({
    files: { 'one.txt': TEXT, 'two.txt': TEXT },
    labelers: ['Lea', 'Leo'],
    reviewers: ['Rita'],
  });
  const label = (name: string) => project.labels.get(name) ?? 0;
  const [per, loc, org] = [label('PER'), label('LOC'), label('ORG')];
  const spans = [
    [[0, 3, per], [15, 19, loc], [21, 25, per]],
    [[0, 3, per], [15, 19, org]],
  ] as const;
  for (const [index, labeler] of project.labelers.entries()) {
    for (const name of ['one', 'two']) {
      const assignment = await copyOf(labeler, project, name);
      const added = (spans[index] ?? []).map(([start, end, label]) => ({ start, end, label }));
      await labeler.client.save({ assignment, base: 0, key: `${name}-of-${index}`, added, removed: [] });
      await labeler.client.submit(assignment, 1);
    }
  }
  const [rita] = project.reviewers as [Account];
  return { project, reviewer: await people.signedIn(rita) };
}

test('a label is decided across documents by keyboard', async ({ people, installation }) => {
  const { project, reviewer } = await differing(people, installation);
  const { page } = reviewer;
  await page.goto(`${reviewer.url}/projects/${project.id}/review`);
  const labels = page.getByRole('table', { name: 'Decisions by label' });
  await expect(labels.getByRole('row').filter({ hasText: 'PER' })).toContainText('Decide44');
  await tabTo(page, labels.getByRole('link', { name: 'Decide PER' }), 80);
  await page.keyboard.press('Enter');
  const place = page.locator('.place');
  await expect(place).toHaveText('1 of 4 · 4 to decide');
  await page.keyboard.press('1');
  await expect(place).toHaveText('2 of 4 · 3 to decide');
  await page.keyboard.press('r');
  await expect(place).toHaveText('3 of 4 · 2 to decide');
  await expect(page.getByRole('heading', { name: 'two' }).or(page.getByText('two', { exact: true })).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/review#labels$/);
  await expect(labels.getByRole('row').filter({ hasText: 'PER' })).toContainText('Decide42');
});

test('labelers stand side by side, the list has conflicts first, and keys decide in both', async ({
  people,
  installation,
}) => {
  test.setTimeout(120_000);
  const { project, reviewer } = await differing(people, installation);
  const { page } = reviewer;
  await page.goto(`${reviewer.url}/projects/${project.id}/review`);
  await page.getByRole('link', { name: 'one', exact: true }).click();
  await alive(page);
  const rows = page.locator('.positions li .quote');
  await expect(rows).toHaveText(['Ada', 'Rome', 'Cleo']);
  await page.keyboard.press('o');
  await expect(rows).toHaveText(['Rome', 'Cleo', 'Ada']);
  await expect(page.getByRole('button', { name: 'Conflicts first' })).toHaveAttribute('aria-pressed', 'true');
  // From the last of the list round to its first.
  await page.keyboard.press('j');
  await expect(current(page).locator('blockquote')).toHaveText('Rome');

  await page.keyboard.press('v');
  const side = page.getByRole('region', { name: 'Labelers side by side' });
  await expect(side).toBeVisible();
  await expect(page.locator('#text')).toBeHidden();
  await expect(side.getByRole('columnheader')).toHaveText(['Positions', 'Labeler 1', 'Labeler 2', 'Your decision']);
  await expect(side.locator('[aria-current]')).toContainText('conflict: Rome');
  // Accept the second labeler's answer: the table follows.
  await page.keyboard.press('2');
  await decided(page, '1 of 3 decided');
  await expect(side.getByRole('row').filter({ hasText: 'Rome' }).first()).toContainText(/✓ (ORG|LOC)/);
  await side.getByRole('link', { name: 'unanimous: Ada' }).click();
  await expect(current(page).locator('blockquote')).toHaveText('Ada');
  await expectAccessibleInAllLooks(page, 'side by side');
  // A window of its own: nothing of it is cut, and names and positions stay in sight.
  await page.setViewportSize({ width: 1000, height: 420 });
  const head = side.getByRole('columnheader', { name: 'Labeler 1' });
  await side.evaluate((window) => window.scrollTo(0, window.scrollHeight));
  expect(await side.evaluate((window) => window.scrollTop)).toBeGreaterThan(0);
  await expect(head).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 800 });
  // The list of keys begins at its beginning, however little of it can be seen.
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.keyboard.press('?');
  await expect(page.getByRole('combobox', { name: 'Find a command' })).toBeFocused();
  expect(await page.getByRole('dialog').evaluate((dialog) => dialog.scrollTop)).toBe(0);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 800 });

  // The browser remembers it; merged again by the same key.
  await page.reload();
  await expect(side).toBeVisible();
  await alive(page);
  await page.keyboard.press('v');
  await expect(side).toBeHidden();
  await expect(page.locator('#text')).toBeVisible();
  // The ends of the boundary move with the keys of the other editor.
  await page.locator('.positions li button').filter({ hasText: 'Ada' }).click();
  await page.keyboard.press('Alt+Shift+ArrowRight');
  await expect(current(page).locator('blockquote')).toHaveText('Ada met');
});
