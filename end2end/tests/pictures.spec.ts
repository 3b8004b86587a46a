//! The pictures of README and of the help show the pages as they are. `cargo xtask pictures` takes them anew.

import { readdir, stat } from 'node:fs/promises';

import { demoClient, expect, test, type Person } from '../support/fixtures.ts';
import { keep, kept, shownBy, take, type Shown } from '../support/pictures.ts';

/** `cargo xtask pictures` says so. */
const RENEW = process.env['CONCORD_PICTURES'] === 'renew';

const LAPTOP = { width: 1366, height: 768 };

/** What all pictures may weigh, in bytes: they are in every clone and in the program. */
const LIMIT = 1_500_000;

/** The first address of a page's links that is like this. */
async function linkLike(person: Person, like: RegExp): Promise<string> {
  const links = await person.page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].map((link) => link.pathname + link.search),
  );
  const found = links.find((link) => like.test(link));
  if (found === undefined) throw new Error(`no link is like ${like.source}`);
  return found;
}

/** The path of a project that somebody has. */
async function projectOf(person: Person, name: string): Promise<string> {
  await person.goto('/');
  const path = await person.page.getByRole('link', { name }).first().getAttribute('href');
  if (path === null) throw new Error(`${name} has no address`);
  return /^\/projects\/\d+/.exec(path)?.[0] ?? path;
}

/** Opens a page until all intervals on it are there. */
async function settle(person: Person, path: string): Promise<void> {
  const { page } = person;
  await expect(async () => {
    await person.goto(path);
    await expect(page.getByText('interval pending')).toHaveCount(0, { timeout: 500 });
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 60_000 });
}

test('the pictures show the pages as they are', async ({ people, ownDemo }) => {
  test.setTimeout(240_000);
  const shown: Record<string, Shown> = {};
  const show = async (name: string, person: Person, path: string) => {
    const { page } = person;
    await page.setViewportSize(LAPTOP);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await settle(person, path);
    if (RENEW) await take(page, name);
    shown[name] = await shownBy(page);
  };

  const manager = await people.demo(ownDemo, 'Manager');
  const project = await projectOf(manager, 'Places and people');
  await show('overview', manager, project);
  await show('matrix', manager, `${project}/agreement`);
  await show('pair', manager, await linkLike(manager, /\/agreement\/\d+\/\d+/));
  await show('trend', manager, `${project}/agreement/trend`);
  await show('gold', manager, `${project}/review/gold`);

  const labeler = await people.demo(ownDemo, 'Labeler A');
  const hamlet = Number((await projectOf(labeler, 'Hamlet')).split('/').at(-1));
  const [own] = await (await demoClient(ownDemo, 'Labeler A')).assignments(hamlet);
  await show('annotator', labeler, `/assignments/${own?.id}`);

  const reviewer = await people.demo(ownDemo, 'Reviewer');
  await reviewer.goto(`/projects/${hamlet}/review`);
  await show('review', reviewer, await linkLike(reviewer, /^\/documents\/\d+\/review/));

  await show('study', await people.stranger(ownDemo.url), '/study');

  if (RENEW) {
    await keep(shown);
    return;
  }
  const before = await kept();
  const changed = Object.entries(shown).flatMap(([name, now]) =>
    (['elements', 'words'] as const)
      .filter((part) => before[name]?.[part] !== now[part])
      .map((part) => `docs/pictures/${name}.webp: the ${part} of its page have changed`),
  );
  expect(changed, '`cargo xtask pictures` takes the pictures anew').toEqual([]);
});

test('each picture is of a page, and together they are small', async () => {
  const folder = new URL('../../docs/pictures/', import.meta.url);
  const files = (await readdir(folder)).filter((file) => file !== 'shown.json').sort();
  expect(files).toEqual(Object.keys(await kept()).map((name) => `${name}.webp`).sort());
  const sizes = await Promise.all(files.map(async (file) => (await stat(new URL(file, folder))).size));
  expect(sizes.reduce((one, other) => one + other, 0)).toBeLessThan(LIMIT);
});
