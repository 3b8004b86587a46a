//! Webhooks by keyboard: made, their secret copied, tried, what arrives with its signature, sent again,
//! paused, changed and removed; narrow, empty and refused.

import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { expect, test } from '../support/fixtures.ts';

interface Arrived {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver on a port of its own. */
async function listen(): Promise<{ url: string; arrived: Arrived[]; close: () => void }> {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      arrived.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, arrived, close: () => server.close() };
}

test('a manager has a webhook told, by keyboard', async ({ people, installation }) => {
  test.setTimeout(120_000);
  const receiver = await listen();
  const project = await installation.project({ files: { 'one.txt': 'Hamlet.' }, labelers: ['Ada'] });
  const manager = await people.signedIn(installation.manager);
  const { page } = manager;
  await manager.goto(`/projects/${project.id}/settings/targets`);
  await expect(page.getByText('No webhook receives alerts')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Webhooks' }).last().press('Enter');
  await expect(page.getByText('No webhooks')).toBeVisible();
  await expectAccessibleInAllLooks(page, 'no webhook');

  // Without an event it is refused, and what was typed is there again.
  const form = page.getByRole('region', { name: 'New webhook' });
  await form.getByLabel('Address').fill(receiver.url);
  await page.keyboard.press('Enter');
  await expect(form.getByText('Choose at least one event.')).toBeVisible();
  await expect(form.getByLabel('Address')).toHaveValue(receiver.url);
  await form.getByLabel('Address').press('Tab');
  await expect(form.getByLabel(/an alert is raised/)).toBeFocused();
  await page.keyboard.press('Space');
  await form.getByLabel(/a labeler submits/).press('Space');
  await form.getByRole('button', { name: 'Add webhook' }).press('Enter');

  const chosen = page.getByRole('region', { name: receiver.url });
  await expect(chosen).toBeVisible();
  const secret = await chosen.locator('.notice code.secret').innerText();
  await expectAccessibleInAllLooks(page, 'a webhook with its secret');
  await chosen.getByRole('button', { name: 'I have copied it' }).press('Enter');
  await expect(page.getByText(secret)).toHaveCount(0);

  await chosen.getByRole('button', { name: 'Send test' }).press('Enter');
  const log = page.getByRole('region', { name: 'Deliveries', exact: true }).getByRole('row');
  await expect.poll(() => receiver.arrived.length, { timeout: 20_000 }).toBe(1);
  const [{ headers, body }] = receiver.arrived as [Arrived];
  const signed = `${String(headers['concord-timestamp'])}.${body}`;
  const expected = `v1=${createHmac('sha256', secret).update(signed).digest('hex')}`;
  expect(headers['concord-signature']).toBe(expected);
  await expect(async () => {
    await page.reload();
    await expect(log.nth(1)).toContainText('arrived', { timeout: 500 });
  }).toPass();
  await log.nth(1).locator('summary').press('Enter');
  await expect(log.nth(1).locator('pre')).toHaveText(body);
  await expectAccessibleInAllLooks(page, 'a delivery with its body');

  await log.nth(1).getByRole('button', { name: /^Resend delivery/ }).press('Enter');
  await expect.poll(() => receiver.arrived.length, { timeout: 20_000 }).toBe(2);
  expect(receiver.arrived[1]?.body).toBe(body);
  expect(receiver.arrived[1]?.headers['concord-delivery']).not.toBe(headers['concord-delivery']);

  await chosen.getByRole('button', { name: 'Pause' }).press('Enter');
  await expect(chosen.getByText('Paused: new events')).toBeVisible();
  await expect(chosen.getByRole('button', { name: 'Send test' })).toHaveCount(0);
  await chosen.getByRole('button', { name: 'Resume' }).press('Enter');

  await chosen.getByText('Change address or events').press('Enter');
  await chosen.getByLabel(/a gold standard is locked/).press('Space');
  await chosen.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(page.getByRole('cell', { name: /gold\.locked/ })).toBeVisible();
  await manager.goto(`/projects/${project.id}/settings/targets`);
  await expect(page.getByText(receiver.url)).toBeVisible();

  await manager.goto(`/projects/${project.id}/settings/webhooks`);
  await chosen.getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(page.getByText('No webhooks')).toBeVisible();
  receiver.close();
});
