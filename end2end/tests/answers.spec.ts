//! Questions that are answered by several choices or by numbers: asked, answered by keyboard, and compared by what they are.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { openCopy, settled } from '../support/editor.ts';
import { expect, reached, test, type Person } from '../support/fixtures.ts';
import { copyOf, type Account, type Project } from '../support/installation.ts';
import { choose, menu, value } from '../support/matrix.ts';
import { text } from '../support/text.ts';

interface Answers {
  topics: string[];
  rating: number;
  age: string;
}

/** Answers everything that is asked of a document without touching the mouse, and hands it in. */
async function answer(
  person: Person,
  account: Account,
  project: Project,
  document: string,
  { topics, rating, age }: Answers,
): Promise<void> {
  const { page } = person;
  await openCopy(person, await copyOf(account, project, document));
  const asked = page.getByRole('region', { name: 'Document' });
  await text(page).focus();
  await page.keyboard.press('q');
  await expect(asked.getByLabel('news')).toBeFocused();
  for (const topic of ['news', 'opinion', 'sport']) {
    await expect(asked.getByLabel(topic)).toBeFocused();
    if (topics.includes(topic)) await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
  }
  const points = asked.getByRole('group', { name: 'Rating' }).getByRole('radio');
  await points.first().focus();
  await page.keyboard.press('Space');
  for (let step = 1; step < rating; step += 1) await page.keyboard.press('ArrowDown');
  await expect(points.nth(rating - 1)).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(asked.getByLabel('Age')).toBeFocused();
  await page.keyboard.type(age);
  await page.keyboard.press('Enter');
  await expect(text(page)).toBeFocused();
  await settled(page);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('button', { name: 'Reopen', exact: true })).toBeVisible();
}

test('several choices and numbers are answered by keyboard and compared by what they are', async ({
  people,
  installation,
}) => {
  test.slow();
  const project = await installation.project({
    labels: [],
    files: { 'one.txt': 'Once upon a time.', 'two.txt': 'Shall I compare thee?', 'three.txt': 'Enter.' },
    labelers: ['Lea', 'Max'],
  });
  const manager = await people.signedIn(project.manager);
  const { page } = manager;

  await test.step('the manager asks', async () => {
    await manager.goto(`/projects/${project.id}/settings/labels`);
    const questions = page.getByRole('region', { name: 'Document questions' });
    const added = questions.locator('form').last();
    await expect(added.getByLabel('From', { exact: true })).toBeHidden();
    await added.getByLabel('Name').fill('Topic');
    await added.getByLabel('Answer').selectOption('Several choices');
    await added.getByLabel('Choices, one per line').fill('news\nopinion\nsport');
    await added.getByRole('button', { name: 'Add question' }).click();
    await expect(questions.getByRole('button', { name: 'Save question' })).toHaveCount(1);

    await added.getByLabel('Name').fill('Rating');
    await added.getByLabel('Answer').selectOption('Number');
    await expect(added.getByLabel('Choices, one per line')).toBeHidden();
    await added.getByLabel('From', { exact: true }).fill('1');
    await added.getByLabel('To', { exact: true }).fill('5');
    await added.getByLabel('From means').fill('poor');
    await added.getByLabel('To means').fill('excellent');
    await expectAccessibleInAllLooks(page, 'a question for a number');
    await added.getByRole('button', { name: 'Add question' }).click();
    await expect(questions.getByRole('button', { name: 'Save question' })).toHaveCount(2);

    await added.getByLabel('Name').fill('Age');
    await added.getByLabel('Answer').selectOption('Number');
    await added.getByLabel('From', { exact: true }).fill('0');
    await added.getByLabel('To', { exact: true }).fill('120.2');
    await added.getByRole('button', { name: 'Add question' }).click();
    await expect(added.getByRole('alert')).toContainText('whole number of steps');
    await added.getByLabel('To', { exact: true }).fill('120');
    await added.getByRole('button', { name: 'Add question' }).click();
    await expect(questions.getByRole('button', { name: 'Save question' })).toHaveCount(3);
  });

  const [lea, max] = project.labelers as [Account, Account];
  await test.step('labelers answer', async () => {
    const person = await people.signedIn(lea);
    await openCopy(person, await copyOf(lea, project, 'one'));
    await expectAccessibleInAllLooks(person.page, 'questions beside the text');
    await answer(person, lea, project, 'one', { topics: ['news'], rating: 2, age: '30' });
    await answer(person, lea, project, 'two', { topics: ['sport'], rating: 4, age: '60' });
    await answer(person, lea, project, 'three', { topics: ['opinion'], rating: 5, age: '45' });
    const other = await people.signedIn(max);
    await answer(other, max, project, 'one', { topics: ['news', 'opinion'], rating: 2, age: '30' });
    await answer(other, max, project, 'two', { topics: ['sport'], rating: 5, age: '62' });
    await answer(other, max, project, 'three', { topics: ['opinion'], rating: 4, age: '45' });
  });

  await test.step('a number that is not on the scale is not taken', async () => {
    const person = await people.signedIn(max);
    await openCopy(person, await copyOf(max, project, 'three'));
    await person.page.getByRole('button', { name: 'Reopen', exact: true }).click();
    const age = person.page.getByLabel('Age');
    await age.fill('121');
    await age.press('Tab');
    await expect(person.page.getByText('Not saved: 121 is not on the scale.')).toBeVisible();
    await expect(age).toHaveValue('45');
    await age.fill('50');
    await age.press('Escape');
    await person.page.reload();
    await expect(person.page.getByLabel('Age')).toHaveValue('45');
    await person.page.getByRole('region', { name: 'Document' }).getByLabel('none').check();
    await settled(person.page);
    await expect(person.page.getByLabel('4', { exact: true })).not.toBeChecked();
    await person.page.keyboard.press('Control+z');
    await settled(person.page);
    await expect(person.page.getByLabel('4', { exact: true })).toBeChecked();
  });

  await test.step('the matrix has the measures that suit', async () => {
    await manager.goto(`/projects/${project.id}/agreement`);
    await reached(page, 'Agreement');
    await choose(page, 'Question', 'Document: Topic');
    await choose(page, 'Measure', 'α of sets (MASI)');
    await expect.poll(() => value(page, 'Lea', 'Max')).toMatch(/^0\.\d\d$/);

    await choose(page, 'Question', 'Document: Age');
    await expect(menu(page, 'Measure')).toContainText('Interval α');
    await choose(page, 'Measure', 'ICC(A,1)');
    // Mean squares of 30/30, 60/62, 45/45: 481.17 between, 0.67 of raters and residual.
    await expect.poll(() => value(page, 'Lea', 'Max')).toBe('1.00');
    await expect(page.getByText('ICC(A,1) of all labelers')).toBeVisible();
    const all = page.getByRole('region', { name: 'All labelers, by measure' }).first();
    await expect(all.getByRole('row').filter({ hasText: 'ICC(A,1)' })).toContainText('1.00');
    await expectAccessibleInAllLooks(page, 'the matrix of numbers');
    await page.getByRole('link', { name: /Lea and Max/ }).first().click();
    await page.getByRole('link', { name: 'Open full page' }).click();
    await expect(menu(page, 'Measure')).toContainText('ICC(A,1)');
    await page.getByRole('link', { name: 'Formula', exact: true }).click();
    await expect(page.getByText(/Mean squares: R between positions/)).toBeVisible();
    await expectAccessibleInAllLooks(page, 'an intraclass correlation step by step');
  });
});
