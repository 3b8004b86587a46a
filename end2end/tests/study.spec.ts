//! Every value of the matrix, read off the page, is what `concord measure` computes from the
//! exported studies: of the sample projects, and of a large one that is generated.

import type { Page } from '@playwright/test';

import { Client } from '../support/client.mjs';
import { demoClient, expect, test, type Person } from '../support/fixtures.ts';
import { cells, cleaned, continuum, find, measure, study, type Study } from '../support/measured.ts';
import { newDataDir, removeDataDir, Server } from '../support/server.mjs';

/** The measures of the matrix, as the address names them and as `concord measure` does. */
const MEASURES = {
  kappa: 'cohen_kappa',
  alpha: 'krippendorff_alpha_nominal',
  pi: 'scott_pi',
  s: 'bennett_s',
  ac1: 'gwet_ac1',
  percent: 'percent',
} as const;

const POLICIES = ['cleaned', 'empty-label'] as const;
type Policy = (typeof POLICIES)[number];

/** The rows under the matrix. */
const SEVERAL = {
  'Fleiss’ κ': 'fleiss_kappa',
  'Krippendorff’s α': 'krippendorff_alpha_nominal',
  Percentage: 'percent',
} as const;
const UNITS = /^Krippendorff’s α ?U$/;

/** A cell of the matrix as a person reads it. */
interface Cell {
  readonly first: number;
  readonly second: number;
  readonly names: string;
  readonly value: string;
  readonly interval: string;
}

async function matrix(page: Page): Promise<Cell[]> {
  const found = await page.locator('td.pair a').evaluateAll((links) =>
    links.map((link) => {
      const text = (name: string) => link.querySelector(name)?.textContent?.trim() ?? '';
      const [first, second] = (link.getAttribute('href') ?? '').split('?')[0]!.split('/').slice(-2);
      return {
        first: Number(first),
        second: Number(second),
        names: text('.visually-hidden'),
        value: text('.value'),
        interval: text('.interval'),
      };
    }),
  );
  // Each pair stands in the matrix twice.
  return found.filter(({ first, second }) => first < second);
}

/** A number on the screen: two decimals, a real minus; none is "–". */
function shown(text: string): number | null {
  return text === '–' ? null : Number(text.replace('−', '-'));
}

function expectSame(text: string, value: number | null | undefined, what: string): void {
  expect(value, `${what} is measured`).toBeDefined();
  const number = shown(text);
  if (number === null || value === null || value === undefined) {
    expect(number, `${what}: the screen has ${text}`).toBe(value);
  } else {
    // Half of the last digit on the screen.
    expect(Math.abs(number - value), `${what}: ${text} for ${value}`).toBeLessThan(0.005 + 1e-9);
  }
}

/** The categories that two raters choose among: the labels, what else both said somewhere, and ∅
 * where the policy makes it one. Positions that one of them alone judged are left out. */
function choices(pair: Study, labels: readonly string[], policy: Policy): [Study, string[]] {
  const [head = [], ...rows] = cells(pair);
  const complete = rows.filter((row) => row.slice(1).every((cell) => cell !== ''));
  const said = complete.flatMap((row) => row.slice(1));
  const empty = policy === 'empty-label' ? ['∅'] : [];
  const text = [head, ...complete].map((row) => `${row.join(',')}\r\n`).join('');
  return [{ ...pair, text }, [...new Set([...labels, ...empty, ...said])]];
}

/** Compares pairs on the screen with the studies of each, in all measures. */
async function comparePairs(
  manager: Person,
  client: Client,
  project: number,
  policy: Policy,
  isWanted: (cell: Cell, place: number) => boolean,
): Promise<number> {
  const labels = (await client.labels(project)).map(({ name }) => name);
  const expected = new Map<string, Awaited<ReturnType<typeof measure>>>();
  let compared = 0;
  for (const [word, id] of Object.entries(MEASURES)) {
    await manager.goto(`/projects/${project}/agreement?measure=${word}&policy=${policy}`);
    for (const cell of (await matrix(manager.page)).filter(isWanted)) {
      const key = `${cell.first} ${cell.second}`;
      let report = expected.get(key);
      if (!report) {
        const { first, second } = cell;
        const pair = await study(client, project, 'study.csv', { policy, first, second });
        const [complete, categories] = choices(pair, labels, policy);
        if (cells(complete).length < 2) {
          expect(cell.value, cell.names).toBe('–');
          continue;
        }
        const ids = Object.values(MEASURES).join(',');
        report = await measure(complete, '--measures', ids, '--categories', categories.join(','));
        expected.set(key, report);
      }
      const measured = find(report.measures, id);
      const what = `${cell.names} ${word}, ${policy}`;
      expectSame(cell.value, measured?.value, what);
      if (word === 'kappa' && measured?.interval) {
        const [lower = '', upper = ''] = cell.interval.split(' to ');
        expectSame(lower, measured.interval.lower, `${what}, lower`);
        expectSame(upper, measured.interval.upper, `${what}, upper`);
      }
      compared += 1;
    }
  }
  return compared;
}

