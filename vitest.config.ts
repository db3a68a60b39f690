import { defineConfig } from 'vitest/config';

/** Decisions, shared code, components, browser state, and the rules of the repository: no database, no process, no browser. */
const PURE = [
  'src/**/*.{rules,contract,client}.test.{ts,tsx}',
  'src/{shared,ui}/**/*.test.{ts,tsx}',
  'src/features/**/*.test.tsx',
  'src/web/use-*.test.tsx',
  'tests/{architecture,citations,names-in-mail}.test.ts',
];

/** Four kinds of tests; `npm test` runs each once. At most two workers: a small machine must stay usable. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    pool: 'forks',
    // Browser and crash tests speak to real processes, and a busy machine may let one stumble; `npm test` names every test that needed its second try.
    retry: 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: PURE,
          // They share nothing, so they need no process each, and hold in any order.
          isolate: false,
          pool: 'threads',
          sequence: { shuffle: true },
          retry: 0,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          globalSetup: ['tests/support/global-setup.ts'],
          // The product is loaded once for each worker; what a file changes in the process is put back after it.
          isolate: false,
          setupFiles: ['tests/support/clean-process.ts'],
          include: ['src/**/*.test.{ts,tsx}', 'tests/*.test.ts', 'tests/support/**/*.test.ts'],
          exclude: PURE,
          // Each test is complete in itself; the seed that is printed repeats an order.
          sequence: { shuffle: { tests: true } },
          testTimeout: 20_000,
          hookTimeout: 60_000,
          retry: 0,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          globalSetup: ['tests/support/global-setup.ts'],
          include: ['tests/faults/**/*.test.ts'],
          expect: { poll: { timeout: 30_000 } },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          globalSetup: ['tests/support/global-setup.ts'],
          include: ['tests/e2e/**/*.test.ts'],
          maxWorkers: 1,
          // One process for all files: they share the site, and so the browser.
          isolate: false,
          // As patient as the browser's driver is on its own: no wait of a test has its own limit.
          expect: { poll: { timeout: 30_000 } },
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
