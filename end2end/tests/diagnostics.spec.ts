//! What stands behind a number: every count leads to its positions, and the same by label, by
//! document and by person.

import type { Locator, Page } from '@playwright/test';

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { demoClient, expect, reached, test } from '../support/fixtures.ts';
import type { Server } from '../support/server.mjs';
import { tabTo } from '../support/text.ts';

/** The ids of a demo project and of its raters by name. */
async function project(
  demo: Server,
  name: string,
): Promise<{ home: string; raters: Map<string, number> }> {
  const client = await demoClient(demo, 'Manager');
  const cards: { id: number; name: string }[] = await client.form('projects/list_projects');
  const id = cards.find((card) => card.name === name)?.id;
  if (id === undefined) throw new Error(`the demo has no project ${name}`);
  const { raters } = await client.agreement(id);
  return {
    home: `/projects/${id}`,
    raters: new Map(raters.map((rater: { id: number; name: string }) => [rater.name, rater.id])),
  };
}

/** Follows a count and checks that as many positions are listed, in rows or in decisions on them, then goes back. */
async function follow(page: Page, count: Locator): Promise<void> {
  const number = (await count.textContent())?.trim() ?? '';
  expect(number).toMatch(/^[1-9][\d,]*$/);
  await count.click();
  await reached(page, 'Positions');
  const told = page.getByRole('status').getByText(new RegExp(`\\b${number} (position|group|comparison)s?$`));
  await expect(told).toBeVisible();
  const rows = /([\d,]+) decisions? on /.exec((await told.textContent()) ?? '')?.[1] ?? number;
  const total = Number(rows.replaceAll(',', ''));
  await expect(page.locator('table.positions tbody tr')).toHaveCount(Math.min(total, 50));
  await page.goBack();
}

const CLASSICS = 'Places and people in classic prose';

test('every count of the Hamlet pair leads to exactly its positions', async ({ people, demo }) => {
  const { home, raters } = await project(demo, 'Hamlet');
  const manager = await people.demo(demo, 'Manager');
  const { page } = manager;
  const pair = `${home}/agreement/${raters.get('Labeler A')}/${raters.get('Labeler B')}`;
  await manager.goto(pair);

  const table = page.getByRole('region', { name: 'Contingency table' }).first();
  for (const place of [0, 1, 2]) {
    await follow(page, table.locator('td a.counted').nth(place));
  }
  const confusions = page.getByRole('region', { name: 'Confused categories' }).first();
  await follow(page, confusions.locator('a.counted').first());
  const parts = page.getByRole('navigation', { name: 'Behind the value' });
  for (const [part, section] of [['Labels', 'Label by label'], ['Documents', 'Documents']] as const) {
    await parts.getByRole('link', { name: part }).click();
    await follow(page, page.getByRole('region', { name: section }).first().locator('a.counted').first());
  }
  await parts.getByRole('link', { name: 'Confusions' }).click();
  const value = page.getByRole('region', { name: 'Value' });
  await follow(page, value.locator('a.counted').first());

  await page.getByRole('link', { name: 'Squares' }).click();
  await expect(page).toHaveURL(/table=squares/);
  await expect(page.locator('.contingency svg').first()).toBeVisible();
  await follow(page, table.locator('td a.counted').first());
});

test('the position behind a count names both raters and its words', async ({ people, demo }) => {
  const { home, raters } = await project(demo, 'Hamlet');
  const manager = await people.demo(demo, 'Manager');
  const { page } = manager;
  const pair = `first=${raters.get('Labeler A')}&second=${raters.get('Labeler B')}`;
  await manager.goto(`${home}/agreement/positions?${pair}&outcome=differ`);
  const rows = page.locator('table.positions tbody tr');
  await expect(rows).toHaveCount(2);
  await expect(rows.first().locator('mark')).toHaveText('The Tragedy of Hamlet');
  await expect(rows.first().locator('.judgements')).toContainText('EVE');
  await expect(rows.first().locator('.judgements')).toContainText('TITLE');
  await manager.goto(`${home}/agreement/positions?${pair}&outcome=only-first`);
  await expect(rows.locator('mark')).toHaveText(['Prince of Denmark']);
  await manager.goto(`${home}/agreement/positions?${pair}&said=none`);
  await expect(page.getByText('No positions left')).toBeVisible();
});

