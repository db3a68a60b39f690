import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isProblem } from '#src/shared/problem.ts';
import { faultyStorage, type FaultyStorage } from '#tests/support/faulty-storage.ts';
import { openDiskRig, type DiskRig } from '#tests/support/storage-rig.ts';

let rig: DiskRig;
let storage: FaultyStorage;
beforeAll(async () => {
  rig = await openDiskRig();
});
afterAll(() => rig.close());
beforeEach(async () => {
  storage = faultyStorage(rig.storage);
  await storage.put('a.jpg', Buffer.alloc(1000, 'a'), { contentType: 'image/jpeg' });
});

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isProblem(error) ? error.code : 'broken'),
  );
const put = (key = 'b.jpg') => outcome(storage.put(key, Buffer.alloc(1000, 'b'), { contentType: 'image/jpeg' }));
const readWhole = async () => {
  const found = await storage.stream('a.jpg');
  for await (const _piece of found?.body ?? []);
};

describe('a store that fails on demand', () => {
  test.each([
    [{ kind: 'full' } as const, ['storage_full', 'done', 'done', 'done']],
    [{ kind: 'io' } as const, ['unavailable', 'unavailable', 'unavailable', 'unavailable']],
    [{ kind: 'busy' } as const, ['unavailable', 'unavailable', 'unavailable', 'unavailable']],
    [{ kind: 'partial' } as const, ['unavailable', 'unavailable', 'broken', 'done']],
    [{ kind: 'slow', waitMs: 30 } as const, ['done', 'done', 'done', 'done']],
  ])('%o: put, get, stream, head', async (fault, outcomes) => {
    storage.fail(fault);
    const before = performance.now();
    const met = [
      await put('c.jpg'),
      await outcome(storage.get('a.jpg')),
      await outcome(readWhole()),
      await outcome(storage.head('a.jpg')),
    ];
    expect(met).toEqual(outcomes);
    if (fault.kind === 'slow') expect(performance.now() - before).toBeGreaterThan(100);
    storage.heal();
    expect((await rig.storage.head('c.jpg')) === null).toBe(outcomes[0] !== 'done');
    await rig.storage.remove('c.jpg');
    expect([await put(), await outcome(readWhole())]).toEqual(['done', 'done']);
  });

  test('a fault may last for a number of calls, and affect some calls only', async () => {
    storage.fail({ kind: 'busy' }, { only: ['put'], times: 2 });
    expect([await put(), await outcome(storage.get('a.jpg')), await put(), await put()]).toEqual([
      'unavailable',
      'done',
      'unavailable',
      'done',
    ]);
    expect([storage.calls('put'), storage.calls('get'), storage.calls('head')]).toEqual([4, 1, 0]);
  });
});
