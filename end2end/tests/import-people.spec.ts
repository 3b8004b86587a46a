//! Importing the work of two people: whose it is is chosen, what would change is shown, the matrix has
//! their number, and one press takes all of it away again.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { expect, test } from '../support/fixtures.ts';

const TEXT = 'Gil met Hal in Ur and Ida in Kiel.';

const line = (marks: Readonly<Record<string, string>>): string => {
  const spans = Object.entries(marks).map(([words, label]) => {
    const start = TEXT.indexOf(words);
    return { start, end: start + words.length, label };
  });
  return `${JSON.stringify({ id: 'psalm', text: TEXT, spans })}\n`;
};

const file = (name: string, content: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

test('two people’s files become their work, and are undone', async ({ people, installation }) => {
  test.setTimeout(120_000);
  const project = await installation.project({ files: { 'zero.txt': 'A text.' }, labelers: ['Ada'] });
  const manager = await people.signedIn(project.manager);
  const { page } = manager;
  await manager.goto(`/projects/${project.id}/work/documents`);
  await page.locator('#import input[type=file]').setInputFiles([
    file('Ada.jsonl', line({ Gil: 'PER', Hal: 'PER', Ur: 'LOC', Ida: 'PER', Kiel: 'LOC' })),
    file('Bo.jsonl', line({ Gil: 'PER', Hal: 'LOC', Ur: 'LOC', Ida: 'PER', Kiel: 'LOC' })),
  ]);
  await page.getByLabel(/^People's: spans become the saved work/).check();
  const who = page.getByRole('region', { name: 'People' });
  await expect(who.getByLabel('In this project: Ada')).toHaveValue(/^member:/);
  await expect(who.getByLabel('In this project: Bo')).toHaveValue('placeholder');
  const changes = page.getByRole('region', { name: 'Changes' });
  await expect(changes.getByText('Assignments with new work')).toBeVisible();
  await expectAccessibleInAllLooks(page, 'import-people');

  await page.getByRole('button', { name: /^Import / }).click();
  await expect(page.getByText(/work on 2 assignments/)).toBeVisible();
  await expect(page.getByText('1 labeler added, not yet claimed.')).toBeVisible();

  const other = await people.signedIn(project.manager);
  await other.goto(`/projects/${project.id}/agreement?measure=percent`);
  // Four of five positions have the same label.
  await expect(other.page.getByText('0.80').first()).toBeVisible();
  await other.goto(`/projects/${project.id}/settings/members`);
  await expect(other.page.getByText('not claimed yet')).toBeVisible();

  await page.getByRole('button', { name: 'Undo import' }).click();
  await expect(page.getByText('Import undone. Everything it added is gone.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'psalm' })).toHaveCount(0);

  // What was imported before stands below the documents, and is undone from there, too.
  const earlier = page.getByRole('region', { name: 'Earlier imports' }).last();
  await expect(earlier.getByRole('row', { name: /^Ada\.jsonl and 1 more/ })).toContainText('undone');
  await page.locator('#import input[type=file]').setInputFiles([file('late.txt', 'Late.')]);
  await page.getByRole('button', { name: /^Import / }).click();
  const late = earlier.getByRole('row', { name: /^late\.txt/ });
  await expect(late).toContainText('imported');
  await expect(page.getByRole('rowheader', { name: 'late', exact: true })).toBeVisible();
  await late.getByRole('button', { name: 'Undo the import of late.txt' }).click();
  await expect(late).toContainText('undone');
  await expect(page.getByRole('rowheader', { name: 'late', exact: true })).toHaveCount(0);
});
