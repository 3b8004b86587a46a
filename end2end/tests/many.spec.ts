//! The matrix of many raters: a part of it is in the page, the rest comes when somebody goes there.

import type { Page } from '@playwright/test';

import { demoClient, expect, test } from '../support/fixtures.ts';
import { computed } from '../support/matrix.ts';
import { newDataDir, removeDataDir, Server } from '../support/server.mjs';

const LABELERS = 60;

/** The pair under the middle of the matrix, and what its cell says. */
async function inTheMiddle(page: Page): Promise<{ names: string; value: string } | null> {
  return page.locator('.matrix-region').evaluate((region) => {
    const { x, y, width, bottom } = region.getBoundingClientRect();
    const at = document.elementFromPoint(x + width / 2, (y + Math.min(bottom, innerHeight)) / 2);
    const cell = at?.closest('td.pair');
    const text = (name: string) => cell?.querySelector(name)?.textContent ?? '';
    return cell ? { names: text('.visually-hidden'), value: text('.value') } : null;
  });
}

test('the matrix of 61 raters scrolls by mouse and keyboard, and its heads stay in sight', async ({
  people,
  browser,
}) => {
  test.setTimeout(180_000);
  const dataDir = await newDataDir();
  const server = await Server.start({ dataDir, demo: true, demoSize: `${LABELERS}x8x4` });
  const manager = await people.demo(server, 'Manager');
  try {
    const { page } = manager;
    const client = await demoClient(server, 'Manager');
    const projects: { id: number; name: string }[] = await client.form('projects/list_projects');
    const project = projects.find(({ name }) => name === 'Generated')?.id ?? 0;
    await manager.goto(`/projects/${project}/agreement`);

    // Not all of 60 × 61 cells; every row and column has its head.
    const table = page.locator('table.matrix');
    await expect(table.locator('tbody th[scope=row]')).toHaveCount(LABELERS + 1);
    await expect(table.locator('thead tr:last-child th')).toHaveCount(LABELERS + 4);
    expect(await table.locator('td.pair').count()).toBeLessThan(1_000);

    // Far down and to the right, cells come by themselves, with the numbers of those two.
    await page.locator('.matrix-region').scrollIntoViewIfNeeded();
    await page.locator('.matrix-region').evaluate((region) => region.scrollTo(3_000, 2_000));
    await expect.poll(() => inTheMiddle(page)).not.toBeNull();
    const found = await inTheMiddle(page);
    const [first, second] = found?.names.replace(/: $/, '').split(' and ') ?? [];
    expect(first).not.toBe(second);
    const value = await computed(client, project, first ?? '', second ?? '');
    expect(found?.value.replace('−', '-')).toBe(value.toFixed(2));
    const heads = await table.evaluate((table) => {
      const region = table.parentElement?.getBoundingClientRect() ?? new DOMRect();
      const head = table.querySelector('thead')?.getBoundingClientRect() ?? new DOMRect();
      const name = table.querySelectorAll('tbody th[scope=row]')[45]?.getBoundingClientRect();
      return { down: head.top - region.top, across: (name?.left ?? 0) - region.left };
    });
    expect(heads.down).toBeLessThan(3);
    expect(heads.across).toBeLessThan(3);
    expect(await table.locator('td.pair').count()).toBeLessThan(2_000);

    // The arrow keys lead through what is not there yet.
    await page.locator('td.pair a').first().focus();
    await page.keyboard.press('Control+Home');
    const focused = page.locator('td.pair a:focus');
    await expect(focused).toContainText('Labeler A and Labeler B:');
    await page.keyboard.press('ArrowRight');
    await expect(focused).toContainText('Labeler A and Labeler C:');
    await page.keyboard.press('ArrowDown');
    await expect(focused).toContainText('Labeler B and Labeler C:');
    await page.keyboard.press('ArrowLeft');
    await expect(focused).toContainText('Labeler B and Labeler A:');
    await page.keyboard.press('Control+End');
    await expect(focused).toContainText(`Reviewer and Labeler ${LABELERS}:`);
    await page.keyboard.press('Enter');
    await expect(page.locator('#pair-panel')).toBeFocused();
    await expect(page.locator('#panel-title')).toContainText('Reviewer');

    // Without a script, links lead from part to part.
    const plain = await browser.newContext({ javaScriptEnabled: false });
    await plain.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: server.url })));
    const still = await plain.newPage();
    await still.goto(`${server.url}/projects/${project}/agreement`);
    const parts = still.getByRole('navigation', { name: 'Parts of the matrix' });
    await expect(parts).toContainText('Rows 1 to 24 of 61, columns 1 to 20 of 63');
    await parts.getByRole('link', { name: 'Rows after' }).click();
    await expect(parts).toContainText('Rows 25 to 48 of 61, columns 1 to 20 of 63');
    await expect(still.locator('tbody tr').filter({ hasText: 'Labeler 30' }).locator('td.pair')).toHaveCount(20);
    await plain.close();
  } finally {
    await manager.context.close();
    await server.stop();
    await removeDataDir(dataDir);
  }
});
