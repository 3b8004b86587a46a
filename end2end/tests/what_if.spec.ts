//! What the numbers would be: each predicted value is what `concord measure` makes of the exported
//! study with the same change made to it, and the prediction is as easy to reach as the matrix.

import type { Page } from '@playwright/test';

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import type { Client } from '../support/client.mjs';
import { demoClient, expect, reached, test, type Person } from '../support/fixtures.ts';
import { choose } from '../support/matrix.ts';
import { cells, cleaned, find, measure, study, type Study } from '../support/measured.ts';

const MEASURES = {
  kappa: 'cohen_kappa',
  alpha: 'krippendorff_alpha_nominal',
  percent: 'percent',
} as const;
type Word = keyof typeof MEASURES;
const SEVERAL = ['fleiss_kappa', 'krippendorff_alpha_nominal', 'percent'] as const;
const SAMPLES = ['Hamlet', 'Places and people in classic prose'] as const;

/** A row as a person reads it. */
interface Row {
  readonly present: string;
  readonly predicted: string;
  readonly predictedText: string;
  readonly difference: string;
}

/** All rows by what they are of, once the prediction for the page's address is on screen. */
async function shown(page: Page): Promise<Map<string, Row>> {
  const search = new URL(page.url()).search;
  await expect(page.locator('[data-what-if]')).toHaveAttribute('data-predicted', search);
  const rows = await page.locator('table.what-if tr[data-row]').evaluateAll((rows) =>
    rows.map((row) => {
      const cell = (name: string) => row.querySelector(name)?.textContent?.trim() ?? '';
      const own = {
        present: cell('td .value'),
        predicted: cell('[data-predicted] .value'),
        predictedText: [...(row.querySelector('[data-predicted]')?.children ?? [])]
          .map((part) => part.textContent).join(' '),
        difference: cell('[data-difference]'),
      };
      return [row.getAttribute('data-row') ?? '', own] as const;
    }),
  );
  return new Map(rows);
}

async function open(person: Person, project: number, query: string): Promise<Map<string, Row>> {
  await person.goto(`/projects/${project}/agreement/what-if?${query}`);
  return shown(person.page);
}

/** Three decimals, a real minus; none is "–". */
function expectSame(text: string | undefined, value: number | null | undefined, what: string): void {
  expect(value, `${what} is measured`).toBeDefined();
  expect(text, `${what} is predicted`).toBeDefined();
  if (value === null || value === undefined || text === '–') {
    expect(text === '–', `${what}: the screen has ${text} for ${value}`).toBe(value === null);
  } else {
    const number = Number(text?.replace('−', '-'));
    expect(Math.abs(number - value), `${what}: ${text} for ${value}`).toBeLessThan(0.0005 + 1e-9);
  }
}

async function sample(client: Client, name: string): Promise<number> {
  const cards: { id: number; name: string }[] = await client.form('projects/list_projects');
  const id = cards.find((card) => card.name === name)?.id;
  if (id === undefined) throw new Error(`the demo has no project ${name}`);
  return id;
}

/** A study with every judgement put through a function. */
function changed(from: Study, change: (said: string, row: readonly string[]) => string): Study {
  const [head = [], ...rows] = cells(from);
  const lines = rows.map((row) => [row[0], ...row.slice(1).map((said) => change(said, row))]);
  return { ...from, text: [head, ...lines].map((line) => `${line.join(',')}\r\n`).join('') };
}

/** Raters by name, in the order of the study's columns. */
async function ratersOf(client: Client, project: number) {
  const { raters } = await client.agreement(project);
  const id = (name: string) => raters.find((rater) => rater.name === name)?.id ?? 0;
  const labelers = raters.filter(({ role }) => role === 'labeler').map(({ name }) => name);
  const reviewers = raters.filter(({ role }) => role === 'reviewer').map(({ name }) => name);
  return { id, labelers, reviewers, names: raters.map(({ name }) => name) };
}

