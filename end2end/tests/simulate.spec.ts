//! The demo's labelers at work: the matrix moves while somebody only watches.

import { expect, reached, test } from '../support/fixtures.ts';
import { everything } from '../support/matrix.ts';

test('simulated labelers move the matrix of somebody who only watches', async ({ people, ownDemo }) => {
  const manager = await people.demo(ownDemo, 'Manager');
  const { page } = manager;
  await manager.goto('/');
  await page.locator('.project-card').getByRole('link', { name: 'Places and people' }).click();
  await reached(page, 'Overview');
  const address = new URL(page.url()).pathname + '/agreement';
  await page.getByRole('region', { name: 'Simulate labelers' }).getByRole('link').click();
  const simulation = page.getByRole('region', { name: 'Simulate labelers' });
  await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
  const matrix = await manager.tab(address);
  await expect(matrix.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
  const before = await everything(matrix);
  expect(Object.keys(before).length).toBeGreaterThan(0);

  await page.bringToFront();
  await simulation.getByRole('button', { name: 'Simulate labelers' }).click();
  await expect(simulation.getByRole('status')).toHaveText(/\d+ spans? saved/);
  await expect.poll(() => everything(matrix), { timeout: 20_000 }).not.toEqual(before);
  await expect(matrix.locator('.seen')).toContainText('changed since your last visit');

  await simulation.getByRole('button', { name: 'Stop' }).click();
  await expect(simulation.getByRole('button', { name: 'Simulate labelers' })).toBeVisible();
  // What they follow ends before the server does.
  await matrix.close();
  await manager.goto('/account');
});
