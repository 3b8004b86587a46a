//! Nothing that somebody has marked is lost: not to a second tab, a lost network, an ended session
//! or a closed page.

import type { Page } from '@playwright/test';

import { openCopy, settled } from '../support/editor.ts';
import { expect, test, type Person } from '../support/fixtures.ts';
import { copyOf, type Account, type Installation, type Project } from '../support/installation.ts';
import { drag, drawnMarks, rangeOf, selected, text } from '../support/text.ts';

const TEXT = 'Ada Lovelace wrote to Charles Babbage in London about the Analytical Engine.';

/** What the browser says about requests that got no answer, and about ended sessions. */
const NO_NETWORK = /net::ERR_INTERNET_DISCONNECTED/;
const SIGNED_OUT = /Failed to load resource.*401/;

interface Desk {
  readonly labeler: Account;
  readonly project: Project;
  readonly assignment: number;
}

async function desk(installation: Installation, name: string): Promise<Desk> {
  const project = await installation.project({ files: { 'letter.txt': TEXT }, labelers: [name] });
  const [labeler] = project.labelers as [Account];
  return { labeler, project, assignment: await copyOf(labeler, project, 'letter') };
}

/** Marks words with the mouse and the first label: once they are selected, whatever else moves. */
async function mark(page: Page, words: string): Promise<void> {
  await page.bringToFront();
  await expect(async () => {
    await drag(page, rangeOf(TEXT, words));
    await expect.poll(() => selected(page), { timeout: 1_000 }).toBe(words);
  }).toPass();
  await page.keyboard.press('1');
}

async function shown(page: Page): Promise<string[]> {
  return (await drawnMarks(page)).map(({ title }) => title.replace(/^PER: /, ''));
}

/** What the server has. */
async function stored({ labeler, assignment }: Desk): Promise<string[]> {
  const { content, text } = await labeler.client.open(assignment);
  return content.spans.map(({ start, end }) => [...text].slice(start, end).join(''));
}

function state(page: Page) {
  return page.getByTestId('save-state');
}

test.describe('two tabs of one copy', () => {
  /** Two tabs, of which the first has saved since the second was opened. */
  async function conflict(person: Person, desk: Desk): Promise<{ first: Page; second: Page }> {
    const first = person.page;
    await openCopy(person, desk.assignment);
    const second = await person.context.newPage();
    await openCopy(person, desk.assignment, second);
    await mark(first, 'Ada Lovelace');
    await settled(first);
    await mark(second, 'London');
    const banner = second.getByRole('alert').filter({ hasText: 'saved in another tab' });
    await expect(banner).toBeVisible();
    await expect(banner).toContainText('1 change there, 1 change unsaved here');
    await expect(state(second)).toHaveText('Conflict');
    expect(await stored(desk), 'nothing is overwritten').toEqual(['Ada Lovelace']);
    expect(await shown(second), 'nothing disappears').toEqual(['London']);
    return { first, second };
  }

  test('the second can put its changes on top of the saved ones', async ({ people, installation }) => {
    const place = await desk(installation, 'Tina Tabs');
    const person = await people.signedIn(place.labeler);
    const { second } = await conflict(person, place);
    await second.getByRole('button', { name: 'Apply my 1 change on top' }).click();
    await settled(second);
    expect(await shown(second)).toEqual(['Ada Lovelace', 'London']);
    expect(await stored(place)).toEqual(['Ada Lovelace', 'London']);
  });

  test('the second sees what differs and chooses', async ({ people, installation }) => {
    const place = await desk(installation, 'Tara Tabs');
    const person = await people.signedIn(place.labeler);
    const { second } = await conflict(person, place);
    await mark(second, 'Analytical Engine');
    const row = (words: string) => second.getByRole('row').filter({ hasText: words });
    await expect(row('Ada Lovelace').getByRole('cell')).toHaveText(['no label', 'PER', '']);
    await expect(row('London').getByRole('cell')).toHaveText(['PER', 'no label', '']);
    await row('London').getByRole('checkbox').uncheck();
    await second.getByRole('button', { name: 'Apply my 1 change on top' }).click();
    await settled(second);
    expect(await stored(place)).toEqual(['Ada Lovelace', 'Analytical Engine']);
  });

  test('the second can take the saved version, and undo that', async ({ people, installation }) => {
    const place = await desk(installation, 'Theo Tabs');
    const person = await people.signedIn(place.labeler);
    const { second } = await conflict(person, place);
    await second.getByRole('button', { name: 'Use the saved version' }).click();
    await settled(second);
    expect(await shown(second)).toEqual(['Ada Lovelace']);
    expect(await stored(place)).toEqual(['Ada Lovelace']);
    await second.keyboard.press('Control+z');
    await settled(second);
    expect(await stored(place)).toEqual(['London']);
  });
});

