/** A restored database may be older than the store (fault F35). */
import { expect, test } from 'vitest';
import { sweepUploads } from '#src/features/uploads/upload-sweep.service.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();

test('a sweep keeps uploads without a row for 30 days, and unsaved logos for one', async () => {
  const { storage } = server.platform;
  const [photo, logo] = ['uploads/7/5/of-a-later-day.jpg', 'uploads/7/settings/a.b.png'];
  for (const key of [photo, logo]) await storage.put(key, Buffer.from('later'), { contentType: 'image/jpeg' });
  const sweepAfter = (days: number) =>
    sweepUploads({ ...server.platform, clock: { now: () => new Date(Date.now() + days * 24 * 3_600_000) } });
  const left = async () => Promise.all([photo, logo].map(async (key) => (await storage.head(key)) !== null));
  await sweepAfter(0.9);
  expect(await left()).toEqual([true, true]);
  await sweepAfter(29);
  expect(await left()).toEqual([true, false]);
  await sweepAfter(31);
  expect(await left()).toEqual([false, false]);
});
