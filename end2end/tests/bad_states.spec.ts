//! Agreement where there is hardly any: no members, one labeler, nothing submitted, one category;
//! and what an open page says when the server is gone, or when one may not see it any more.

import { expectAccessible } from '../support/accessible.ts';
import { Client } from '../support/client.mjs';
import { expect, test, type Person } from '../support/fixtures.ts';
import { copyOf, Installation, type Account, type Project } from '../support/installation.ts';
import { cell, value } from '../support/matrix.ts';

const TEXT = 'Hamlet met Horatio at Elsinore.';

async function mark(person: Account, project: Project, words: Record<string, string>) {
  const assignment = await copyOf(person, project, 'one');
  const added = Object.entries(words).map(([word, label]) => {
    const start = TEXT.indexOf(word);
    return { start, end: start + word.length, label: project.labels.get(label) ?? 0 };
  });
  await person.client.save({ assignment, base: 0, key: `${person.email}-first`, removed: [], added });
}

/** Opens every agreement page, which has to say in words what is missing, and why. */
async function saysWhy(
  manager: Person,
  project: number,
  query: string,
  expected: Readonly<Record<string, RegExp>>,
  shot: (name: string) => string,
): Promise<void> {
  for (const [path, words] of Object.entries(expected)) {
    await test.step(path, async () => {
      await manager.goto(`/projects/${project}/${path}${query}`);
      const main = manager.page.locator('main');
      await expect.soft(main, path).toContainText(words);
      // A value that is not there is a dash or a reason, never a number in its place.
      expect.soft(await main.innerText(), path).not.toMatch(/NaN|undefined|null|Infinity/);
      await expectAccessible(manager.page, path);
      const name = shot(path.replaceAll('/', '-'));
      await manager.page.screenshot({ path: name, fullPage: true });
    });
  }
}

test('pages of a project with too little in it say what is missing', async ({
  people,
  installation,
}, info) => {
  test.setTimeout(300_000);
  const manager = await people.signedIn(installation.manager);
  const files = { 'one.txt': TEXT };

  const empty = await installation.manager.client.createProject('Empty', ['PER']);
  await saysWhy(
    manager,
    empty,
    '',
    {
      agreement: /Nobody to compare yet/,
      'agreement/labels': /no labeler|nobody|two labelers/i,
      'agreement/documents': /no document|no labeler|two labelers/i,
      'agreement/people': /No labelers yet/,
      'review/disagreements': /no disagreement|nobody|two/i,
      'agreement/trend': /No labelers yet/,
      'work/documents': /No documents yet/,
      'work/repeats': /No labelers yet/,
    },
    (name) => info.outputPath(`empty-${name}.png`),
  );

  const alone = await installation.project({ files, labelers: ['Ada'] });
  await mark(alone.labelers[0]!, alone, { Hamlet: 'PER' });
  await saysWhy(
    manager,
    alone.id,
    '',
    {
      agreement: /Nobody to compare yet/,
      'agreement/labels': /two labelers/i,
      'agreement/documents': /two labelers/i,
      'agreement/people': /no shared document/,
      'review/disagreements': /no disagreement|nobody|two/i,
      'agreement/trend': /Only one labeler/,
      'work/repeats': /Nothing to repeat/,
    },
    (name) => info.outputPath(`alone-${name}.png`),
  );

  const open = await installation.project({ files, labelers: ['Ada', 'Bo'] });
  for (const labeler of open.labelers) await mark(labeler, open, { Hamlet: 'PER' });
  await saysWhy(
    manager,
    open.id,
    '?documents=submitted',
    {
      agreement: /have submitted the same document/,
      'agreement/labels': /submitted/i,
      'agreement/documents': /submitted/i,
      'agreement/people': /no shared document/,
      'agreement/trend': /No document with work by/,
    },
    (name) => info.outputPath(`open-${name}.png`),
  );

  // One category only: chance would agree as well, so κ and α say nothing; the percentage does.
  await manager.goto(`/projects/${open.id}/agreement`);
  expect(await value(manager.page, 'Ada', 'Bo')).toBe('–');
  await expect(cell(manager.page, 'Ada', 'Bo')).toContainText(/one category/i);
  await manager.page.screenshot({ path: info.outputPath('one-category.png'), fullPage: true });
  await manager.goto(`/projects/${open.id}/agreement?measure=percent`);
  expect(await value(manager.page, 'Ada', 'Bo')).toBe('1.00');
});