test('changes made offline survive a reload and are saved once the network is back', async ({
  people,
  installation,
}) => {
  const place = await desk(installation, 'Olga Offline');
  const person = await people.signedIn(place.labeler);
  person.watch.expect(NO_NETWORK);
  const { page, context } = person;
  await openCopy(person, place.assignment);
  await mark(page, 'Ada Lovelace');
  await settled(page);

  await context.setOffline(true);
  await mark(page, 'London');
  await mark(page, 'Charles Babbage');
  await expect(state(page)).toHaveText('Offline, 2 changes kept here');
  expect(await shown(page)).toEqual(['Ada Lovelace', 'Charles Babbage', 'London']);
  expect(await stored(place)).toEqual(['Ada Lovelace']);

  await context.setOffline(false);
  await settled(page);
  expect(await stored(place)).toEqual(['Ada Lovelace', 'Charles Babbage', 'London']);

  // Once more, and this time the page is gone before the network is back.
  await context.setOffline(true);
  await mark(page, 'Analytical Engine');
  await expect(state(page)).toHaveText('Offline, 1 change kept here');
  page.on('dialog', (dialog) => dialog.accept());
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closed;
  await context.setOffline(false);
  const again = await context.newPage();
  await openCopy(person, place.assignment, again);
  // Whether the change was kept here or reached the server while the page closed is up to the browser.
  await settled(again);
  const all = ['Ada Lovelace', 'Charles Babbage', 'London', 'Analytical Engine'];
  expect(await shown(again)).toEqual(all);
  expect(await stored(place)).toEqual(all);
});

test('ten minutes without a network, with work in every one of them, lose nothing', async ({
  people,
  installation,
}) => {
  const place = await desk(installation, 'Tina Tunnel');
  const person = await people.signedIn(place.labeler);
  person.watch.expect(NO_NETWORK);
  const { page, context } = person;
  await page.clock.install();
  await openCopy(person, place.assignment);
  const words = ['Ada Lovelace', 'London', 'Charles Babbage'];
  let tried = 0;
  page.on('requestfailed', () => (tried += 1));

  await context.setOffline(true);
  for (let minute = 0; minute < 10; minute += 1) {
    const word = words[minute];
    if (word) await mark(page, word);
    await page.clock.runFor(60_000);
  }
  await expect(state(page)).toHaveText('Offline, 3 changes kept here');
  expect(tried).toBeGreaterThan(10);
  expect(await stored(place)).toEqual([]);

  await context.setOffline(false);
  // Nobody does anything: it tries again by itself.
  await page.clock.runFor(60_000);
  await settled(page);
  expect(await stored(place)).toEqual(words.toSorted());
});

test('a page that is reloaded while a save is on its way loses nothing', async ({
  people,
  installation,
}) => {
  const place = await desk(installation, 'Rita Reload');
  const person = await people.signedIn(place.labeler);
  person.watch.expect(/net::ERR_FAILED/);
  const { page } = person;
  await openCopy(person, place.assignment);
  // The server stores it, but its answer never arrives.
  let stolen = 0;
  await page.route('**/fn/annotating/save_spans', async (route) => {
    await route.fetch();
    stolen += 1;
    await route.abort();
  });
  await mark(page, 'London');
  await expect(state(page)).toHaveText('Offline, 1 change kept here');
  expect(stolen).toBeGreaterThan(0);
  await page.unroute('**/fn/annotating/save_spans');
  await page.getByRole('button', { name: 'Try again' }).click();
  await settled(page);
  expect(await stored(place)).toEqual(['London']);
  expect((await place.labeler.client.open(place.assignment)).content.revision).toBe(1);
});

