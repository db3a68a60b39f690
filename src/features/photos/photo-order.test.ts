/** Invariant I9: whatever happens to a gallery, its order is a permutation with at most one featured photo, at position 0. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import type { PictureLab } from '#src/platform/images/images.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto, listPhotos } from '#tests/support/photo-uploads.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

/** Develops nothing, but reports this capture time. */
function labOf(capturedAt: Date): Pick<PictureLab, 'develop'> {
  const bytes = Buffer.from('pixels');
  const rendition = { width: 4, height: 3, sha256: 'ab'.repeat(32), bytes } as const;
  return {
    develop: async () => ({
      ok: true,
      originalSha256: 'cd'.repeat(32),
      facts: {
        width: 4,
        height: 3,
        capturedAt,
        exif: {},
        iptc: {},
        keywords: [],
        thumbhash: Buffer.from('hash'),
        dhash: '0'.repeat(16),
        sharpness: 9,
      },
      renditions: ([320, 480, 640, 960, 1440] as const).flatMap((size) => [
        { ...rendition, size, mark: 'clean' as const },
        { ...rendition, size, mark: 'marked' as const },
      ]),
    }),
  };
}

type Step =
  | { kind: 'add'; batch: string; second: number }
  | { kind: 'ready' | 'feature' | 'unfeature' | 'hide' | 'show' | 'remove'; pick: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      batch: fc.constantFrom('', '', 'one', 'two'),
      second: fc.nat(59),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'ready' as const,
        'feature' as const,
        'unfeature' as const,
        'hide' as const,
        'show' as const,
        'remove' as const,
      ),
      pick: fc.nat(20),
    }),
  },
);

test('the order of a gallery is a permutation after any sequence of steps', async () => {
  const owner = people.tokens.owner;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (steps) => {
      const galleryId = await openGallery(server, owner, people.hawks.id);
      const alive: { id: number; second: number; batch: string; touched: boolean }[] = [];
      const opened = new Set<string>();
      const change = (id: number, photo: object) =>
        server.call({
          method: 'PUT',
          url: `/api/v1/galleries/${galleryId}/gallery_photos/${id}`,
          as: owner,
          payload: { photo },
        });
      for (const next of steps) {
        if (next.kind === 'add') {
          const photo = await addPhoto(server, owner, galleryId, { bytes: Buffer.from('x'), batch: next.batch });
          alive.push({ id: photo.id, second: next.second, batch: next.batch, touched: false });
          const others = await listPhotos(server, owner, galleryId);
          const before = others.slice(0, photo.sequence_index);
          const isFirst = before.every(
            (other) =>
              other.featured ||
              (next.batch !== '' && alive.some((known) => known.id === other.id && known.batch === next.batch)),
          );
          // A batch that was opened before stays where it is, even if its photos are gone.
          if (!opened.has(next.batch)) expect(isFirst).toBe(true);
          if (next.batch !== '') opened.add(next.batch);
          continue;
        }
        const chosen = alive[next.pick % Math.max(1, alive.length)];
        if (!chosen) continue;
        if (next.kind === 'ready')
          await server.app.uploads.ingest(chosen.id, labOf(new Date(Date.UTC(2026, 4, 9, 14, 3, chosen.second))));
        if (next.kind === 'feature')
          chosen.touched ||= (await change(chosen.id, { featured: true })).statusCode === 200;
        if (next.kind === 'unfeature') await change(chosen.id, { featured: false });
        if (next.kind === 'hide' || next.kind === 'show')
          await change(chosen.id, { show_in_gallery: next.kind === 'show' });
        if (next.kind === 'remove') {
          await server.call({
            method: 'DELETE',
            url: `/api/v1/galleries/${galleryId}/gallery_photos/${chosen.id}`,
            as: owner,
          });
          alive.splice(alive.indexOf(chosen), 1);
        }
      }
      const photos = await listPhotos(server, owner, galleryId);
      expect(new Set(photos.map((photo) => photo.id))).toEqual(new Set(alive.map((photo) => photo.id)));
      expect(photos.map((photo) => photo.sequence_index)).toEqual(photos.map((_photo, index) => index));
      for (const [index, photo] of photos.entries()) if (photo.featured) expect(index).toBe(0);
      for (const batch of ['one', 'two'])
        expectCaptureOrder(
          photos,
          alive.filter((photo) => photo.batch === batch && !photo.touched),
        );
      const visible = await listPhotos(server, null, galleryId);
      expect(visible.map((photo) => photo.id)).toEqual(
        photos.filter((photo) => photo.show_in_gallery && photo.status === 'ready').map((photo) => photo.id),
      );
      const [counted] = await server.data.ownerQuery<{ photo_count: number; public_photo_count: number }>(
        'select photo_count, public_photo_count from galleries where id = $1',
        [galleryId],
      );
      expect(counted).toEqual({ photo_count: photos.length, public_photo_count: visible.length });
    }),
    { numRuns: 8 },
  );
}, 120_000);

/** Ready photos of a batch that no one moved stay in capture order. */
function expectCaptureOrder(photos: readonly PhotoAnswer[], batch: readonly { id: number; second: number }[]): void {
  const seconds = photos
    .filter((photo) => photo.status === 'ready')
    .flatMap((photo) => batch.filter((known) => known.id === photo.id).map((known) => known.second));
  expect(seconds).toEqual(seconds.toSorted((one, other) => one - other));
}
