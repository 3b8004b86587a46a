//! Pictures of pages, and what tells that a page has changed since its picture was taken: not its pixels, which
//! move with numbers, fonts and versions of Chromium, but its elements with their classes, and the words of
//! headings, labels and buttons.

import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

import type { Page } from '@playwright/test';

const FOLDER = new URL('../../docs/pictures/', import.meta.url);

/** What a picture shows, in hashes. */
export interface Shown {
  readonly elements: string;
  readonly words: string;
}

/** What a page has or not, by when it is loaded: what is computed beside it. */
const LATER = '.headline-change, .headline svg';

/** The class of a number that has just changed. */
const FLASH = 'moved';

/** What a number is called by its size. */
const BAND = 'band-';

/** Where it is kept what the pictures show. */
const KEPT = new URL('shown.json', FOLDER);

export async function kept(): Promise<Record<string, Shown>> {
  return JSON.parse(await readFile(KEPT, 'utf8'));
}

export async function keep(shown: Record<string, Shown>): Promise<void> {
  const sorted = Object.fromEntries(Object.entries(shown).sort(([one], [other]) => (one < other ? -1 : 1)));
  await writeFile(KEPT, `${JSON.stringify(sorted, undefined, 2)}\n`);
}

function hash(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);
}

/** What is on screen; it takes away what comes and goes. */
export async function shownBy(page: Page): Promise<Shown> {
  const found = await page.evaluate(({ later, flash, band }) => {
    for (const element of document.querySelectorAll(later)) element.remove();
    for (const element of document.querySelectorAll(`.${flash}`)) element.classList.remove(flash);
    /** Each once: how many there are is a matter of data. */
    const sorted = (lines: Iterable<string>) => [...new Set(lines)].sort();
    const all = [...document.body.querySelectorAll('*')].filter((element) => !element.closest('svg *'));
    const path = (element: Element): string => {
      const classes = [...element.classList].filter((name) => !name.startsWith(band)).sort();
      const own = [element.localName, ...classes].join('.');
      const around = element.parentElement;
      return around && around !== document.body ? `${path(around)} ${own}` : own;
    };
    const named = 'h1, h2, h3, th[scope=col], label, legend, summary, dt, button, nav a';
    const words = [...document.querySelectorAll(named)]
      .map((element) => (element.textContent ?? '').replace(/\S*\d\S*/g, '').replace(/\s+/g, ' ').trim())
      .filter((text) => text !== '');
    return { elements: sorted(all.map(path)), words: sorted(words) };
  }, { later: LATER, flash: FLASH, band: BAND });
  return { elements: hash(found.elements), words: hash(found.words) };
}

/** How much of a picture is kept, from 0 to 1: letters stay sharp, at half the size of a PNG. */
const QUALITY = 0.9;

/** Takes a picture as a file of WebP. */
export async function take(page: Page, name: string): Promise<void> {
  const png = (await page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64');
  const blank = await page.context().browser()!.newPage();
  const webp = await blank.evaluate(async ({ picture, quality }) => {
    const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d')!.drawImage(bitmap, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
    const url = await new Promise<string>((resolve, reject) => {
      const reader = new FileReader();
      reader.addEventListener('load', () => resolve(String(reader.result)));
      reader.addEventListener('error', () => reject(reader.error ?? new Error('cannot be read')));
      reader.readAsDataURL(blob);
    });
    return url.slice(url.indexOf(',') + 1);
  }, { picture: png, quality: QUALITY });
  await blank.close();
  await writeFile(new URL(`${name}.webp`, FOLDER), Buffer.from(webp, 'base64'));
}
