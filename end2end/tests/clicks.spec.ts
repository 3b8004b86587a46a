//! How many clicks it takes to get there: they are counted in the browser, as a hand makes them.

import type { Page } from '@playwright/test';

import { alive, expect, reached, test, type Person } from '../support/fixtures.ts';

const file = (name: string, content: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

/** Counts what is clicked from now on, on all pages of somebody. */
async function countClicks({ context }: Person): Promise<() => number> {
  let clicks = 0;
  await context.exposeFunction('clicked', () => (clicks += 1));
  await context.addInitScript(() => {
    addEventListener('pointerdown', () => (globalThis as unknown as { clicked: () => void }).clicked(), true);
  });
  return () => clicks;
}

/** Chooses files as a hand does: by the button that opens the browser's own window. */
async function choose(page: Page, files: Parameters<Page['setInputFiles']>[1]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.locator('.drop-zone').click(),
  ]);
  await chooser.setFiles(files);
}

test('a project is set up in at most ten clicks: labels, documents, two people', async ({ people, installation }) => {
  const manager = await people.signedIn(installation.manager);
  const { page } = manager;
  const clicks = await countClicks(manager);
  await manager.goto('/');
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('In a hurry');
  await page.keyboard.press('Enter');
  await reached(page, 'Overview');

  // Documents bring their labels.
  await page.getByRole('link', { name: 'Add documents' }).click();
  await alive(page);
  await choose(page, [
    file('one.jsonl', `${JSON.stringify({ name: 'one', text: 'Ada in Rome', spans: [{ start: 0, end: 3, label: 'PER' }] })}\n`),
    file('two.jsonl', `${JSON.stringify({ name: 'two', text: 'Ben in Oslo', spans: [{ start: 7, end: 11, label: 'LOC' }] })}\n`),
  ]);
  await page.getByRole('button', { name: 'Import 2 documents' }).click();
  await expect(page.getByText(/^Imported 2 documents/)).toBeVisible();

  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('link', { name: 'Invite people' }).click();
  await alive(page);
  await page.getByRole('button', { name: 'Create invitation link' }).click();
  await expect(page.getByRole('textbox', { name: 'Invitation link' })).toBeVisible();
  await page.getByRole('button', { name: 'Invite another' }).click();
  await page.getByRole('button', { name: 'Create invitation link' }).click();
  await expect(page.getByRole('textbox', { name: 'Invitation link' })).toBeVisible();
  expect(clicks()).toBeGreaterThan(5);
  expect(clicks()).toBeLessThanOrEqual(10);
});

test('two dropped files are a matrix after at most three clicks', async ({ people, installation }) => {
  const manager = await people.signedIn(installation.manager);
  const { page } = manager;
  const clicks = await countClicks(manager);
  await manager.goto('/');
  await page.getByRole('link', { name: 'Compare finished exports' }).click();
  await reached(page, 'Compare files');
  const of = (label: string) =>
    `${JSON.stringify({ id: 1, text: 'Ada in Rome', spans: [{ start: 0, end: 3, label: 'PER' }, { start: 7, end: 11, label }] })}\n`;
  const transfer = await page.evaluateHandle((contents) => {
    const transfer = new DataTransfer();
    for (const [name, content] of contents) transfer.items.add(new File([content], name));
    return transfer;
  }, [['Ana.jsonl', of('LOC')], ['Bo.jsonl', of('ORG')]] as const);
  await page.locator('.drop-zone').dispatchEvent('drop', { dataTransfer: transfer });
  // Two positions, on one of which they agree; by chance on 1/4: (1/2 − 1/4) / (1 − 1/4).
  await expect(page.locator('.matrix .pair .value').first()).toHaveText('0.33');
  expect(clicks()).toBeGreaterThan(0);
  expect(clicks()).toBeLessThanOrEqual(3);
});
