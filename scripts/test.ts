/**
 * `npm run test:quick` (`--quick`): lint, format, types and the pure tests, which need no database and no browser, for
 * use while working.
 *
 * `npm run test:fleet` (`--fleet`): many processes with haproxy, a standby and an S3 store, each killed under load. It
 * needs Debian packages, so `npm test` only reports whether it could run here.
 *
 * `npm test`: the build, lint, format, types, and every kind of Vitest test, each once. The last line adds them up; the
 * exit code is 0 only if nothing failed; a test that needed its second try is named, with its first failure. A run that
 * crashed or found no tests is a failure, never a silent pass.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { chromiumPath } from '#tests/support/chromium-path.ts';
import { whyNoFleet } from '#tests/support/installed.ts';
import { endProcessesOfFolder } from '#tests/support/processes-of-folder.ts';
import { stopSite } from '#tests/support/site-process.ts';
import { removeTestServer, sweepTestServers, testServerDir } from '#tests/support/test-postgres.ts';

const root = path.resolve(import.meta.dirname, '..');
const bin = path.join(root, 'node_modules', '.bin');
const isQuick = process.argv.includes('--quick');
const isFleet = process.argv.includes('--fleet');

/**
 * The seed of the tests' order, the same for everyone, so that a failure can be repeated. Another one: `npm test --
 * --seed=7`.
 */
const SEED = Number(process.argv.find((word) => word.startsWith('--seed='))?.slice(7) ?? 20261123);

/** Where browser tests have a site for each line of work; the next run removes it if this one is killed. */
const sites = testServerDir(process.pid);
mkdirSync(sites, { recursive: true });

/**
 * The run's folder: reports, and as `TMPDIR` everything that its tests put into temporary folders, in memory if there is
 * plenty (decision record 0122). Each of its processes can be recognized by it.
 */
const folder = mkdtempSync(path.join(sites, 'run-'));
// PostgreSQL may run under another account.
chmodSync(folder, 0o711);

type Tally = { passed: number; failed: number; skipped: number };

/** A test that passed on retry still has the failures of its first try. */
type TestResult = { status: string; fullName: string; failureMessages: string[] };

/** The parts of Vitest's JSON report that are read here. */
type Report = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; status: string; message: string; assertionResults: TestResult[] }[];
};

/**
 * Every failed test and every file that could not run, with the reason, for the end of the output: they are visible
 * even in a truncated log.
 */
const failures: string[] = [];

/** What `npm start` runs, as it is built at the beginning. */
const START_PROGRAM = 'build/program/start.js';

/** The demo's data; the browser tests start their sites from copies of it. */
const madeSite = path.join(folder, 'site');

/** Programs of this run, and whether it was interrupted: then no other one starts. */
const running = new Set<ChildProcess>();
let isInterrupted = false;

/** Ctrl-C and the like: everything that the run has started ends, also what it detached, and its folders are removed. */
async function interrupt(signal: NodeJS.Signals): Promise<void> {
  if (isInterrupted) return;
  isInterrupted = true;
  console.log(`\ninterrupted by ${signal}: ending what the tests have started`);
  for (const child of running) child.kill('SIGTERM');
  await endProcessesOfFolder(folder);
  await removeTestServer(sites);
  await sweepTestServers();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(128 + constants.signals[signal]);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void interrupt(signal));

