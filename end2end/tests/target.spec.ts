//! A project's target: asked for where the project is created, changed in its settings, held against the
//! numbers of the matrix.

import { expect, reached, test } from '../support/fixtures.ts';
import { choose } from '../support/matrix.ts';

test('a target is proposed, changed, and the badge follows', async ({ people, ownDemo }) => {
  const manager = await people.demo(ownDemo, 'Manager');
  const { page } = manager;

  await test.step('it is proposed to a new project, and may be another', async () => {
    await manager.goto('/');
    await page.getByRole('button', { name: 'New project' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Letters');
    await expect(dialog.getByLabel('Measure')).toHaveValue('alpha');
    await expect(dialog.getByLabel('Marked by only one')).toHaveValue('empty-label');
    await expect(dialog.getByLabel('Compare')).toHaveValue('value');
    await expect(dialog.getByLabel('At least')).toHaveValue('0.80');
    await dialog.getByLabel('At least').fill('0,667');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await reached(page, 'Overview');
    await manager.goto(`${new URL(page.url()).pathname}/settings/targets`);
    const target = page.getByRole('region', { name: 'Target for agreement' });
    await expect(target.getByLabel('Measure')).toHaveValue('alpha');
    await expect(target.getByLabel('At least')).toHaveValue('0.667');
  });

  await manager.goto('/');
  await page.getByRole('link', { name: 'Places and people' }).click();
  const home = new URL(page.url()).pathname;

  await test.step('the matrix says whether it is met where it shows its number', async () => {
    await manager.goto(`${home}/agreement`);
    const numbers = page.getByRole('region', { name: 'All labelers together' });
    await expect(numbers.getByRole('link', { name: /^(Same label where both marked|Everything counted)/ })).toHaveCount(2);
    await expect(numbers.locator('.badge')).toHaveCount(0);
    await numbers.getByRole('link', { name: /^Krippendorff’s α, value at least 0\.80/ }).click();
    const everything = numbers.getByRole('link', { name: /^Everything counted/ });
    await expect(everything.locator('.badge.danger')).toHaveText('✗Target 0.80: not met');
    await expect(numbers.locator('.badge')).toHaveCount(1);
    // By another measure it is another number.
    await choose(page, 'Measure', 'Percentage');
    await expect(numbers.locator('.badge')).toHaveCount(0);
    await choose(page, 'Measure', 'Krippendorff’s α');
  });

  const settings = await manager.tab(`${home}/settings/targets`);
  const target = settings.getByRole('region', { name: 'Target for agreement' });
  const set = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    for (const [field, value] of Object.entries(fields)) {
      const input = target.getByLabel(field);
      await (field === 'At least' ? input.fill(value) : input.selectOption(value));
    }
    await target.getByRole('button', { name: 'Save target' }).click();
  };

  await test.step('what is no target is refused beside its field', async () => {
    await set({ 'At least': '80' });
    await expect(target.getByRole('alert').filter({ hasText: 'Between -1 and 1.' })).toBeVisible();
  });

  await test.step('a page that is open follows what is set', async () => {
    const badge = page.locator('.two-numbers .badge');
    for (const [fields, words] of [
      [{ 'At least': '0.5' }, '✓Target 0.50: met'],
      [{ 'Compare': 'lower-bound', 'At least': '0.99' }, '✗Target 0.99: not met'],
    ] as const) {
      await set(fields);
      await expect(target.getByRole('status')).toHaveText('Saved.');
      await expect(badge).toHaveText(words);
    }
    await set({ 'Measure': '' });
    await expect(badge).toHaveCount(0);
    await expect(target.getByLabel('Measure')).toHaveValue('');
  });

  await test.step('few positions tell nothing yet', async () => {
    await manager.goto('/');
    await page.getByRole('link', { name: 'Hamlet' }).click();
    await manager.goto(`${new URL(page.url()).pathname}/agreement?measure=alpha&policy=empty-label`);
    await expect(page.locator('.two-numbers .badge')).toHaveText('?Target 0.80: cannot tell yet');
  });
});