/** Compares the rows of all labelers with their study, and α_U with that of their units. */
async function compareSeveral(
  manager: Person,
  client: Client,
  project: number,
  policy: Policy,
): Promise<number> {
  const { page } = manager;
  await manager.goto(`/projects/${project}/agreement?policy=${policy}`);
  const row = (name: string | RegExp) =>
    page.locator('.several tbody tr').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
  const value = async (name: string | RegExp) => (await row(name).locator('td').first().innerText()).trim();
  const { raters }: { raters: { id: number; name: string; role: string }[] } =
    await client.agreement(project);
  const labelers = raters.filter(({ role }) => role === 'labeler').map(({ name }) => name);

  const all = await study(client, project, 'study.csv', { policy });
  const ids = Object.values(SEVERAL).join(',');
  const report = await measure(cleaned(all, labelers), '--measures', ids);
  for (const [name, id] of Object.entries(SEVERAL)) {
    expectSame(await value(name), find(report.measures, id)?.value, `${name}, ${policy}`);
  }

  // α_U is computed beside the request, and told when it is there.
  await expect(row(UNITS).locator('td').first()).not.toHaveText('…', { timeout: 120_000 });
  const units = await study(client, project, 'units.csv', { policy });
  const ofUnits = () =>
    measure(units, '--units=end', '--continuum', continuum(units), '--measures', 'alpha_u');
  const alphaU = await value(UNITS);
  if (shown(alphaU) === null) {
    // Somebody's spans of one label overlap: neither the page nor the command has a value.
    await expect(row(UNITS)).toContainText('overlap');
    await expect(ofUnits()).rejects.toThrow('units of one rater and category to lie apart');
  } else {
    expectSame(alphaU, find((await ofUnits()).measures, 'alpha_u')?.value, `α_U, ${policy}`);
  }
  return Object.keys(SEVERAL).length + 1;
}

async function projects(client: Client): Promise<{ id: number; name: string }[]> {
  return client.form('projects/list_projects');
}

test('the matrix of the samples is what `concord measure` makes of the studies', async ({
  people,
  demo,
}) => {
  test.slow();
  const [manager, client] = [await people.demo(demo, 'Manager'), await demoClient(demo, 'Manager')];
  let compared = 0;
  for (const { id } of await projects(client)) {
    for (const policy of POLICIES) {
      compared += await comparePairs(manager, client, id, policy, () => true);
      compared += await compareSeveral(manager, client, id, policy);
    }
  }
  expect(compared).toBeGreaterThan(300);
});

test('the matrix of 20 raters, 500 documents and 20 spans is what `concord measure` makes of it', async ({
  people,
}) => {
  test.setTimeout(300_000);
  const dataDir = await newDataDir();
  const server = await Server.start({ dataDir, demo: true, demoSize: '20x500x20' });
  const manager = await people.demo(server, 'Manager');
  try {
    const client = await demoClient(server, 'Manager');
    const project = (await projects(client)).find(({ name }) => name === 'Generated')?.id ?? 0;

    // All pairs at once, in the measures of which `concord measure` tells every pair.
    const report = await measure(
      await study(client, project, 'study.csv', {}),
      '--measures', 'percent,krippendorff_alpha_nominal', '--diagnostics', 'pairs',
    );
    const { raters } = report.understood;
    let compared = 0;
    for (const word of ['kappa', 'alpha', 'percent'] as const) {
      await manager.goto(`/projects/${project}/agreement?measure=${word}`);
      const shown = await matrix(manager.page);
      for (const { first, second, values } of report.pairs ?? []) {
        const names = [raters[first], raters[second]];
        const cell = shown.find(({ names: text }) =>
          [names, names.toReversed()].some((names) => text === `${names.join(' and ')}:`),
        );
        expect(cell, names.join(' and ')).toBeDefined();
        expectSame(cell?.value ?? '', find(values, MEASURES[word])?.value, `${names} ${word}`);
        compared += 1;
      }
    }
    expect(compared).toBe(3 * 210);

    // All measures and both policies, of some.
    for (const policy of POLICIES) {
      const some = (_: Cell, place: number) => place % 90 === 7;
      expect(await comparePairs(manager, client, project, policy, some)).toBeGreaterThan(11);
    }
    await compareSeveral(manager, client, project, 'cleaned');
  } finally {
    await manager.context.close();
    await server.stop();
    await removeDataDir(dataDir);
  }
});
