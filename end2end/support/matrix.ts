//! The matrix on the page, read as a person reads it.

import { expect, type Locator, type Page } from '@playwright/test';

import type { Client } from './client.mjs';

/** The cell of two raters: a link with their names, whichever row and column. */
export function cell(page: Page, first: string, second: string): Locator {
  return page.getByRole('table').getByRole('link', { name: `${first} and ${second}: ` });
}

/** The number that stands in a cell: "0.54", "−0.07", "–". */
export async function value(page: Page, first: string, second: string): Promise<string> {
  return cell(page, first, second).locator('.value').innerText();
}

/** The number in a cell; `NaN` where there is none. */
export async function number(page: Page, first: string, second: string): Promise<number> {
  return Number((await value(page, first, second)).replace('−', '-'));
}

/** "n=6 · 6 of 8". */
export async function basis(page: Page, first: string, second: string): Promise<string> {
  return ((await cell(page, first, second).locator('.basis').textContent()) ?? '').trim();
}

/** Every cell's texts by its raters' names. */
export async function everything(page: Page): Promise<Record<string, string>> {
  const cells = page.getByRole('table').locator('td.pair a');
  return cells.evaluateAll((links) =>
    Object.fromEntries(
      links.map((link) => {
        const text = (name: string) => link.querySelector(name)?.textContent?.trim() ?? '';
        const names = text('.visually-hidden').replace(/:$/, '');
        return [names, `${text('.value')} ${text('.word')} ${text('.basis')}`];
      }),
    ),
  );
}

/** The button that says what is chosen of a kind, and opens the other choices. */
export function menu(page: Page, name: string): Locator {
  return page.locator('button.menu').filter({ has: page.locator('.menu-name', { hasText: name }) });
}

/** Chooses a switch by its words, and has the menu close. */
export async function choose(page: Page, name: string, choice: string): Promise<void> {
  await menu(page, name).click();
  await page.getByRole('group', { name }).getByRole('link', { name: choice, exact: true }).click();
  await expect(menu(page, name)).toContainText(choice);
  await expect(page.locator(':popover-open')).toHaveCount(0);
}

/** What the server computes for a pair, to compare the screen with. */
export async function computed(
  client: Client,
  project: number,
  first: string,
  second: string,
  switches: Record<string, string> = {},
): Promise<number> {
  const { raters, cells } = await client.agreement(project, switches);
  const id = (name: string) => raters.find((rater) => rater.name === name)?.id;
  const pair = [id(first), id(second)];
  const cell = cells.find((cell) => pair.includes(cell.first) && pair.includes(cell.second));
  return cell && 'Value' in cell.measured ? cell.measured.Value.value : Number.NaN;
}
