//! What the matrix says of itself: measures and scales by switch, intervals, files to take away.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { alive, demoClient, expect, reached, test, type Person } from '../support/fixtures.ts';
import { cell, choose, computed, menu, number, value } from '../support/matrix.ts';

/** Opens the matrix of a sample project as its manager. */
async function openMatrix(manager: Person, project: string): Promise<void> {
  await manager.goto('/');
  await manager.page.getByRole('link', { name: project }).click();
  const tabs = manager.page.getByRole('navigation');
  await tabs.getByRole('link', { name: 'Agreement', exact: true }).click();
  await reached(manager.page, 'Agreement');
}

test.describe('the switches of the matrix', () => {
  test('a scale changes the words and not the numbers', async ({ people, demo }) => {
    const manager = await people.demo(demo, 'Manager');
    const { page } = manager;
    await openMatrix(manager, 'Hamlet');
    const pair = cell(page, 'Labeler A', 'Reviewer').first();
    await expect(pair.locator('.value')).toHaveText('0.54');
    await expect(pair.locator('.few')).toHaveText('few: n < 30');
    await choose(page, 'Scale', 'Krippendorff');
    await expect(page).toHaveURL(/scale=krippendorff/);
    await expect(pair.locator('.value')).toHaveText('0.54');
    await expect(pair.locator('.word')).toHaveText('to be discarded');
    await expect(page.getByRole('heading', { name: 'How to read a cell' })).toBeVisible();
    await page.reload();
    await expect(pair.locator('.word')).toHaveText('to be discarded');
  });

  test('an interval of many documents comes by itself', async ({ people, demo }) => {
    const manager = await people.demo(demo, 'Manager');
    const { page } = manager;
    await openMatrix(manager, 'Places and people');
    await choose(page, 'Measure', 'Gwet’s AC1');
    const first = page.locator('td.pair a').first();
    await expect(first.locator('.interval')).toHaveText(/^−?\d\.\d\d to −?\d\.\d\d$/, {
      timeout: 60_000,
    });
    await expect(first).toHaveAttribute('title', /95 % interval .* counted; both judged/);
    await expect(page.getByRole('row', { name: /Fleiss’ κ/ })).toContainText(' to ', {
      timeout: 60_000,
    });
  });

  test('the matrix is copied and downloaded', async ({ people, demo }) => {
    const manager = await people.demo(demo, 'Manager');
    const { page } = manager;
    await openMatrix(manager, 'Hamlet');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as Markdown' }).click();
    const section = page.getByRole('region', { name: 'Export' });
    await expect(section.getByRole('status')).toHaveText('Copied.');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('| --- | --- | --- | --- |');
    expect(copied).toContain('0.54');

    const csv = await section.getByRole('link', { name: 'Download CSV' }).getAttribute('href');
    const table = await (await page.request.get(new URL(csv ?? '', page.url()).href)).text();
    expect(table.split('\r\n')[0]).toMatch(/^first_id,first,second_id,second,measure,/);
    const json = await section.getByRole('link', { name: 'Download JSON' }).getAttribute('href');
    const file = await (await page.request.get(new URL(json ?? '', page.url()).href)).json();
    expect(file.pairs).toHaveLength(3);
  });

  test('tokens and overlapping spans are compared as well as exact ones', async ({ people, demo }) => {
    test.slow();
    const manager = await people.demo(demo, 'Manager');
    const { page } = manager;
    await openMatrix(manager, 'Hamlet');
    const project = Number(new URL(page.url()).pathname.split('/')[2]);
    const client = await demoClient(demo, 'Manager');
    const pair = ['Labeler A', 'Labeler B'] as const;
    const exact = await number(page, ...pair);

    // By keyboard: the menu opens, the choice is the second one.
    await alive(page);
    await menu(page, 'Positions').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Tokens', exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/policy=token/);
    await expect(menu(page, 'Positions')).toContainText('Tokens');
    const byToken = await computed(client, project, ...pair, { policy: 'token' });
    await expect.poll(() => value(page, ...pair)).toBe(byToken.toFixed(2));
    expect(byToken.toFixed(2)).not.toBe(exact.toFixed(2));
    await expectAccessibleInAllLooks(page, 'matrix by token');
    await page.reload();
    expect(await value(page, ...pair)).toBe(byToken.toFixed(2));
    await cell(page, ...pair).click();
    const panel = page.locator('#pair-panel');
    await expect(panel.locator('.contingency')).toContainText('∅');
    await panel.getByRole('link', { name: 'Close' }).click();

    await choose(page, 'Positions', 'Overlapping spans');
    const byOverlap = await computed(client, project, ...pair, { policy: 'overlap' });
    await expect.poll(() => value(page, ...pair)).toBe(byOverlap.toFixed(2).replace('-', '−'));
    // What is of all labelers at once says why it has no numbers, and where there are some.
    await page.getByRole('link', { name: 'Labels', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'No numbers of overlapping spans' })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Exact spans', exact: true }).last().click();
    await expect(page.getByRole('table').first()).toBeVisible();
  });
});
