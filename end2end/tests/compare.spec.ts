//! Comparing finished exports without a project: by dropping files, by choosing them,
//! and without scripts.

import { readFile } from 'node:fs/promises';

import type { Page } from '@playwright/test';

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { expect, reached, test } from '../support/fixtures.ts';

const TEXT =
  'The Tragedy of Hamlet, Prince of Denmark, often shortened to Hamlet, is a tragedy written by ' +
  'William Shakespeare sometime between 1599 and 1601.';

type Mark = readonly [words: string, label: string];
const A: readonly Mark[] = [
  ['The Tragedy of Hamlet', 'EVE'],
  ['Prince of Denmark', 'PER'],
  ['William', 'PER'],
  ['William Shakespeare', 'PER'],
  ['1599', 'YEAR'],
  ['1601', 'YEAR'],
  ['tragedy', 'ORG'],
];
// By hand, with ∅ for the one prince: p_o = 4/7, p_e = (3 · 1 + 2 · 2 + 1 · 1)/49, κ = 20/41.
const B: readonly Mark[] = [
  ['The Tragedy of Hamlet', 'TITLE'],
  ['William', 'TITLE'],
  ['William Shakespeare', 'PER'],
  ['1599', 'YEAR'],
  ['1601', 'YEAR'],
  ['tragedy', 'ORG'],
];

const line = (marks: readonly Mark[]): string => {
  const spans = marks.map(([words, label]) => {
    const start = TEXT.indexOf(words);
    return { start, end: start + words.length, label };
  });
  return `${JSON.stringify({ id: 1, text: TEXT, spans })}\n`;
};

const file = (name: string, content: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});
const FILES = [file('Ana.jsonl', line(A)), file('Bo.jsonl', line(B))];

/** Drops files on the form as a hand does. */
async function drop(page: Page, files: readonly { name: string; buffer: Buffer }[]): Promise<void> {
  const contents = files.map(({ name, buffer }) => [name, buffer.toString()] as const);
  const transfer = await page.evaluateHandle((contents) => {
    const transfer = new DataTransfer();
    for (const [name, content] of contents) transfer.items.add(new File([content], name));
    return transfer;
  }, contents);
  await page.locator('.drop-zone').dispatchEvent('drop', { dataTransfer: transfer });
}

const value = (page: Page) => page.locator('.matrix .pair .value').first();

test('two dropped exports show who agrees with whom, and on what they differ', async ({
  people,
  demo,
}) => {
  const person = await people.demo(demo, 'Manager');
  const { page } = person;
  await person.goto('/');
  await page.getByRole('link', { name: 'Compare finished exports' }).click();
  await reached(page, /Compare files/);
  await drop(page, FILES);
  // Six positions that both marked, the same on four: p_e = 7/36.
  await expect(value(page)).toHaveText('0.59');
  await expect(page.getByRole('status')).toHaveText('Comparison ready.');
  const understood = page.getByRole('region', { name: 'People and their files' }).first();
  await expect(understood.getByRole('row', { name: /Ana Ana\.jsonl 1 7/ })).toBeVisible();

  // A switch changes the numbers and the address, and keeps the files.
  await page.getByLabel('Compared', { exact: true }).selectOption({ label: 'All exact spans' });
  await expect(value(page)).toHaveText('0.49');
  await expect(page.locator('.matrix .pair .basis').first()).toContainText('n=7');
  expect(new URL(page.url()).searchParams.get('policy')).toBe('empty-label');

  const differing = page.getByRole('region', { name: 'Differences' });
  await expect(differing.locator('tbody tr')).toHaveCount(3);
  await expect(differing.getByRole('row', { name: /Prince of Denmark.*marked by 1 of 2/ })).toContainText('nothing');

  // The number leads to what stands behind it.
  await page.locator('.matrix .pair a').first().click();
  const behind = page.getByRole('region', { name: 'Ana × Bo' }).first();
  await expect(behind).toBeInViewport();
  await behind.getByText('Why this number').click();
  await expect(behind.getByText('0.4878').first()).toBeVisible();
  await expectAccessibleInAllLooks(page, 'a comparison');
});

test('list, report and numbers are taken away as files', async ({ people, demo }) => {
  const person = await people.demo(demo, 'Manager');
  const { page } = person;
  await person.goto('/compare?policy=empty-label');
  await page.locator('input[type="file"]').first().setInputFiles(FILES);
  await expect(value(page)).toHaveText('0.49');
  const take = async (name: string): Promise<string> => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name }).click();
    return readFile(await (await download).path(), 'utf8');
  };
  const list = await take('Differences (CSV)');
  expect(list).toContain('rater: Ana,rater: Bo');
  expect(list.trim().split('\r\n')).toHaveLength(1 + 3);
  const lines = (await take('Differences (JSON Lines)')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).quote)).toContain('Prince of Denmark');
  expect(await take('Report (HTML)')).toContain('0.4878');
  const numbers = JSON.parse(await take('Numbers (JSON)'));
  expect(numbers.matrix.cells[0].measured.Value.value).toBeCloseTo(20 / 41, 12);
  // The page is still there, files and all.
  await expect(value(page)).toHaveText('0.49');
});

test('what cannot be compared says why, file and line', async ({ people, demo }) => {
  const person = await people.demo(demo, 'Manager');
  person.watch.expect(/Failed to load resource.*422/);
  const { page } = person;
  await person.goto('/compare');
  await drop(page, FILES.slice(0, 1));
  await expect(page.getByRole('alert')).toContainText('Ana.jsonl: all spans are by one rater, Ana');
  const other = file('Bo.jsonl', `${JSON.stringify({ id: 1, text: 'Another text.', spans: [] })}\n`);
  await drop(page, [other]);
  await expect(page.getByRole('alert')).toContainText('Nothing compared: 1 error in the files.');
  const problems = page.getByRole('region', { name: 'Problems' });
  await expect(problems).toContainText('has a different text in Ana.jsonl, line 1');
  await expectAccessibleInAllLooks(page, 'files that cannot be compared');
  // The right file takes the place of the wrong one.
  await drop(page, FILES.slice(1));
  await expect(value(page)).toHaveText('0.59');
});

test('a folder for each person is chosen as one', async ({ people, demo }, info) => {
  const { mkdir, writeFile } = await import('node:fs/promises');
  const root = info.outputPath('exports');
  for (const [name, marks] of [['ana', A], ['bo', B]] as const) {
    await mkdir(`${root}/${name}`, { recursive: true });
    await writeFile(`${root}/${name}/export.jsonl`, line(marks));
  }
  const person = await people.demo(demo, 'Manager');
  const { page } = person;
  await person.goto('/compare');
  await page.getByText('Choose a folder instead').click();
  await page.locator('input[webkitdirectory]').setInputFiles(root);
  await expect(value(page)).toHaveText('0.59');
  await expect(page.locator('.matrix thead th .name')).toHaveText(['ana', 'bo']);
});

test('without scripts the form does the same', async ({ people, demo }) => {
  const person = await people.demo(demo, 'Manager', { javaScriptEnabled: false });
  const { page } = person;
  await page.goto(`${demo.url}/compare?policy=empty-label`);
  await page.locator('input[type="file"]').first().setInputFiles(FILES);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(value(page)).toHaveText('0.49');
  await expect(page.getByRole('combobox', { name: 'Compared' })).toHaveValue('empty-label');
});