/** Compares pairs on the screen with a study that has the change in it. */
async function comparePairs(
  rows: Map<string, Row>,
  from: Study,
  names: readonly string[],
  id: (name: string) => number,
  word: Word,
): Promise<number> {
  let compared = 0;
  for (const [place, first] of names.entries()) {
    for (const second of names.slice(place + 1)) {
      const key = `0-${id(first)}-${id(second)}`;
      const what = `${first} and ${second}, ${word}`;
      const pair = cleaned(from, [first, second]);
      if (cells(pair).length < 2) {
        expect(rows.get(key)?.predicted, what).toBe('–');
        continue;
      }
      const report = await measure(pair, '--measures', MEASURES[word]);
      expectSame(rows.get(key)?.predicted, find(report.measures, MEASURES[word])?.value, what);
      compared += 1;
    }
  }
  return compared;
}

async function compareLabelers(rows: Map<string, Row>, from: Study, labelers: readonly string[]): Promise<void> {
  const report = await measure(cleaned(from, labelers), '--measures', SEVERAL.join(','));
  for (const [place, id] of SEVERAL.entries()) {
    expectSame(rows.get(`3-${place}-0`)?.predicted, find(report.measures, id)?.value, id);
  }
}

test.describe('a prediction', () => {
  test('is the present value where nothing is changed', async ({ people, demo }) => {
    test.slow();
    const [manager, client] = [await people.demo(demo, 'Manager'), await demoClient(demo, 'Manager')];
    for (const name of SAMPLES) {
      const project = await sample(client, name);
      for (const query of ['', 'measure=alpha&policy=empty-label', 'measure=f1', 'measure=s&documents=submitted']) {
        const rows = await open(manager, project, query);
        expect(rows.size).toBeGreaterThan(6);
        for (const [key, row] of rows) {
          expect(row.predicted, `${name} ${query} ${key}`).toBe(row.present);
          expect(['= no change', ''], `${name} ${query} ${key}`).toContain(row.difference);
        }
      }
      await expect(manager.page.locator('[data-outcome]')).toContainText('No changes yet');
    }
  });

  test('of merged labels is what the study with one label in their place gives', async ({ people, demo }) => {
    test.slow();
    const [manager, client] = [await people.demo(demo, 'Manager'), await demoClient(demo, 'Manager')];
    let compared = 0;
    for (const name of SAMPLES) {
      const project = await sample(client, name);
      const [one, other] = await client.labels(project);
      if (!one || !other) throw new Error('a sample has two labels');
      const { id, names, labelers } = await ratersOf(client, project);
      // A set of labels stays one, with each label once.
      const merged = changed(await study(client, project, 'study.csv', {}), (said) =>
        [...new Set(said.split(' + ').map((label) => (label === other.name ? one.name : label)))].sort().join(' + '));
      for (const word of ['kappa', 'alpha', 'percent'] as const) {
        const rows = await open(manager, project, `measure=${word}&merge1=${one.id}&merge1=${other.id}`);
        compared += await comparePairs(rows, merged, names, id, word);
        await compareLabelers(rows, merged, labelers);
      }
    }
    expect(compared).toBeGreaterThan(15);
  });

  test('without somebody is what the study without their column gives', async ({ people, demo }) => {
    const [manager, client] = [await people.demo(demo, 'Manager'), await demoClient(demo, 'Manager')];
    const project = await sample(client, SAMPLES[1]);
    const { id, labelers } = await ratersOf(client, project);
    const [gone = '', ...left] = labelers;
    const before = await open(manager, project, '');
    const rows = await open(manager, project, `without=${id(gone)}`);
    await compareLabelers(rows, await study(client, project, 'study.csv', {}), left);
    for (const [key, row] of rows) {
      if (key.startsWith('0-') && key.split('-').includes(String(id(gone)))) {
        expect(row.predictedText).toBe('left out');
      } else if (key.startsWith('0-')) {
        expect(row.predicted).toBe(before.get(key)?.present);
      }
    }
    await expect(manager.page.locator('[data-outcome]')).toContainText('left out');
  });

  test('with decisions as given is what the study with the reviewer’s answers gives', async ({ people, demo }) => {
    const [manager, client] = [await people.demo(demo, 'Manager'), await demoClient(demo, 'Manager')];
    const project = await sample(client, SAMPLES[0]);
    const { id, names, labelers, reviewers } = await ratersOf(client, project);
    expect(reviewers).toHaveLength(1);
    const from = await study(client, project, 'study.csv', {});
    const column = cells(from)[0]?.indexOf(reviewers[0] ?? '') ?? 0;
    const given = changed(from, (said, row) => (said !== '' && row[column]) || said);
    for (const word of ['kappa', 'alpha', 'percent'] as const) {
      const rows = await open(manager, project, `measure=${word}&decisions=given`);
      expect(await comparePairs(rows, given, names, id, word)).toBeGreaterThan(0);
      await compareLabelers(rows, given, labelers);
    }
  });

  test('with relaxed boundaries counts as many positions as can be matched', async ({ people, demo }) => {
    const [manager, client] = [await people.demo(demo, 'Manager'), await demoClient(demo, 'Manager')];
    let more = 0;
    for (const name of SAMPLES) {
      const project = await sample(client, name);
      const { id, names } = await ratersOf(client, project);
      const from = await study(client, project, 'study.csv', {});
      for (const within of [0, 1, 5]) {
        const rows = await open(manager, project, `measure=percent&relax=${within}`);
        for (const [place, first] of names.entries()) {
          for (const second of names.slice(place + 1)) {
            const [exact, all] = matches(from, first, second, within);
            const row = rows.get(`0-${id(first)}-${id(second)}`);
            const n = /n = ([\d,]+) of/.exec(row?.predictedText ?? '')?.[1]?.replaceAll(',', '');
            expect(Number(n ?? 0), `${first} and ${second} within ${within}`).toBe(all);
            more += all - exact;
          }
        }
        if (within > 0) expect(rows.get('3-1-0')?.predictedText).toContain('not defined for relaxed boundaries');
      }
    }
    expect(more, 'the samples have near misses').toBeGreaterThan(0);
  });
});

