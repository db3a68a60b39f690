/** Tests of a store may be pointed at one with somebody's photos. */
import { expect, test } from 'vitest';
import { keysOf, onlyIfEmpty, openDiskRig } from '#tests/support/storage-rig.ts';

const JPEG = { contentType: 'image/jpeg' };

test('a store that contains an object is refused, and keeps it', async () => {
  const rig = await openDiskRig();
  try {
    await rig.storage.put('originals/a.jpg', Buffer.from('x'), JPEG);
    await expect(onlyIfEmpty(rig)).rejects.toThrow('The store must be empty: it contains originals/a.jpg.');
    expect(await keysOf(rig.storage)).toEqual(['originals/a.jpg']);
  } finally {
    await rig.close();
  }
});

test('a store is empty after its tests', async () => {
  const rig = await openDiskRig();
  try {
    const used = await onlyIfEmpty({ ...rig, close: async () => undefined });
    for (const key of ['gone/a.jpg', 'uploads/1/b.jpg']) await used.storage.put(key, Buffer.from('x'), JPEG);
    await used.close();
    expect(await keysOf(rig.storage)).toEqual([]);
  } finally {
    await rig.close();
  }
});
