/** Restores what a test file changed in its process for the next one, which runs in the same. */
import sharp from 'sharp';
import { afterAll, vi } from 'vitest';
import { recordStatements } from '#tests/upgrades/record-statements.ts';

// Once for each worker; it loads this file again for each file of tests.
const { RECORD_STATEMENTS: record } = process.env;
if (record !== undefined) recordStatements(record);

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  // Drawing share cards disables every decoder but one permanently, as in the product.
  sharp.unblock({ operation: ['VipsForeignLoad'] });
});