/** How many positions two raters both judged exactly, and how many can be matched besides: by
 * augmenting paths, which is another way than the page's. */
function matches(from: Study, first: string, second: string, within: number): [number, number] {
  const [head = [], ...rows] = cells(from);
  const said = (name: string) => rows.filter((row) => row[head.indexOf(name)] !== '').map((row) => row[0] ?? '');
  // A document counts for a pair that has both worked on it: one of them may have marked nothing
  // there, and then nothing of it is matched.
  const [ours, theirs] = [said(first), said(second)];
  const exact = ours.filter((position) => theirs.includes(position)).length;
  const parts = (position: string) => position.split(/[:-]/).map(Number) as [number, number, number];
  const rest = (own: string[], other: string[]) => own.filter((one) => !other.includes(one)).map(parts);
  const [left, right] = [rest(ours, theirs), rest(theirs, ours)];
  const near = left.map(([document, start, end]) =>
    right.flatMap(([other, otherStart, otherEnd], place) =>
      document === other && Math.abs(start - otherStart) <= within && Math.abs(end - otherEnd) <= within ? [place] : []));
  const owner = new Map<number, number>();
  const augment = (place: number, seen: Set<number>): boolean =>
    (near[place] ?? []).some((other) => {
      if (seen.has(other)) return false;
      seen.add(other);
      const before = owner.get(other);
      if (before !== undefined && !augment(before, seen)) return false;
      owner.set(other, place);
      return true;
    });
  const found = left.filter((_, place) => augment(place, new Set())).length;
  return [exact, exact + found];
}

