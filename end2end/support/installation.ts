//! A server with its first manager, and the people and projects that tests put on it.

import { Client } from './client.mjs';
import { newDataDir, removeDataDir, Server } from './server.mjs';

/** Somebody with an account. */
export interface Account {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly client: Client;
}

/** A project with its people. */
export interface Project {
  readonly id: number;
  readonly name: string;
  /** The ids of its labels by name. */
  readonly labels: ReadonlyMap<string, number>;
  readonly manager: Account;
  readonly labelers: readonly Account[];
  readonly reviewers: readonly Account[];
}

/** What a project is to have. */
export interface Wanted {
  readonly name?: string;
  readonly labels?: readonly string[];
  /** Content by file name. */
  readonly files: Readonly<Record<string, string>>;
  readonly labelers?: readonly string[];
  readonly reviewers?: readonly string[];
}

const PASSWORD = 'copper walnut lantern ferry';

/** A running server without demo, and its first manager. */
export class Installation {
  server: Server;
  readonly manager: Account;
  readonly #dataDir: string;
  #people = 0;
  #projects = 0;

  private constructor(server: Server, manager: Account, dataDir: string) {
    this.server = server;
    this.manager = manager;
    this.#dataDir = dataDir;
  }

  static async start(): Promise<Installation> {
    const dataDir = await newDataDir();
    const server = await Server.start({ dataDir, webhookAllow: '127.0.0.1' });
    const token = server.setUp?.split('/').at(-1);
    if (!token) throw new Error('a new server prints no set-up link');
    const manager = await account(server.url, token, 'Mira Manager', 'mira@example.org');
    return new Installation(server, manager, dataDir);
  }

  async end(): Promise<void> {
    await this.server.stop();
    await removeDataDir(this.#dataDir);
  }

  /** One more server of the same database. */
  async another(): Promise<Server> {
    return Server.start({ dataDir: this.#dataDir, webhookAllow: '127.0.0.1' });
  }

  /** Ends the server as a power cut would, lets something happen, and starts it where it was. */
  async powerCut(meanwhile: () => Promise<void>): Promise<void> {
    const port = Number(new URL(this.server.url).port);
    await this.server.kill();
    await meanwhile();
    this.server = await Server.start({ dataDir: this.#dataDir, port, webhookAllow: '127.0.0.1' });
  }

  /** Creates a project with documents and new people. */
  async project(wanted: Wanted): Promise<Project> {
    const { client } = this.manager;
    this.#projects += 1;
    const name = wanted.name ?? `Project ${this.#projects}`;
    const id = await client.createProject(name, [...(wanted.labels ?? ['PER', 'ORG', 'LOC'])]);
    const labels = new Map((await client.labels(id)).map((label) => [label.name, label.id]));
    await client.importFiles(id, wanted.files);
    const join = async (role: 'labeler' | 'reviewer', names: readonly string[] = []) => {
      const people = [];
      for (const name of names) {
        this.#people += 1;
        const token = await client.invite(id, role);
        const email = `person${this.#people}@example.org`;
        people.push(await account(this.server.url, token, name, email));
      }
      return people;
    };
    return {
      id,
      name,
      labels,
      manager: this.manager,
      labelers: await join('labeler', wanted.labelers),
      reviewers: await join('reviewer', wanted.reviewers),
    };
  }
}

async function account(url: string, token: string, name: string, email: string): Promise<Account> {
  const person = { email, name, password: PASSWORD };
  return { ...person, client: await new Client(url).accept(token, person) };
}

/** The copy that a labeler has of a document. */
export async function copyOf(
  labeler: Account,
  project: Project,
  document: string,
): Promise<number> {
  const cards = await labeler.client.assignments(project.id);
  const card = cards.find((card) => card.document_name === document);
  if (!card) {
    const names = cards.map((card) => card.document_name).join(', ');
    throw new Error(`${labeler.name} has no copy of ${document}, only of ${names}`);
  }
  return card.id;
}
