//! Numbers move, and nothing else does: saves come in, and what is on screen stays in its place.

import type { Page } from '@playwright/test';

import { copyOf, type Project } from '../support/installation.ts';
import { expect, test } from '../support/fixtures.ts';
import { everything, value } from '../support/matrix.ts';

const TEXT = 'Ada Lovelace wrote to Charles Babbage in London about the Engine.';
const PLACES = [[0, 3], [4, 12], [22, 29], [30, 37], [41, 47], [58, 64]] as const;

/**
 * Begins to add up the layout shifts that nobody's click or key has caused. A number that is set
 * flush right and has got a digit more is counted by the browser, for it begins elsewhere; its other
 * end has stayed, so nothing has shifted.
 */
async function watchShifts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const shifts = { sum: 0, what: [] as string[] };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources?: { node?: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
      })[]) {
        if (entry.hadRecentInput) continue;
        const near = (one: number, other: number) => Math.abs(one - other) <= 1;
        const shifted = (entry.sources ?? []).filter(
          ({ previousRect: before, currentRect: now }) =>
            !(near(before.top, now.top) && near(before.right, now.right)),
        );
        if (entry.sources?.length && shifted.length === 0) continue;
        shifts.sum += entry.value;
        for (const { node, previousRect: before, currentRect: now } of shifted) {
          const element = node instanceof Element ? node : node?.parentElement;
          const places = `${before.left},${before.top} to ${now.left},${now.top}`;
          shifts.what.push(`${element?.tagName} ${element?.className} by ${entry.value}, ${places}`);
        }
      }
    }).observe({ type: 'layout-shift', buffered: false });
    Object.assign(window, { shifts });
  });
}

/** What has shifted since, once the page has been drawn again. */
async function shifts(page: Page): Promise<{ sum: number; what: string[] }> {
  return page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return (window as unknown as { shifts: { sum: number; what: string[] } }).shifts;
  });
}

/** Every labeler marks the document, alike or not. */
async function mark(project: Project, document: string, spans: number, other: number) {
  const labels = [...project.labels.values()];
  for (const [number, labeler] of project.labelers.entries()) {
    const assignment = await copyOf(labeler, project, document);
    const { content } = await labeler.client.open(assignment);
    const added = PLACES.slice(content.spans.length, spans).map(([start, end], place) => {
      const differs = number === 1 && (place + other) % 2 === 0 ? 1 : 0;
      return { start, end, label: labels[(place + differs) % labels.length] ?? 0 };
    });
    const key = `shift-${document}-${number}-${spans}`.padEnd(16, '-');
    const base = content.revision;
    await labeler.client.save({ assignment, base, key, removed: [], added });
  }
}

for (const width of [360, 1280, 2560]) {
  test(`nothing shifts when numbers move, ${width} px wide`, async ({ people, installation }, info) => {
    const files = { 'one.txt': TEXT, 'two.txt': TEXT };
    const labelers = ['Lena', 'Lukas'];
    const project = await installation.project({ files, labelers, reviewers: ['Rae'] });
    await mark(project, 'one', 3, 0);
    await mark(project, 'two', 3, 1);

    const viewport = { width, height: 900 };
    const manager = await people.signedIn(project.manager, { viewport });
    await manager.goto(`/projects/${project.id}/agreement`);
    const { page } = manager;
    await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
    await expect(page.locator('.several tbody')).not.toContainText('…');
    const pair = await manager.context.newPage();
    const link = page.getByRole('table').getByRole('link', { name: /^Lena and Lukas: / }).first();
    const address = await link.getAttribute('href');
    await pair.goto(new URL(address ?? '', page.url()).href);
    await expect(pair.getByRole('heading', { level: 1 })).toBeVisible();

    for (const [what, shown] of [['matrix', page], ['pair', pair]] as const) {
      await shown.bringToFront();
      await watchShifts(shown);
      const before = what === 'matrix' ? await value(page, 'Lena', 'Lukas') : await main(pair);
      await mark(project, 'one', what === 'matrix' ? 4 : 5, 0);
      await mark(project, 'two', what === 'matrix' ? 4 : 5, 1);
      const now = async () => (what === 'matrix' ? value(page, 'Lena', 'Lukas') : main(pair));
      await expect.poll(now, { timeout: 15_000 }).not.toBe(before);
      const { sum, what: moved } = await shifts(shown);
      expect(sum, `${what}: ${moved.join('; ')}`).toBeLessThan(0.001);
      await shown.screenshot({ path: info.outputPath(`${what}-${width}.png`), fullPage: true });
      await info.attach(`${what}-${width}`, { path: info.outputPath(`${what}-${width}.png`) });
    }
    expect(Object.keys(await everything(page)).length).toBeGreaterThan(0);
    await pair.close();
    await manager.goto('/');
  });
}

/** The text of a page without its chrome. */
async function main(page: Page): Promise<string> {
  return page.getByRole('main').innerText();
}
