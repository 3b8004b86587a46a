//! The adjudication list: as it stands on the page, and as its files have it.

import { readFile } from 'node:fs/promises';

import { expect, type Page } from '@playwright/test';

/** A position on which raters differ, in the same words wherever it comes from. */
export interface Row {
  readonly document: string;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  readonly kind: string;
  /** What each rater has there: "PER", "ORG|PER", "rejected", "nothing"; no entry if not judged. */
  readonly raters: Readonly<Record<string, string>>;
  readonly decision: string;
}

/** The words of the page for what files say in a shorter way. */
const KINDS: Readonly<Record<string, string>> = {
  label: 'label',
  'one-sided': 'marked by some',
  boundary: 'boundaries',
};
const VERDICTS: Readonly<Record<string, string>> = {
  accept: 'accepted',
  relabel: 'relabelled',
  reject: 'rejected',
  add: 'added',
};

/** The rows on screen. */
export async function shownRows(page: Page): Promise<Row[]> {
  const rows = page.locator('table.disagreements tbody tr');
  return rows.evaluateAll((rows) =>
    rows.map((row) => {
      const text = (selector: string) => row.querySelector(selector)?.textContent?.trim() ?? '';
      const chips = (element: Element | null) =>
        [...(element?.querySelectorAll('.chip') ?? [])].map((chip) => chip.textContent).join('|');
      const raters: Record<string, string> = {};
      for (const item of row.querySelectorAll('.judgements > li')) {
        const names = item.querySelector('.names')?.textContent ?? '';
        const said = chips(item) || (item.querySelector('.badge, .soft')?.textContent?.trim() ?? '');
        if (said === 'not judged') continue;
        for (const name of names.split(', ')) raters[name] = said;
      }
      const [start = '', end = ''] = text('.where .number').split('–');
      const decision = row.querySelector('.decision');
      const verdict = decision?.querySelector(':scope > span')?.textContent ?? '';
      return {
        document: text('.where bdi'),
        start: Number(start),
        end: Number(end),
        quote: text('mark'),
        kind: [...(row.querySelector('.kind')?.childNodes ?? [])]
          .filter((node) => node.nodeType === Node.TEXT_NODE)
          .map((node) => node.textContent)
          .join('')
          .trim()
          .replace(/^marked by \d+ of \d+$/, 'marked by some'),
        raters,
        decision: `${verdict} ${chips(decision)}`.trim(),
      };
    }),
  );
}

/** Downloads a file by its link in a section of the page. */
async function download(page: Page, name: string, nth: number): Promise<string> {
  const links = page.getByRole('region', { name: 'Download' }).getByRole('link', { name });
  const [file] = await Promise.all([page.waitForEvent('download'), links.nth(nth).click()]);
  expect(await file.failure()).toBeNull();
  return readFile(await file.path(), 'utf8');
}

/** The records of a CSV file (RFC 4180). */
export function csvRecords(csv: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let field = '';
  let quoted = false;
  const text = csv.replace(/^\uFEFF/, '');
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quoted) {
      if (character !== '"') field += character;
      else if (text[at + 1] === '"') {
        field += '"';
        at += 1;
      } else quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === ',') {
      record.push(field);
      field = '';
    } else if (character === '\n') {
      record.push(field.replace(/\r$/, ''));
      records.push(record);
      record = [];
      field = '';
    } else field += character;
  }
  expect(quoted, 'a quote is left open').toBe(false);
  expect(record, 'the last line ends with a line break').toEqual([]);
  return records;
}

/** The rows of the list as a CSV file. */
export async function csvRows(page: Page): Promise<Row[]> {
  const [head = [], ...records] = csvRecords(await download(page, 'CSV', 0));
  return records.map((record) => {
    const fields = new Map(head.map((name, index) => [name, record[index] ?? '']));
    const field = (name: string) => fields.get(name) ?? '';
    const raters: Record<string, string> = {};
    for (const [name, value] of fields) {
      if (!name.startsWith('rater: ') || value === '') continue;
      raters[name.slice('rater: '.length)] = value.replace(/^\((.*)\)$/, '$1');
    }
    return {
      document: field('document'),
      start: Number(field('start')),
      end: Number(field('end')),
      quote: field('quote'),
      kind: KINDS[field('kind')] ?? field('kind'),
      raters,
      decision: `${VERDICTS[field('decision')] ?? ''} ${field('decided_labels')}`.trim(),
    };
  });
}

interface JsonRater {
  readonly name: string;
  readonly judgement: 'labels' | 'nothing_marked' | 'rejected' | 'not_judged';
  readonly labels?: readonly string[];
}

/** The rows of the list as JSON lines. */
export async function jsonRows(page: Page): Promise<Row[]> {
  const lines = (await download(page, 'JSON lines', 0)).split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const row = JSON.parse(line);
    const raters: Record<string, string> = {};
    for (const { name, judgement, labels } of row.raters as JsonRater[]) {
      if (judgement === 'not_judged') continue;
      if (judgement === 'labels') raters[name] = (labels ?? []).join('|');
      else raters[name] = judgement === 'nothing_marked' ? 'nothing' : judgement;
    }
    const { document, start, end, quote, kind, decision, decided_labels } = row;
    return {
      document,
      start,
      end,
      quote,
      kind: KINDS[kind] ?? kind,
      raters,
      decision: `${VERDICTS[decision] ?? ''} ${(decided_labels ?? []).join('|')}`.trim(),
    };
  });
}

/** A document of the gold standard. */
export interface GoldDocument {
  readonly name: string;
  readonly text: string;
  readonly spans: readonly { start: number; end: number; label: string; origin: string }[];
}

/** The gold standard as JSON lines. */
export async function gold(page: Page): Promise<GoldDocument[]> {
  const lines = (await download(page, 'JSON lines', 1)).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}
