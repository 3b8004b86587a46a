//! Every page, as everybody who has it: no violation of WCAG 2.2 AA that a machine can find, light
//! and dark, wide and narrow; and a narrow page never scrolls sideways.

import type { Client } from '../support/client.mjs';
import { expectAccessible, expectAccessibleInAllLooks } from '../support/accessible.ts';
import { demoClient, expect, test, type Person } from '../support/fixtures.ts';
import type { Server } from '../support/server.mjs';

async function checkAll(person: Person, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await test.step(path, async () => {
      await person.goto(path);
      await expect(person.page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectAccessibleInAllLooks(person.page, path);
    });
  }
}

/** The ids of the demo's projects by name. */
async function projectsOf(client: Client): Promise<Map<string, number>> {
  const cards: { id: number; name: string }[] = await client.form('projects/list_projects');
  return new Map(cards.map(({ id, name }) => [name, id]));
}

async function hamletOf(server: Server, name: string): Promise<{ client: Client; hamlet: number }> {
  const client = await demoClient(server, name);
  const hamlet = (await projectsOf(client)).get('Hamlet');
  if (hamlet === undefined) throw new Error('the demo has no project Hamlet');
  return { client, hamlet };
}

test.describe.configure({ timeout: 240_000 });

test('pages of nobody in particular', async ({ people, demo }) => {
  const { client, hamlet } = await hamletOf(demo, 'Manager');
  const invitation = await client.invite(hamlet, 'labeler');
  const person = await people.stranger(demo.url);
  person.watch.expect(/Failed to load resource.*404/);
  await checkAll(person, [
    '/sign-in',
    '/study',
    `/invitations/${invitation}`,
    '/invitations/no-such-invitation',
    '/api',
    '/no-such-page',
  ]);
});

test('pages of a manager', async ({ people, demo }) => {
  const { client, hamlet } = await hamletOf(demo, 'Manager');
  const { raters } = await client.agreement(hamlet);
  const [first, second] = raters;
  const home = `/projects/${hamlet}`;
  const classics = [...(await projectsOf(client))].find(([name]) => name !== 'Hamlet')?.[1];
  const person = await people.demo(demo, 'Manager');
  await checkAll(person, [
    '/',
    '/compare?measure=alpha',
    '/account',
    '/tokens',
    home,
    `${home}/work/documents`,
    `${home}/work/repeats`,
    `${home}/settings/members`,
    `${home}/agreement`,
    `${home}/agreement/what-if?relax=2`,
    `${home}/agreement/${first?.id}/${second?.id}`,
    `${home}/agreement/${first?.id}/${second?.id}?measure=alpha`,
    `${home}/review/disagreements`,
    `${home}/review/consensus`,
    `${home}/exports`,
    `${home}/exports?what=gold&format=conll`,
    `${home}/settings/guidelines`,
    `${home}/settings`,
    `${home}/settings/labels`,
    `${home}/settings/rounds`,
    `${home}/agreement/trend`,
    `${home}/settings/models`,
    `${home}/settings/targets`,
    `${home}/settings/webhooks`,
    `/projects/${classics}/agreement`,
    `/projects/${classics}/review/disagreements`,
  ]);
});

test('dialogs of a manager', async ({ people, demo }) => {
  const { hamlet } = await hamletOf(demo, 'Manager');
  const person = await people.demo(demo, 'Manager');
  const { page } = person;
  const dialogs = [
    ['/', 'New project'],
    [`/projects/${hamlet}/settings/labels`, 'Add label'],
    [`/projects/${hamlet}/work/documents`, /^Delete /],
    [`/projects/${hamlet}/settings/members`, /^Remove /],
  ] as const;
  for (const [path, name] of dialogs) {
    await person.goto(path);
    await page.getByRole('button', { name }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessibleInAllLooks(page, `${path}, ${String(name)}`);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});

test('pages of a labeler', async ({ people, demo }) => {
  const { client, hamlet } = await hamletOf(demo, 'Labeler A');
  const [own] = await client.assignments(hamlet);
  const home = `/projects/${hamlet}`;
  const person = await people.demo(demo, 'Labeler A');
  await checkAll(person, ['/', `${home}/work`, `${home}/exports`, `${home}/settings/guidelines`, `/assignments/${own?.id}`, `/keys`]);
});

test('pages of a reviewer', async ({ people, demo }) => {
  const { client, hamlet } = await hamletOf(demo, 'Reviewer');
  const reviews = await client.form('reviewing/list_reviews', { project: hamlet, page: 0 });
  const home = `/projects/${hamlet}`;
  const person = await people.demo(demo, 'Reviewer');
  await checkAll(person, [
    '/',
    `${home}/review`,
    `/documents/${reviews.page.rows[0].document}/review`,
    `${home}/agreement`,
    `${home}/review/disagreements`,
    `${home}/settings/guidelines`,
  ]);
});

test('the theme switch overrules the system and is remembered', async ({ people, demo }) => {
  const person = await people.demo(demo, 'Manager', { colorScheme: 'light' });
  const { page } = person;
  await person.goto('/');
  const background = () =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  const themes = page.getByRole('group', { name: 'Colour scheme' });
  await themes.getByRole('button', { name: 'Dark colours' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const dark = await background();
  expect(dark).not.toBe(light);
  await expectAccessible(page, 'dark by the switch');

  await person.goto('/');
  expect(await background()).toBe(dark);
  await expect(themes.getByRole('button', { name: 'Dark colours' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );

  await page.emulateMedia({ colorScheme: 'dark' });
  await themes.getByRole('button', { name: 'Light colours' }).click();
  expect(await background()).toBe(light);
  await expectAccessible(page, 'light by the switch');
  await themes.getByRole('button', { name: 'System colours' }).click();
  expect(await background()).toBe(dark);
});
