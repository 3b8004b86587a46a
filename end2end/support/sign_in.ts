//! Getting in as people do: by the link of an invitation, and by the sign-in page.

import { reached, type Person } from './fixtures.ts';

/** What somebody types to create an account. */
export interface NewAccount {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** Opens an invitation's link and creates an account with it. */
export async function acceptInvitation(person: Person, path: string, account: NewAccount): Promise<void> {
  const { page } = person;
  await person.goto(path);
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByLabel('Name', { exact: true }).fill(account.name);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await reached(page, 'Projects');
}

/** Signs in by the form. */
export async function signIn(person: Person, { email, password }: NewAccount): Promise<void> {
  const { page } = person;
  await person.goto('/sign-in');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await reached(page, 'Projects');
}
