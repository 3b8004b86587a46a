//! A document under review, used as a reviewer uses it.

import { expect, type Page } from '@playwright/test';

/** Goes to the position with this text in the list. */
export async function goTo(page: Page, quote: string): Promise<void> {
  const row = page.locator('.positions').getByRole('button').filter({ hasText: quote });
  await row.click();
  await expect(current(page).locator('blockquote')).toHaveText(quote);
}

/** What is said about the current position. */
export function current(page: Page) {
  return page.getByRole('region', { name: 'Current position' });
}

/** How many positions have a decision. */
export async function decided(page: Page, words: string): Promise<void> {
  await expect(page.locator('.review-progress .number')).toHaveText(words);
}
