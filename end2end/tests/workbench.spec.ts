//! The page that measures a study: what it says is what `concord measure` says, to the last byte;
//! the browser does all of it, and stays alive meanwhile.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Download, Page } from '@playwright/test';

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { expect, reached, test, type People } from '../support/fixtures.ts';
import { BINARY, type Server } from '../support/server.mjs';

const run = promisify(execFile);

/** What `concord measure` prints of a table. */
async function printed(table: string, ...options: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'concord-workbench-'));
  try {
    const file = join(folder, 'study.csv');
    await writeFile(file, table);
    const { stdout } = await run(BINARY, ['measure', ...options, file], { maxBuffer: 1 << 28 });
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function open(people: People, server: Server): Promise<Page> {
  const person = await people.stranger(server.url);
  await person.goto('/study');
  return person.page;
}

const results = (page: Page) => page.locator('#study-results');
const news = (page: Page) => page.locator('[data-news]');

async function measured(page: Page): Promise<void> {
  await expect(news(page)).toHaveText('Report ready.', { timeout: 60_000 });
}

async function content(download: Promise<Download>): Promise<string> {
  return readFile(await (await download).path(), 'utf8');
}

/** What one of the buttons saves. */
async function saved(page: Page, name: string): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name }).click();
  return content(download);
}

async function paste(page: Page, table: string): Promise<void> {
  await page.getByLabel('Or paste a table').fill(table);
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
}

test('every published study has the report of the command line, in all its forms', async ({
  people,
  demo,
}) => {
  const page = await open(people, demo);
  const examples = page.locator('[data-example]');
  const count = await examples.count();
  expect(count).toBeGreaterThan(4);
  for (let place = 0; place < count; place += 1) {
    const example = examples.nth(place);
    const table = (await example.getAttribute('data-file')) ?? '';
    const fields = new URLSearchParams((await example.getAttribute('data-fields')) ?? '');
    const options = [...fields].map(([name, value]) => `--${name}=${value}`);
    await example.click();
    await expect(page.getByLabel('Or paste a table')).toHaveValue(table);
    await measured(page);
    const all = ['--diagnostics=all', ...options];
    expect(await saved(page, 'Save as JSON')).toBe(await printed(table, '--json', ...all));
    expect(await saved(page, 'Save as HTML')).toBe(await printed(table, '--html', ...all));
    expect(await saved(page, 'Save as text')).toBe(await printed(table, ...all));
    await page.getByRole('button', { name: 'Start over' }).click();
    await expect(results(page)).toBeEmpty();
  }
});

/** Two raters on a scale of five, ties and all; drawn once. */
const SCORES = `item,A,B,C\n${[...'134512233455124352413523'].map((a, item) => {
  const b = ((Number(a) + (item % 3)) % 5) + 1;
  return `${item},${a},${b},${item % 4 === 0 ? '' : a}`;
}).join('\n')}\n`;

test('options mean what they mean on the command line', async ({ people, demo }) => {
  const page = await open(people, demo);
  await page.getByText('Table options').click();
  await page.getByText('Report options').click();
  await page.getByLabel('Level of measurement').selectOption('ordinal');
  await page.getByRole('textbox', { name: /^Raters --/ }).fill('A,C');
  await page.getByRole('textbox', { name: /^Categories --/ }).fill('1,2,3,4,5,6');
  await page.getByRole('textbox', { name: /^Confidence --/ }).fill('0.9');
  await page.getByRole('textbox', { name: /^Resamples --/ }).fill('123');
  await page.getByRole('textbox', { name: /^Seed --/ }).fill('7');
  await page.getByLabel('all that apply').uncheck();
  await page.getByLabel('confusions', { exact: true }).check();
  await paste(page, SCORES);
  await measured(page);
  const options = [
    '--level=ordinal', '--raters=A,C', '--categories=1,2,3,4,5,6', '--confidence=0.9',
    '--resamples=123', '--seed=7', '--diagnostics=confusions',
  ];
  expect(await saved(page, 'Save as JSON')).toBe(await printed(SCORES, '--json', ...options));
  const command = await results(page).locator('code').last().textContent();
  for (const option of options) expect(command).toContain(option);
});

test('what is wrong is told by line and column, or by its option', async ({ people, demo }) => {
  const page = await open(people, demo);
  const alert = results(page).getByRole('alert');
  await paste(page, 'A,B\n0,0\n1\n');
  await expect(alert).toHaveText(/line 3, column 1: there are 1 columns; expected 2/);
  await expect(page.getByRole('button', { name: 'Save as JSON' })).toBeHidden();
  await page.getByText('Table options').click();
  await page.getByRole('textbox', { name: /^Raters --/ }).fill('Zoe');
  await paste(page, 'A,B\n0,0\n1,1\n');
  await expect(alert).toHaveText(/there is no column “Zoe”; there are A, B/);
  await page.getByRole('textbox', { name: /^Raters --/ }).fill('');
  await paste(page, 'A,B\n0,0\n1,1\n');
  await measured(page);
});

test('a long measurement can be cancelled, and the page stays alive', async ({ people, demo }) => {
  const page = await open(people, demo);
  await page.getByText('Report options').click();
  await page.getByRole('textbox', { name: /^Resamples --/ }).fill('50000000');
  await paste(page, SCORES);
  await expect(page.locator('#study-status progress')).toBeVisible();
  // The page answers while the worker computes.
  await page.getByRole('textbox', { name: /^Seed --/ }).focus();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(news(page)).toHaveText('Cancelled.');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeHidden();
  await page.getByRole('textbox', { name: /^Resamples --/ }).fill('20');
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await measured(page);
});

test('the table does not leave the browser', async ({ people, demo }) => {
  const page = await open(people, demo);
  const sent: string[] = [];
  page.context().on('request', (request) => {
    sent.push(`${request.method()} ${new URL(request.url()).pathname}${request.postData() ?? ''}`);
  });
  await page.locator('input[type="file"]').setInputFiles({
    name: 'secret words.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('A,B\nsecret,secret\nsecret,open\n'),
  });
  await measured(page);
  await expect(results(page).getByText('secret, open (2)').or(results(page).getByText('open, secret (2)'))).toBeVisible();
  const others = sent.filter((line) => !/^GET \/(study_worker\.js|pkg\/study)/.test(line) && !/^GET blob/.test(line));
  expect(others.filter((line) => line.includes('secret') || !line.startsWith('GET'))).toEqual([]);
});

test('it is reached without an account, by keyboard, and in all looks', async ({ people, demo }) => {
  const stranger = await people.stranger(demo.url);
  const { page } = stranger;
  await stranger.goto('/sign-in');
  await page.getByRole('link', { name: 'Measure a study' }).click();
  await expectAccessibleInAllLooks(page, '/study');
  const units = page.getByRole('button', { name: /^Units on a continuum/ });
  await units.focus();
  await page.keyboard.press('Enter');
  await measured(page);
  await expect(page.locator('svg.continuum rect.unit')).toHaveCount(9);
  await expectAccessibleInAllLooks(page, '/study, units');
  await page.getByRole('button', { name: /^Four observers/ }).press('Enter');
  await expect(results(page).getByRole('heading', { name: 'Coincidences' })).toBeVisible();
  await expectAccessibleInAllLooks(page, '/study, coding');

  const manager = await people.demo(demo, 'Manager');
  await manager.goto('/');
  await manager.page.getByRole('link', { name: 'Measure a study' }).click();
  await reached(manager.page, 'Measure a study');
});
