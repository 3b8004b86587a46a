//! A labeler's editor, used as a labeler uses it.

import { expect, type Page } from '@playwright/test';

import type { Person } from './fixtures.ts';
import { text } from './text.ts';

/** Opens a copy and waits for its text. */
export async function openCopy(person: Person, assignment: number, page?: Page): Promise<void> {
  await person.goto(`/assignments/${assignment}`, page ?? person.page);
  await expect(text(page ?? person.page)).toBeVisible();
}

/** Waits until everything on screen is on the server. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible();
}
