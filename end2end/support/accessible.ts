//! What a machine can find wrong with a page for people who see, hear or point differently.

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

import { expect } from './fixtures.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The rules whose answer depends on colours and widths; all others are about the markup. */
const OF_LOOKS = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'link-in-text-block'];
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 360, height: 740 };

/** What axe finds, one line each: all rules, or those on looks alone. */
async function violations(page: Page, ofLooks: boolean): Promise<string[]> {
  // No page of ours has frames, so a second page to gather their answers on is not needed.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  const { violations } = await (ofLooks ? axe.withRules(OF_LOOKS) : axe.withTags(TAGS)).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  );
}

/** Shows the page in a colour scheme. */
async function show(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  // The new colours are on screen two frames later.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

/** Checks what is on screen as it is: no violation of WCAG 2.2 AA that a machine can find. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  expect.soft(await violations(page, false), what).toEqual([]);
}

/**
 * Checks what is on screen in all its looks, light and dark, wide and narrow; and that a narrow
 * page does not scroll sideways.
 */
export async function expectAccessibleInAllLooks(page: Page, what: string): Promise<void> {
  for (const size of [WIDE, NARROW]) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await show(page, colorScheme);
      // What is hidden in a width is another page to a reader: the markup is read in both.
      const found = await violations(page, colorScheme === 'dark');
      expect.soft(found, `${what}, ${colorScheme}, ${size.width} px`).toEqual([]);
    }
  }
  const excess = await page.evaluate(() => {
    const root = document.documentElement;
    return Math.max(0, root.scrollWidth - root.clientWidth);
  });
  expect.soft(excess, `${what} scrolls sideways by`).toBe(0);
  await page.setViewportSize(WIDE);
}
