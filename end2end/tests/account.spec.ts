//! One's own account: another password, and the end of a session that is open elsewhere.

import { expect, reached, test } from '../support/fixtures.ts';
import { type Account } from '../support/installation.ts';
import { signIn } from '../support/sign_in.ts';

const OTHER = 'walnut copper lantern';

test('a session is ended from another browser, and a new password ends all others', async ({
  people,
  installation,
}) => {
  const project = await installation.project({
    files: { 'own.txt': 'Alice met Bob.' },
    labelers: ['Anna Account'],
  });
  const [anna] = project.labelers as [Account];
  const elsewhere = await people.stranger(anna.client.url);
  // Pages that are asked for without a session say so.
  elsewhere.watch.expect(/401/);
  await signIn(elsewhere, anna);
  const person = await people.stranger(anna.client.url);
  await signIn(person, anna);
  const { page } = person;

  // The person's name in the header leads there; the rest is keys.
  await page.getByRole('link', { name: 'Anna Account' }).click();
  await reached(page, 'Account');
  const rows = page.getByRole('region', { name: 'Active sessions' }).getByRole('row');
  // The head, this browser, the other, and the session by which the account was made.
  await expect(rows).toHaveCount(4);
  await expect(rows.filter({ hasText: 'This session' })).toHaveCount(1);
  for (const left of [3, 2]) {
    await page.getByRole('button', { name: /^End the session of/ }).first().press('Enter');
    await expect(page.getByText('Session ended.')).toBeVisible();
    await expect(rows).toHaveCount(left);
  }
  await elsewhere.goto('/');
  await reached(elsewhere.page, 'Sign in');

  const form = page.getByRole('region', { name: 'Password' });
  const change = async (present: string, password: string) => {
    await form.getByLabel('Current password').fill(present);
    await form.getByLabel('New password').fill(password);
    await form.getByRole('button', { name: 'Change password' }).click();
  };
  await signIn(elsewhere, anna);
  await change(anna.password, 'password1234');
  await expect(form.getByText('This password is easy to guess', { exact: false })).toBeVisible();
  await change('not my password', OTHER);
  await expect(form.getByText('This is not your current password.')).toBeVisible();
  await change(anna.password, OTHER);
  await expect(page.getByText('Password changed.', { exact: false })).toBeVisible();
  await expect(rows).toHaveCount(2);
  await elsewhere.goto('/account');
  await expect(elsewhere.page.getByRole('heading', { name: 'Please sign in' })).toBeVisible();

  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await reached(page, 'Sign in');
  await signIn(person, { ...anna, password: OTHER });
});
