import { defineConfig } from 'vitest/config';

/** Three kinds of tests; `npm test` runs each once. At most two workers: a small machine must stay usable. */
export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    maxWorkers: 2,
    pool: 'forks',
    // Most tests speak to real processes, and a busy machine may let one stumble; `npm test` names every test that needed its second try.
    retry: 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', 'tests/*.test.ts', 'tests/support/**/*.test.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
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
          include: ['tests/e2e/**/*.test.ts'],
          maxWorkers: 1,
          // One process for all files: they share the site, and so the browser.
          isolate: false,
          // As patient as the browser's driver is by itself: no wait of a test has a limit of its own.
          expect: { poll: { timeout: 30_000 } },
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
