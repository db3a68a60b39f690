/** Data that the tests of a file share. */
import { beforeAll, beforeEach } from 'vitest';

/** Makes them once for the file, and again before a second try: the first may have used them up. */
export function shareGoods(make: () => Promise<void>): void {
  beforeAll(make);
  beforeEach(async ({ task }) => {
    if ((task.result?.retryCount ?? 0) > 0) await make();
  });
}
