//! Questions about documents: a manager asks, labelers answer by keyboard, and everybody watches how they agree.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { openCopy, settled } from '../support/editor.ts';
import { expect, reached, test, type Person } from '../support/fixtures.ts';
import { copyOf, type Account, type Project } from '../support/installation.ts';
import { choose, menu, number, value } from '../support/matrix.ts';
import { text } from '../support/text.ts';

const GENRES = ['prose', 'verse', 'drama'];

/** Answers the question of a document by keyboard with the choice at this place, from 1, and hands it in. */
async function answer(
  person: Person,
  account: Account,
  project: Project,
  document: string,
  place: number,
): Promise<void> {
  const { page } = person;
  await openCopy(person, await copyOf(account, project, document));
  await text(page).focus();
  await page.keyboard.press('q');
  const genre = page.getByLabel('Genre');
  await expect(genre).toBeFocused();
  for (let step = 0; step < place; step += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(text(page)).toBeFocused();
  await expect(genre.locator('option:checked')).toHaveText(GENRES[place - 1] ?? '');
  await settled(page);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('button', { name: 'Reopen', exact: true })).toBeVisible();
}

test('what is asked of documents is answered by keyboard and compared live', async ({
  people,
  installation,
}) => {
  test.slow();
  const project = await installation.project({
    labels: [],
    files: { 'one.txt': 'Once upon a time.', 'two.txt': 'Shall I compare thee?', 'three.txt': 'Enter.' },
    labelers: ['Lea', 'Max'],
    reviewers: ['Rita'],
  });
  const manager = await people.signedIn(project.manager);
  const { page } = manager;

  await test.step('the manager asks', async () => {
    await manager.goto(`/projects/${project.id}/settings/labels`);
    const questions = page.getByRole('region', { name: 'Document questions' });
    await questions.getByLabel('Name').fill('Genre');
    await questions.getByLabel('Choices, one per line').fill(GENRES.join('\n'));
    await questions.getByLabel(/^Required/).check();
    await questions.getByRole('button', { name: 'Add question' }).click();
    await expect(questions.getByRole('button', { name: 'Save question' })).toBeVisible();
    await expectAccessibleInAllLooks(page, 'questions');
  });

  const [lea, max] = project.labelers as [Account, Account];
  const person = await people.signedIn(lea);
  await test.step('a document is not handed in without an answer', async () => {
    await openCopy(person, await copyOf(lea, project, 'one'));
    person.watch.expect(/Failed to load resource.*422/);
    await text(person.page).focus();
    await person.page.keyboard.press('Control+Enter');
    await expect(person.page.locator('.refused')).toContainText('The document: answer Genre');
  });
  await test.step('labelers answer', async () => {
    await answer(person, lea, project, 'one', 1);
    await expectAccessibleInAllLooks(person.page, 'a question beside the text');
    await answer(person, lea, project, 'two', 2);
    await answer(person, lea, project, 'three', 3);
    const other = await people.signedIn(max);
    await answer(other, max, project, 'one', 1);
    await answer(other, max, project, 'two', 2);
  });

  await test.step('the matrix follows the question, and moves', async () => {
    await manager.goto(`/projects/${project.id}/agreement`);
    await reached(page, 'Agreement');
    await choose(page, 'Question', 'Document: Genre');
    await expect(page).toHaveURL(/question=\d+/);
    await expect(menu(page, 'Question')).toContainText('Document: Genre');
    await expect.poll(() => value(page, 'Lea', 'Max')).toBe('1.00');
    const other = await people.signedIn(max);
    await answer(other, max, project, 'three', 1);
    // pₒ = 2/3, pₑ = 3/9 of prose, verse, drama: κ = 1/2.
    await expect.poll(() => value(page, 'Lea', 'Max'), { timeout: 20_000 }).toBe('0.50');
    expect(await number(page, 'Lea', 'Max')).toBeCloseTo(0.5, 2);
    await expectAccessibleInAllLooks(page, 'the matrix of a question');
  });

  const rita = await people.signedIn(project.reviewers[0] as Account);
  await test.step('what differs is listed, and the reviewer reads who said what', async () => {
    await manager.goto(`/projects/${project.id}/review/disagreements`);
    await choose(page, 'Question', 'Document: Genre');
    const row = page.getByRole('row').filter({ hasText: 'three' });
    await expect(row).toContainText('drama');
    await expect(row).toContainText('prose');
    await expect(page.getByRole('link', { name: /^Step/ })).toBeVisible();

    await manager.goto(`/projects/${project.id}/review/consensus`);
    await choose(page, 'Question', 'Document: Genre');
    await expect(page.getByRole('heading', { name: 'Most in doubt' })).toBeVisible();
    const doubtful = page.getByRole('table', { name: /most doubtful first/ }).getByRole('row');
    await expect(doubtful).toHaveCount(4);
    await expect(doubtful.filter({ hasText: 'three' })).toContainText('drama');
    await expect(page.getByText('Expected error')).toBeVisible();
    await expectAccessibleInAllLooks(page, 'the consensus');

    await rita.goto(`/projects/${project.id}/review/disagreements`);
    await choose(rita.page, 'Question', 'Document: Genre');
    await rita.page.getByRole('link', { name: /three$/ }).click();
    await reached(rita.page, 'three');
    const answers = rita.page.getByRole('region', { name: 'Document' });
    for (const said of ['drama', 'prose']) {
      await expect(answers.getByRole('listitem').filter({ hasText: said })).toContainText('Labeler');
    }
  });

  await test.step('the reviewer answers by keyboard, and cannot finish without', async () => {
    const { page: screen } = rita;
    const genre = screen.getByLabel('Genre');
    await text(screen).focus();
    await screen.keyboard.press('Control+Enter');
    await expect(screen.getByText('1 required answer missing.')).toBeVisible();
    await screen.mouse.move(0, 0);
    await expectAccessibleInAllLooks(screen, 'a question in review');
    await text(screen).focus();
    await screen.keyboard.press('q');
    await expect(genre).toBeFocused();
    await screen.keyboard.press('ArrowDown');
    await screen.keyboard.press('Enter');
    await expect(text(screen)).toBeFocused();
    await expect(genre.locator('option:checked')).toHaveText('prose');
    await settled(screen);
    await screen.keyboard.press('Control+z');
    await expect(genre.locator('option:checked')).toHaveText('not chosen');
    await screen.keyboard.press('Control+y');
    await expect(genre.locator('option:checked')).toHaveText('prose');
    await settled(screen);
    await screen.keyboard.press('Control+Enter');
    await expect(screen.getByRole('button', { name: 'Reopen', exact: true })).toBeVisible();
    await expect(genre).toBeDisabled();

    await manager.goto(`/projects/${project.id}/review/disagreements`);
    await choose(page, 'Question', 'Document: Genre');
    const row = page.getByRole('row').filter({ hasText: 'three' });
    await expect(row).toContainText('accepted');
    await expect(row).toContainText('by Rita');
  });
});