test('whoever is removed while they look is told so at once, and sees no number any more', async ({
  people,
  installation,
}) => {
  const files = { 'one.txt': TEXT };
  const project = await installation.project({ files, labelers: ['Ada', 'Bo'], reviewers: ['Rae'] });
  const [ada, bo] = project.labelers;
  const [rae] = project.reviewers;
  if (!ada || !bo || !rae) throw new Error('two labelers and a reviewer');
  await mark(ada, project, { Hamlet: 'PER', Horatio: 'PER', Elsinore: 'LOC' });
  await mark(bo, project, { Hamlet: 'PER', Horatio: 'ORG', Elsinore: 'LOC' });

  const removed = await people.signedIn(rae);
  removed.watch.expect(/Failed to load resource.*404/);
  await removed.goto(`/projects/${project.id}/agreement`);
  await expect(removed.page.locator('[data-state="live"]')).toBeVisible();
  const { client } = installation.manager;
  const members: { id: number; email: string }[] = await client.form('members/list_members', {
    project: project.id,
  });
  const member = members.find(({ email }) => email === rae.email)?.id ?? 0;
  await client.form('members/remove_member', { project: project.id, member });
  await expect(removed.page.getByRole('heading', { name: 'Not found' })).toBeVisible();
  await expect(removed.page.getByRole('table')).toHaveCount(0);

  // And who has signed out in another tab is asked to sign in.
  // In a session of its own: the other one goes on.
  const { email, password } = installation.manager;
  const session = await new Client(installation.server.url).signIn(email, password);
  const manager = await people.signedIn({ ...installation.manager, client: session });
  manager.watch.expect(/Failed to load resource.*401/);
  await manager.goto(`/projects/${project.id}/agreement`);
  await expect(manager.page.locator('[data-state="live"]')).toBeVisible();
  const other = await manager.tab('/');
  await other.getByRole('button', { name: 'Sign out' }).click();
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  const told = manager.page.getByRole('heading', { name: 'Sign in' });
  await expect(told).toBeVisible({ timeout: 30_000 });
  await expect(manager.page.getByRole('table')).toHaveCount(0);
});

test('an open matrix says that the server is gone', async ({
  people,
}, info) => {
  const installation = await Installation.start();
  try {
    const project = await installation.project({ files: { 'one.txt': TEXT }, labelers: ['Ada', 'Bo'] });
    const [ada, bo] = project.labelers;
    if (!ada || !bo) throw new Error('two labelers');
    await mark(ada, project, { Hamlet: 'PER', Horatio: 'PER', Elsinore: 'LOC' });
    await mark(bo, project, { Hamlet: 'PER', Horatio: 'ORG', Elsinore: 'LOC' });
    const manager = await people.signedIn(installation.manager);
    manager.watch.expect(/Failed to load resource|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE/);
    await manager.goto(`/projects/${project.id}/agreement`);
    await expect(manager.page.locator('[data-state="live"]')).toBeVisible();
    const before = await value(manager.page, 'Ada', 'Bo');
    await installation.server.kill();
    await expect(manager.page.getByText('Offline, retrying')).toBeVisible();
    await expect(manager.page.locator('[data-state="live"]')).toBeHidden();
    // What was true last stays to be read, without the colours of what is.
    expect(await value(manager.page, 'Ada', 'Bo')).toBe(before);
    const filter = await cell(manager.page, 'Ada', 'Bo')
      .locator('xpath=ancestor::table')
      .evaluate((table) => getComputedStyle(table).filter);
    expect(filter).toBe('grayscale(1)');
    await manager.page.screenshot({ path: info.outputPath('gone.png'), fullPage: true });
  } finally {
    await installation.end();
  }
});
