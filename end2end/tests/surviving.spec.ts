//! Work survives whatever happens: scenarios drawn by a seed, another each time. Afterwards the
//! server has the edits that were made, none lost that was older than half a second, none twice.
//! `CONCORD_SURVIVING_SCENARIOS=200` asks for more of them than there is time for each time.

import { randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';

import { openCopy, settled } from '../support/editor.ts';
import { alive, expect, test, type People, type Person } from '../support/fixtures.ts';
import { copyOf, Installation, type Account, type Project } from '../support/installation.ts';
import { Client } from '../support/client.mjs';
import { edit, Edits, WORDS } from '../support/labeling.ts';
import { Random } from '../support/random.mjs';
import { drawnMarks, text } from '../support/text.ts';

const SEED = Number(process.env['CONCORD_SURVIVING_SEED'] ?? randomInt(2 ** 31));

const SAVES = '**/fn/annotating/save_spans';

/** Four people work at a time, and each of them meets something of their own or with the others. */
const PEOPLE = 4;
const SCENARIOS = Number(process.env['CONCORD_SURVIVING_SCENARIOS'] ?? 48);
const POWER_CUTS = 3;
const EXPIRED_SESSIONS = 2;
const OF_THEIR_OWN = Math.max(1, Math.round(SCENARIOS / PEOPLE) - POWER_CUTS - EXPIRED_SESSIONS);

/** Pages are torn from what they do: what a browser says of that is not judged here. */
const EXPECTED = [/^console /];

/** Somebody with a copy of an own, a browser, and dice of their own. */
class Labeler {
  edits = new Edits();
  page: Page;

  private constructor(
    readonly person: Person,
    readonly account: Account,
    readonly checker: Client,
    readonly copy: number,
    readonly labels: readonly number[],
    readonly random: Random,
  ) {
    this.page = person.page;
  }

  static async start(people: People, project: Project, account: Account, number: number): Promise<Labeler> {
    const person = await people.signedIn(account);
    person.watch.expect(...EXPECTED);
    // A session of its own: the browser's is ended on purpose.
    const checker = await new Client(account.client.url).signIn(account.email, account.password);
    const copy = await copyOf(account, project, 'words');
    const random = new Random(SEED + number);
    const labeler = new Labeler(person, account, checker, copy, [...project.labels.values()], random);
    await openCopy(person, copy);
    return labeler;
  }

  async work(most = 4, page = this.page, rest?: number): Promise<void> {
    for (let n = 1 + this.random.below(most); n > 0; n -= 1) await edit(page, this.edits, this.random, rest);
  }

  pause(most: number): Promise<void> {
    return this.page.waitForTimeout(this.random.below(most));
  }

  async reopen(): Promise<void> {
    if (this.page.isClosed()) this.page = await this.person.context.newPage();
    // A page that is older than what was saved before loads itself anew.
    await openCopy(this.person, this.copy, this.page).catch((error) => {
      if (!String(error).includes('interrupted by another navigation')) throw error;
    });
  }

  async reloadPage(): Promise<void> {
    await this.page.reload({ waitUntil: 'commit' });
    await alive(this.page);
  }

  /** Ends the page without giving it a word. */
  async kill(): Promise<void> {
    if (this.random.below(4) === 0) {
      const session = await this.person.context.newCDPSession(this.page);
      const crashed = this.page.waitForEvent('crash');
      session.send('Page.crash').catch(() => {});
      await crashed;
    }
    await this.page.close();
  }

  async stored(): Promise<string[]> {
    const { content, text } = await this.checker.open(this.copy);
    return content.spans.map(
      ({ start, end, label }) => `${[...text].slice(start, end).join('')}:${this.labels.indexOf(label) + 1}`,
    );
  }

  /** Everything is on the server that was made before `ended`, and on screen. */
  async check(what: string, ended = Infinity): Promise<void> {
    await settled(this.page);
    const stored = await this.stored();
    this.edits.settle(stored, ended, `${what}: what the server has (seed ${SEED})`);
    const shown = (await drawnMarks(this.page)).length;
    expect(shown, `${what}: as many are on screen (seed ${SEED})`).toBe(stored.length);
  }

  async reload(): Promise<void> {
    await this.work();
    await this.pause(700);
    const ended = Date.now();
    await this.reloadPage();
    await this.check('reloaded', ended);
  }

  async killed(): Promise<void> {
    await this.work();
    await this.pause(700);
    const ended = Date.now();
    await this.kill();
    await this.reopen();
    await this.check('killed', ended);
  }

  async offline(): Promise<void> {
    const { context } = this.person;
    await this.work(2);
    await context.setOffline(true);
    await this.work();
    await this.pause(300);
    let ended = Infinity;
    if (this.random.below(2) === 0) {
      ended = Date.now();
      await this.kill();
      await context.setOffline(false);
      await this.reopen();
    } else {
      await context.setOffline(false);
    }
    await this.check('offline', ended);
  }

  /** The server stores it, but nobody learns so; then the page is reloaded, or killed. */
  async answerLost(): Promise<void> {
    const { page } = this;
    let lost = 0;
    await page.route(SAVES, async (route) => {
      // The page may be gone by then.
      await route.fetch().catch(() => {});
      lost += 1;
      await route.abort().catch(() => {});
    });
    await this.work();
    // Edits that take each other back are not sent.
    const saved = page.getByRole('status').filter({ hasText: /^Saved$/ });
    await expect.poll(async () => lost > 0 || (await saved.isVisible())).toBe(true);
    await this.work(2);
    await this.pause(700);
    const ended = Date.now();
    if (this.random.below(2) === 0) {
      await this.kill();
      await this.reopen();
    } else {
      await page.unroute(SAVES);
      await this.reloadPage();
    }
    await this.check('an answer was lost', ended);
  }

  /** Two tabs, one on even and one on odd words; conflicts are decided for both. */
  async secondTab(): Promise<void> {
    const first = this.page;
    await this.check('before the second tab');
    const second = await this.person.context.newPage();
    await openCopy(this.person, this.copy, second);
    for (let turn = 0; turn < 3; turn += 1) {
      await first.bringToFront();
      await this.work(2, first, 0);
      await second.bringToFront();
      await this.work(2, second, 1);
    }
    const [stays, goes] = this.random.below(2) === 0 ? [first, second] : [second, first];
    await decided(goes);
    await goes.close();
    this.page = stays;
    await stays.bringToFront();
    await decided(stays);
    this.edits.join([]);
    const stored = await this.stored();
    this.edits.settle(stored, Infinity, `two tabs: what the server has (seed ${SEED})`);
    await this.reopen();
  }

  async scenario(): Promise<void> {
    const dice = this.random.below(10);
    if (dice < 3) return this.reload();
    if (dice < 5) return this.killed();
    if (dice < 7) return this.offline();
    if (dice < 9) return this.answerLost();
    return this.secondTab();
  }

  /** The session ends while somebody works; the screen leads to signing in and back. */
  async expired(stranger: Account | null): Promise<void> {
    const { page } = this;
    await this.account.client.form('accounts/sign_out');
    // Edits that take each other back are not sent: on, until there is something to save.
    const state = page.getByTestId('save-state');
    await expect(async () => {
      await this.work();
      await expect(state).toContainText('Sign in again to save', { timeout: 3_000 });
    }).toPass();
    await page.getByRole('link', { name: 'Sign in' }).click();
    if (stranger) {
      // Somebody else comes first. Nothing of this is theirs.
      await signIn(page, stranger);
      await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
      await page.goto(`${this.person.url}/sign-in?back=/assignments/${this.copy}`);
    }
    await signIn(page, this.account);
    await expect(text(page)).toBeVisible();
    await this.check('the session had ended');
    await this.account.client.signIn(this.account.email, this.account.password);
    const cookies = [...this.account.client.cookies];
    await this.person.context.addCookies(
      cookies.map(([name, value]) => ({ name, value, url: this.person.url })),
    );
  }
}

async function signIn(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Puts the changes of a tab on top of the saved ones if asked to, until all are saved. */
async function decided(page: Page): Promise<void> {
  const apply = page.getByRole('button', { name: /^Apply my \d+ changes? on top$/ });
  const saved = page.getByRole('status').filter({ hasText: /^Saved$/ });
  await expect(async () => {
    if (await apply.isVisible()) await apply.click();
    await expect(saved).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

test('whatever happens, no edit is lost and none is doubled', async ({ people }) => {
  test.setTimeout(60_000 + SCENARIOS * 4_000);
  const installation = await Installation.start();
  let scenarios = 0;
  try {
    const names = Array.from({ length: PEOPLE }, (_, number) => `Sam Survivor ${number + 1}`);
    const project = await installation.project({ files: { 'words.txt': WORDS }, labelers: names });
    const labelers = await Promise.all(
      project.labelers.map((account, number) => Labeler.start(people, project, account, number)),
    );
    const all = async (scenario: (labeler: Labeler, number: number) => Promise<void>) => {
      await Promise.all(labelers.map(scenario));
      scenarios += labelers.length;
    };

    await Promise.all(
      labelers.map(async (labeler) => {
        for (let n = 0; n < OF_THEIR_OWN; n += 1) {
          await labeler.scenario();
          scenarios += 1;
        }
      }),
    );
    for (let n = 0; n < EXPIRED_SESSIONS; n += 1) {
      await all((labeler, number) => {
        const stranger = project.labelers[(number + 1) % PEOPLE] ?? null;
        return labeler.expired(n === 0 ? null : stranger);
      });
    }
    for (let n = 0; n < POWER_CUTS; n += 1) {
      await Promise.all(labelers.map((labeler) => labeler.work()));
      await installation.powerCut(async () => {
        await Promise.all(labelers.map((labeler) => labeler.work()));
      });
      await all((labeler) => labeler.check('the server was killed'));
    }
    expect(scenarios).toBe(PEOPLE * (OF_THEIR_OWN + EXPIRED_SESSIONS + POWER_CUTS));
  } catch (error) {
    console.log(`seed ${SEED} (CONCORD_SURVIVING_SEED=${SEED} draws the same again), after ${scenarios} scenarios: ${String(error)}`);
    throw error;
  } finally {
    await installation.end();
  }
});
