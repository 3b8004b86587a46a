//! Every value of the matrix of the sample projects, read off the page, is what `concord measure`
//! computes from the judgements themselves.

import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { expect, test, type Person } from '../support/fixtures.ts';
import { BINARY } from '../support/server.mjs';

const run = promisify(execFile);

/** κ of every two raters as the page shows it, and as `concord measure` has it of the study. */
async function compare(manager: Person, project: number, folder: string): Promise<number> {
  const { page } = manager;
  await manager.goto(`/projects/${project}/agreement`);
  const shown = await page.locator('td.pair a').evaluateAll((links) =>
    links.map((link) => ({
      names: link.querySelector('.visually-hidden')?.textContent?.trim() ?? '',
      value: link.querySelector('.value')?.textContent?.trim() ?? '',
    })),
  );
  const answer = await page.request.get(
    new URL(`/api/v1/projects/${project}/study.csv`, page.url()).href,
  );
  expect(answer.ok()).toBe(true);
  const file = `${folder}/study-${project}.csv`;
  await writeFile(file, await answer.body());
  let compared = 0;
  const raters = (await answer.text()).split('\r\n')[0]?.split(',').slice(1) ?? [];
  for (const [place, first] of raters.entries()) {
    for (const second of raters.slice(place + 1)) {
      const cell = shown.find(({ names }) => names === `${first} and ${second}:`);
      expect(cell, `${first} and ${second}`).toBeDefined();
      const { stdout } = await run(BINARY, [
        'measure', '--json', '--measures', 'cohen_kappa', '--raters', `${first},${second}`, file,
      ]);
      const measured = JSON.parse(stdout).measures[0];
      const value = measured.value;
      const expected = typeof value === 'number' ? value.toFixed(2).replace('-', '−') : '–';
      expect(cell?.value, `${first} and ${second}`).toBe(expected.replace(/^−0\.00$/, '0.00'));
      compared += 1;
    }
  }
  return compared;
}

test('the matrix of the samples is what `concord measure` makes of the study', async ({
  people,
  demo,
}, { outputDir }) => {
  const manager = await people.demo(demo, 'Manager');
  await manager.goto('/');
  const projects = await manager.page
    .locator('.project-card')
    .evaluateAll((cards) => cards.map((card) => Number(card.getAttribute('href')?.split('/').at(-1))));
  await mkdir(outputDir, { recursive: true });
  let compared = 0;
  for (const project of projects) compared += await compare(manager, project, outputDir);
  expect(compared).toBeGreaterThan(20);
});
