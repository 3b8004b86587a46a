//! Signs in through a real provider of OpenID Connect, and through one that is away, changes its keys, or
//! says what it should not. Ends with the line `N passed, N failed`.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { Browser } from './support/browser.mjs';
import { CLIENT, IdentityProvider, SECRET } from './support/provider.mjs';
import { newDataDir, removeDataDir, Server } from './support/server.mjs';

/** Keys that are not known are asked for again after so long, in milliseconds. */
const KEYS_AGAIN = 11_000;

/** How long streams may go on after their session, in milliseconds. */
const STREAM_ENDS = 30_000;

/** @param {string} name @param {string[]} groups */
const person = (name, groups = [], email = `${name}@example.org`) => ({
  email,
  email_verified: true,
  name: `${name} of the Provider`,
  groups,
});

const PEOPLE = {
  mara: person('mara', ['admins']),
  lena: person('lena', ['annotators']),
  otto: person('otto'),
  eve: { ...person('eve', [], 'mara@example.org'), email_verified: false },
  chief: person('chief', ['admins'], 'chief@example.org'),
  pat: person('pat'),
};

/** A port that nobody listens at. @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === 'object' ? address.port : 0));
    });
  });
}

const dataDir = await newDataDir();
const port = await freePort();
const site = `http://127.0.0.1:${port}`;
const provider = await IdentityProvider.start(PEOPLE, site);
const away = `http://127.0.0.1:${await freePort()}`;

/** @param {{ accounts: string, only?: boolean, join?: boolean, known?: boolean }} options */
async function start({ accounts, only = false, join: joins = false, known = true }) {
  const config = join(dataDir, 'concord.toml');
  const secret = join(dataDir, 'client.secret');
  await writeFile(secret, `${SECRET}\n`);
  await writeFile(
    config,
    `only-providers = ${only}
[[provider]]
name = "${known ? 'example' : 'other'}"
title = "Example"
issuer = "${known ? provider.issuer : 'http://127.0.0.1:1'}"
client-id = "${CLIENT}"
client-secret-file = "${secret}"
scopes = ["email", "profile", "groups"]
accounts = "${accounts}"
join-by-email = ${joins}
administrators = ["admins"]
projects = [{ group = "annotators", project = 1, role = "labeler" }]
[[provider]]
name = "away"
issuer = "${away}"
client-id = "${CLIENT}"
`,
  );
  return Server.start({ dataDir, port, config });
}

/** Signs in as somebody; the answer is where that has led. @param {string} login */
async function signIn(login, query = '', browser = new Browser()) {
  const came = await browser.follow(`${site}/sign-in/with/example${query}`, { login });
  return { browser, ...came };
}

/** What the sign-in page was told. @param {URL} url */
const refusal = (url) => `${url.pathname} ${url.searchParams.get('why')}`;

/** Whether a browser is signed in. @param {Browser} browser */
const isIn = async (browser) => (await browser.ask(`${site}/account`)).status === 200;

/**
 * Signs in as lena while the provider's tokens say something else.
 * @param {(claims: import('jose').JWTPayload) => import('jose').JWTPayload} change
 */
async function changed(change) {
  provider.change = change;
  try {
    return await signIn('lena');
  } finally {
    provider.change = null;
  }
}

/** The token of an invitation to the project, to whoever has it. @returns {Promise<string>} */
async function invitation() {
  const invited = await manager.ask(`${site}/fn/members/invite_member`, {
    method: 'POST',
    body: new URLSearchParams({ project: '1', role: 'reviewer', email: '' }),
    headers: { 'sec-fetch-site': 'same-origin', accept: 'application/json' },
  });
  return invited.json();
}

/** @param {number} seconds */
const from = (seconds) => Math.floor(Date.now() / 1000) + seconds;

let server = await start({ accounts: 'invited' });
const setUp = server.setUp?.split('/').pop() ?? '';
/** @type {Browser} */
let manager = new Browser();
/** @type {Browser} */
let labeler = new Browser();

