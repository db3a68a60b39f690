/** Restores what a test file changed in its process for the next one, which runs in the same. */
import sharp from 'sharp';
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  // Drawing share cards closes every decoder but one for good, as the product wants it.
  sharp.unblock({ operation: ['VipsForeignLoad'] });
});