test('a scenario is made by keyboard, stands in the address and survives a reload', async ({ people, demo }) => {
  const manager = await people.demo(demo, 'Manager');
  const { page } = manager;
  const project = await sample(await demoClient(demo, 'Manager'), 'Hamlet');
  await manager.goto(`/projects/${project}/agreement`);
  const tab = page.getByRole('navigation', { name: 'Agreement' }).getByRole('link', { name: 'What if' });
  await tab.focus();
  await page.keyboard.press('Enter');
  await reached(page, 'What if');
  await shown(page);

  const group = page.getByRole('group', { name: 'Group 1' });
  const boxes = group.getByRole('checkbox');
  await boxes.nth(0).focus();
  await page.keyboard.press('Space');
  await expect(group).toContainText('Choose at least one more label');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(group).toContainText('Counted as one label.');
  await expect(boxes.nth(1)).toBeFocused();
  await expect(page).toHaveURL(/merge1=\d+&merge1=\d+/);
  await expect(page.getByRole('group', { name: 'Group 2' })).toBeVisible();

  const relax = page.getByRole('spinbutton', { name: 'Relax boundaries by' });
  await relax.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Tab');
  await expect(page).toHaveURL(/relax=2/);
  const status = page.locator('[data-outcome]');
  await expect(status).toContainText(/^(κ [−\d.]+ → [−\d.]+; )?1 position loses the distinction [^.]+\. Of 3 pairs \d would be higher/);
  // The same as a matrix: every pair by how much, in both halves.
  const changes = page.locator('table.differences [data-of]');
  await expect(changes).toHaveCount(6);
  await expect(changes.first()).toHaveText(/^([+−]\d\.\d{3}|=|≈|–)$/);
  const before = [...(await shown(page))];
  await page.reload();
  await expect(relax).toHaveValue('2');
  await expect(boxes.nth(0)).toBeChecked();
  expect([...(await shown(page))]).toEqual(before);

  // The switches keep the scenario, and the scenario the switches.
  await choose(page, 'Measure', 'Percentage');
  await expect(page).toHaveURL(/measure=percent.*merge1=\d+&merge1=\d+.*relax=2/);
  await page.getByRole('checkbox', { name: 'Follow reviewer decisions' }).check();
  await expect(page).toHaveURL(/measure=percent.*decisions=given/);
  await page.getByRole('link', { name: 'Undo all changes' }).click();
  await expect(page).not.toHaveURL(/merge1/);
  await expect(status).toContainText('No changes yet');
  await page.goBack();
  await expect(status).toContainText('would be higher');
});

test('the page moves with the work of others, and predicts from it', async ({ people, demo }) => {
  const manager = await people.demo(demo, 'Manager');
  const { page } = manager;
  const client = await demoClient(demo, 'Manager');
  const project = await sample(client, SAMPLES[1]);
  await open(manager, project, 'measure=percent');
  await expect(page.locator('[data-state="live"]')).toBeVisible();
  const revision = async () => Number(await page.locator('[data-live]').getAttribute('data-revision'));
  const before = await revision();
  await client.form('projects/simulate_labelers', { project });
  await expect.poll(revision).toBeGreaterThan(before);
  await expect.poll(async () => {
    const rows = [...(await shown(page)).values()];
    return rows.every(({ present, predicted }) => present === predicted);
  }).toBe(true);
});

test('managers and reviewers may look, labelers may not', async ({ people, demo }) => {
  const client = await demoClient(demo, 'Manager');
  const project = await sample(client, 'Hamlet');
  const reviewer = await people.demo(demo, 'Reviewer');
  expect((await open(reviewer, project, 'decisions=given')).size).toBeGreaterThan(0);

  const labeler = await people.demo(demo, 'Labeler A');
  labeler.watch.expect(/Failed to load resource.*40[34]/);
  const answer = await labeler.page.goto(`${labeler.url}/projects/${project}/agreement/what-if`);
  expect([403, 404]).toContain(answer?.status());
  const data = await labeler.page.request.get(`${labeler.url}/api/v1/projects/${project}/what-if`);
  expect([403, 404]).toContain(data.status());
});

test('nothing is sent to the server but the question', async ({ people, demo }) => {
  const manager = await people.demo(demo, 'Manager');
  const { page } = manager;
  const project = await sample(await demoClient(demo, 'Manager'), 'Hamlet');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`);
  });
  await open(manager, project, 'relax=3&decisions=given');
  await page.getByRole('group', { name: 'Leave people out' }).getByRole('checkbox').first().check();
  await expect(page).toHaveURL(/without=/);
  await shown(page);
  expect(sent).toEqual([]);
});

test('the page is for everybody, light and dark, wide and narrow', async ({ people, demo }) => {
  test.slow();
  const manager = await people.demo(demo, 'Manager');
  const client = await demoClient(demo, 'Manager');
  for (const name of SAMPLES) {
    const project = await sample(client, name);
    const [one, other] = await client.labels(project);
    await open(manager, project, `merge1=${one?.id}&merge1=${other?.id}&relax=2`);
    await expectAccessibleInAllLooks(manager.page, name);
  }
});
