//! Pages that follow the work of others: one stream for all that somebody has open in a browser.

import type { Page } from '@playwright/test';

import { expect, test, type Person } from '../support/fixtures.ts';
import { copyOf, type Account, type Project } from '../support/installation.ts';
import type { Server } from '../support/server.mjs';

const TEXT = 'Gil met Hal in Ur.';

/** How many streams the server has open. */
async function streams(server: Server): Promise<number> {
  return (await server.inFlight()).split('; ').filter((one) => one.includes('/events/')).length;
}

/** Marks one more word of the only document. */
async function save(labeler: Account, project: Project): Promise<void> {
  const assignment = await copyOf(labeler, project, 'ur');
  const { content } = await labeler.client.open(assignment);
  const start = Number(content.revision);
  const label = project.labels.get('PER') ?? 0;
  await labeler.client.save({
    assignment,
    base: content.revision,
    key: `following-${assignment}-${start}`,
    removed: [],
    added: [{ start, end: start + 1, label }],
  });
}

const live = (page: Page) => page.locator('[data-state="live"]');
const revision = async (page: Page) => Number(await page.locator('[data-live]').getAttribute('data-revision'));

/** Has a page believe that nobody looks at it, or that somebody does again. */
async function look(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => (hidden ? 'hidden' : 'visible') });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

test('twelve tabs of three projects follow by one stream, and each person by their own', async ({ people, installation }) => {
  test.slow();
  const { server } = installation;
  const projects: Project[] = [];
  for (let number = 0; number < 3; number += 1) {
    projects.push(
      await installation.project({ files: { 'ur.txt': TEXT }, labelers: ['Ana', 'Bo'], reviewers: ['Rosa'] }),
    );
  }
  const [first, second] = projects;
  if (!first || !second) throw new Error('there are three projects');
  const before = await streams(server);

  const manager = await people.signedIn(installation.manager);
  const reviewer = await people.signedIn(first.reviewers[0] as Account);
  const open = async (person: Person, place: number): Promise<{ page: Page; project: Project }> => {
    const project = projects[place % 3] as Project;
    const path = place % 2 === 0 ? 'agreement' : 'agreement/labels';
    const page = await person.tab(`/projects/${project.id}/${path}`);
    await expect(live(page)).toBeVisible();
    return { page, project };
  };
  const tabs = [];
  for (let place = 0; place < 12; place += 1) tabs.push(await open(manager, place));
  await reviewer.goto(`/projects/${first.id}/agreement`);
  await expect(live(reviewer.page)).toBeVisible();
  await expect.poll(() => streams(server)).toBe(before + 2);

  // Every tab is told of its own project and of no other.
  const old = await Promise.all(tabs.map(({ page }) => revision(page)));
  await save(first.labelers[0] as Account, first);
  await save(second.labelers[0] as Account, second);
  for (const [place, { page, project }] of tabs.entries()) {
    const was = old[place] as number;
    if (project === first || project === second) await expect.poll(() => revision(page)).toBeGreaterThan(was);
    else expect(await revision(page)).toBe(was);
  }
  await expect.poll(() => revision(reviewer.page)).toBeGreaterThan(0);

  // The stream goes on when the tab that began it is closed.
  await manager.page.close();
  await tabs[0]?.page.close();
  await save(second.labelers[1] as Account, second);
  const { page: other } = tabs[1] as { page: Page };
  await expect.poll(() => revision(other)).toBeGreaterThan(1);
  expect(await streams(server)).toBe(before + 2);

  // Nobody looks: nothing is followed. Somebody looks again: the page catches up.
  const rest = tabs.slice(1);
  for (const { page } of rest) await look(page, true);
  await expect.poll(() => streams(server)).toBe(before + 1);
  const seen = await revision(other);
  await save(second.labelers[1] as Account, second);
  await look(other, false);
  await expect.poll(() => revision(other)).toBeGreaterThan(seen);
  await expect.poll(() => streams(server)).toBe(before + 2);
});

