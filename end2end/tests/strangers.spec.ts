//! Somebody who has never seen a project reads its overview alone: the seven questions of every morning stand
//! on it with their answers, which are those of the numbers that programs are given. Where there is nothing to
//! answer yet, it says what is missing. Pictures are kept in `test-results/strangers`.

import { mkdir } from 'node:fs/promises';

import type { Page } from '@playwright/test';

import { expect, reached, test, type Person } from '../support/fixtures.ts';
import type { Account, Project } from '../support/installation.ts';
import { alone, bad, empty, good } from '../support/strangers.ts';

const PICTURES = new URL('../test-results/strangers', import.meta.url).pathname;

type Value = { Value: { value: number } } | { Undefined: string };
interface Matrix {
  raters: { id: number; name: string }[];
  several: { rows: { measure: string; measured: Value }[] } | null;
  pooled: { rater: number; with: string; measured: Value }[];
}
type Judgement = { Labels: number[] } | 'Nothing' | 'NotJudged';
interface Disagreements {
  page: { total: number; rows: { document: number; document_name: string; judgements: Judgement[] }[] };
}

/** The most that somebody has of something: what, and how much. */
function most(counts: ReadonlyMap<string, number>): [what: string, n: number] {
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const [first, second] = sorted;
  if (!first || first[1] === second?.[1]) throw new Error(`nothing stands out of ${JSON.stringify(sorted)}`);
  return first;
}

/** A number as pages show it. */
const shown = (value: number) => value.toFixed(2).replace('-', '−');

const number = (measured: Value | undefined): number => {
  if (!measured || !('Value' in measured)) throw new Error('there is no value');
  return measured.Value.value;
};

/** What is true of a project, from the interface for programs. */
async function truth({ client }: Account, project: Project) {
  const get = async (path: string) => JSON.parse(await client.text(`/api/v1/projects/${project.id}/${path}`));
  const agreement = async (policy: string, round = ''): Promise<Matrix> =>
    get(`agreement?measure=alpha&documents=submitted&policy=${policy}${round}`);
  const alpha = ({ several }: Matrix) => number(several?.rows.find(({ measure }) => measure === 'alpha')?.measured);
  const { rounds }: { rounds: { id: number }[] } = await client.form('projects/load_project', { project: project.id });
  const [before, since] = await Promise.all(rounds.map(({ id }) => agreement('empty-label', `&only_round=${id}`)));
  if (!before || !since) throw new Error('there are two rounds');
  const everything = await agreement('empty-label');
  const values = everything.pooled
    .filter((pooled) => pooled.with === 'labeler')
    .map(({ rater, measured }) => ({ rater, value: number(measured) }));
  const [weakest] = values.sort((one, other) => one.value - other.value);

  const { page }: Disagreements = await get('disagreements?documents=submitted&decided=false');
  expect(page.rows).toHaveLength(page.total);
  const [documents, confusions] = [new Map<string, number>(), new Map<string, number>()];
  const names = new Map([...project.labels].map(([name, id]) => [id, name]));
  const said = (judgement: Judgement) =>
    typeof judgement === 'string' ? judgement : judgement.Labels.map((id) => names.get(id)).join(' + ');
  for (const { document_name, judgements } of page.rows) {
    documents.set(document_name, 1 + (documents.get(document_name) ?? 0));
    const different = [...new Set(judgements.map(said))].filter((said) => said !== 'NotJudged').sort();
    for (const [at, one] of different.entries()) {
      for (const other of different.slice(at + 1)) {
        const pair = `${one} ↔ ${other}`;
        confusions.set(pair, 1 + (confusions.get(pair) ?? 0));
      }
    }
  }
  return {
    both: shown(alpha(await agreement('cleaned'))),
    all: shown(alpha(everything)),
    isMet: alpha(everything) >= 0.8,
    weakest: everything.raters.find(({ id }) => id === weakest?.rater)?.name ?? '',
    weakestValue: shown(weakest?.value ?? Number.NaN),
    change: alpha(since) - alpha(before),
    conflicts: page.total,
    hardest: most(documents),
    confused: most(confusions),
  };
}

