//! The overview of a project answers at a glance, and each answer leads to what it counts.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { demoClient, expect, reached, test } from '../support/fixtures.ts';

const CLASSICS = 'Places and people in classic prose';

test('a manager sees how good agreement is, what it fails on, and what to do next', async ({ people, demo }) => {
  const client = await demoClient(demo, 'Manager');
  const cards: { id: number; name: string }[] = await client.form('projects/list_projects');
  const home = `/projects/${cards.find(({ name }) => name === CLASSICS)?.id}`;
  const manager = await people.demo(demo, 'Manager');
  const { page } = manager;
  await manager.goto(home);

  const agreement = page.getByRole('region', { name: 'Agreement', exact: true });
  const headlines = agreement.getByRole('link');
  await expect(headlines).toHaveCount(2);
  const values = await headlines.locator('strong').allTextContents();
  expect(values.map(Number).every((value) => value > 0 && value < 1)).toBe(true);
  expect(Number(values[0])).toBeGreaterThan(Number(values[1]));

  // Without anything but what is on screen: who is weakest, what is confused, what is hard, what is left.
  await expect(page.getByRole('region', { name: 'Weakest people' }).getByRole('listitem').first()).toContainText('Labeler F');
  await expect(page.getByRole('region', { name: 'Most confused labels' }).getByRole('listitem')).toHaveCount(3);
  await expect(page.getByRole('region', { name: 'Hardest open documents' }).getByRole('listitem')).toHaveCount(3);
  const next = page.getByRole('region', { name: 'Do next' });
  await expect(next.getByRole('listitem').filter({ hasText: 'Talk with Labeler F' })).toBeVisible();
  expect(await next.getByRole('listitem').count()).toBeLessThanOrEqual(6);
  await expect(page.getByText(/^\d+ of \d+ assignments submitted, .* a day\. Done /)).toBeVisible();

  // How the number came there, and where the guidelines changed meanwhile.
  await expect(headlines.first().getByRole('img', { name: /Guidelines 2, \d{4}-/ })).toBeVisible({ timeout: 30_000 });
  // Every row of the short lists leads into the walk.
  for (const list of ['Weakest people', 'Most confused labels', 'Hardest open documents']) {
    const row = page.getByRole('region', { name: list }).getByRole('listitem').first().getByRole('link');
    expect(await row.getAttribute('href')).toContain('/review/walk?');
  }

  // A number of the funnel is that of the list behind it, in which several positions may be one decision.
  const toDecide = page.getByRole('row', { name: /^To decide/ }).getByRole('link');
  const number = await toDecide.textContent();
  await toDecide.click();
  await expect(page.getByText(new RegExp(`\\b${number} (disagreements?|positions)\\b`)).first()).toBeVisible();
  await page.goBack();

  // Every pair is a link that is named by both.
  const pairs = page.getByRole('table', { name: /^α of every two raters/ });
  await pairs.getByRole('link', { name: /^Labeler A and Labeler B: 0\.\d\d/ }).click();
  await reached(page, 'Labeler A');
  await manager.goto(home);
  await next.getByRole('link', { name: 'Examples: Talk with Labeler F' }).click();
  await expect(page).toHaveURL(/\/walk\?/);

  await manager.goto(home);
  for (const width of [390, 1366, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await expectAccessibleInAllLooks(page, 'overview');
});
