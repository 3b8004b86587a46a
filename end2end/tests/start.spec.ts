//! Where people start: a card for each project, and a labeler's own page.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { expect, reached, test } from '../support/fixtures.ts';

const CLASSICS = 'Places and people in classic prose';

test('a card shows both numbers and what waits, and a labeler their own', async ({ people, demo }) => {
  test.setTimeout(180_000);
  const manager = await people.demo(demo, 'Manager');
  const { page } = manager;
  await manager.goto('/');
  const card = page.locator('.project-card').filter({ hasText: CLASSICS });
  // What is counted while one looks comes by itself.
  await expect(card.getByRole('link', { name: /^Same label where both marked 0\.\d\d/ })).toBeVisible();
  await expect(card.getByRole('link', { name: /^Everything counted 0\.\d\d/ })).toContainText(/0\.\d\d to 0\.\d\d/, { timeout: 60_000 });
  await expect(card.getByRole('link', { name: /to decide$/ })).toBeVisible();
  await expectAccessibleInAllLooks(page, 'the start page');
  for (const width of [390, 2560]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await card.getByRole('link', { name: /^Everything counted/ }).click();
  await expect(page).toHaveURL(/agreement\?.*policy=empty-label/);

  const reviewer = await people.demo(demo, 'Reviewer');
  await reviewer.goto('/');
  await reviewer.page.locator('.project-card').filter({ hasText: CLASSICS }).getByRole('link', { name: /to review$/ }).click();
  await expect(reviewer.page.getByRole('heading', { level: 1 })).toBeVisible();

  // A labeler is shown what was released to them, and no number of the project.
  const labeler = await people.demo(demo, 'Labeler E');
  await labeler.goto('/');
  const own = labeler.page.locator('.project-card').filter({ hasText: CLASSICS });
  await expect(own).toContainText('With the other labelers');
  await expect(own).not.toContainText('conflict');
  await own.getByRole('link', { name: /to label$/ }).click();
  await reached(labeler.page, 'My work');
  await expect(labeler.page.getByRole('region', { name: 'Next' }).getByRole('link', { name: /^(Start|Continue) with/ })).toBeVisible();
  const agreement = labeler.page.getByRole('region', { name: 'My agreement', exact: true });
  await expect(agreement).toContainText(/Krippendorff’s α0\.\d/);
  const lists = labeler.page.getByRole('navigation', { name: 'Documents' });
  await lists.getByRole('link', { name: /^Done/ }).click();
  await expect(labeler.page).toHaveURL(/show=done/);
  await expect(labeler.page.getByRole('table').getByText('submitted').first()).toBeVisible();
  await expectAccessibleInAllLooks(labeler.page, 'my work');
});
