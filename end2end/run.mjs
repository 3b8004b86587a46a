//! `npm test`: types, browser, crash, providers; all of them, also after one has failed.

import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';

const HERE = new URL('.', import.meta.url).pathname;

/**
 * Runs a program, shows what it prints, and returns its exit code and last line.
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<{ code: number | null, lastLine: string }>}
 */
function run(command, args) {
  const child = spawn(command, args, { cwd: HERE, stdio: ['ignore', 'pipe', 'inherit'] });
  let lastLine = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    console.log(line);
    if (line.trim() !== '') lastLine = line;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, lastLine }));
  });
}

/** How many browser tests passed and failed, from Playwright's own report. */
async function browserCounts() {
  const report = JSON.parse(await readFile(`${HERE}test-results/browser.json`, 'utf8'));
  const { expected, unexpected } = report.stats;
  return { passed: expected, failed: unexpected };
}

await rm(`${HERE}test-results`, { recursive: true, force: true });
/** @type {string[]} */
const failures = [];
let passed = 0;
let failed = 0;

const bin = `${HERE}node_modules/.bin/`;
/** @type {[name: string, command: string, args: string[]][]} */
const steps = [
  ['types', `${bin}tsc`, []],
  ['browser', `${bin}playwright`, ['test']],
  ['crash', process.execPath, ['crash.mjs']],
  ['providers', process.execPath, ['providers.mjs']],
];
for (const [name, command, args] of steps) {
  const began = Date.now();
  const { code, lastLine } = await run(command, args);
  console.log(`${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${Math.round((Date.now() - began) / 1000)} s`);
  if (code !== 0) failures.push(name);
  const counted = /^(\d+) passed, (\d+) failed$/.exec(lastLine);
  if (name === 'browser') {
    const counts = await browserCounts();
    passed += counts.passed;
    failed += counts.failed;
  } else if (counted) {
    passed += Number(counted[1]);
    failed += Number(counted[2]);
  }
}
if (failures.length > 0) {
  console.log(`failed: ${failures.join(', ')}`);
  process.exitCode = 1;
}
console.log(`${passed} passed, ${failed} failed`);
