//! What every test stands on: real servers, signed-in people in browsers of their own, and the
//! rule that no page may complain.

import { test as base, expect, type Browser, type BrowserContext, type Page } from '@playwright/test';

import { Client } from './client.mjs';
import { Installation, type Account } from './installation.ts';
import { newDataDir, removeDataDir, runningServers, Server, type SignIn } from './server.mjs';
import { Watch } from './watch.ts';

export { expect };

/** Somebody's browser: cookies and storage of its own, one page to begin with. */
export class Person {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly watch: Watch;
  readonly url: string;

  constructor(context: BrowserContext, page: Page, watch: Watch, url: string) {
    this.context = context;
    this.page = page;
    this.watch = watch;
    this.url = url;
  }

  /** Opens an address of the server and waits until the page is alive. */
  async goto(path: string, page = this.page): Promise<void> {
    await page.goto(this.url + path);
    await alive(page);
  }

  /** A further tab of the same browser. */
  async tab(path: string): Promise<Page> {
    const page = await this.context.newPage();
    await this.goto(path, page);
    return page;
  }
}

/** Waits until the front end runs: before that, keys and clicks are lost. */
export async function alive(page: Page): Promise<void> {
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
}

/** Waits until a page that something led to is there, by its heading, and alive. */
export async function reached(page: Page, heading: string | RegExp): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toContainText(heading);
  await alive(page);
}

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

/** Opens browsers for people; whoever complains fails the test at its end. */
export class People {
  readonly #browser: Browser;
  readonly #open: Person[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** The browser of somebody who is not signed in. */
  async stranger(url: string, options: ContextOptions = {}): Promise<Person> {
    const context = await this.#browser.newContext({ ...base.info().project.use, ...options });
    const watch = await Watch.on(context);
    const person = new Person(context, await context.newPage(), watch, url);
    this.#open.push(person);
    return person;
  }

  /** The browser of somebody with an account, signed in. */
  async signedIn(account: Account, options: ContextOptions = {}): Promise<Person> {
    return this.#with(account.client, options);
  }

  /** The browser of somebody of the demo, signed in. */
  async demo(server: Server, name: string, options: ContextOptions = {}): Promise<Person> {
    return this.#with(await demoClient(server, name), options);
  }

  async #with(client: Client, options: ContextOptions): Promise<Person> {
    const person = await this.stranger(client.url, options);
    const cookies = [...client.cookies].map(([name, value]) => ({ name, value, url: client.url }));
    await person.context.addCookies(cookies);
    return person;
  }

  async close(): Promise<void> {
    const complaints = this.#open.flatMap((person) => person.watch.unexpected());
    for (const { context, watch } of this.#open) {
      watch.stop();
      await context.close();
    }
    expect(complaints, 'complaints of the pages').toEqual([]);
  }
}

/** Somebody of the demo, whose name or description matches. */
export function demoSignIn(server: Server, name: string): SignIn {
  const found = server.signIns.find((person) => person.name === name);
  if (!found) throw new Error(`nobody in the demo is called ${name}`);
  return found;
}

/** A session of somebody of the demo. */
export async function demoClient(server: Server, name: string): Promise<Client> {
  const { email, password } = demoSignIn(server, name);
  return new Client(server.url).signIn(email, password);
}

interface TestFixtures {
  people: People;
  /** A server that nobody has set up yet, of this test alone. */
  newServer: Server;
  /** A demo server of this test alone, for tests that change it. */
  ownDemo: Server;
  /** Fails the test in which a server was late with an answer, with what it was doing. */
  answering: void;
}

interface WorkerFixtures {
  /** A server with a manager. Tests create projects of their own on it. */
  installation: Installation;
  /** A demo server that all tests read and none changes. */
  demo: Server;
}

/** The log of a server at the level "warn" has to be empty. */
function expectNoWarnings(server: Server): void {
  expect(server.warnings(), 'warnings of the server').toEqual([]);
}

async function withServer(demo: boolean, use: (server: Server) => Promise<void>): Promise<void> {
  const dataDir = await newDataDir();
  const server = await Server.start({ dataDir, demo });
  await use(server);
  await server.stop();
  await removeDataDir(dataDir);
  expectNoWarnings(server);
}

/** Playwright's `test` with our fixtures. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  people: async ({ browser }, use) => {
    const people = new People(browser);
    await use(people);
    await people.close();
  },
  answering: [
    async ({}, use) => {
      const before = new Map(runningServers().map((server) => [server, server.late().length]));
      const open = new Set<Server>(before.keys());
      await use();
      for (const server of runningServers()) open.add(server);
      const late = [...open].flatMap((server) => server.late().slice(before.get(server) ?? 0));
      expect(late, 'answers that were late').toEqual([]);
    },
    { auto: true },
  ],
  newServer: async ({}, use) => withServer(false, use),
  ownDemo: async ({}, use) => withServer(true, use),
  installation: [
    async ({}, use) => {
      const installation = await Installation.start();
      await use(installation);
      await installation.end();
      expectNoWarnings(installation.server);
    },
    { scope: 'worker' },
  ],
  demo: [async ({}, use) => withServer(true, use), { scope: 'worker' }],
});
