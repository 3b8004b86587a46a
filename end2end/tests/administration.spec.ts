//! The administrator's pages by keyboard: accounts disabled, enabled and made anonymous, a link to a
//! new password; a project archived, restored and deleted.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { expect, reached, test } from '../support/fixtures.ts';
import { signIn } from '../support/sign_in.ts';

test('an administrator disables an account, enables it and makes it anonymous', async ({ people, installation }) => {
  test.setTimeout(120_000);
  const project = await installation.project({ files: { 'one.txt': 'Hamlet.' }, labelers: ['Zoë Quiet'] });
  const labeler = project.labelers[0]!;
  const { page, goto } = await people.signedIn(installation.manager).then((person) => ({
    page: person.page,
    goto: (path: string) => person.goto(path),
  }));
  await goto('/');
  await page.getByRole('link', { name: 'Administration' }).press('Enter');
  await reached(page, 'Accounts');
  await expectAccessibleInAllLooks(page, 'the accounts');

  await page.getByRole('link', { name: 'Audit trail' }).press('Enter');
  await expect(page.getByRole('row', { name: /Create account/ }).filter({ hasText: 'Zoë Quiet' }).first()).toBeVisible();
  await expectAccessibleInAllLooks(page, 'the audit trail');
  await page.getByRole('link', { name: 'Accounts' }).press('Enter');

  await page.getByRole('searchbox').fill(labeler.email);
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 account', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Zoë Quiet' }).press('Enter');
  await expectAccessibleInAllLooks(page, 'an account');

  await page.getByRole('button', { name: 'Disable', exact: true }).press('Enter');
  await expect(page.getByText('Account disabled.')).toBeVisible();
  const theirs = await people.signedIn(installation.manager);
  await theirs.context.clearCookies();
  await theirs.goto('/sign-in');
  await theirs.page.getByLabel('E-mail address').fill(labeler.email);
  await theirs.page.getByLabel('Password').fill(labeler.password);
  await theirs.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(theirs.page.getByText('Wrong e-mail address or password.')).toBeVisible();

  await page.getByRole('button', { name: 'Enable', exact: true }).press('Enter');
  await expect(page.getByText('Account enabled.')).toBeVisible();

  await page.getByRole('button', { name: 'Make anonymous …' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(labeler.email);
  await expectAccessibleInAllLooks(page, 'the question before removing');
  await dialog.getByLabel('Type the e-mail address').fill(labeler.email);
  await dialog.getByRole('button', { name: 'Make anonymous' }).press('Enter');
  await expect(page.getByText('Account made anonymous.')).toBeVisible();
  await goto(`/projects/${project.id}/agreement/people`);
  await expect(page.getByText('Zoë Quiet')).toHaveCount(0);
});

test('an administrator makes a link by which somebody chooses a new password', async ({ people, installation }) => {
  test.setTimeout(120_000);
  const project = await installation.project({ files: { 'one.txt': 'Hamlet.' }, labelers: ['Ira Forgetful'] });
  const labeler = project.labelers[0]!;
  const administrator = await people.signedIn(installation.manager);
  const { page } = administrator;
  await administrator.goto(`/admin?search=${labeler.email}`);
  await page.getByRole('link', { name: 'Ira Forgetful' }).press('Enter');
  await page.getByRole('button', { name: 'Create reset link' }).press('Enter');
  const field = page.getByLabel('Reset link');
  await expect(field).toBeFocused();
  const link = new URL(await field.inputValue());
  await expectAccessibleInAllLooks(page, 'a reset link that is shown once');
  await page.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Create reset link' })).toBeVisible();
  await expect(field).toHaveCount(0);

  const owner = await people.signedIn(installation.manager);
  await owner.context.clearCookies();
  await owner.goto(link.pathname);
  await expectAccessibleInAllLooks(owner.page, 'choosing a new password');
  const password = 'ferry lantern walnut copper';
  await owner.page.getByLabel('New password').fill(password);
  await owner.page.keyboard.press('Enter');
  await reached(owner.page, 'Sign in');
  await signIn(owner, { ...labeler, password });
  await owner.goto(link.pathname);
  await expect(owner.page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
});

test('a manager archives, restores and deletes a project', async ({ people, installation }) => {
  test.setTimeout(120_000);
  const project = await installation.project({
    name: 'Short lived',
    files: { 'one.txt': 'Hamlet.' },
    labelers: ['Ada'],
  });
  const manager = await people.signedIn(installation.manager);
  const { page } = manager;
  await manager.goto(`/projects/${project.id}/settings`);
  const keeping = page.getByRole('region', { name: 'Archive or delete' });
  await keeping.getByRole('button', { name: 'Archive project' }).press('Enter');
  await expect(page.getByText('Project archived.')).toBeVisible();
  await expect(page.getByText('Archived: read-only')).toBeVisible();
  await expectAccessibleInAllLooks(page, 'the settings of an archived project');

  await manager.goto('/');
  await expect(page.getByRole('link', { name: /Short lived/ })).toBeHidden();
  await page.getByText('Archived projects').press('Enter');
  await expect(page.getByRole('link', { name: /Short lived/ })).toBeVisible();
  await expectAccessibleInAllLooks(page, 'the archived projects');

  await manager.goto('/admin/projects');
  await expectAccessibleInAllLooks(page, 'all projects');
  await page.getByRole('link', { name: 'Short lived' }).press('Enter');
  await page.getByRole('button', { name: 'Restore project' }).press('Enter');
  await expect(page.getByText('Project restored.')).toBeVisible();

  await manager.goto(`/projects/${project.id}/settings`);
  await keeping.getByRole('button', { name: 'Delete project …' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type the project’s name').fill('Long lived');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('This is not the project’s name')).toBeVisible();
  await expectAccessibleInAllLooks(page, 'a name that is not the project’s');
  await dialog.getByLabel('Type the project’s name').fill('Short lived');
  await page.keyboard.press('Enter');
  await reached(page, 'Projects');
  await expect(page.getByText('Short lived')).toHaveCount(0);
});
