//! What has to be seen whole: the columns of a table, the tab one is on, the span one points at.

import { expect, test } from '../support/fixtures.ts';
import { copyOf } from '../support/installation.ts';

test('the change by round and, on a phone, the tab of the page', async ({ people, demo }) => {
  const manager = await people.demo(demo, 'Manager', { viewport: { width: 1366, height: 768 } });
  const { page } = manager;
  await manager.goto('/');
  await page.getByRole('link', { name: 'Places and people' }).click();
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Agreement' }).click();
  await page.getByRole('navigation', { name: 'Agreement' }).getByRole('link', { name: 'Trend' }).click();
  const rounds = page.getByRole('table', { name: /by round/ });
  await expect(rounds).toBeVisible();
  const hidden = await rounds.evaluate((table) => {
    const scroller = table.parentElement ?? table;
    return scroller.scrollWidth - scroller.clientWidth;
  });
  expect(hidden).toBe(0);

  await page.setViewportSize({ width: 390, height: 844 });
  for (const area of ['Settings', 'Overview']) {
    const link = page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: area, exact: true });
    await link.click();
    await expect(link).toHaveAttribute('aria-current', 'page');
    await expect(link).toBeInViewport({ ratio: 1 });
  }
  const areas = page.getByRole('navigation', { name: 'Project' });
  await areas.getByRole('link', { name: 'Settings' }).click();
  const audit = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Audit trail' });
  await audit.click();
  await expect(audit).toHaveAttribute('aria-current', 'page');
  await expect(audit).toBeInViewport({ ratio: 1 });
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

test('old addresses lead to the pages that stood there', async ({ people, installation }) => {
  const project = await installation.project({ files: { 'one.txt': 'Ada wrote.' } });
  const manager = await people.signedIn(project.manager);
  const { page } = manager;
  for (const [old, now] of [
    ['time?policy=empty-label', 'agreement/trend?policy=empty-label'],
    ['documents/workload', 'work/people'],
    ['members', 'settings/members'],
  ] as const) {
    await manager.goto(`/projects/${project.id}/${old}`);
    await expect(page).toHaveURL(`${manager.url}/projects/${project.id}/${now}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
});
