//! A server that is stopped while pages follow: they go on with another server of the same database by themselves.

import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

import type { Page } from '@playwright/test';

import { Client } from '../support/client.mjs';
import { expect, test } from '../support/fixtures.ts';
import { copyOf, Installation, type Account } from '../support/installation.ts';

/** What stands in front of servers: leads every new connection to one of them. */
async function proxy(url: string): Promise<{ url: string; lead: (url: string) => void; end: () => void }> {
  let port = Number(new URL(url).port);
  const open = new Set<Socket>();
  const front = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    for (const [from, to] of [[client, server], [server, client]] as const) {
      open.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.end();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    lead: (url) => { port = Number(new URL(url).port); },
    end: () => {
      front.close();
      for (const socket of open) socket.destroy();
    },
  };
}

test('pages go on with another server when theirs is stopped', async ({ people }) => {
  const installation = await Installation.start();
  const project = await installation.project({ files: { 'ur.txt': 'Gil met Hal in Ur.' }, labelers: ['Ana', 'Bo'] });
  const front = await proxy(installation.server.url);
  const manager = await people.stranger(front.url);
  const cookies = [...installation.manager.client.cookies];
  await manager.context.addCookies(cookies.map(([name, value]) => ({ name, value, url: front.url })));
  manager.watch.expect(/ERR_/);
  const pages: Page[] = [];
  for (const path of ['agreement', 'agreement/labels', '']) {
    const page = await manager.tab(`/projects/${project.id}/${path}`.replace(/\/$/, ''));
    await expect(page.locator('[data-state="live"]')).toBeVisible();
    pages.push(page);
  }
  const revision = async (page: Page) =>
    Number(await page.locator('[data-live]').getAttribute('data-revision'));
  const before = await Promise.all(pages.map(revision));

  const other = await installation.another();
  front.lead(other.url);
  await installation.server.stop();
  const [ana] = project.labelers as [Account];
  const client = new Client(other.url);
  client.cookies = ana.client.cookies;
  const assignment = await copyOf({ ...ana, client }, project, 'ur');
  const label = project.labels.get('PER') ?? 0;
  const key = `moving-${assignment}`;
  await client.save({ assignment, base: 0, key, removed: [], added: [{ start: 0, end: 3, label }] });
  for (const [place, page] of pages.entries()) {
    await expect.poll(() => revision(page), { timeout: 10_000 }).toBeGreaterThan(before[place] as number);
    await expect(page.locator('[data-state="live"]')).toBeVisible();
  }
  front.end();
  await other.stop();
  await installation.end();
});
