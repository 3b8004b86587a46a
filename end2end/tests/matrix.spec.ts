//! The matrix as one looks at it: choices in one bar, all of it in sight, a pair beside it.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { alive, demoClient, expect, reached, test } from '../support/fixtures.ts';
import { cell, choose, menu } from '../support/matrix.ts';
import { newDataDir, removeDataDir, Server } from '../support/server.mjs';

test('eight raters are seen whole on a small screen, below one bar of choices', async ({ people }) => {
  test.setTimeout(180_000);
  const dataDir = await newDataDir();
  const server = await Server.start({ dataDir, demo: true, demoSize: '7x8x4' });
  const manager = await people.demo(server, 'Manager', { viewport: { width: 1366, height: 768 } });
  try {
    const { page } = manager;
    const client = await demoClient(server, 'Manager');
    const projects: { id: number; name: string }[] = await client.form('projects/list_projects');
    const project = projects.find(({ name }) => name === 'Generated')?.id ?? 0;
    await manager.goto(`/projects/${project}/agreement`);
    await expect(page.locator('table.matrix tbody th[scope=row]')).toHaveCount(8);

    const bar = await page.getByRole('region', { name: 'What counts, and how' }).boundingBox();
    expect(bar?.height).toBeLessThanOrEqual(48);
    const seen = await page.locator('.matrix-region').evaluate((region) => ({
      hidden: [region.scrollWidth - region.clientWidth, region.scrollHeight - region.clientHeight],
      end: region.getBoundingClientRect().bottom,
    }));
    expect(seen.hidden).toEqual([0, 0]);
    expect(seen.end).toBeLessThanOrEqual(768);
    const one = await page.locator('td.pair').first().boundingBox();
    expect([one?.width, one?.height]).toEqual([88, 48]);
  } finally {
    await manager.context.close();
    await server.stop();
    await removeDataDir(dataDir);
  }
});

test('a pair opens beside the matrix by pointer and by key, and closes again', async ({ people, demo }) => {
  const manager = await people.demo(demo, 'Manager', { viewport: { width: 1366, height: 768 } });
  const { page } = manager;
  await manager.goto('/');
  await page.getByRole('link', { name: 'Places and people' }).click();
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Agreement' }).click();
  await reached(page, 'Agreement');
  const panel = page.locator('#pair-panel');
  await expect(panel).toHaveCount(0);

  await cell(page, 'Labeler A', 'Labeler B').first().click();
  await expect(panel.getByRole('heading', { level: 2 }).first()).toHaveText('Labeler A × Labeler B');
  await expect(page).toHaveURL(/[?&]pair=\d+\.\d+/);
  await expect(panel.locator('.contingency')).toBeVisible();
  await expect(panel.getByRole('heading', { name: 'Confused categories' })).toBeVisible();
  await expect(panel.getByRole('link', { name: /^Step through these/ }).first()).toBeVisible();
  await expect(page.locator('td.pair.chosen')).toHaveCount(1);
  // The choice stays with the numbers that are chosen.
  await choose(page, 'Marked by only one', 'Count');
  await expect(panel).toBeVisible();
  await panel.getByRole('link', { name: 'Close' }).click();
  await expect(panel).toHaveCount(0);

  // By keyboard: three tabs to the matrix, Enter opens, Escape leads back to the cell.
  await page.reload();
  await alive(page);
  for (const link of ['Skip to content', 'Skip tabs', 'Skip to matrix']) {
    await page.keyboard.press('Tab');
    await expect(page.locator(':focus')).toHaveText(link);
    await page.keyboard.press('Enter');
  }
  const first = page.locator('td.pair a').first();
  await expect(first).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(first).toBeFocused();

  await first.press('Enter');
  await panel.getByRole('link', { name: 'Open full page' }).click();
  await reached(page, '×');
});

test('without a script a cell leads to the page of its pair', async ({ browser, demo }) => {
  const client = await demoClient(demo, 'Manager');
  const projects: { id: number; name: string }[] = await client.form('projects/list_projects');
  const project = projects.find(({ name }) => name === 'Hamlet')?.id ?? 0;
  const plain = await browser.newContext({ javaScriptEnabled: false });
  await plain.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: demo.url })));
  const page = await plain.newPage();
  await page.goto(`${demo.url}/projects/${project}/agreement`);
  await page.locator('td.pair a').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('×');
  await page.getByRole('navigation', { name: 'Behind the value' }).getByRole('link', { name: 'Boundaries' }).click();
  await expect(page.getByRole('heading', { name: 'Boundaries' })).toBeVisible();
  await plain.close();
});

test('similar raters stand together on demand, and both numbers are told', async ({ people, demo }) => {
  test.slow();
  const manager = await people.demo(demo, 'Manager');
  const { page } = manager;
  await manager.goto('/');
  await page.getByRole('link', { name: 'Places and people' }).click();
  const home = new URL(page.url()).pathname;
  await manager.goto(`${home}/agreement`);
  const names = () => page.locator('table.matrix tbody th[scope=row]').allTextContents();
  const joined = await names();
  await menu(page, 'Raters').click();
  await page.getByRole('link', { name: 'similar raters together' }).click();
  await expect(page).toHaveURL(/in_order=/);
  await expect.poll(names).not.toEqual(joined);
  expect((await names()).toSorted()).toEqual(joined.toSorted());

  for (const path of ['agreement', 'agreement/labels', 'agreement/documents', 'agreement/people', 'agreement/trend']) {
    await manager.goto(`${home}/${path}`);
    const numbers = page.getByRole('region', { name: 'All labelers together' });
    await expect(numbers.getByRole('link').filter({ has: page.locator('strong') })).toHaveCount(2);
  }
  // The trend's number is the one that its line ends with.
  await expect(page.locator('.headline-measure')).toContainText('Krippendorff’s α of all labelers');
  await expectAccessibleInAllLooks(page, 'trend');
  await manager.goto(`${home}/agreement`);
  await expectAccessibleInAllLooks(page, 'matrix');
});
