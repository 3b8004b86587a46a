//! What `concord measure` makes of the studies that a project exports, to compare the screen with.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Client } from './client.mjs';
import { BINARY } from './server.mjs';

const run = promisify(execFile);

/** A measure as `concord measure --json` tells it. */
export interface Measured {
  readonly id: string;
  readonly value: number | null;
  readonly interval?: { readonly lower: number; readonly upper: number } | null;
}

/** Two raters of a study of more, by their places. */
export interface MeasuredPair {
  readonly first: number;
  readonly second: number;
  readonly values: readonly Measured[];
}

export interface Report {
  readonly understood: { readonly raters: readonly string[] };
  readonly measures: readonly Measured[];
  readonly diagnostics: { readonly pairs?: readonly MeasuredPair[] };
}

/** A file as it is downloaded. */
export interface Study {
  readonly name: string;
  readonly text: string;
}

/** Downloads a study of a project. */
export async function study(
  client: Client,
  project: number,
  file: 'study.csv' | 'units.csv',
  query: Record<string, string | number>,
): Promise<Study> {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  );
  const path = `/api/v1/projects/${project}/${file}?${parameters}`;
  const answer = await client.request(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
  return { name: name ?? file, text: await answer.text() };
}

/** The cells of a study without quotes, line by line; the first line has the names. */
export function cells(study: Study): string[][] {
  const lines = study.text.split('\r\n').filter((line) => line !== '');
  return lines.map((line) => line.split(','));
}

/** Where the continuum of a unitizing study begins and ends: its name says it. */
export function continuum(study: Study): string {
  const found = /continuum-(\d+-\d+)\.csv$/.exec(study.name)?.[1];
  if (!found) throw new Error(`${study.name} names no continuum`);
  return found;
}

/** What `concord measure` says of a study; of resamples as few as can be are drawn. */
export async function measure(study: Study, ...args: readonly string[]): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'concord-study-'));
  try {
    const file = join(folder, 'study.csv');
    await writeFile(file, study.text);
    const all = ['measure', '--json', '--resamples', '2', ...args, file];
    const { stdout } = await run(BINARY, all, { maxBuffer: 1 << 28 });
    return JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A measure of a report; undefined if it was not measured. */
export function find(measures: readonly Measured[], id: string): Measured | undefined {
  return measures.find((measure) => measure.id === id);
}
