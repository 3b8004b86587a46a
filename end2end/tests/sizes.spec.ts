//! Reports what a first visit costs: the front end's size on the wire, and how long the matrix
//! takes until it is alive. Nothing is judged here; the build holds the budget.

import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { demoClient, expect, test } from '../support/fixtures.ts';

const SITE = new URL('../../target/site/pkg', import.meta.url).pathname;
const RESULTS = new URL('../test-results', import.meta.url).pathname;
const VISITS = 5;

/** Bytes after brotli by kind of file. */
async function sizes(): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const file of await readdir(SITE, { recursive: true })) {
    // The module that only the what-if page loads is no part of a first visit.
    const kind = file.startsWith('what_if') ? undefined : /\.(js|wasm|css)\.br$/.exec(file)?.[1];
    if (kind) sizes[kind] = (sizes[kind] ?? 0) + (await stat(join(SITE, file))).size;
  }
  return sizes;
}

test('sizes and times of a first visit', async ({ people, demo }) => {
  const front = await sizes();
  expect(Object.keys(front).sort()).toEqual(['css', 'js', 'wasm']);
  const client = await demoClient(demo, 'Manager');
  const projects: { id: number; name: string }[] = await client.form('projects/list_projects');
  const hamlet = projects.find(({ name }) => name === 'Hamlet')?.id;

  const times: number[] = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    // A browser of its own each time: nothing is cached.
    const person = await people.demo(demo, 'Manager');
    await person.context.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (document.documentElement?.dataset['ready'] === undefined) return;
        performance.mark('ready');
        observer.disconnect();
      }).observe(document, { attributes: true, childList: true, subtree: true });
    });
    await person.goto(`/projects/${hamlet}/agreement`);
    await expect
      .poll(() => person.page.evaluate(() => performance.getEntriesByName('ready').length))
      .toBe(1);
    times.push(
      await person.page.evaluate(
        () => performance.getEntriesByName('ready')[0]?.startTime ?? Number.NaN,
      ),
    );
    await person.context.close();
  }
  times.sort((a, b) => a - b);
  const report = {
    brotli_bytes: { ...front, total: Object.values(front).reduce((sum, size) => sum + size, 0) },
    matrix_alive_ms: {
      median: Math.round(times[Math.floor(VISITS / 2)] ?? Number.NaN),
      all: times.map(Math.round),
    },
  };
  await mkdir(RESULTS, { recursive: true });
  await writeFile(join(RESULTS, 'sizes.json'), `${JSON.stringify(report, null, 2)}\n`);
  console.log(`sizes: ${JSON.stringify(report)}`);
});