/** With `log` the output goes to that file; `env` is added to the environment. */
function run(
  tool: string,
  args: string[],
  { log = null, env = {} }: { log?: string | null; env?: NodeJS.ProcessEnv } = {},
): Promise<number> {
  return new Promise((resolve) => {
    if (isInterrupted) return;
    const out = log === null ? 'inherit' : openSync(log, 'w');
    const child = spawn(path.resolve(bin, tool), args, {
      cwd: root,
      stdio: ['ignore', out, out],
      env: {
        ...process.env,
        TMPDIR: folder,
        // Vitest loads a test file by another address each time, which would remain in the usual folder.
        NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
        START_PROGRAM,
        MADE_SITE: madeSite,
        // The compiler and lint, which are Go programs, collect garbage less often, and lint checks with one thread:
        // several check what they have in common each for itself (decision record 0122).
        GOGC: '400',
        GOMAXPROCS: '1',
        PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`,
        ...env,
      },
    });
    running.add(child);
    child.once('error', (error) => {
      console.error(error.message);
      resolve(127);
    });
    child.once('exit', (code, signal) => {
      running.delete(child);
      if (isInterrupted) return;
      if (signal) console.error(`${tool} was ended by ${signal}`);
      resolve(code ?? 1);
    });
  });
}

/** Runs a tool and prints its output when it has ended, because others run at the same time. */
async function runHeld(title: string, tool: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const log = path.join(folder, `${title}.log`.replaceAll(/[^\w.]/g, '-'));
  const began = performance.now();
  const code = await run(tool, args, { log, env });
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`\n=== ${title}, ${seconds} s\n${readFileSync(log, 'utf8')}`);
  return code;
}

async function check(title: string, tool: string, ...args: string[]): Promise<Tally> {
  const code = await runHeld(title, tool, args);
  if (code === 0) return { passed: 1, failed: 0, skipped: 0 };
  console.log(`${title} failed: ${tool} ended with ${code}`);
  return { passed: 0, failed: 1, skipped: 0 };
}

/** `files`: a part of the project's. `beside`: a project that runs with it. `site`: the folder of a site that exists longer than this run. */
async function vitest(
  project: string,
  {
    part = '',
    files = [],
    beside = '',
    site,
  }: { part?: string; files?: readonly string[]; beside?: string; site?: string } = {},
): Promise<Tally> {
  const title = `${project} tests ${part}`.trim();
  const file = path.join(folder, `${title}.json`.replaceAll(/[^\w.]/g, '-'));
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const projects = [project, beside].filter((name) => name !== '').map((name) => `--project=${name}`);
  const words = ['run', ...projects, `--sequence.seed=${SEED}`, ...reporters, ...files];
  const code = await runHeld(`${title}, seed ${SEED}`, 'vitest', words, { SITE_OF_LINE: site });
  if (!existsSync(file)) {
    console.log(`${title} failed: Vitest ended with ${code} and left no report`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  return tallyOf(title, JSON.parse(readFileSync(file, 'utf8')) as Report, code);
}

function tallyOf(title: string, report: Report, code: number): Tally {
  // A file that could not even be loaded has no tests to fail.
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  for (const { name, message } of unloaded)
    failures.push(`${path.relative(root, name)}: could not be run\n${message.slice(0, 1500)}`);
  const stumbled = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0),
  );
  for (const { fullName, failureMessages } of stumbled)
    console.log(`passed only at the second try: ${fullName}\n${failureMessages[0] ?? ''}`);
  for (const { name, assertionResults } of report.testResults)
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status === 'failed')
        failures.push(`${path.relative(root, name)}: ${fullName}\n${(failureMessages[0] ?? '').slice(0, 1500)}`);
  const tally = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  if (tally.passed + tally.failed === 0) {
    console.log(`${title} failed: no test was found`);
    tally.failed += 1;
  } else if (code !== 0 && tally.failed === 0) {
    console.log(`${title} failed: Vitest ended with ${code} although no test failed`);
    tally.failed += 1;
  }
  return tally;
}

async function runFleet(): Promise<Tally[]> {
  const reason = whyNoFleet();
  if (reason === null) return [await vitest('fleet')];
  console.log(`The fleet test cannot run here, ${reason}.`);
  return [{ passed: 0, failed: 1, skipped: 0 }];
}

/**
 * Percent of the browser tests in each part. Each part starts a browser of its own, so there are few; the last ones are
 * small, so that no line of work waits long for another.
 */
const PARTS = [30, 20, 15, 12, 10, 8, 5];

/** The files of the browser tests in parts: each file, the longest first, goes where the most space is left. */
function partsOfBrowserTests(): string[][] {
  const folder = path.join('tests', 'e2e');
  const files = readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => ({ name: path.join(folder, name), bytes: statSync(path.join(root, folder, name)).size }))
    .toSorted((one, other) => other.bytes - one.bytes);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const parts = PARTS.map((percent) => ({ files: [] as string[], space: (total * percent) / 100 }));
  for (const { name, bytes } of files) {
    const emptiest = parts.reduce((most, each) => (each.space > most.space ? each : most));
    emptiest.files.push(name);
    emptiest.space -= bytes;
  }
  return parts.map((each) => each.files);
}

const SOURCE_CHECKS: [title: string, tool: string, ...args: string[]][] = [
  ['lint', 'oxlint', '--deny-warnings', '--type-aware'],
  ['format', 'oxfmt', '--check'],
  // One thread: several check what they have in common each for itself.
  ['types', 'tsc', '--noEmit', '--checkers', '1'],
];

/** One after the other, because other lines of work need memory, too. */
async function checkSources(): Promise<Tally[]> {
  const done: Tally[] = [];
  for (const each of SOURCE_CHECKS) done.push(await check(...each));
  return done;
}

/**
 * Three lines of work, because tests often wait: unit tests, crash tests, and the checks of the sources. A line that has
 * ended its own takes parts of the browser tests. Each line has one site for all of its parts.
 */
async function runLong(): Promise<Tally[]> {
  const made = check('the site of the browser tests', process.execPath, 'tests/support/make-site.ts', madeSite);
  const parts = partsOfBrowserTests().map((files, index) => ({ part: `${index + 1}/${PARTS.length}`, files }));
  const line = async (name: string, first: Promise<Tally | Tally[]>): Promise<Tally[]> => {
    const done = [await first].flat();
    await made;
    const site = path.join(sites, name);
    mkdirSync(site, { recursive: true });
    for (let next = parts.shift(); next !== undefined; next = parts.shift())
      done.push(await vitest('e2e', { ...next, site }));
    await stopSite(site);
    return done;
  };
  const lines = await Promise.all([
    line('line-1', vitest('unit', { beside: 'divided' })),
    line('line-2', vitest('faults')),
    line('line-3', checkSources()),
  ]);
  await removeTestServer(sites);
  return [await made, ...lines.flat()];
}

async function runOthers(): Promise<Tally[]> {
  // Lint and the compiler need them.
  const typed = check('types of pages', 'react-router', 'typegen');
  if (isQuick) {
    const done = [await typed, ...(await Promise.all(SOURCE_CHECKS.map((each) => check(...each))))];
    return [...done, await vitest('pure')];
  }
  const build = ['scripts/bootstrap.mjs', '--build', 'scripts/build.ts'];
  // The build leaves a processor idle, and nothing of this needs it. The browser is unpacked once for all lines of work.
  const pure = vitest('pure');
  const [built, chromium] = await Promise.all([check('the build', process.execPath, ...build), chromiumPath()]);
  process.env.CHROMIUM_PATH = chromium;
  const done = [await typed, built];
  if (built.failed > 0) return [...done, await pure];
  done.push(...(await runLong()), await pure);
  const reason = whyNoFleet();
  console.log(
    `\nThe fleet test is no part of this run: npm run test:fleet${reason === null ? '' : `. It could not run here, ${reason}`}`,
  );
  return done;
}

let tallies: Tally[] = [];
try {
  tallies = await (isFleet ? runFleet() : runOthers());
} finally {
  rmSync(sites, { recursive: true, force: true });
}
const sum = (key: keyof Tally): number => tallies.reduce((total, tally) => total + tally[key], 0);
process.exitCode = sum('failed') === 0 ? 0 : 1;
if (failures.length > 0) console.log(`\nfailed:\n${failures.join('\n')}`);
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
