//! Random numbers that a seed gives back: a failure can be run again.

/** A small generator (mulberry32); good enough to choose moments and spans. */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** @returns {number} at least 0, below 1 */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  /**
   * @param {number} below
   * @returns {number} a whole number from 0 up to, not including, `below`
   */
  below(below) {
    return Math.floor(this.next() * below);
  }
}