test('labels, documents and people lead to their positions and sort', async ({ people, demo }) => {
  const { home } = await project(demo, CLASSICS);
  const manager = await people.demo(demo, 'Manager');
  const { page } = manager;
  await manager.goto(`${home}/agreement`);
  const ways = page.getByRole('navigation', { name: 'Agreement' });

  await ways.getByRole('link', { name: 'Labels' }).click();
  await reached(page, 'Labels');
  const rows = page.locator('table.parts tbody tr');
  await expect(rows).toHaveCount(6);
  const values = (await rows.locator('td:nth-child(2)').allTextContents()).map(Number.parseFloat);
  expect(values).toEqual(values.toSorted((one, other) => one - other));
  await follow(page, rows.first().locator('a.counted').first());
  await page.getByRole('columnheader', { name: 'Positions' }).getByRole('link').click();
  await expect(page.getByRole('columnheader', { name: 'Positions' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(rows.first()).toContainText('PLACE');

  await ways.getByRole('link', { name: 'Documents' }).click();
  await reached(page, 'Documents');
  await expect(rows).toHaveCount(50);
  await follow(page, rows.first().locator('a.counted').first());
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText(/^Page 2 of/)).toBeVisible();

  await ways.getByRole('link', { name: 'People' }).click();
  await reached(page, 'People');
  await expect(rows).toHaveCount(6);
  await follow(page, rows.first().locator('a.counted').first());
});

test('by keyboard from a pair to a position and back', async ({ people, demo }) => {
  const { home, raters } = await project(demo, 'Hamlet');
  const manager = await people.demo(demo, 'Manager');
  const { page } = manager;
  await manager.goto(`${home}/agreement/${raters.get('Labeler A')}/${raters.get('Reviewer')}`);
  const cell = page.locator('.contingency td a.counted').first();
  await tabTo(page, cell);
  await page.keyboard.press('Enter');
  await reached(page, 'Positions');
  await tabTo(page, page.getByRole('link', { name: '← The pair' }));
  await page.keyboard.press('Enter');
  await reached(page, 'Labeler A × Reviewer');
});

test('pages behind numbers are accessible, light and dark, and fit a narrow window', async ({
  people,
  demo,
}) => {
  test.setTimeout(240_000);
  const { home, raters } = await project(demo, CLASSICS);
  const [first, second] = [...raters.values()];
  const manager = await people.demo(demo, 'Manager');
  for (const path of [
    `${home}/agreement?pair=${first}.${second}`,
    `${home}/agreement/${first}/${second}`,
    `${home}/agreement/${first}/${second}?policy=empty-label&table=squares`,
    ...['labels', 'boundaries', 'chance', 'formula', 'differences'].map((part) => `${home}/agreement/${first}/${second}?part=${part}`),
    `${home}/agreement/positions?first=${first}&second=${second}&boundary=ends-earlier`,
    `${home}/agreement/labels`,
    `${home}/agreement/documents`,
    `${home}/agreement/people`,
  ]) {
    await manager.goto(path);
    await expectAccessibleInAllLooks(manager.page, path);
  }
});

test('a labeler finds none of these pages', async ({ people, demo }) => {
  const { home, raters } = await project(demo, 'Hamlet');
  const [first, second] = [...raters.values()];
  const labeler = await people.demo(demo, 'Labeler A');
  labeler.watch.expect(/Failed to load resource.*403/);
  for (const path of [
    'agreement/labels',
    'agreement/documents',
    'agreement/people',
    `agreement/${first}/${second}`,
    `agreement/positions?first=${first}&second=${second}`,
  ]) {
    await labeler.goto(`${home}/${path}`);
    await expect(labeler.page.locator('.failure')).toBeVisible();
    await expect(labeler.page.locator('main')).not.toContainText('Labeler B');
  }
});
