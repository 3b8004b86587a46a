//! Counts what was checked and prints the line that ends a program: `N passed, 0 failed`.

/** What has been checked so far. */
export class Tally {
  passed = 0;
  /** @type {string[]} */
  failures = [];

  /**
   * @param {string} what what has to be true
   * @param {boolean} holds
   * @param {string} [detail] said when it is not
   */
  check(what, holds, detail = '') {
    if (holds) {
      this.passed += 1;
    } else {
      this.failures.push(`${what}${detail === '' ? '' : `: ${detail}`}`);
      console.error(`FAILED ${this.failures.at(-1)}`);
    }
  }

  /** Prints the last line and sets the exit code. */
  end() {
    console.log(`${this.passed} passed, ${this.failures.length} failed`);
    if (this.failures.length > 0 || this.passed === 0) process.exitCode = 1;
  }
}
