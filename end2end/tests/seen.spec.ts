//! What has to be seen whole: the columns of a table, the tab one is on, the span one points at.

import { expect, test } from '../support/fixtures.ts';
import { copyOf } from '../support/installation.ts';

test('the change by round and, on a phone, the tab of the page', async ({ people, demo }) => {
  const manager = await people.demo(demo, 'Manager', { viewport: { width: 1366, height: 768 } });
  const { page } = manager;
  await manager.goto('/');
  await page.getByRole('link', { name: 'Places and people' }).click();
  await page.getByRole('link', { name: 'Trend' }).click();
  const rounds = page.getByRole('table', { name: /by round/ });
  await expect(rounds).toBeVisible();
  const hidden = await rounds.evaluate((table) => {
    const scroller = table.parentElement ?? table;
    return scroller.scrollWidth - scroller.clientWidth;
  });
  expect(hidden).toBe(0);

  await page.setViewportSize({ width: 390, height: 844 });
  for (const tab of ['Settings', 'Overview']) {
    await page.getByRole('link', { name: tab, exact: true }).click();
    const current = page.getByRole('navigation', { name: 'Project' }).locator('[aria-current=page]');
    await expect(current).toHaveText(tab);
    await expect(current).toBeInViewport({ ratio: 1 });
  }
});

test('pointing at a span colours all of it', async ({ people, installation }) => {
  const project = await installation.project({
    files: { 'one.txt': 'Ada Lovelace wrote to Charles Babbage.' },
    labelers: ['Lars'],
  });
  const [lars] = project.labelers;
  if (!lars) throw new Error('a labeler');
  const assignment = await copyOf(lars, project, 'one');
  const label = project.labels.get('PER') ?? 0;
  const added = [{ start: 0, end: 12, label }, { start: 4, end: 12, label }];
  await lars.client.save({ assignment, base: 0, key: 'seen-whole', removed: [], added });
  const labeler = await people.signedIn(lars);
  const { page } = labeler;
  await labeler.goto(`/assignments/${assignment}`);
  const runs = page.locator('#text .m[data-m="0"]');
  const colours = () =>
    runs.evaluateAll((runs) => [...new Set(runs.map((run) => getComputedStyle(run).backgroundColor))]);
  const [before] = await colours();
  await runs.last().hover();
  await expect.poll(colours).toHaveLength(1);
  expect(await colours()).not.toContain(before);
  await page.mouse.move(0, 0);
  await expect.poll(colours).toEqual([before]);
});
