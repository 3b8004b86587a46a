//! Pages of plain forms: what they lead to, what they say once, and what they keep when refused.

import { expect, test } from '../support/fixtures.ts';

const file = (name: string, content: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

test('the link of an invitation is shown once and copied', async ({ people, installation }) => {
  const project = await installation.project({ files: { 'start.txt': 'The start.' } });
  const manager = await people.signedIn(project.manager);
  await manager.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { page } = manager;
  await manager.goto(`/projects/${project.id}/settings/members`);
  await page.getByLabel('E-mail address').fill('new@example.org');
  await page.getByRole('button', { name: 'Create invitation link' }).click();
  const field = page.getByRole('textbox', { name: 'Invitation link' });
  await expect(field).toBeFocused();
  const link = await field.inputValue();
  expect(link).toMatch(new RegExp(`^${manager.url}/invitations/[\\w-]{43}$`));
  expect(page.url()).toBe(`${manager.url}/projects/${project.id}/settings/members`);
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('Copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);

  await page.reload();
  await expect(page.getByRole('button', { name: 'Create invitation link' })).toBeVisible();
  expect(await page.content()).not.toContain(new URL(link).pathname);
  await page.getByRole('button', { name: 'Revoke the invitation of new@example.org as labeler' }).click();
  await expect(page.getByRole('heading', { name: 'Open invitations' })).toHaveCount(0);
});

test('an invitation that is refused says so at the field and keeps what was typed', async ({ people, installation }) => {
  const project = await installation.project({ files: { 'start.txt': 'The start.' } });
  const token = await project.manager.client.invite(project.id, 'labeler');
  const stranger = await people.stranger(installation.server.url);
  const { page } = stranger;
  await stranger.goto(`/invitations/${token}`);
  const [email, name, password] = ['E-mail address', 'Name', 'Password'].map((label) => page.getByLabel(label));
  if (!email || !name || !password) throw new Error('three fields');
  const tries = [
    { address: 'newcomer@example.org', secret: 'short', field: password, why: 'Use at least 10 characters.' },
    { address: project.manager.email, secret: 'copper walnut lantern', field: email, why: 'already has an account' },
  ];
  for (const { address, secret, field, why } of tries) {
    await email.fill(address);
    await name.fill('New Comer');
    await password.fill(secret);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(field).toBeFocused();
    await expect(field).toHaveAccessibleDescription(new RegExp(why));
    expect(page.url()).toBe(`${stranger.url}/invitations/${token}`);
    await expect(email).toHaveValue(address);
    await expect(name).toHaveValue('New Comer');
    await expect(password).toHaveValue('');
  }
});

test('what is typed before the script of a refused form has come stays', async ({ people, installation }) => {
  const project = await installation.project({ files: { 'start.txt': 'The start.' } });
  const manager = await people.signedIn(project.manager);
  const { page } = manager;
  await manager.goto(`/projects/${project.id}/settings/targets`);
  const target = page.getByRole('region', { name: 'Target for agreement' });
  const least = target.getByLabel('At least');
  let send = (): void => {};
  const asked = new Promise<void>((resolve) => { send = resolve; });
  await page.route('**/idiomorph.js', async (route) => {
    await asked;
    await route.continue();
  });
  await target.getByLabel('Measure').selectOption('alpha');
  await least.fill('80');
  await target.getByRole('button', { name: 'Save target' }).click();
  await expect(target.getByText('Between -1 and 1.')).toBeVisible();
  await least.fill('0.5');
  send();
  await expect(page.locator('html[data-ready]')).toBeAttached();
  await expect(least).toHaveValue('0.5');
});

test('a label that is refused keeps what was typed, in its own dialog', async ({ people, installation }) => {
  const project = await installation.project({ files: { 'start.txt': 'The start.' } });
  const manager = await people.signedIn(project.manager);
  const { page } = manager;
  await manager.goto(`/projects/${project.id}/settings/labels`);
  const labels = page.getByRole('region', { name: 'Labels' }).getByRole('rowheader');
  const [first, second] = (await labels.allTextContents()).map((text) => text.trim());
  await page.getByRole('button', { name: `Change ${second}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Change label' });
  await dialog.getByLabel('Name').fill(first ?? '');
  await dialog.getByRole('radio', { name: 'teal' }).check();
  await dialog.getByRole('button', { name: 'Save label' }).click();

  await expect(dialog).toHaveCount(1);
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await expect(dialog.getByLabel('Name')).toHaveValue(first ?? '');
  await expect(dialog.getByRole('radio', { name: 'teal' })).toBeChecked();
  await expect(dialog.getByRole('alert').filter({ hasText: /\w/ })).toHaveCount(1);
  await dialog.getByLabel('Name').fill('Other');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('rowheader', { name: 'Other', exact: true })).toBeVisible();
  await expect(page.getByRole('row', { name: /^Other/ })).toContainText('teal');
  await expect(page.getByRole('button', { name: 'Change Other' })).toBeFocused();

  await page.getByRole('button', { name: 'Delete Other' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Delete this label?' });
  await expect(question).toContainText('Other');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Delete Other' })).toBeFocused();
  await page.keyboard.press('Enter');
  await question.getByRole('button', { name: 'Delete label' }).click();
  await expect(page.getByRole('rowheader', { name: 'Other', exact: true })).toHaveCount(0);
});

test('files that are wrong say where, and can be mended', async ({ people, installation }) => {
  const project = await installation.project({ files: { 'start.txt': 'The start.' } });
  const manager = await people.signedIn(project.manager);
  manager.watch.expect(/Failed to load resource.*422/);
  const { page } = manager;
  await manager.goto(`/projects/${project.id}/work/documents`);
  const input = page.locator('input[type=file]');
  const panel = page.locator('#import');
  await input.setInputFiles([file('one.jsonl', '{"text": "One."}\n{"text": 2}\n')]);
  const problems = page.getByRole('region', { name: 'Problems' });
  await expect(problems.getByRole('row').nth(1)).toContainText('one.jsonl');
  await expect(problems.getByRole('row').nth(1)).toContainText('2');
  await expect(page.getByRole('status').filter({ hasText: '1 problem' })).toHaveCount(1);
  await expect(panel).toBeFocused();
  await expect(page.getByRole('button', { name: /^Import/ })).toBeDisabled();

  await page.getByRole('button', { name: 'Choose other files' }).click();
  await input.setInputFiles([
    file('one.jsonl', '{"text": "One.", "spans": [{"start": 0, "end": 3, "label": "NEVER"}]}\n'),
  ]);
  const create = page.getByRole('checkbox', { name: 'Create these labels' });
  await create.uncheck();
  await expect(problems).toContainText('NEVER');
  await create.check();
  await expect(problems).toHaveCount(0);
  await page.getByRole('button', { name: 'Import 1 document' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Imported 1 document' })).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Document list' }).getByRole('row')).toHaveCount(3);

  await page.getByRole('button', { name: 'Delete start' }).click();
  await page.getByRole('button', { name: 'Delete document' }).click();
  const all = page.getByRole('region', { name: 'All documents' });
  await expect(all.getByRole('row', { name: /^start/ })).toHaveCount(0);
  await expect(all.getByText('1 document', { exact: true })).toBeVisible();
});
