//! The job that all of this is for, from an empty server to the gold standard: people mark, and
//! everybody who may see it watches agreement move.

import type { Page } from '@playwright/test';

import { csvRows, gold, jsonRows, shownRows } from '../support/disagreements.ts';
import { settled } from '../support/editor.ts';
import { expect, reached, test, type Person } from '../support/fixtures.ts';
import { basis, cell, everything, value } from '../support/matrix.ts';
import { current, decided, goTo } from '../support/review.ts';
import { acceptInvitation, signIn, type NewAccount } from '../support/sign_in.ts';
import { drag, drawnMarks, rangeOf, selectByKeyboard, tabTo, text } from '../support/text.ts';

const LETTER =
  'Ada Lovelace wrote to Charles Babbage in London.\nShe described the Analytical Engine, and more.';
const NEWS = [
  { name: 'news-1', text: 'Paris hosted the fair.', spans: [{ start: 0, end: 5, label: 'LOC' }] },
  { name: 'news-2', text: 'Mail from “Zoë” — 3 €.', spans: [{ start: 0, end: 4, label: 'MISC' }] },
];
const CONLL = `-DOCSTART- -X- -X- O

EU NNP B-NP B-ORG
rejects VBZ B-VP O
German JJ B-NP B-MISC
call NN I-NP O

-DOCSTART- -X- -X- O

BRUSSELS NNP B-NP B-LOC
`;

const person = (name: string): NewAccount => ({
  name,
  email: `${name.toLowerCase().replace(' ', '.')}@example.org`,
  password: 'a long enough password',
});
const MIRA = person('Mira Manager');
const ADA = person('Ada First');
const BO = person('Bo Second');
const RAE = person('Rae Reviewer');

const file = (name: string, content: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

/** Labels are made in the settings, with the keys 1, 2 and 3. */
async function createLabels(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await page.getByRole('button', { name: 'Add label' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Save label' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('rowheader', { name, exact: true })).toBeVisible();
  }
}

/** Makes an invitation, and returns the path of its link. */
async function invite(page: Page, role: string): Promise<string> {
  await page.getByLabel('Role').selectOption(role);
  await page.getByRole('button', { name: 'Create invitation link' }).click();
  const link = await page.getByRole('textbox', { name: 'Invitation link' }).inputValue();
  await page.getByRole('button', { name: 'Invite another' }).click();
  return new URL(link).pathname;
}

/** Marks with the mouse: drags over words and presses a label's key. */
async function markByMouse(page: Page, words: string, key: string): Promise<void> {
  await drag(page, rangeOf(LETTER, words));
  await page.keyboard.press(key);
}

/** Marks with the keyboard alone; the text has the focus. */
async function markByKeyboard(page: Page, words: readonly string[], key: string): Promise<void> {
  await selectByKeyboard(page, words);
  await page.keyboard.press(key);
}

/** Follows a project's tab. */
async function follow({ page }: Person, area: string, tab: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: area, exact: true }).click();
  await page.getByRole('navigation', { name: area }).getByRole('link', { name: tab, exact: true }).click();
  await reached(page, tab);
}

