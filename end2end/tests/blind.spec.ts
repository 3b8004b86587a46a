//! Blind work: a labeler reaches nothing of what the others do, on any way.

import { expect, test } from '../support/fixtures.ts';
import { copyOf, type Account, type Project } from '../support/installation.ts';
import { Refused } from '../support/client.mjs';

/** What the browser says about an answer that refuses. */
const REFUSED = /Failed to load resource.*40[134]/;

/** Two labelers with different spans on one document, and a reviewer. */
async function mark(labeler: Account, project: Project, start: number): Promise<number> {
  const id = await copyOf(labeler, project, 'one');
  const { content } = await labeler.client.open(id);
  const label = [...project.labels.values()][0] ?? 0;
  await labeler.client.save({
    assignment: id,
    base: content.revision,
    key: `blind-${id}-${start}`,
    removed: [],
    added: [{ start, end: start + 3, label }],
  });
  return id;
}

test('a labeler reaches no page, call, file or stream that tells of others', async ({
  people,
  installation,
}) => {
  const project = await installation.project({
    files: { 'one.txt': 'One two three four five six.' },
    labelers: ['Ada Blind', 'Bert Hidden'],
    reviewers: ['Rosa Secret'],
  });
  const [ada, bert] = project.labelers as [Account, Account];
  await mark(ada, project, 0);
  const others = await mark(bert, project, 4);
  const { client } = project.manager;
  const { raters } = await client.agreement(project.id);
  const [first = 0, second = 0] = raters.map(({ id }) => id);
  const documents = await client.form('documents/list_documents', { project: project.id, page: 0 });
  const document: number = documents.rows[0].id;
  const home = `/projects/${project.id}`;
  const pages = [
    `${home}/agreement`,
    `${home}/agreement/what-if`,
    `${home}/agreement/${first}/${second}`,
    `${home}/review/disagreements`,
    `${home}/review`,
    `${home}/work/documents`,
    `${home}/settings/members`,
    `${home}/settings`,
    `/documents/${document}/review`,
    `/assignments/${others}`,
  ];
  const person = await people.signedIn(ada);
  person.watch.expect(REFUSED);
  const { page } = person;
  const names = ['Bert', 'Rosa', 'Hidden', 'Secret', 'Mira'];

  await test.step('pages', async () => {
    for (const path of pages) {
      const answer = await page.goto(person.url + path);
      expect([403, 404], path).toContain(answer?.status());
      await expect(page.locator('.failure'), path).toBeVisible();
      await expect(page.locator('#text'), path).toHaveCount(0);
      await expect(page.getByRole('table'), path).toHaveCount(0);
      await expect(page.getByRole('textbox'), path).toHaveCount(0);
      const html = await page.content();
      for (const name of names) expect(html, path).not.toContain(name);
    }
  });

  await test.step('own pages name nobody else', async () => {
    const own = await copyOf(ada, project, 'one');
    for (const path of ['/', `${home}/work`, `${home}/settings/guidelines`, `/assignments/${own}`]) {
      await person.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      // What the server sent, what stands there now, and what the islands were given.
      const sent = await (await page.request.get(person.url + path)).text();
      for (const html of [sent, await page.content()]) {
        expect(html, path).toContain('Ada Blind');
        for (const name of names) expect(html, path).not.toContain(name);
      }
      for (const word of ['Agreement', 'Disagreements', 'Review', 'Work', 'Members', 'Documents', 'Settings']) {
        await expect(page.getByRole('link', { name: word, exact: true }), path).toHaveCount(0);
      }
    }
  });

  await test.step('calls', async () => {
    const switches = { measure: 'kappa', policy: 'cleaned', documents: 'saved' };
    const json: [string, object][] = [
      ['agreement/load_agreement', { project: project.id, switches }],
      ['agreement/load_pair', { project: project.id, first, second, switches }],
    ];
    const form: [string, Record<string, string | number>][] = [
      ['annotating/load_assignment', { assignment: others }],
      ['documents/list_documents', { project: project.id, page: 0 }],
      ['documents/list_progress', { project: project.id }],
      ['members/invite_member', { project: project.id, role: 'manager' }],
      ['members/list_members', { project: project.id }],
      ['reviewing/list_reviews', { project: project.id, page: 0 }],
      ['reviewing/load_review', { document }],
    ];
    const refusal = (error: unknown) => (error instanceof Refused ? error.status : error);
    for (const [name, args] of json) {
      const answer = await ada.client.json(name, args).catch(refusal);
      expect([403, 404], name).toContain(answer);
    }
    for (const [name, args] of form) {
      const answer = await ada.client.form(name, args).catch(refusal);
      expect([403, 404], name).toContain(answer);
    }
  });

  await test.step('files and streams', async () => {
    const api = `/api/v1/projects/${project.id}`;
    const paths = [
      `${api}/agreement`,
      `${api}/disagreements`,
      `${api}/disagreements.csv`,
      `${api}/disagreements.jsonl`,
      `${api}/gold.jsonl`,
      `${api}/gold.conll`,
      `${api}/verification`,
      `/events/projects/${project.id}/agreement?measure=kappa&policy=cleaned&documents=saved`,
    ];
    for (const path of paths) {
      const answer = await ada.client.request(path);
      expect([403, 404], path).toContain(answer.status);
      const body = await answer.text();
      for (const name of names) expect(body, path).not.toContain(name);
    }
  });
});

test('a reviewer sees pseudonyms until the manager shows the names', async ({ people, installation }) => {
  const project = await installation.project({
    files: { 'one.txt': 'One two three four five six.' },
    labelers: ['Carl Veiled', 'Dora Masked'],
    reviewers: ['Rita Reviewer'],
  });
  const [carl, dora] = project.labelers as [Account, Account];
  await mark(carl, project, 0);
  await mark(dora, project, 4);
  const [reviewer] = project.reviewers as [Account];
  const person = await people.signedIn(reviewer);
  const { page } = person;
  const home = `/projects/${project.id}`;
  for (const path of [`${home}/agreement`, `${home}/review/disagreements`, `${home}/review`]) {
    await person.goto(path);
    const html = await page.content();
    for (const name of ['Carl', 'Veiled', 'Dora', 'Masked']) expect(html, path).not.toContain(name);
  }
  await person.goto(`${home}/agreement`);
  await expect(page.getByRole('rowheader', { name: 'Labeler 1' })).toBeVisible();

  const manager = await people.signedIn(project.manager);
  await manager.goto(`${home}/settings`);
  await manager.page.getByRole('checkbox', { name: "Labelers' names" }).check();
  await manager.page.getByRole('button', { name: 'Save settings' }).click();
  await expect(manager.page.getByText('Saved.')).toBeVisible();
  await person.goto(`${home}/agreement`);
  await expect(page.getByRole('rowheader', { name: 'Carl Veiled' })).toBeVisible();
});
