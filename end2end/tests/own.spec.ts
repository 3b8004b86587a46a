//! What people choose for themselves: their keys, on every machine, and the look of the text.

import type { Page } from '@playwright/test';
import { openCopy, settled } from '../support/editor.ts';
import { alive, expect, test } from '../support/fixtures.ts';
import { copyOf, type Account } from '../support/installation.ts';
import { decided } from '../support/review.ts';
import { drawnMarks, shownText, text } from '../support/text.ts';

const CONTENT = 'Alice met Bob\nin Rome\n\tand left.';

async function pressForUndo(page: Page, keys: string): Promise<void> {
  await alive(page);
  await page.getByLabel('Undo', { exact: true }).press(keys);
}

test('keys are changed by pressing them, and hold wherever the person signs in', async ({
  people,
  installation,
}) => {
  const project = await installation.project({
    files: { 'keys.txt': CONTENT },
    labelers: ['Kira Keys', 'Otto Other'],
    reviewers: ['Rita Review'],
  });
  const [kira, otto] = project.labelers as [Account, Account];
  const copy = await copyOf(kira, project, 'keys');
  const person = await people.signedIn(kira);
  const { page } = person;
  await openCopy(person, copy);
  await page.keyboard.press('?');
  await page.getByRole('link', { name: 'Change shortcuts' }).click();

  const undo = page.getByLabel('Undo', { exact: true });
  await pressForUndo(page, 'Control+Shift+l');
  await expect(undo).toHaveValue('Ctrl Shift L');
  await page.getByRole('button', { name: 'Save shortcuts' }).click();
  await expect(page.getByText('Ctrl Shift L is already used for "Label all equal strings".')).toBeVisible();
  await pressForUndo(page, 'F8');
  await page.getByRole('button', { name: 'Save shortcuts' }).click();
  await expect(page.getByText('Shortcuts saved.')).toBeVisible();
  await expect(undo).toHaveValue('F8');

  const elsewhere = await people.signedIn(kira);
  await openCopy(elsewhere, copy);
  await text(elsewhere.page).focus();
  await elsewhere.page.keyboard.press('Shift+ArrowRight');
  await elsewhere.page.keyboard.press('1');
  await expect.poll(async () => (await drawnMarks(elsewhere.page)).length).toBe(1);
  await elsewhere.page.keyboard.press('Control+z');
  expect((await drawnMarks(elsewhere.page)).length).toBe(1);
  await elsewhere.page.keyboard.press('F8');
  await expect.poll(async () => (await drawnMarks(elsewhere.page)).length).toBe(0);
  await settled(elsewhere.page);

  const other = await people.signedIn(otto);
  await other.goto('/keys');
  await expect(other.page.getByLabel('Undo', { exact: true })).toHaveValue('');
  await expect(other.page.getByLabel('Undo', { exact: true })).toHaveAttribute('placeholder', 'Ctrl Z');

  // A reviewer changes them in the same place, and comes back to the review.
  const reviewer = await people.signedIn(project.reviewers[0] as Account);
  const review = reviewer.page;
  await reviewer.goto(`/projects/${project.id}/review`);
  await review.getByRole('link', { name: 'keys', exact: true }).click();
  await alive(review);
  await review.keyboard.press('?');
  await review.getByRole('link', { name: 'Change shortcuts' }).click();
  await pressForUndo(review, 'F8');
  await review.getByRole('button', { name: 'Save shortcuts' }).click();
  await review.getByRole('link', { name: 'Back to the document' }).click();
  await alive(review);
  await text(review).focus();
  await review.keyboard.press('Shift+ArrowRight');
  await review.keyboard.press('1');
  await decided(review, '1 of 1 decided');
  await review.keyboard.press('Control+z');
  await decided(review, '1 of 1 decided');
  await review.keyboard.press('F8');
  await decided(review, '0 of 0 decided');
});

test('the text is made larger, its lines are numbered, its letters are of one width', async ({
  people,
  installation,
}) => {
  const project = await installation.project({
    files: { 'look.txt': CONTENT },
    labelers: ['Lola Look'],
  });
  const [lola] = project.labelers as [Account];
  const person = await people.signedIn(lola);
  const { page } = person;
  const copy = await copyOf(lola, project, 'look');
  await openCopy(person, copy);
  const style = (pseudo?: string) =>
    text(page)
      .locator('.block')
      .nth(1)
      .evaluate((block, pseudo) => {
        const { content, fontSize, fontFamily } = getComputedStyle(block, pseudo);
        return { content, size: Number.parseFloat(fontSize), fontFamily };
      }, pseudo);
  const usual = await style();
  await text(page).focus();
  await page.keyboard.press('Alt+=');
  await page.keyboard.press('Alt+=');
  await page.keyboard.press('Alt+-');
  await page.keyboard.press('Alt+l');
  await page.getByRole('button', { name: 'Text appearance' }).click();
  const look = page.getByRole('group', { name: 'Text appearance' });
  await look.getByRole('button', { name: 'Monospaced letters' }).click();
  await expect(look.getByRole('button', { name: 'Line numbers' })).toHaveAttribute('aria-pressed', 'true');

  // It holds after a reload, and changes nothing of the text and its offsets.
  await openCopy(person, copy);
  const chosen = await style();
  expect(chosen.size).toBeGreaterThan(usual.size);
  expect(chosen.fontFamily).toContain('monospace');
  expect((await style('::before')).content).toContain('counter(line)');
  expect(await shownText(page)).toBe(CONTENT);
  await text(page).getByText('Rome').dblclick();
  await page.keyboard.press('2');
  await expect.poll(() => drawnMarks(page)).toMatchObject([{ start: 17, end: 21 }]);
  await page.keyboard.press('Alt+l');
  expect((await style('::before')).content).toBe('none');
  await settled(page);
});
