//! Watches what a browser complains about: whatever a test does not expect fails it.

import type { BrowserContext, ConsoleMessage, Request, Response } from '@playwright/test';

import { serverAt } from './server.mjs';

/** How long a page, a file or a call may wait for its answer. */
const ANSWER_LIMIT = 5_000;

/**
 * What takes as long as it takes: streams, and what has many files or a whole project in it. The
 * scripts of workers, and what outlives its page, have answers that nobody is told of here.
 */
const LONG = /^\/(events|api|compare|fn\/focus)\b|_worker\.js$/;

/** Every complaint of one browser context. */
export class Watch {
  readonly #complaints: string[] = [];
  readonly #expected: RegExp[] = [];
  readonly #waiting = new Map<Request, NodeJS.Timeout>();

  /** Starts to listen, on all present and future pages of the context. */
  static async on(context: BrowserContext): Promise<Watch> {
    const watch = new Watch();
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(
          `content security policy: ${event.violatedDirective} blocked ${event.blockedURI} ` +
            `at ${event.sourceFile}:${event.lineNumber}`,
        );
      });
    });
    context.on('console', (message) => watch.#console(message));
    context.on('weberror', (error) => watch.#add(`page error: ${String(error.error())}`));
    context.on('response', (response) => watch.#response(response));
    context.on('request', (request) => watch.#wait(request));
    context.on('requestfailed', (request) => watch.#answered(request));
    context.on('close', () => watch.stop());
    return watch;
  }

  /** Takes complaints that match for part of what the test is about. */
  expect(...complaints: RegExp[]): void {
    this.#expected.push(...complaints);
  }

  /** What was neither expected nor all right. */
  unexpected(): string[] {
    return this.#complaints.filter(
      (complaint) => !this.#expected.some((expected) => expected.test(complaint)),
    );
  }

  /** Waits for no answers any more. */
  stop(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
  }

  /** Has the server say what it is doing when it does not answer in time. */
  #wait(request: Request): void {
    const server = serverAt(request.url());
    if (!server || LONG.test(new URL(request.url()).pathname)) return;
    const late = async (): Promise<void> => {
      this.#waiting.delete(request);
      if (request.frame().page().isClosed()) return;
      const doing = await server.describe();
      this.#add(`no answer for ${ANSWER_LIMIT} ms: ${request.method()} ${request.url()}\n${doing}`);
    };
    this.#waiting.set(request, setTimeout(() => void late(), ANSWER_LIMIT));
  }

  #answered(request: Request): void {
    clearTimeout(this.#waiting.get(request));
    this.#waiting.delete(request);
  }

  #console(message: ConsoleMessage): void {
    if (message.type() === 'error' || message.type() === 'warning') {
      // The stack of a panic in WebAssembly is long, and names nothing of ours.
      const text = message.text().split('\n\nStack:')[0];
      this.#add(`console ${message.type()}: ${text} (${message.location().url})`);
    }
  }

  #response(response: Response): void {
    this.#answered(response.request());
    if (response.status() >= 500) this.#add(`answer: ${response.status()} ${response.url()}`);
  }

  #add(complaint: string): void {
    this.#complaints.push(complaint);
  }
}
