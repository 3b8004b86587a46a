//! What people say to each other about the work: a labeler writes to the reviewer, flags a document
//! and puts it aside; the reviewer answers and gives a copy back; the manager answers, too.

import { expectAccessible, expectAccessibleInAllLooks } from '../support/accessible.ts';
import { openCopy, settled } from '../support/editor.ts';
import { alive, expect, test } from '../support/fixtures.ts';
import { copyOf } from '../support/installation.ts';
import { selectByKeyboard } from '../support/text.ts';

const TEXT = 'Hamlet met Horatio at Elsinore.';

test('comments, flags and skips reach whom they are for, and copies come back', async ({ people, installation }) => {
  test.setTimeout(180_000);
  const project = await installation.project({
    files: { 'one.txt': TEXT, 'two.txt': TEXT },
    labelers: ['Ada', 'Bo'],
    reviewers: ['Rita'],
  });
  const [ada] = project.labelers;
  const [rita] = project.reviewers;
  if (!ada || !rita) throw new Error('a labeler and a reviewer');
  const [one, two] = [await copyOf(ada, project, 'one'), await copyOf(ada, project, 'two')];

  // By keyboard: mark a name, write about it. What cannot be sent stays in its box and says so.
  const labeler = await people.signedIn(ada);
  const { page } = labeler;
  await openCopy(labeler, one);
  await selectByKeyboard(page, ['Hamlet']);
  await page.keyboard.press('1');
  await settled(page);
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'Flags and comments' });
  await expect(dialog.getByText('About “Hamlet”').or(dialog.getByText('About Hamlet'))).toBeVisible();
  const box = dialog.getByRole('textbox', { name: 'Comment' });
  await box.fill('A person <b>or</b> a title? \u05e9\u05dc\u05d5\u05dd');
  labeler.watch.expect(/ERR_INTERNET_DISCONNECTED|Failed to (load|fetch)/);
  await labeler.context.setOffline(true);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'Your text is still here' })).toBeVisible();
  await expect(box).toHaveValue(/A person/);
  await labeler.context.setOffline(false);
  await dialog.getByRole('button', { name: 'Send' }).first().click();
  await expect(dialog.getByText('A person <b>or</b> a title?')).toBeVisible();
  await expect(box).toHaveValue('');
  await expectAccessibleInAllLooks(page, 'comments beside the text');
  // Escape closes it, and the keys are those of the text again.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('link', { name: 'Comments 1' })).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('button', { name: 'Reopen', exact: true })).toBeVisible();

  // The other document is put aside: it is neither open nor done.
  await openCopy(labeler, two);
  await page.keyboard.press('x');
  const skip = dialog.locator('section').filter({ hasText: 'Skip this document' });
  await skip.getByLabel('Why').selectOption({ label: 'not covered by the guidelines' });
  await skip.getByRole('button', { name: 'Skip document' }).click();
  await expect(page).toHaveURL(/\/work$/);
  await expect(page.getByText('1 of 2 submitted · 1 skipped')).toBeVisible();
  await expectAccessible(page, 'my work with a document put aside');

  // The reviewer reads the comment at its place, answers, and gives the copy back.
  const reviewer = await people.signedIn(rita);
  await reviewer.goto(`/projects/${project.id}/review`);
  await reviewer.page.getByRole('link', { name: 'one', exact: true }).click();
  const current = reviewer.page.getByRole('region', { name: 'Current position' });
  await expect(current.getByText('1 open comment')).toBeVisible();
  await alive(reviewer.page);
  await reviewer.page.keyboard.press('c');
  const talk = reviewer.page.getByRole('dialog', { name: 'Flags and comments' });
  await talk.getByText('Answer', { exact: true }).first().click();
  await talk.getByRole('textbox', { name: 'Answer' }).fill('A person.');
  await talk.getByLabel('and resolve').check();
  await talk.getByRole('button', { name: 'Answer' }).click();
  await expect(talk.getByText(/^settled|settled \d/).first()).toBeVisible();
  await expectAccessible(reviewer.page, 'comments beside a review');
  await reviewer.page.keyboard.press('Escape');
  await reviewer.page.getByRole('link', { name: 'Send back' }).click();
  await talk.getByLabel('Note to the labeler').fill('Elsinore is a place.');
  await talk.getByRole('button', { name: 'Send back' }).click();
  await expect(talk.getByText('Elsinore is a place.')).toBeVisible();

  // The manager sees why the other one was skipped, and sends it back.
  const manager = await people.signedIn(project.manager);
  await manager.goto(`/projects/${project.id}/work/documents`);
  await expectAccessible(manager.page, 'documents with flags');
  await manager.page.getByRole('link', { name: 'skipped' }).click();
  await expect(manager.page.getByText('not covered by the guidelines').first()).toBeVisible();
  await manager.page.getByRole('button', { name: 'Send back to Ada' }).click();
  await manager.page.getByLabel('Note to the labeler (optional)').fill('Mark names only.');
  await manager.page.getByRole('button', { name: 'Send back', exact: true }).click();
  await expect(manager.page.getByText('No matching assignments.')).toBeVisible();
  await manager.goto(`/projects/${project.id}/review/comments?state=settled`);
  await expect(manager.page.getByText('A person.', { exact: true })).toBeVisible();
  await expectAccessibleInAllLooks(manager.page, 'comments of a project');

  // Both came back, with what was said; the answer waits for a release.
  await labeler.goto(`/projects/${project.id}/work`);
  await expect(page.getByText('Elsinore is a place.')).toBeVisible();
  await expect(page.getByText('Mark names only.')).toBeVisible();
  await expect(page.getByText('0 of 2 submitted · 1 saved')).toBeVisible();
  await page.getByRole('link', { name: 'Your 1 comment and the answers' }).click();
  await expect(page.getByText('A person <b>or</b> a title?')).toBeVisible();
  await expect(page.getByText('A person.', { exact: true })).toBeHidden();
  await manager.page.goto(`${manager.url}/projects/${project.id}/settings`);
  await manager.page.getByRole('button', { name: 'Release agreement now' }).click();
  await expect(manager.page.getByText(/Last released|Released/).first()).toBeVisible();
  await page.reload();
  await expect(page.getByText('A person.', { exact: true })).toBeVisible();
  await expect(page.getByText('Rita')).toBeHidden();
});
