//! The second factor: set up, asked for, replaced by a recovery code; and a server that lets nobody
//! in without one.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { codeOf } from '../support/codes.ts';
import { expect, reached, test, type Person } from '../support/fixtures.ts';
import { type Account } from '../support/installation.ts';
import { newDataDir, removeDataDir, Server } from '../support/server.mjs';
import { signIn } from '../support/sign_in.ts';

/** Types the code of the app that the page sets up; the answer is its secret. */
async function confirm({ page }: Person): Promise<string> {
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  const secret = await page.locator('.new-secret').innerText();
  await page.getByLabel('Code from the app').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  return secret;
}

/** The recovery codes that the page shows this once. */
async function shownCodes({ page }: Person): Promise<string[]> {
  const shown = page.getByRole('region', { name: 'Save these recovery codes' });
  await expect(shown).toBeVisible();
  return shown.getByRole('listitem').allInnerTexts();
}

async function typePassword(person: Person, { email, password }: Account): Promise<void> {
  const { page } = person;
  await person.goto('/sign-in');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a code is asked for after the password, and a recovery code stands in for it', async ({
  people,
  installation,
}) => {
  const project = await installation.project({
    files: { 'own.txt': 'Alice met Bob.' },
    labelers: ['Tilda Twice'],
  });
  const [tilda] = project.labelers as [Account];
  const person = await people.stranger(tilda.client.url);
  const { page } = person;
  await signIn(person, tilda);
  await person.goto('/account');
  const factor = page.getByRole('region', { name: 'Authenticator app' });
  await factor.getByLabel('Current password').fill('not my password');
  await factor.getByRole('button', { name: 'Set up authenticator app' }).press('Enter');
  await expect(factor.getByText('This is not your current password.')).toBeVisible();
  await factor.getByLabel('Current password').fill(tilda.password);
  await factor.getByRole('button', { name: 'Set up authenticator app' }).press('Enter');
  await reached(page, 'Set up authenticator app');
  await expectAccessibleInAllLooks(page, 'setting an app up');
  await page.getByLabel('Code from the app').fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByText("This is not the app's current code.")).toBeVisible();
  const secret = await confirm(person);
  const codes = await shownCodes(person);
  expect(codes).toHaveLength(10);
  await expectAccessibleInAllLooks(page, 'recovery codes');
  await person.goto('/account');
  await expect(page.getByText('10 of 10 left.')).toBeVisible();
  expect(await page.content()).not.toContain(codes[0]);
  await expectAccessibleInAllLooks(page, 'an account with a second factor');

  const other = await people.stranger(tilda.client.url);
  // A page that is asked for between the steps says so.
  other.watch.expect(/401/);
  await typePassword(other, tilda);
  await reached(other.page, 'Second step');
  await expectAccessibleInAllLooks(other.page, 'the second step');
  const type = async (code: string) => {
    await other.page.getByLabel('Code', { exact: true }).fill(code);
    await other.page.getByLabel('Code', { exact: true }).press('Enter');
  };
  await type('000000');
  await expect(other.page.getByText(/This code is wrong/)).toBeVisible();
  await other.goto('/account');
  await expect(other.page.getByRole('heading', { name: 'Please sign in' })).toBeVisible();
  await other.goto('/sign-in/second?back=/account');
  await type(codeOf(secret, 1));
  await reached(other.page, 'Account');
  await other.page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await typePassword(other, tilda);
  await type(codes[7] as string);
  await reached(other.page, 'Projects');
  await other.goto('/account');
  await expect(other.page.getByText('9 of 10 left.')).toBeVisible();
  const app = other.page.getByRole('region', { name: 'Authenticator app' });
  await app.getByText('Remove', { exact: true }).click();
  await app.getByLabel('Current password').last().fill(tilda.password);
  await app.getByRole('button', { name: 'Remove app' }).click();
  await expect(other.page.getByText('Authenticator app removed.', { exact: false })).toBeVisible();
  await signIn(person, tilda);
});

test('a strict server leads whoever is new to set one up, and lets them in with it', async ({
  people,
}) => {
  const dataDir = await newDataDir();
  const server = await Server.start({ dataDir, requireSecondFactor: true });
  const person = await people.stranger(server.url);
  const { page } = person;
  await page.goto(server.setUp as string);
  const mara = { email: 'mara@example.org', name: 'Mara', password: 'copper walnut lantern ferry' };
  await page.getByLabel('E-mail address').fill(mara.email);
  await page.getByLabel('Name', { exact: true }).fill(mara.name);
  await page.getByLabel('Password').fill(mara.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await reached(page, 'Set up a second factor');
  await expectAccessibleInAllLooks(page, 'a second factor that is asked for');
  await page.getByRole('button', { name: 'Set up authenticator app' }).press('Enter');
  const secret = await confirm(person);
  await shownCodes(person);
  await page.getByRole('link', { name: 'Done' }).click();
  await reached(page, 'Projects');
  await person.goto('/account');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await typePassword(person, { ...mara } as Account);
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, 1));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await reached(page, 'Projects');
  // What the page still loads would find nobody.
  await page.waitForLoadState('networkidle');
  await server.stop();
  await removeDataDir(dataDir);
  expect(server.warnings()).toEqual([]);
});
