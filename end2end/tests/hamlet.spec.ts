//! The worked example of the literature, on screen: every number of it can be looked up.

import { expect, reached, test, type Person } from '../support/fixtures.ts';
import { basis, cell, choose, value } from '../support/matrix.ts';

/** Opens the matrix of the project "Hamlet" as its manager. */
async function openMatrix(manager: Person): Promise<void> {
  await manager.goto('/');
  await manager.page.getByRole('link', { name: 'Hamlet' }).click();
  const tabs = manager.page.getByRole('navigation');
  await tabs.getByRole('link', { name: 'Agreement', exact: true }).click();
  await reached(manager.page, 'Agreement');
}

const PAIRS = [
  ['Labeler A', 'Labeler B'],
  ['Labeler A', 'Reviewer'],
  ['Labeler B', 'Reviewer'],
] as const;

/** The values of the three pairs, in the order of {@link PAIRS}. */
async function values({ page }: Person): Promise<string[]> {
  return Promise.all(PAIRS.map(([first, second]) => value(page, first, second)));
}

test.describe('the Hamlet example', () => {
  test('shows the published values under every switch', async ({ people, demo }) => {
    const manager = await people.demo(demo, 'Manager');
    const { page } = manager;
    await openMatrix(manager);

    await expect.poll(() => values(manager)).toEqual(['0.59', '0.54', '0.56']);
    expect(await basis(page, 'Labeler A', 'Reviewer')).toContain('n=6');
    expect(await basis(page, 'Labeler A', 'Reviewer')).toContain('6 of 8');

    await choose(page, 'Measure', 'Krippendorff’s α');
    await expect.poll(() => values(manager)).toEqual(['0.60', '0.56', '0.57']);

    await choose(page, 'Measure', 'Scott’s π');
    await expect.poll(() => values(manager)).toEqual(['0.56', '0.52', '0.53']);
    await choose(page, 'Measure', 'Bennett’s S');
    await expect.poll(() => values(manager)).toEqual(['0.60', '0.60', '0.60']);
    await choose(page, 'Measure', 'Gwet’s AC1');
    await expect.poll(() => values(manager)).toEqual(['0.61', '0.61', '0.61']);
    await choose(page, 'Measure', 'Percentage');
    await expect.poll(() => values(manager)).toEqual(['0.67', '0.67', '0.67']);
    await choose(page, 'Measure', 'F1');
    await expect.poll(() => values(manager)).toEqual(['0.62', '0.57', '0.62']);

    await choose(page, 'Measure', 'Cohen’s κ');
    await choose(page, 'Marked by only one', 'Count');
    await expect.poll(() => values(manager)).toEqual(['0.49', '0.36', '0.48']);
    expect(await basis(page, 'Labeler A', 'Labeler B')).toContain('n=7');
    expect(await basis(page, 'Labeler A', 'Reviewer')).toContain('n=8');
  });

  test('a pair’s page fills the formula in with its own numbers', async ({ people, demo }) => {
    const manager = await people.demo(demo, 'Manager');
    const { page } = manager;
    await openMatrix(manager);
    await choose(page, 'Measure', 'Krippendorff’s α');
    await cell(page, 'Labeler A', 'Reviewer').first().click();
    await page.getByRole('link', { name: 'Open full page' }).click();

    await reached(page, 'Labeler A × Reviewer');
    const facts = page.getByRole('region', { name: 'Value' });
    await expect(facts.locator('.big')).toContainText('0.5600');
    const fact = (name: string) => facts.locator('div', { hasText: name }).getByRole('definition');
    await expect(fact('Positions counted (n)')).toHaveText('6');
    await expect(fact('Judged by both')).toContainText('6 of 8');
    await expect(fact('Observed agreement')).toHaveText('0.6944');
    await expect(fact('Expected by chance')).toHaveText('0.3056');
    await expect(fact('Only by Labeler A')).toHaveText('1');
    await expect(fact('Only by Reviewer')).toHaveText('1');

    const parts = page.getByRole('navigation', { name: 'Behind the value' });
    await parts.getByRole('link', { name: 'Formula' }).click();
    const steps = page.getByRole('region', { name: 'Why this number' });
    for (const number of ['0.6667', '0.6944', '0.3056', '0.5600']) {
      await expect(steps.locator('mn', { hasText: number }).first()).toBeVisible();
    }
    await parts.getByRole('link', { name: 'Differences' }).click();
    const differing = page.getByRole('region', { name: 'Differences' });
    // Two positions judged differently, and one on each side that the other did not judge.
    await expect(differing.getByRole('row')).toHaveCount(1 + 4);
  });

  test('switches stand in the address and survive a reload', async ({ people, demo }) => {
    const manager = await people.demo(demo, 'Manager');
    const { page } = manager;
    await openMatrix(manager);
    await choose(page, 'Measure', 'Krippendorff’s α');
    await choose(page, 'Marked by only one', 'Count');
    await choose(page, 'Documents', 'Submitted only');
    await expect(page).toHaveURL(/measure=alpha/);
    await expect(page).toHaveURL(/policy=empty-label/);
    await expect(page).toHaveURL(/documents=submitted/);
    await expect.poll(() => values(manager)).toEqual(['0.49', '0.39', '0.49']);

    // As the server renders it, before any script.
    const html = await (await page.request.get(page.url())).text();
    expect(html).toContain('0.39');
    await manager.goto(new URL(page.url()).pathname + new URL(page.url()).search);
    expect(await values(manager)).toEqual(['0.49', '0.39', '0.49']);
    const chosen = page.locator('button.menu strong');
    await expect(chosen).toHaveText(['Krippendorff’s α', 'Exact spans', 'Count', 'Submitted only', 'Landis & Koch', 'all', 'all']);
  });
});
