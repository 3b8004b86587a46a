//! Every page that somebody can reach by links, as each role, on a phone, a laptop and a large screen, and at 400 %: it
//! never scrolls sideways, nothing sticks out of it, and only lists are longer than three screens. Pictures of
//! all are kept in `test-results/screens`, light and dark.

import { mkdir } from 'node:fs/promises';

import type { Page } from '@playwright/test';

import { expect, test, type Person } from '../support/fixtures.ts';

const PICTURES = new URL('../test-results/screens', import.meta.url).pathname;

/** `CONCORD_PICTURES=all`: dark ones of all sizes, too. */
const ALL_PICTURES = process.env['CONCORD_PICTURES'] === 'all';

const LAPTOP = { width: 1366, height: 768 };
/** A laptop's page at 400 %. */
const ZOOMED = { width: 320, height: 256 };
const SIZES = [LAPTOP, { width: 390, height: 844 }, { width: 2560, height: 1440 }, ZOOMED] as const;

/** The most screens of a laptop that a page takes. */
const SCREENS = 3;

/** Pages that are as long as what they list: text to read, rows to look through. */
const LISTS = [/\/guidelines(\/:n)?$/, /\/api$/, /\/audit$/, /\/documents\/:n\/(review|side)$/, /\/gold\/documents\/:n$/, /\/disagreements$/, /\/walk/];

/** What is not a page, or is the same page for everybody else; `help.spec.ts` looks at the help. */
const NO_PAGE = /^\/(api\/|pkg\/|fn\/|events\/|help\/)|\/export\b|\.\w+$/;

/** A page's address with its numbers left out: what has the same is the same page. */
function kind(path: string): string {
  return path.replace(/\/\d+(?=\/|$)/g, '/:n');
}

/** The addresses of all links on a page that lead to pages of this server. */
async function links(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('a[href]:not([download])')]
      .filter((link) => link.origin === location.origin)
      .map((link) => link.pathname),
  );
}

/** What is wrong with a page as it is shown, in words. */
async function faults(page: Page, path: string): Promise<string[]> {
  return page.evaluate(
    ({ path, screens, isList }) => {
      const root = document.documentElement;
      const found = [];
      const size = `${path} at ${root.clientWidth}`;
      if (root.scrollWidth > root.clientWidth) {
        found.push(`${size}: scrolls sideways by ${root.scrollWidth - root.clientWidth}`);
      }
      const scrolls = (element: Element) => /auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX);
      const inScroller = (element: Element) => {
        for (let above = element.parentElement; above; above = above.parentElement) {
          if (above !== root && above !== document.body && scrolls(above)) return true;
        }
        return false;
      };
      const out = [...document.body.querySelectorAll('*')].filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 1 && box.height > 1 && box.right > root.clientWidth + 1 && !inScroller(element);
      });
      for (const element of out.slice(0, 3)) found.push(`${size}: <${element.tagName} ${element.className}> sticks out`);
      if (screens > 0 && !isList && root.scrollHeight > screens * root.clientHeight) {
        found.push(`${size}: ${(root.scrollHeight / root.clientHeight).toFixed(1)} screens`);
      }
      return found;
    },
    {
      path,
      screens: page.viewportSize()?.width === LAPTOP.width ? SCREENS : 0,
      isList: LISTS.some((list) => list.test(path)),
    },
  );
}

/** Looks at every page that links lead to, beginning at the first one of somebody. */
async function lookAtAll(person: Person, who: string): Promise<void> {
  const { page } = person;
  const folder = `${PICTURES}/${who}`;
  await mkdir(folder, { recursive: true });
  const seen = new Set(['/']);
  const open = ['/'];
  const wrong: string[] = [];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    const name = kind(path);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.setViewportSize(LAPTOP);
    await person.goto(path);
    for (const link of await links(page)) {
      if (!seen.has(kind(link)) && !NO_PAGE.test(link)) {
        seen.add(kind(link));
        open.push(link);
      }
    }
    for (const size of SIZES) {
      await page.setViewportSize(size);
      wrong.push(...(await faults(page, name)));
      const file = `${folder}/${name === '/' ? 'start' : name.slice(1).replaceAll('/', '-').replaceAll(':n', 'n')}-${size.width}`;
      await page.screenshot({ path: `${file}.png` });
      if (ALL_PICTURES || size === LAPTOP) {
        await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
        await page.screenshot({ path: `${file}-dark.png` });
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      }
    }
  }
  expect(seen.size, 'pages').toBeGreaterThan(6);
  expect(wrong).toEqual([]);
}

test.describe.configure({ timeout: 300_000 });

for (const who of ['Manager', 'Reviewer', 'Labeler A']) {
  test(`the screens of ${who}`, async ({ people, demo }) => {
    await lookAtAll(await people.demo(demo, who), who.toLowerCase().replaceAll(' ', '-'));
  });
}

test('the table of long guidelines scrolls by itself', async ({ people, demo }) => {
  const person = await people.demo(demo, 'Manager');
  const { page } = person;
  await page.setViewportSize(ZOOMED);
  await person.goto('/');
  const projects = (await links(page)).filter((link) => /^\/projects\/\d+$/.test(link));
  expect(projects.length).toBeGreaterThan(1);
  for (const project of new Set(projects)) {
    await person.goto(`${project}/settings/guidelines`);
    await expect(page.getByRole('table')).toBeVisible();
    expect(await faults(page, project)).toEqual([]);
  }
});
