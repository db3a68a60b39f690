import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Decisions, shared code, components, browser state, and the rules of the repository: no database, no process, no browser. */
const PURE = [
  'src/**/*.{rules,contract,client}.test.{ts,tsx}',
  'src/{shared,ui}/**/*.test.{ts,tsx}',
  'src/features/**/*.test.tsx',
  'src/web/{use-*,confirm-call,documents/documents}.test.tsx',
  'tests/{architecture,capacity,citations,forms,names-in-mail}.test.ts',
];

/** Modules that read and write tables that an operator may divide. */
const DIVIDED = [
  'src/features/ledger/ledger.test.ts',
  'src/features/orders/orders.test.ts',
  'src/features/photos/photos.test.ts',
  'src/features/payouts/payouts.test.ts',
  'src/features/statements/statements.test.ts',
];

/**
 * Node loads the product and these tests itself, as `npm start` loads the sources: Vite would compile each module again,
 * and each use of an import would call a function (decision record 0122). So they cannot replace modules (`vi.mock`) or
 * import styles.
 */
const BY_NODE = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: [
    // One thread collects garbage: several spend more processor time, and tests need all processors.
    '--single-threaded-gc',
    `--import=${path.join(import.meta.dirname, 'src/platform/load-tsx.ts')}`,
  ],
};

/**
 * Files of tests with a window last: a worker of a project that shares its workers ends before a file with another
 * environment, and the next one loads the product again (decision record 0122). Contracts of interfaces first: Vitest
 * begins with the largest files, and the tests of these are in another one.
 */
class WindowsLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      if (moduleId.endsWith('-contract.test.ts')) return 0;
      return readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment') ? 2 : 1;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

/**
 * Five kinds of tests, some of them repeated on divided tables; `npm test` runs each once, except `fleet` (`npm run
 * test:fleet`). At most two workers: a small machine must stay usable.
 */
export default defineConfig({
  test: {
    // Only with `--coverage`, for which `@vitest/coverage-v8` must be installed (decision record 0182).
    coverage: {
      include: ['src/**/*.{ts,tsx}'],
      exclude: ['**/*.test.{ts,tsx}'],
      reporter: ['text-summary', 'json', 'html'],
    },
    maxWorkers: 2,
    pool: 'forks',
    sequence: { sequencer: WindowsLast },
    // Browser and crash tests use real processes, and on a busy machine one may stumble; `npm test` names every test
    // that needed its second try.
    retry: 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: PURE,
          // The product is loaded once for each thread; what a file changes in it is restored after it.
          isolate: false,
          pool: 'threads',
          setupFiles: ['tests/support/clean-window.ts'],
          sequence: { shuffle: true },
          // As below: a busy machine is not a failure.
          expect: { poll: { timeout: 15_000 } },
          testTimeout: 180_000,
          hookTimeout: 180_000,
          retry: 0,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          ...BY_NODE,
          globalSetup: ['tests/support/global-setup.ts'],
          // The product is loaded once for each worker; what a file changes in the process is restored after it.
          isolate: false,
          setupFiles: ['tests/support/clean-process.ts'],
          // The fast build of React, as in the product (decision record 0122).
          env: { NODE_ENV: 'production' },
          include: ['src/**/*.test.{ts,tsx}', 'tests/*.test.ts', 'tests/support/**/*.test.ts'],
          exclude: PURE,
          // Each test is complete on its own; the printed seed repeats an order.
          sequence: { shuffle: { tests: true } },
          // A busy machine may take longer than the default second.
          expect: { poll: { timeout: 15_000 } },
          // Far more than any test needs: a busy machine is not a failure.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          retry: 0,
        },
      },
      {
        extends: true,
        test: {
          name: 'divided',
          ...BY_NODE,
          // Tests of `unit` again, with the tables of photos, orders and postings divided (decision record 0082).
          env: { DIVIDED_TABLES: '4' },
          globalSetup: ['tests/support/global-setup.ts'],
          isolate: false,
          setupFiles: ['tests/support/clean-process.ts'],
          include: DIVIDED,
          sequence: { shuffle: { tests: true } },
          // Far more than any test needs: a busy machine is not a failure.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          retry: 0,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          globalSetup: ['tests/support/global-setup.ts'],
          include: ['tests/faults/**/*.test.ts'],
          // As in `unit`: the product is loaded once for each worker.
          isolate: false,
          setupFiles: ['tests/support/clean-process.ts'],
          sequence: { shuffle: { tests: true } },
          // Tests of one file that run concurrently; most of their time they wait for a recovery.
          maxConcurrency: 3,
          expect: { poll: { timeout: 30_000 } },
          // Far more than any test needs: a busy machine is not a failure.
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'fleet',
          globalSetup: ['tests/support/global-setup.ts'],
          include: ['tests/fleet/**/*.test.ts'],
          // One story: its tests follow one another.
          sequence: { shuffle: false },
          retry: 0,
          // Far more than any test needs: a busy machine is not a failure.
          testTimeout: 900_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          globalSetup: ['tests/support/global-setup.ts'],
          include: ['tests/e2e/**/*.test.ts'],
          sequence: { shuffle: { tests: true } },
          maxWorkers: 1,
          // One process for all files: they share the site, and therefore the browser.
          isolate: false,
          // The same as the browser driver's own: no wait of a test has its own limit.
          expect: { poll: { timeout: 30_000 } },
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
