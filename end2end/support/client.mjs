//! One signed-in person without a browser: the calls that our pages make, for seeding and for the
//! crash test.

/**
 * @typedef {{ start: number, end: number, label: number }} Span
 * @typedef {{ id: number, name: string, colour: number, hotkey: string | null }} Label
 * @typedef {{ revision: number, state: string, saved_at: number | null, spans: Span[] }} Content
 * @typedef {{ id: number, project: number, document_name: string, text: string, labels: Label[],
 *   content: Content, suggestions: Span[], next: number | null }} Assignment
 * @typedef {{ id: number, document_name: string, state: string, spans: number }} AssignmentCard
 * @typedef {{ id: number, name: string, role: 'manager' | 'labeler' | 'reviewer' }} Rater
 * @typedef {{ Value: { value: number, observed: number, expected: number } }
 *   | { Undefined: string }} Measured
 * @typedef {{ first: number, second: number, measured: Measured, n: number,
 *   coverage: { both: number, only_first: number, only_second: number },
 *   documents: number }} Cell
 * @typedef {{ revision: number, raters: Rater[], cells: Cell[] }} Snapshot
 * @typedef {{ assignment: number, base: number, key: string, removed: Span[],
 *   added: Span[] }} SaveSpans
 * @typedef {{ Saved: { revision: number, saved_at: number } } | { Conflict: Content }} SaveOutcome
 */

/** An answer other than 2xx. */
export class Refused extends Error {
  /**
   * @param {string} what
   * @param {number} status
   * @param {string} body
   */
  constructor(what, status, body) {
    super(`${what}: ${status} ${body.slice(0, 500)}`);
    this.status = status;
    this.body = body;
  }
}

/** A person's session. */
export class Client {
  /** @param {string} url */
  constructor(url) {
    this.url = url;
    /** @type {Map<string, string>} */
    this.cookies = new Map();
  }

  /**
   * Sends a request as our own pages do.
   * @param {string} path
   * @param {RequestInit} [init]
   */
  async request(path, init = {}) {
    const headers = new Headers(init.headers);
    headers.set('Sec-Fetch-Site', 'same-origin');
    headers.set('Origin', this.url);
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    if (cookies.length > 0) headers.set('Cookie', cookies.join('; '));
    const answer = await fetch(this.url + path, { ...init, headers, redirect: 'manual' });
    for (const cookie of answer.headers.getSetCookie()) {
      const pair = cookie.split(';')[0] ?? '';
      const at = pair.indexOf('=');
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }

  /**
   * Calls a server function whose arguments travel as a form.
   * @param {string} name
   * @param {Record<string, string | number>} [args]
   * @returns {Promise<any>}
   */
  async form(name, args = {}) {
    const body = new URLSearchParams();
    for (const [key, value] of Object.entries(args)) body.set(key, String(value));
    return this.#read(name, await this.request(`/fn/${name}`, { method: 'POST', body }));
  }

  /**
   * Calls a server function whose arguments travel as JSON.
   * @param {string} name
   * @param {object} args
   * @returns {Promise<any>}
   */
  async json(name, args) {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify(args);
    return this.#read(name, await this.request(`/fn/${name}`, { method: 'POST', headers, body }));
  }

  /**
   * @param {string} what
   * @param {Response} answer
   */
  async #read(what, answer) {
    const text = await answer.text();
    if (!answer.ok) throw new Refused(what, answer.status, text);
    return text === '' ? null : JSON.parse(text);
  }

  /**
   * @param {string} path
   * @returns {Promise<string>}
   */
  async text(path) {
    const answer = await this.request(path);
    const text = await answer.text();
    if (!answer.ok) throw new Refused(path, answer.status, text);
    return text;
  }

  /**
   * @param {string} email
   * @param {string} password
   */
  async signIn(email, password) {
    await this.form('accounts/sign_in', { email, password });
    return this;
  }

  /**
   * Creates an account by the token of an invitation, and is signed in with it.
   * @param {string} token
   * @param {{ email: string, name: string, password: string }} account
   */
  async accept(token, account) {
    await this.form('accounts/accept_invitation', { token, ...account });
    return this;
  }

  /**
   * @param {string} name
   * @param {string[]} labels
   * @returns {Promise<number>}
   */
  async createProject(name, labels) {
    const project = await this.form('projects/create_project', { name });
    for (const [index, label] of labels.entries()) {
      const hotkey = String(index + 1);
      await this.form('projects/create_label', { project, name: label, colour: index, hotkey });
    }
    return project;
  }

  /**
   * @param {number} project
   * @returns {Promise<Label[]>}
   */
  async labels(project) {
    return (await this.form('projects/load_project', { project })).labels;
  }

  /**
   * Imports files for every labeler.
   * @param {number} project
   * @param {Record<string, string>} files content by name
   */
  async importFiles(project, files) {
    const body = new FormData();
    for (const [name, content] of Object.entries(files)) {
      body.append('files', new Blob([content]), name);
    }
    const path = `/api/v1/projects/${project}/imports?mode=commit&assign=everyone&create_labels=true`;
    return this.#read('import', await this.request(path, { method: 'POST', body }));
  }

  /**
   * @param {number} project
   * @param {'manager' | 'labeler' | 'reviewer'} role
   * @returns {Promise<string>} the token of the link
   */
  async invite(project, role, email = '') {
    return this.form('members/invite_member', { project, role, email });
  }

  /**
   * One's own copies.
   * @param {number} project
   * @returns {Promise<AssignmentCard[]>}
   */
  async assignments(project) {
    return (await this.form('annotating/load_own_work', { project })).assignments;
  }

  /**
   * @param {number} assignment
   * @returns {Promise<Assignment>}
   */
  async open(assignment) {
    return this.form('annotating/load_assignment', { assignment });
  }

  /**
   * @param {SaveSpans} command
   * @returns {Promise<SaveOutcome>}
   */
  async save(command) {
    return this.json('annotating/save_spans', { command });
  }

  /**
   * @param {number} assignment
   * @param {number} base
   * @returns {Promise<SaveOutcome>}
   */
  async submit(assignment, base) {
    return this.form('annotating/submit_assignment', { assignment, base });
  }

  /**
   * @param {number} project
   * @param {{ measure?: string, policy?: string, documents?: string }} [switches]
   * @returns {Promise<Snapshot>}
   */
  async agreement(project, switches = {}) {
    const defaults = { measure: 'kappa', policy: 'cleaned', documents: 'saved' };
    return this.json('agreement/load_agreement', {
      project,
      switches: { ...defaults, ...switches },
    });
  }
}
