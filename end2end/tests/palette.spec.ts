//! The palette: one way to everything, on every page, and no more than one may.

import { expectAccessible } from '../support/accessible.ts';
import { alive, expect, reached, test } from '../support/fixtures.ts';
import { copyOf, type Account } from '../support/installation.ts';

test('by Ctrl K one goes, finds and does, as far as one may', async ({ people, installation }) => {
  const project = await installation.project({
    name: 'Palette letters',
    files: { 'letter one.txt': 'Ada met Bob.', 'letter two.txt': 'Bob met Ada.' },
    labelers: ['Pia Palette'],
  });
  const manager = await people.signedIn(project.manager);
  const { page } = manager;
  const option = (words: string) => page.getByRole('dialog').getByRole('option').filter({ hasText: words });
  const ask = async (typed: string) => {
    await alive(page);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Go to, find or do' })).toBeFocused();
    await page.keyboard.type(typed);
  };
  await manager.goto('/');
  await ask('palette let');
  await expect(option('Palette letters').first()).toBeVisible();
  await expectAccessible(page, 'the palette');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/projects/${project.id}$`));
  await ask('matrix');
  await expect(option('Agreement: Matrix')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/projects/${project.id}/agreement`));
  await ask('letter two');
  await expect(option('letter two')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/gold\/documents\/\d+$/);
  await ask('zzz');
  await expect(page.getByRole('dialog').getByRole('option')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // In the editor it has what the editor has; a labeler finds their own documents and no page of others'.
  const pia = project.labelers[0] as Account;
  const person = await people.signedIn(pia);
  await person.goto(`/assignments/${await copyOf(pia, project, 'letter one')}`);
  await person.page.keyboard.press('Control+k');
  const options = person.page.getByRole('dialog').getByRole('option');
  await expect(options.filter({ hasText: 'Submit' })).toHaveCount(1);
  for (const word of ['Members', 'Disagreements', 'Settings']) {
    await expect(options.filter({ hasText: word })).toHaveCount(0);
  }
  await person.page.keyboard.type('letter two');
  await expect(options.filter({ hasText: 'letter two' })).toHaveCount(1);
  await person.page.keyboard.press('Enter');
  await expect(person.page).toHaveURL(/\/assignments\/\d+$/);
  await reached(person.page, 'letter two');
});