/** @type {[name: string, test: () => Promise<void>][]} */
const tests = [
  ['whoever has no account and no invitation is refused', async () => {
    const { browser, url } = await signIn('otto');
    assert.equal(refusal(url), '/sign-in unknown-identity');
    assert.equal(await isIn(browser), false);
  }],
  ['an invitation is accepted through a provider, and its account has no password', async () => {
    const { browser, url } = await signIn('mara', `?invitation=${setUp}`);
    assert.equal(url.pathname, '/');
    assert.equal(await isIn(browser), true);
    assert.equal((await browser.ask(`${site}/admin`)).status, 200);
    manager = browser;
    const made = await browser.send(`${site}/fn/projects/create_project`, { name: 'Hymns' });
    assert.match(made.headers.get('location') ?? '', /\/projects\/1/);
  }],
  ['an account that is linked is signed in to again', async () => {
    const { browser, url } = await signIn('mara', '?back=/keys');
    assert.equal(url.pathname, '/keys');
    assert.equal(await isIn(browser), true);
  }],
  ['an address that is not verified opens nothing', async () => {
    const { url } = await signIn('eve');
    assert.equal(refusal(url), '/sign-in unknown-identity');
  }],
  ['nobody is led to another site', async () => {
    for (const back of ['https://evil.example', '//evil.example', '/%5Cevil.example']) {
      const { url } = await signIn('mara', `?back=${back}`);
      assert.equal(url.href, `${site}/`, back);
    }
  }],
  ['an answer is taken once, in the browser that asked, for the question that it asked', async () => {
    const browser = new Browser();
    const before = `${site}/sign-in/with/example/back`;
    const { url } = await browser.follow(`${site}/sign-in/with/example`, { login: 'mara', before });
    const stranger = await new Browser().ask(url);
    assert.match(stranger.headers.get('location') ?? '', /why=expired/);
    const forged = new URL(url);
    forged.searchParams.set('state', 'another');
    const other = await new Browser().ask(forged);
    assert.match(other.headers.get('location') ?? '', /why=expired/);
    assert.equal((await browser.ask(url)).headers.get('location'), '/');
    const again = await browser.ask(url);
    assert.match(again.headers.get('location') ?? '', /why=(expired|identity-refused)/);
  }],
  ['a provider that does not answer is told as such', async () => {
    const answer = await new Browser().ask(`${site}/sign-in/with/away`);
    const url = new URL(answer.headers.get('location') ?? '', site);
    assert.equal(refusal(url), '/sign-in not-offered');
    const unknown = await new Browser().ask(`${site}/sign-in/with/nobody`);
    assert.match(unknown.headers.get('location') ?? '', /why=not-found/);
  }],
  ['anybody gets an account where the settings say so, and their groups lead them to a project', async () => {
    await server.stop();
    server = await start({ accounts: 'any' });
    const { browser, url } = await signIn('lena');
    assert.equal(url.pathname, '/');
    assert.equal((await browser.ask(`${site}/projects/1`)).status < 400, true);
    assert.equal((await browser.ask(`${site}/admin`)).status, 404);
    labeler = browser;
    const other = (await signIn('otto')).browser;
    assert.equal((await other.ask(`${site}/projects/1`)).status, 404);
  }],
  ['a token for somebody else, too old, too new or for another question is refused', async () => {
    for (const [what, change] of /** @type {[string, Parameters<typeof changed>[0]][]} */ ([
      ['another audience', (claims) => ({ ...claims, aud: 'another' })],
      ['two audiences', (claims) => ({ ...claims, aud: [CLIENT, 'another'] })],
      ['another issuer', (claims) => ({ ...claims, iss: away })],
      ['expired', (claims) => ({ ...claims, exp: from(-120) })],
      ['of the future', (claims) => ({ ...claims, iat: from(120) })],
      ['another nonce', (claims) => ({ ...claims, nonce: 'another' })],
      ['no nonce', ({ nonce: _, ...claims }) => claims],
    ])) {
      const { browser, url } = await changed(change);
      assert.equal(refusal(url), '/sign-in identity-refused', what);
      assert.equal(await isIn(browser), false, what);
    }
  }],
  ['clocks may differ by less than a minute', async () => {
    for (const change of [
      (/** @type {import('jose').JWTPayload} */ claims) => ({ ...claims, exp: from(-30) }),
      (/** @type {import('jose').JWTPayload} */ claims) => ({ ...claims, iat: from(30) }),
    ]) {
      assert.equal((await changed(change)).url.pathname, '/');
    }
  }],
  ['a provider that signs with another key is believed once its keys were read anew', async () => {
    await pause(KEYS_AGAIN);
    await provider.rotate();
    assert.equal((await signIn('lena')).url.pathname, '/');
  }],
  ['a provider that goes away on the way lets nobody in, and everybody once it is back', async () => {
    const browser = new Browser();
    const before = `${site}/sign-in/with/example/back`;
    const { url } = await browser.follow(`${site}/sign-in/with/example`, { login: 'lena', before });
    const { port: itsPort = 0 } = provider;
    await provider.stop();
    const answer = await browser.ask(url);
    assert.match(answer.headers.get('location') ?? '', /why=not-offered/);
    assert.equal(await isIn(labeler), true, 'who is in stays in');
    await provider.listen(itsPort);
    assert.equal((await signIn('lena')).url.pathname, '/');
  }],
  ['a provider ends the session that it names, and its streams, and no other', async () => {
    const { browser: ending } = await signIn('mara');
    const sid = provider.lastSession();
    const { browser: staying } = await signIn('mara');
    const stream = await ending.ask(`${site}/events/projects/1/agreement`, {
      headers: { accept: 'text/event-stream' },
    });
    assert.equal(stream.status, 200);
    const began = Date.now();
    await provider.logOut(CLIENT, 'mara', sid);
    assert.equal(await isIn(ending), false);
    assert.equal(await isIn(staying), true);
    for await (const _ of stream.body ?? []);
    assert.ok(Date.now() - began < STREAM_ENDS, `${Date.now() - began} ms`);
  }],
  ['a logout token for another client, or that is none, ends nothing', async () => {
    const { browser } = await signIn('lena');
    await assert.rejects(provider.logOut('another', 'lena', provider.lastSession()));
    // What was given out to sign in with is no word about signing out.
    for (const token of ['none', provider.last ?? '']) {
      const told = await fetch(`${site}/sign-in/with/example/logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      });
      assert.equal(told.status, 400);
    }
    assert.equal(await isIn(browser), true);
  }],
  ['a sign-in is linked from the account page only, and by one account', async () => {
    const { browser } = await signIn('mara');
    const start = `${site}/sign-in/with/example?link=yes`;
    const foreign = await browser.ask(start, { headers: { 'sec-fetch-site': 'cross-site' } });
    assert.match(foreign.headers.get('location') ?? '', /why=foreign-origin/);
    const headers = { 'sec-fetch-site': 'same-origin' };
    // That the provider knows the browser proves nothing; that it has just asked does.
    const left = await browser.follow(start, { login: 'mara', headers });
    assert.equal(refusal(left.url), '/sign-in expired');
    const before = await (await browser.ask(`${site}/account`)).text();
    assert.match(before, /href="\/sign-in\/with\/example\?again=yes&amp;back=\/account"/);
    assert.doesNotMatch(before, /link=yes/);
    const again = `${site}/sign-in/with/example?again=yes&back=/account`;
    assert.equal((await browser.follow(again, { login: 'mara' })).url.href, `${site}/account`);
    const own = await browser.follow(start, { login: 'mara', headers });
    assert.equal(own.url.href, `${site}/account?changed=linked`);
    const page = await (await browser.ask(`${site}/account`)).text();
    assert.match(page, /Linked sign-ins/);
    assert.match(page, /mara@example.org/);
  }],
  ['the only way in stays', async () => {
    const { browser } = await signIn('otto', '?again=yes');
    const page = await (await browser.ask(`${site}/account`)).text();
    const id = /name="id" value="(\d+)"/.exec(page)?.[1] ?? '';
    assert.notEqual(id, '');
    await browser.send(`${site}/fn/accounts/unlink_identity`, { id });
    assert.equal((await signIn('otto')).url.pathname, '/');
  }],
  ['who was removed from a project is not let in again by a group', async () => {
    const page = await (await manager.ask(`${site}/projects/1/settings/members`)).text();
    const form = page.slice(0, page.indexOf('lena of the Provider')).lastIndexOf('<tr');
    const member = /name="member" value="(\d+)"/.exec(page.slice(form))?.[1] ?? '';
    await manager.send(`${site}/fn/members/remove_member`, { project: '1', member });
    const { browser } = await signIn('lena');
    assert.equal((await browser.ask(`${site}/projects/1`)).status, 404);
  }],
  ['where the provider says nothing of groups, people stay what they are', async () => {
    const groups = PEOPLE.mara.groups;
    // Two administrators, so that mara is not spared as the last.
    assert.equal((await (await signIn('chief')).browser.ask(`${site}/admin`)).status, 200);
    Reflect.deleteProperty(PEOPLE.mara, 'groups');
    const { browser } = await signIn('mara');
    assert.equal((await browser.ask(`${site}/admin`)).status, 200);
    PEOPLE.mara.groups = ['annotators'];
    const later = await signIn('mara');
    assert.equal((await later.browser.ask(`${site}/admin`)).status, 404);
    PEOPLE.mara.groups = groups;
    await signIn('mara');
  }],
  ['an account that is joined by its address opens by nothing else from then on', async () => {
    await server.stop();
    server = await start({ accounts: 'invited', join: true });
    const password = 'copper walnut lantern ferry';
    // Whoever makes an account says what its address is.
    const squatter = new Browser();
    await squatter.send(`${site}/fn/accounts/accept_invitation`, {
      token: await invitation(), email: 'pat@example.org', name: 'Not Pat', password,
    });
    assert.equal(await isIn(squatter), true);
    const { browser, url } = await signIn('pat');
    assert.equal(url.pathname, '/');
    assert.equal(await isIn(browser), true);
    assert.equal(await isIn(squatter), false);
    const again = new Browser();
    await again.send(`${site}/fn/accounts/sign_in`, { email: 'pat@example.org', password });
    assert.equal(await isIn(again), false);
  }],
  ['codes that are made up are counted as tries of their source', async () => {
    let refused = '';
    for (let tries = 0; tries < 40 && !refused.includes('too-many'); tries += 1) {
      const browser = new Browser();
      const asked = new URL((await browser.ask(`${site}/sign-in/with/example`)).headers.get('location') ?? '');
      const state = asked.searchParams.get('state') ?? '';
      const back = `${site}/sign-in/with/example/back?code=none&state=${state}`;
      refused = (await browser.ask(back)).headers.get('location') ?? '';
    }
    assert.match(refused, /too-many-attempts/);
  }],
  ['a provider that the settings do not have any more ends its sessions', async () => {
    await server.stop();
    server = await start({ accounts: 'any' });
    const { browser } = await signIn('mara');
    assert.equal(await isIn(browser), true);
    await server.stop();
    server = await start({ accounts: 'any', known: false });
    assert.equal(await isIn(browser), false);
    await server.stop();
    server = await start({ accounts: 'any' });
    assert.equal(await isIn(browser), true, 'and lets them go on once it is back');
  }],
  ['with providers only, passwords open nothing and sessions of providers go on', async () => {
    await server.stop();
    server = await start({ accounts: 'any', only: true });
    const page = await (await new Browser().ask(`${site}/sign-in`)).text();
    assert.match(page, /Sign in with/);
    assert.doesNotMatch(page, /type="password"/);
    const tried = await new Browser().ask(`${site}/fn/accounts/sign_in`, {
      method: 'POST',
      body: new URLSearchParams({ email: 'mara@example.org', password: 'anything at all' }),
      headers: { 'sec-fetch-site': 'same-origin', accept: 'application/json' },
    });
    assert.equal(tried.status, 409);
    assert.equal(await isIn(manager), true);
    assert.equal((await signIn('lena')).url.pathname, '/');
  }],
];

let failed = 0;
for (const [name, test] of tests) {
  try {
    await test();
    console.log(`ok: ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED: ${name}`, error);
  }
}
await server.stop();
await provider.stop();
await removeDataDir(dataDir);
process.exitCode = failed === 0 ? 0 : 1;
console.log(`${tests.length - failed} passed, ${failed} failed`);
