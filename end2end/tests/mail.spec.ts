//! Mail by a real mail server: an invitation that is accepted by its link, put off, refused, and sent when the
//! server is back; a forgotten password; unsubscribing; and the page that shows what was sent.

import { expectAccessibleInAllLooks } from '../support/accessible.ts';
import { Client } from '../support/client.mjs';
import { expect, test } from '../support/fixtures.ts';
import { NAME, PostOffice, SECRET } from '../support/post_office.ts';
import { freePort, newDataDir, removeDataDir, Server } from '../support/server.mjs';
import { signIn } from '../support/sign_in.ts';

const PASSWORD = 'copper walnut lantern ferry';

/** A mail's link, from the site's address on. */
function link(text: string | undefined, path: string): string {
  const found = new RegExp(`http://127\\.0\\.0\\.1:\\d+(${path}\\S+)`).exec(text ?? '')?.[1];
  if (!found) throw new Error(`no link to ${path} in ${text}`);
  return found;
}

test('people are written to, and may have it otherwise', async ({ people }) => {
  test.setTimeout(240_000);
  const office = new PostOffice();
  await office.open();
  office.answer('late@example.org', [451]);
  office.answer('wrong@example.org', [550]);
  const dataDir = await newDataDir();
  const login = `${NAME}:${encodeURIComponent(SECRET)}`;
  const smtpUrl = `smtp://${login}@127.0.0.1:${office.port}`;
  const server = await Server.start({ dataDir, smtpUrl, port: await freePort() });
  try {
    const token = server.setUp?.split('/').at(-1) ?? '';
    const mira = { email: 'mira@example.org', name: 'Mira Manager', password: PASSWORD };
    const manager = await new Client(server.url).accept(token, mira);
    // Names are people's words, and go into the head of a mail.
    const project = await manager.createProject('Añadas “2026” <b>', ['PER']);
    for (const address of ['nina@example.org', 'late@example.org', 'wrong@example.org']) {
      await manager.invite(project, 'labeler', address);
    }
    await expect.poll(() => office.to('nina@example.org').length).toBe(1);
    const invitation = office.to('nina@example.org')[0];
    expect(invitation?.subject).toBe('Invitation to Añadas “2026” <b>');
    expect(invitation?.text).toContain('“Añadas “2026” <b>”');
    expect(invitation?.html).toContain('&lt;b&gt;');
    expect(invitation?.from?.text).toBe('"Concord" <concord@example.org>');
    const nina = await new Client(server.url).accept(
      link(invitation?.text, '/invitations/').split('/').at(-1) ?? '',
      { email: 'nina@example.org', name: 'Nina New', password: PASSWORD },
    );
    expect(nina).toBeTruthy();

    // A forgotten password.
    const stranger = await people.stranger(server.url);
    await stranger.goto('/sign-in');
    await stranger.page.getByRole('link', { name: 'Forgot your password?' }).click();
    await stranger.page.getByLabel('E-mail address').fill('nina@example.org');
    await stranger.page.getByRole('button', { name: 'Send reset link' }).click();
    await expect(stranger.page.getByRole('status')).toContainText('a link is on its way');
    await expect.poll(() => office.to('nina@example.org').length).toBe(2);
    const reset = office.to('nina@example.org')[1];
    await stranger.goto(link(reset?.text, '/reset/'));
    await expect(stranger.page.getByText('nina@example.org')).toBeVisible();

    // The mail server goes away and comes back; who was put off is written to then, too.
    await office.close();
    await manager.invite(project, 'reviewer', 'away@example.org');
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    await office.open();
    await expect.poll(() => office.to('away@example.org').length, { timeout: 120_000 }).toBe(1);
    await expect.poll(() => office.to('late@example.org').length, { timeout: 120_000 }).toBe(1);
    expect(office.to('wrong@example.org')).toHaveLength(0);

    const administrator = await people.stranger(server.url);
    await signIn(administrator, mira);
    await administrator.goto('/admin/mail');
    const row = (address: string) => administrator.page.getByRole('row').filter({ hasText: address });
    await expect(row('wrong@example.org')).toContainText('refused');
    await expect(row('late@example.org')).toContainText('sent');
    await expectAccessibleInAllLooks(administrator.page, 'what was sent');
    await administrator.goto('/account/mail');
    await administrator.page.getByLabel('Weekly summary').uncheck();
    await administrator.page.getByRole('button', { name: 'Save' }).click();
    await expect(administrator.page.getByRole('status')).toContainText('Saved.');
    await expect(administrator.page.getByLabel('Weekly summary')).not.toBeChecked();
    await expectAccessibleInAllLooks(administrator.page, 'the choice of mail');
  } finally {
    await server.stop();
    await office.close();
    await removeDataDir(dataDir);
  }
});
