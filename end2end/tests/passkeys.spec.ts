//! Passkeys, with a device that Chromium plays: it sees who is there, and keeps keys of its own.

import { type Page } from '@playwright/test';

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { expect, reached, test } from '../support/fixtures.ts';
import { type Account } from '../support/installation.ts';
import { signIn } from '../support/sign_in.ts';

/** Gives a page a device for passkeys, which knows whoever is there. */
async function addDevice(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Has whoever is there refuse the next question of the browser. */
async function refuseOnce(page: Page, what: 'create' | 'get'): Promise<void> {
  await page.evaluate((what) => {
    navigator.credentials[what] = () => {
      Reflect.deleteProperty(navigator.credentials, what);
      return Promise.reject(new DOMException('refused', 'NotAllowedError'));
    };
  }, what);
}

test('a passkey is added, signs its owner in without a password, and opens nothing once removed', async ({
  people,
  installation,
}) => {
  const project = await installation.project({
    files: { 'own.txt': 'Alice met Bob.' },
    labelers: ['Petra Passkey'],
  });
  const [petra] = project.labelers as [Account];
  // Browsers make no passkeys for a network address.
  const url = petra.client.url.replace('127.0.0.1', 'localhost');
  const person = await people.stranger(url);
  const { page } = person;
  await addDevice(page);
  // What is refused is said by its status, too.
  person.watch.expect(/40[139]|422/);

  await signIn(person, petra);
  await person.goto('/account');
  const passkeys = page.getByRole('region', { name: 'Passkeys' }).first();
  await expect(passkeys.getByText('This browser does not support passkeys.')).toBeHidden();
  const add = async (password: string) => {
    await passkeys.getByLabel('Name').fill('My laptop');
    await passkeys.getByLabel('Current password').last().fill(password);
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  };
  await add('not my password');
  await expect(passkeys.getByText('This is not your current password.')).toBeVisible();
  await refuseOnce(page, 'create');
  await add(petra.password);
  await expect(passkeys.getByText('Cancelled, or no matching passkey on this device.')).toBeVisible();
  await add(petra.password);
  // It is the first factor beside the password.
  await expect(page.getByRole('heading', { name: 'Save these recovery codes' })).toBeVisible();
  const row = passkeys.getByRole('row', { name: 'My laptop' });
  await expect(row).toContainText('never');
  await row.getByText('Remove', { exact: true }).click();
  await expectAccessibleInAllLooks(page, 'passkeys');
  await row.getByText('Remove', { exact: true }).click();
  await add(petra.password);
  await expect(passkeys.getByText('This device already has a passkey for your account.'))
    .toBeVisible();

  const leave = async () => {
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await reached(page, 'Sign in');
  };
  const enter = page.getByRole('button', { name: 'Sign in with a passkey' });
  await leave();
  await expectAccessibleInAllLooks(page, 'signing in with a passkey');
  await refuseOnce(page, 'get');
  await enter.click();
  await expect(page.getByText('Cancelled, or no matching passkey on this device.')).toBeVisible();
  await person.goto('/sign-in?back=/account');
  await enter.press('Enter');
  await reached(page, 'Account');
  await expect(page.getByText(petra.email).first()).toBeVisible();
  await expect(row).not.toContainText('never');

  // After the password it is the second step.
  await leave();
  await page.getByLabel('E-mail address').fill(petra.email);
  await page.getByLabel('Password').fill(petra.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await reached(page, 'Second step');
  await expectAccessibleInAllLooks(page, 'a second step with a passkey');
  await enter.click();
  await reached(page, 'Projects');
  await person.goto('/account');

  await row.getByText('Remove', { exact: true }).click();
  await row.getByLabel('Current password').fill(petra.password);
  await row.getByRole('button', { name: 'Remove this passkey' }).click();
  await expect(page.getByText('Passkey removed.', { exact: false })).toBeVisible();
  await expect(row).toBeHidden();
  await leave();
  await enter.click();
  await expect(page.getByText('No account here has this passkey.')).toBeVisible();
});

test('nobody is offered a passkey at an address that has none', async ({ people, installation }) => {
  const { manager } = installation;
  const person = await people.signedIn(manager);
  await person.goto('/account');
  const passkeys = person.page.getByRole('region', { name: 'Passkeys' });
  await expect(passkeys.getByText('and a host name', { exact: false })).toBeVisible();
  await expect(passkeys.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0);
  const stranger = await people.stranger(manager.client.url);
  await stranger.goto('/sign-in');
  await expect(stranger.page.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0);
});