test('changes made after the session has ended are kept, and saved after signing in again', async ({
  people,
  installation,
}) => {
  const place = await desk(installation, 'Sven Session');
  const person = await people.signedIn(place.labeler);
  person.watch.expect(SIGNED_OUT);
  const { page, context } = person;
  await openCopy(person, place.assignment);
  await context.clearCookies();
  await mark(page, 'London');
  await expect(state(page)).toHaveText('Sign in again to save (1 change kept here)');
  expect(await shown(page)).toEqual(['London']);
  expect(await stored(place)).toEqual([]);

  // The link comes back to the document, which finds what was kept.
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail address').fill(place.labeler.email);
  await page.getByLabel('Password').fill(place.labeler.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/assignments/${place.assignment}$`));
  await expect(page.getByText('1 change from your last visit was restored.')).toBeVisible();
  await settled(page);
  expect(await stored(place)).toEqual(['London']);
});

test('what can be undone survives a reload', async ({ people, installation }) => {
  const place = await desk(installation, 'Uma Undo');
  const person = await people.signedIn(place.labeler);
  const { page } = person;
  await openCopy(person, place.assignment);
  await mark(page, 'London');
  await mark(page, 'Ada Lovelace');
  await page.keyboard.press('Control+z');
  await settled(page);
  await page.reload();
  await openCopy(person, place.assignment);
  await settled(page);
  await page.keyboard.press('Control+Shift+z');
  expect(await shown(page)).toEqual(['Ada Lovelace', 'London']);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  expect(await shown(page)).toEqual([]);
  await settled(page);
  expect(await stored(place)).toEqual([]);
});

test('a browser that keeps nothing says so, and saves all the same', async ({ people, installation }) => {
  const place = await desk(installation, 'Pia Private');
  const person = await people.signedIn(place.labeler);
  const { page } = person;
  await person.context.addInitScript(() => {
    indexedDB.open = () => {
      throw new DOMException('private', 'SecurityError');
    };
  });
  await openCopy(person, place.assignment);
  await expect(page.getByRole('alert')).toContainText('closing this page loses unsaved changes');
  await mark(page, 'London');
  await settled(page);
  expect(await stored(place)).toEqual(['London']);
});

test('a submitted document is read-only until it is reopened', async ({ people, installation }) => {
  const place = await desk(installation, 'Sara Submit');
  const person = await people.signedIn(place.labeler);
  const { page } = person;
  await openCopy(person, place.assignment);
  await mark(page, 'London');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('button', { name: 'Reopen', exact: true })).toBeVisible();
  const content = async () => (await place.labeler.client.open(place.assignment)).content;
  expect((await content()).state).toBe('submitted');

  await mark(page, 'Ada Lovelace');
  expect(await shown(page)).toEqual(['London']);
  await page.keyboard.press('Control+z');
  expect(await shown(page)).toEqual(['London']);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeDisabled();
  for (const label of await page.locator('.palette .labels').getByRole('button').all()) {
    await expect(label).toBeDisabled();
  }

  await openCopy(person, place.assignment);
  await page.getByRole('button', { name: 'Reopen', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Submit' })).toBeVisible();
  await mark(page, 'Ada Lovelace');
  await settled(page);
  expect(await stored(place)).toEqual(['Ada Lovelace', 'London']);
  expect((await content()).state).toBe('saved');
  await expect(text(page)).toBeVisible();
});

test('a save of another person’s copy or from another site is refused', async ({ installation }) => {
  const place = await desk(installation, 'Otto Own');
  const command = {
    assignment: place.assignment,
    base: 0,
    key: 'not-from-here',
    removed: [],
    added: [{ start: 0, end: 3, label: [...place.project.labels.values()][0] ?? 0 }],
  };
  const send = (headers: Record<string, string>) =>
    fetch(`${installation.server.url}/fn/annotating/save_spans`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ command }),
    });
  const session = [...place.labeler.client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const foreign = await send({ Cookie: session, 'Sec-Fetch-Site': 'cross-site' });
  expect(foreign.status).toBe(403);
  const origin = await send({ Cookie: session, Origin: 'https://evil.example' });
  expect(origin.status).toBe(403);
  const nobody = await send({ 'Sec-Fetch-Site': 'same-origin' });
  expect(nobody.status).toBe(401);
  const manager = await installation.manager.client.json('annotating/save_spans', { command }).then(
    () => 200,
    (error) => error.status,
  );
  expect(manager).toBe(404);
  expect(await stored(place)).toEqual([]);
});