/** Pictures of a page on a laptop and a phone, light and dark; it fits both. */
async function keepPictures(page: Page, name: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  for (const [width, height] of [[1366, 768], [390, 844]] as const) {
    await page.setViewportSize({ width, height });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: `${PICTURES}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
}

const region = ({ page }: Person, name: string) => page.getByRole('region', { name, exact: true }).first();
const first = (person: Person, list: string) => region(person, list).getByRole('listitem').first();

/** The seven answers, and that they are right. */
async function answers(manager: Person, account: Account, project: Project, submitted: string): Promise<void> {
  const { page } = manager;
  await manager.goto(`/projects/${project.id}`);
  const is = await truth(account, project);
  // Is agreement good enough?
  const headlines = region(manager, 'Agreement').getByRole('link').filter({ has: page.locator('strong') });
  await expect(headlines.locator('strong')).toHaveText([is.both, is.all]);
  await expect(headlines.nth(1)).toContainText(`Target 0.80: ${is.isMet ? 'met' : 'not met'}`);
  // Who is weakest, and why?
  await expect(first(manager, 'Weakest people')).toContainText(is.weakest);
  await expect(first(manager, 'Weakest people')).toContainText(`α ${is.weakestValue}`);
  await expect(first(manager, 'Weakest people')).toContainText(/differs on [\d.]+\s%; weakest on (PER|ORG|LOC)/);
  // Which labels are confused?
  const confused = (await first(manager, 'Most confused labels').locator('.short-name').textContent()) ?? '';
  const sides = confused.split(' ↔ ').map((side) => (side === 'not marked' ? 'Nothing' : side));
  expect(sides.sort().join(' ↔ ')).toBe(is.confused[0]);
  await expect(first(manager, 'Most confused labels')).toContainText(`${is.confused[1]} position`);
  // Which document is hardest?
  await expect(first(manager, 'Hardest open documents')).toContainText(is.hardest[0]);
  await expect(first(manager, 'Hardest open documents')).toContainText(`${is.hardest[1]} to decide`);
  // Better or worse since the guidelines changed? It is computed while somebody looks.
  const by = `${is.change < 0 ? '−' : '+'}${Math.abs(is.change).toFixed(2)} since round 1`;
  await expect(headlines.nth(1)).toContainText(by, { timeout: 30_000 });
  // What is left, and until when?
  await expect(region(manager, 'Progress')).toContainText(submitted);
  // What next?
  const next = region(manager, 'Do next');
  await expect(next.getByRole('listitem').filter({ hasText: `Talk with ${is.weakest}` })).toBeVisible();
  await expect(next).toContainText(`Labelers differ on ${is.conflicts} positions`);
}

test('where people agree, all of it is answered', async ({ people, installation }) => {
  const project = await good(installation);
  const manager = await people.signedIn(installation.manager);
  await answers(manager, installation.manager, project, '17 of 18 assignments submitted, 17.0 a day. Done ');
  await expect(region(manager, 'Set up')).toBeHidden();
  await keepPictures(manager.page, 'good');
});

test('where they do not, all of it is answered', async ({ people, installation }) => {
  const project = await bad(installation);
  const manager = await people.signedIn(installation.manager);
  await answers(manager, installation.manager, project, '18 of 18 assignments submitted');
  await keepPictures(manager.page, 'bad');
});

test('where there is nothing to answer, it says what is missing and leads there', async ({ people, installation }) => {
  const manager = await people.signedIn(installation.manager);
  const steps = region(manager, 'Set up');
  const toDo = steps.getByRole('listitem').filter({ hasText: 'to do:' }).getByRole('link');
  // No number, no table and no list without anything in it.
  const noBoxes = async () => {
    for (const name of ['Agreement', 'Pairs', 'Weakest people', 'Most confused labels', 'Do next']) {
      await expect(region(manager, name)).toBeHidden();
    }
    for (const box of await manager.page.locator('main .card').all()) await expect(box).toContainText(/\w+ \w+/);
  };

  await manager.goto(`/projects/${await empty(installation)}`);
  await expect(toDo).toHaveText(['Add labels', 'Add documents', 'Invite people', 'Assign documents', 'Get them labeled']);
  await noBoxes();
  await expect(region(manager, 'Progress')).toBeHidden();
  await keepPictures(manager.page, 'empty');

  const project = await alone(installation);
  await manager.goto(`/projects/${project.id}`);
  await expect(toDo).toHaveText(['Invite people', 'Assign documents', 'Get them labeled']);
  await expect(steps).toContainText('agreement needs at least two labelers');
  await expect(region(manager, 'Progress')).toContainText('3 of 3 assignments submitted');
  await noBoxes();
  await keepPictures(manager.page, 'alone');
  await toDo.first().click();
  await reached(manager.page, 'Members');
});
