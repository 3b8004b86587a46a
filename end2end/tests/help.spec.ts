//! The help: read, searched without a network, by keyboard, in all looks; and a page for what it does not have.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { expect, test } from '../support/fixtures.ts';

test('every page leads to the help, and the help is found by words', async ({ people, demo }) => {
  const person = await people.stranger(demo.url);
  const { page } = person;
  await person.goto('/sign-in');
  await page.getByRole('banner').getByRole('link', { name: 'Help' }).click();
  await expect(page).toHaveURL(`${demo.url}/help/`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Concord help');

  // By keyboard alone.
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await page.keyboard.press('/');
  const field = page.getByRole('searchbox', { name: 'Search help' });
  await expect(field).toBeFocused();
  await field.pressSequentially('passkey');
  await expect(page.getByRole('heading', { name: 'Found for “passkey”' })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/help\/[\w/-]+\.html#/);
  await expect(page.getByRole('main')).toContainText('passkey');

  await page.keyboard.press('/');
  await page.getByRole('searchbox').pressSequentially('xyzzyx');
  await expect(page.getByRole('heading', { name: 'Nothing found for “xyzzyx”' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('.help-found')).toBeHidden();
});

test('the search asks no other server, and its index once', async ({ people, demo }) => {
  const person = await people.stranger(demo.url);
  const { page } = person;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await person.goto('/help/measures/two-raters.html');
  const indexes = () => asked.filter((url) => url.endsWith('/searchindex.js')).length;
  expect(indexes()).toBe(0);
  for (const words of ['kappa', 'krippendorff', 'backup restore']) {
    await page.getByRole('searchbox').fill(words);
    await expect(page.locator('.help-found li').first()).toBeVisible();
  }
  expect(indexes()).toBe(1);
  expect(asked.filter((url) => !url.startsWith(demo.url))).toEqual([]);
});

test('Greek letters are found, by themselves and by their names', async ({ people, demo }) => {
  const person = await people.stranger(demo.url);
  const { page } = person;
  await person.goto('/help/');
  const field = page.getByRole('searchbox', { name: 'Search help' });
  const found = page.locator('.help-found li');
  for (const [words, title] of [['κ', /kappa/i], ['scott π', "Scott's pi"], ['γ', 'Gamma']] as const) {
    await field.fill(words);
    await expect(page.getByRole('status')).toHaveText(`Found for “${words}”`);
    await expect(found.getByRole('link', { name: title }).first()).toBeVisible();
  }
  // Its text has the letter only.
  await field.fill('which measure gamma');
  await expect(found.getByRole('link', { name: 'Which measure' })).toBeVisible();
});

test('the search finds nothing of how Concord is built', async ({ people, demo }) => {
  const person = await people.stranger(demo.url);
  await person.goto('/help/');
  const index = await person.page.request.get(`${demo.url}/help/searchindex.js`);
  const text = await index.text();
  expect(text).toContain('people/labelers.html');
  expect(text).not.toContain('"design/');
});

test('a search that does not load says so, and is tried again', async ({ people, demo }) => {
  const person = await people.stranger(demo.url);
  const { page } = person;
  person.watch.expect(/Failed to load resource/);
  await page.route('**/searchindex.js', (route) => route.abort());
  await person.goto('/help/');
  const field = page.getByRole('searchbox', { name: 'Search help' });
  await field.fill('kappa');
  await expect(page.getByRole('status')).toHaveText('The search did not load. Type on to try again.');
  await page.unroute('**/searchindex.js');
  await field.fill('alpha');
  await expect(page.locator('.help-found li').first()).toBeVisible();
});

test('who has switched off keys of one letter types a slash', async ({ people, demo }) => {
  const person = await people.stranger(demo.url);
  const { page } = person;
  await person.goto('/help/');
  await page.evaluate(() => localStorage.setItem('concord.review.letter-keys', 'off'));
  await person.goto('/help/');
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search help' })).not.toBeFocused();
});

test('the help in all looks', async ({ people, demo }) => {
  test.setTimeout(180_000);
  const person = await people.stranger(demo.url);
  person.watch.expect(/Failed to load resource.*404/);
  for (const path of ['', 'people/labelers.html', 'measures/two-raters.html', 'command-line.html', 'no/such/page.html']) {
    await person.goto(`/help/${path}`);
    await expectAccessibleInAllLooks(person.page, `/help/${path}`);
  }
  await expect(person.page.getByRole('heading', { level: 1 })).toHaveText('No such page');
  await person.page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Two raters' }).click();
  await expect(person.page).toHaveURL(`${demo.url}/help/measures/two-raters.html`);
});

test('the help has the colours that were chosen in the product', async ({ people, demo }) => {
  const person = await people.stranger(demo.url);
  const { page } = person;
  await page.emulateMedia({ colorScheme: 'light' });
  await person.goto('/sign-in');
  await page.getByRole('button', { name: 'Dark colours' }).click();
  await person.goto('/help/');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('the help can be read without scripts', async ({ people, demo }) => {
  const { page } = await people.stranger(demo.url, { javaScriptEnabled: false });
  await page.goto(`${demo.url}/help/`);
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Run a project' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('searchbox')).toBeHidden();
});