test('from an empty server to the gold standard', async ({ people, newServer }) => {
  test.setTimeout(240_000);
  const url = newServer.url;
  const mira = await people.stranger(url);

  await test.step('the set-up link makes the first manager', async () => {
    expect(newServer.setUp).not.toBeNull();
    await acceptInvitation(mira, new URL(newServer.setUp ?? '').pathname, MIRA);
    await expect(mira.page.getByText('No projects yet.')).toBeVisible();
  });

  await test.step('a project with labels', async () => {
    await mira.page.getByRole('button', { name: 'New project' }).click();
    await mira.page.getByRole('dialog').getByLabel('Name').fill('Letters');
    await mira.page.getByRole('button', { name: 'Create project' }).click();
    await reached(mira.page, 'Overview');
    await follow(mira, 'Settings', 'Labels');
    await createLabels(mira.page, ['PER', 'ORG', 'LOC']);
  });
  const home = new URL(mira.page.url()).pathname.replace('/settings/labels', '');

  await test.step('documents of three formats, after a look at what they bring', async () => {
    const { page } = mira;
    await follow(mira, 'Work', 'Documents');
    await page.locator('input[type=file]').setInputFiles([
      file('letter.txt', LETTER),
      file('news.jsonl', NEWS.map((line) => `${JSON.stringify(line)}\n`).join('')),
      file('eng.conll', CONLL),
    ]);
    const files = page.getByRole('region', { name: 'Files' });
    await expect(files.getByRole('row', { name: 'letter.txt' })).toContainText('plain text');
    await expect(files.getByRole('row', { name: 'news.jsonl' })).toContainText('JSON Lines');
    await expect(files.getByRole('row', { name: 'eng.conll' })).toContainText('CoNLL');
    await expect(page.getByRole('group', { name: 'New labels' })).toContainText('MISC');
    await page.getByRole('button', { name: 'Import 5 documents' }).click();
    await expect(page.getByText('Imported 5 documents, 5 suggestions.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Document list' }).getByRole('row')).toHaveCount(6);
  });

  const ada = await people.stranger(url);
  const bo = await people.stranger(url);
  const rae = await people.stranger(url);
  await test.step('two labelers and a reviewer come by their links', async () => {
    await follow(mira, 'Settings', 'Members');
    await acceptInvitation(ada, await invite(mira.page, 'labeler'), ADA);
    await acceptInvitation(bo, await invite(mira.page, 'labeler'), BO);
    await acceptInvitation(rae, await invite(mira.page, 'reviewer'), RAE);
    await mira.page.reload();
    for (const { name } of [ADA, BO, RAE]) {
      await expect(mira.page.getByRole('rowheader', { name })).toBeVisible();
    }
    await expect(mira.page.getByRole('heading', { name: 'Open invitations' })).toHaveCount(0);
  });

  const watcher = await people.stranger(url);
  await test.step('the manager sits on the matrix, in another browser', async () => {
    await signIn(watcher, MIRA);
    await watcher.goto(`${home}/agreement`);
    await expect(watcher.page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
    await expect(cell(watcher.page, ADA.name, BO.name).first()).toContainText('never compared');
  });
  let loads = 0;
  watcher.page.on('load', () => (loads += 1));
  const shows = (first: string, second: string, expected: string) =>
    expect
      .poll(() => value(watcher.page, first, second), { message: `${first} and ${second}` })
      .toBe(expected);

  await test.step('one labeler marks with the mouse', async () => {
    await ada.page.getByRole('link', { name: 'Letters' }).click();
    await ada.page.getByRole('link', { name: 'letter', exact: true }).click();
    await expect(text(ada.page)).toBeVisible();
    await markByMouse(ada.page, 'Ada Lovelace', '1');
    await markByMouse(ada.page, 'Charles Babbage', '1');
    await markByMouse(ada.page, 'London', '3');
    await settled(ada.page);
    expect((await drawnMarks(ada.page)).map(({ title }) => title)).toEqual([
      'PER: Ada Lovelace',
      'PER: Charles Babbage',
      'LOC: London',
    ]);
  });

  await test.step('the other with the keyboard alone, and the matrix moves', async () => {
    await bo.page.getByRole('link', { name: 'Letters' }).click();
    await bo.page.getByRole('link', { name: 'letter', exact: true }).click();
    await tabTo(bo.page, text(bo.page));
    await markByKeyboard(bo.page, ['Ada', 'Lovelace'], '1');
    await markByKeyboard(bo.page, ['Charles', 'Babbage'], '2');
    await markByKeyboard(bo.page, ['London'], '3');
    // Of three positions two alike; by chance 3/9: (2/3 − 1/3) / (1 − 1/3).
    await shows(ADA.name, BO.name, '0.50');
    expect(await basis(watcher.page, ADA.name, BO.name)).toContain('n=3 · 3 of 3');
    await expect(watcher.page.locator('.updated')).toContainText(`by ${BO.name}`);
  });

  await test.step('a first look at the matrix from elsewhere shows the same numbers', async () => {
    const other = await people.stranger(url);
    await signIn(other, MIRA);
    const sent = await (await other.page.request.get(`${url}${home}/agreement`)).text();
    expect(sent).toContain('n=3 · 3 of 3');
    await other.goto(`${home}/agreement`);
    expect(await everything(other.page)).toEqual(await everything(watcher.page));
  });

  await test.step('the reviewer agrees with the one who is right', async () => {
    const { page } = rae;
    await page.getByRole('link', { name: 'Letters' }).click();
    await page.getByRole('link', { name: 'letter', exact: true }).click();
    await goTo(page, 'Ada Lovelace');
    await page.keyboard.press('a');
    await goTo(page, 'Charles Babbage');
    await current(page).getByRole('button', { name: 'Accept PER, given by 1 labeler' }).click();
    await goTo(page, 'London');
    await page.keyboard.press('a');
    await decided(page, '3 of 3 decided');
    await shows(ADA.name, RAE.name, '1.00');
    await shows(BO.name, RAE.name, '0.50');
  });

  await test.step('both mark one more span alike: labeler–labeler agreement rises', async () => {
    await markByMouse(ada.page, 'Analytical Engine', '2');
    await markByKeyboard(bo.page, ['Analytical', 'Engine'], '2');
    // Of four positions three alike; by chance 5/16: (12 − 5) / (16 − 5).
    await shows(ADA.name, BO.name, '0.64');
    await shows(ADA.name, RAE.name, '1.00');
  });

  await test.step('the reviewer rejects it: labeler–reviewer agreement falls', async () => {
    const { page } = rae;
    await page.reload();
    await goTo(page, 'Analytical Engine');
    await page.keyboard.press('r');
    await decided(page, '4 of 4 decided');
    await shows(ADA.name, RAE.name, '0.64');
    await shows(BO.name, RAE.name, '0.38');
    expect(await value(watcher.page, ADA.name, BO.name)).toBe('0.64');
    expect(await basis(watcher.page, ADA.name, RAE.name)).toContain('n=4 · 4 of 4');
    expect(loads, 'the matrix was never loaded again').toBe(0);
  });

  await test.step('a labeler submits', async () => {
    await settled(ada.page);
    await ada.page.getByRole('button', { name: 'Submit' }).click();
    await expect(ada.page.getByRole('button', { name: 'Reopen', exact: true })).toBeVisible();
    await mira.goto(`${home}/work/documents`);
    const row = mira.page.getByRole('row', { name: /^letter / });
    await expect(row).toContainText(`${ADA.name}: submitted`);
    await expect(row).toContainText(`${BO.name}: saved`);
  });

  await test.step('the adjudication list, on screen and in files', async () => {
    await follow(mira, 'Review', 'Disagreements');
    const [babbage, engine] = [rangeOf(LETTER, 'Charles Babbage'), rangeOf(LETTER, 'Analytical Engine')];
    const rows = await shownRows(mira.page);
    expect(rows).toEqual([
      {
        document: 'letter',
        start: babbage[0],
        end: babbage[1],
        quote: 'Charles Babbage',
        kind: 'label',
        raters: { [ADA.name]: 'PER', [BO.name]: 'ORG', [RAE.name]: 'PER' },
        decision: 'accepted PER',
      },
      {
        document: 'letter',
        start: engine[0],
        end: engine[1],
        quote: 'Analytical Engine',
        kind: 'label',
        raters: { [ADA.name]: 'ORG', [BO.name]: 'ORG', [RAE.name]: 'rejected' },
        decision: 'rejected',
      },
    ]);
    expect(await csvRows(mira.page)).toEqual(rows);
    expect(await jsonRows(mira.page)).toEqual(rows);
  });

  await test.step('a filtered list is what is downloaded', async () => {
    await mira.page.getByLabel('against').selectOption(RAE.name);
    await mira.page.getByLabel('Rater', { exact: true }).selectOption(ADA.name);
    await expect(mira.page.locator('table.disagreements tbody tr')).toHaveCount(1);
    const rows = await shownRows(mira.page);
    expect(rows.map(({ quote }) => quote)).toEqual(['Analytical Engine']);
    expect(await csvRows(mira.page)).toEqual(rows);
    expect(await jsonRows(mira.page)).toEqual(rows);
  });

  await test.step('the gold standard is what the reviewer decided', async () => {
    const documents = await gold(mira.page);
    expect(documents.length).toBe(5);
    const letter = documents.find(({ name }) => name === 'letter');
    expect(letter?.text).toBe(LETTER);
    const span = (words: string, label: string) => {
      const [start, end] = rangeOf(LETTER, words);
      return { start, end, label, origin: 'reviewer' };
    };
    expect(letter?.spans).toEqual([
      span('Ada Lovelace', 'PER'),
      span('Charles Babbage', 'PER'),
      span('London', 'LOC'),
    ]);
    for (const { name, spans } of documents) if (name !== 'letter') expect(spans, name).toEqual([]);
  });
});
