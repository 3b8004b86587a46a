//! Projects whose overviews a stranger reads: one in which people agree, one in which they do not, one in
//! which one labeler is alone, and an empty one. Texts are ten words, each of which is somebody's to label.

import { randomUUID } from 'node:crypto';

import type { Client } from './client.mjs';
import { copyOf, type Account, type Installation, type Project } from './installation.ts';

const WORDS = ['Ada', 'Acme', 'Oslo', 'Ben', 'Beta', 'Rome', 'Cleo', 'Cetus', 'Lima', 'Dan'];
const LABELS = ['PER', 'ORG', 'LOC'] as const;

/** What a labeler says of a word of a document, by their places; nothing leaves it out. */
type Said = (document: number, word: number) => number | null;

/** What is right: the words are persons, organisations and places in turn. */
const right: Said = (_, word) => word % LABELS.length;

const TARGET = { measure: 'alpha', policy: 'empty-label', basis: 'value', at_least: '0.8' };

const name = (document: number) => `text ${document + 1}`;

/** Saves what somebody says of a document, and hands it in. */
async function hand(labeler: Account, project: Project, document: number, said: Said): Promise<void> {
  const assignment = await copyOf(labeler, project, name(document));
  const { content } = await labeler.client.open(assignment);
  let start = 0;
  const added = [];
  for (const [word, letters] of WORDS.entries()) {
    const label = said(document, word);
    const id = label === null ? undefined : project.labels.get(LABELS[label] ?? '');
    if (id !== undefined) added.push({ start, end: start + letters.length, label: id });
    start += letters.length + 1;
  }
  const saved = await labeler.client.save({ assignment, base: content.revision, key: randomUUID(), removed: [], added });
  if (!('Saved' in saved)) throw new Error('somebody else has saved');
  await labeler.client.submit(assignment, saved.Saved.revision);
}

/** Creates a project with the proposed target, and documents from the first round. */
async function begin(installation: Installation, title: string, labelers: readonly string[], documents: number): Promise<Project> {
  const files = Object.fromEntries(Array.from({ length: documents }, (_, at) => [`${name(at)}.txt`, WORDS.join(' ')]));
  const project = await installation.project({ name: title, labels: LABELS, files, labelers });
  const { client } = installation.manager;
  const { measure, policy, basis, at_least } = TARGET;
  await client.form('target/save_target', { project: project.id, measure, policy, basis, at_least });
  return project;
}

/** Starts the second round, with guidelines of its own. */
async function changeGuidelines(client: Client, project: Project): Promise<void> {
  await client.form('rounds/start_round', {
    project: project.id,
    after: 1,
    title: 'Second',
    note: 'Clearer on names',
    guidelines: 'Companies are organisations.',
  });
}

/** Three labelers, of whom the third takes some words for others: as `third` says, and `second` beside it. */
async function worked(
  installation: Installation,
  title: string,
  { second, third, leftOpen }: { second: Said; third: Said; leftOpen: boolean },
): Promise<Project> {
  const project = await begin(installation, title, ['Anna Able', 'Bo Brisk', 'Cy Careless'], 6);
  const [anna, bo, cy] = project.labelers;
  if (!anna || !bo || !cy) throw new Error('there are three');
  for (let document = 0; document < 6; document += 1) {
    if (document === 3) await changeGuidelines(installation.manager.client, project);
    await hand(anna, project, document, right);
    await hand(bo, project, document, second);
    if (!leftOpen || document < 5) await hand(cy, project, document, third);
  }
  return project;
}

/** The third takes three organisations of a text of the first round for places, and has one text left. */
export const good = (installation: Installation): Promise<Project> =>
  worked(installation, 'Good', {
    second: right,
    third: (document, word) => (document === 1 && word % 3 === 1 ? 2 : right(document, word)),
    leftOpen: true,
  });

/** Everybody goes their own way, more so since the guidelines changed; the last text is the worst. */
export const bad = (installation: Installation): Promise<Project> =>
  worked(installation, 'Bad', {
    second: (document, word) => (document > 2 && word % 3 === 2 ? null : right(document, word)),
    third: (document, word) => (document === 5 ? (word + 1) % 3 : word % 3 === 0 ? 1 : right(document, word)),
    leftOpen: false,
  });

/** One labeler has handed in what nobody else has. */
export async function alone(installation: Installation): Promise<Project> {
  const project = await begin(installation, 'Alone', ['Anna Able'], 3);
  const [anna] = project.labelers;
  if (!anna) throw new Error('there is one');
  for (const document of [0, 1, 2]) await hand(anna, project, document, right);
  return project;
}

/** Nothing but its name. */
export const empty = (installation: Installation): Promise<number> =>
  installation.manager.client.createProject('Empty', []);
