//! A project in right-to-left writing: texts, labels and names run as they should on the agreement
//! pages, and no page grows wider than its window.

import { expect, test } from '../support/fixtures.ts';
import { copyOf } from '../support/installation.ts';

const TEXT = 'סבתא שלי גרה בתל אביב. جدي يعيش في القاهرة.';
const LABELERS = ['דנה כהן', 'يوسف حداد'];
const PLACES = [[0, 4], [14, 21], [23, 27], [36, 43]] as const;

test('agreement pages of a project in Hebrew and Arabic', async ({ people, installation }, info) => {
  const project = await installation.project({
    name: 'פרויקט שמות',
    labels: ['אדם', 'مكان'],
    files: { 'סיפור.txt': TEXT, 'قصة.txt': TEXT },
    labelers: LABELERS,
    reviewers: ['מבקר'],
  });
  const labels = [...project.labels.values()];
  for (const [number, labeler] of project.labelers.entries()) {
    for (const [of, document] of ['סיפור', 'قصة'].entries()) {
      const card = (await labeler.client.assignments(project.id)).find(({ document_name: name }) =>
        name.startsWith(document),
      );
      const assignment = await copyOf(labeler, project, card?.document_name ?? document);
      const { content } = await labeler.client.open(assignment);
      const added = PLACES.map(([start, end], place) => ({
        start,
        end,
        label: labels[(place + (number === 1 && place === of ? 1 : 0)) % 2] ?? 0,
      }));
      const key = `rtl-span-${number}-${of}-key`;
      await labeler.client.save({ assignment, base: content.revision, key, removed: [], added });
    }
  }

  const manager = await people.signedIn(project.manager);
  const { page } = manager;
  await manager.goto(`/projects/${project.id}/agreement`);
  const link = page.getByRole('table').getByRole('link', { name: `${LABELERS[0]} and ${LABELERS[1]}: ` });
  const pair = new URL((await link.first().getAttribute('href')) ?? '', page.url()).href;
  const addresses = {
    matrix: `/projects/${project.id}/agreement`,
    pair: pair.slice(manager.url.length),
    disagreements: `/projects/${project.id}/review/disagreements`,
  };
  for (const [what, path] of Object.entries(addresses)) {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(manager.url + path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const excess = await page.evaluate(() => {
        const root = document.documentElement;
        return root.scrollWidth - root.clientWidth;
      });
      expect.soft(excess, `${what}, ${width} px, scrolls sideways by`).toBeLessThanOrEqual(0);
      // Each text of one script, wherever it stands, runs its own way in an element of its own.
      const wrong = await page.evaluate(() => {
        const rtl = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;
        const walker = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT);
        const found: string[] = [];
        while (walker.nextNode()) {
          const node = walker.currentNode;
          const text = node.textContent ?? '';
          const parent = node.parentElement;
          if (!parent || !rtl.test(text) || /\p{Script=Latin}/u.test(text)) continue;
          if (parent.closest('.visually-hidden, option, title, svg')) continue;
          if (getComputedStyle(parent).direction !== 'rtl') found.push(`${parent.tagName}.${parent.className}: ${text.slice(0, 40)}`);
        }
        return found;
      });
      expect.soft(wrong, `${what}, ${width} px: texts that run from left to right`).toEqual([]);
      await page.screenshot({ path: info.outputPath(`rtl-${what}-${width}.png`), fullPage: true });
    }
  }
});