test('what changes on a page is brought to it, and the page is not loaded again', async ({ people, installation }) => {
  const project = await installation.project({ files: { 'ur.txt': TEXT }, labelers: ['Ana', 'Bo'], reviewers: ['Rosa'] });
  const [ana, bo] = project.labelers as [Account, Account];
  const person = await people.signedIn(project.reviewers[0] as Account);
  const { page } = person;
  await save(bo, project);
  await save(ana, project);
  await person.goto(`/projects/${project.id}/agreement`);
  await expect(live(page)).toBeVisible();
  // Once something has moved, its text is known to the browser, and no more than what differs is sent.
  let before = await revision(page);
  await save(ana, project);
  await expect.poll(() => revision(page)).toBeGreaterThan(before);
  await expect(page.locator('[data-pending]')).toHaveCount(0);
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  const menu = page.getByRole('button', { name: /^Raters/ });
  await menu.click();
  const field = page.locator('.arrange input[type="checkbox"]').first();
  await field.focus();
  const cell = page.locator('td.pair .basis').first();
  for (let saves = 0; saves < 3; saves += 1) {
    before = await revision(page);
    const told = await cell.textContent();
    await save(ana, project);
    await save(bo, project);
    await expect.poll(() => revision(page)).toBeGreaterThan(before);
    await expect(cell).not.toHaveText(told ?? '');
  }
  // What somebody is at stays as it is: the menu that is open, and the focus in it.
  await expect(field).toBeFocused();
  expect(loaded).toEqual([]);
});

test('a page of somebody who has signed out is not told to the next person', async ({ people, installation }) => {
  const project = await installation.project({ files: { 'ur.txt': TEXT }, labelers: ['Ana'], reviewers: ['Rosa'] });
  const labeler = project.labelers[0] as Account;
  const before = await streams(installation.server);
  const person = await people.signedIn(project.reviewers[0] as Account);
  // What the labeler may not see answers 403, and the stream of the reviewer's pages, too.
  person.watch.expect(/Failed to load resource.*40[134]/);
  await person.goto(`/projects/${project.id}/agreement`);
  await expect(live(person.page)).toBeVisible();
  const cookies = [...labeler.client.cookies].map(([name, value]) => ({ name, value, url: person.url }));
  await person.context.addCookies(cookies);
  // The stream begins anew, with the browser's new session: nothing is told, and the page goes.
  await look(person.page, true);
  await expect.poll(() => streams(installation.server)).toBe(before);
  await look(person.page, false);
  await expect(person.page.locator('[data-live]')).toHaveCount(0);
  await expect(person.page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('browsers without shared workers follow by themselves', async ({ people, installation }) => {
  const project = await installation.project({ files: { 'ur.txt': TEXT }, labelers: ['Ana'] });
  const person = await people.signedIn(installation.manager);
  await person.context.addInitScript(() => { delete (globalThis as { SharedWorker?: unknown }).SharedWorker; });
  await person.goto(`/projects/${project.id}/agreement`);
  await expect(live(person.page)).toBeVisible();
  const before = await revision(person.page);
  await save(project.labelers[0] as Account, project);
  await expect.poll(() => revision(person.page)).toBeGreaterThan(before);
});

test('a page whose stream is refused for a while asks seldom, and then catches up by itself', async ({ people, installation }) => {
  const project = await installation.project({ files: { 'ur.txt': TEXT }, labelers: ['Ana'] });
  const person = await people.signedIn(installation.manager);
  // What a proxy says while no server is behind it.
  person.watch.expect(/503/);
  await person.context.addInitScript(() => { delete (globalThis as { SharedWorker?: unknown }).SharedWorker; });
  let asked = 0;
  await person.context.route('**/events/revisions?*', (route) => {
    asked += 1;
    return route.fulfill({ status: 503 });
  });
  await person.goto(`/projects/${project.id}/agreement`);
  const before = await revision(person.page);
  await expect.poll(() => asked).toBeGreaterThan(0);
  await person.page.waitForTimeout(4_500);
  // A tenth of a second from one to the next would be forty.
  expect(asked).toBeGreaterThan(1);
  expect(asked).toBeLessThan(7);

  await save(project.labelers[0] as Account, project);
  await person.context.unroute('**/events/revisions?*');
  await expect(live(person.page)).toBeVisible();
  await expect.poll(() => revision(person.page)).toBeGreaterThan(before);
});
