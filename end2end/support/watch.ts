//! Watches what a browser complains about: whatever a test does not expect fails it.

import type { BrowserContext, ConsoleMessage, Response } from '@playwright/test';

/** Every complaint of one browser context. */
export class Watch {
  readonly #complaints: string[] = [];
  readonly #expected: RegExp[] = [];

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

  #console(message: ConsoleMessage): void {
    if (message.type() === 'error' || message.type() === 'warning') {
      // The stack of a panic in WebAssembly is long, and names nothing of ours.
      const text = message.text().split('\n\nStack:')[0];
      this.#add(`console ${message.type()}: ${text} (${message.location().url})`);
    }
  }

  #response(response: Response): void {
    if (response.status() >= 500) this.#add(`answer: ${response.status()} ${response.url()}`);
  }

  #add(complaint: string): void {
    this.#complaints.push(complaint);
  }
}
