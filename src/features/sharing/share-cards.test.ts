/**
 * Preview images of shared links: what everyone may see, and one neutral card for everything else (rule 51, threats 19 and 20).
 */
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto, untilDecided } from '#tests/support/photo-uploads.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ works: true });
let people: Neighborhood;
let neutral: string;
beforeAll(async () => {
  people = await settleNeighborhood(server);
  // A gallery that does not exist.
  neutral = (await card('/api/v1/share_cards/galleries/0')).etag;
});

async function card(url: string, as: string | null = null) {
  const answer = await server.call({ method: 'GET', url, as });
  return {
    status: answer.statusCode,
    etag: String(answer.headers['etag']),
    headers: answer.headers,
    bytes: answer.rawPayload,
  };
}
const ofGallery = (id: number, photo?: number) =>
  card(`/api/v1/share_cards/galleries/${id}${photo === undefined ? '' : `?photo=${photo}`}`);

async function galleryWithPhoto(fields: Record<string, unknown> = {}): Promise<{ id: number; photo: PhotoAnswer }> {
  const { owner } = people.tokens;
  const id = await openGallery(server, owner, people.hawks.id, { display_watermark: false, ...fields });
  const added = await addPhoto(server, owner, id, { bytes: await quartersJpeg(800, 500) });
  const [photo] = await untilDecided(server, owner, id, [added.id]);
  if (photo?.status !== 'ready') throw new Error('the photo was not developed');
  return { id, photo };
}

const change = (galleryId: number, gallery: Record<string, unknown>) =>
  server.call({ method: 'PUT', url: `/api/v1/galleries/${galleryId}`, as: people.tokens.owner, payload: { gallery } });

describe('a public gallery', () => {
  test('has a card of its first photo, 1200 by 630, that may be cached and is identified by its content', async () => {
    const { id, photo } = await galleryWithPhoto();
    const { status, headers, bytes, etag } = await ofGallery(id);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'image/jpeg',
      'public, max-age=600',
    ]);
    const { width, height, exif } = await sharp(bytes).metadata();
    expect([width, height, exif]).toEqual([1200, 630, undefined]);
    expect(etag).not.toBe(neutral);
    expect((await ofGallery(id, photo.id)).etag).toBe(etag);
    const again = await server.call({
      method: 'GET',
      url: `/api/v1/share_cards/galleries/${id}`,
      headers: { 'if-none-match': etag },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('has the watermark on its card if the gallery has it', async () => {
    const { id } = await galleryWithPhoto();
    const clean = await ofGallery(id);
    expect((await change(id, { display_watermark: true })).statusCode).toBe(200);
    const marked = await ofGallery(id);
    expect(marked.etag).not.toBe(clean.etag);
    const [one, other] = await Promise.all([clean, marked].map(({ bytes }) => sharp(bytes).raw().toBuffer()));
    const changed = (one ?? Buffer.alloc(0)).filter((value, at) => Math.abs(value - (other?.[at] ?? 0)) > 12).length;
    expect(changed).toBeGreaterThan(10_000);
  });
});

describe('the neutral card, the same for all, is used for', () => {
  test.each([
    ['a gallery behind a password', { password_required: true, password: 'goalkeeper' }],
    ['a private gallery', { is_private: true }],
  ])('%s, no matter who asks', async (_what, fields) => {
    const { id, photo } = await galleryWithPhoto(fields);
    for (const token of [null, people.tokens.owner]) {
      for (const query of ['', `?photo=${photo.id}`]) {
        const { status, etag, headers } = await card(`/api/v1/share_cards/galleries/${id}${query}`, token);
        expect([status, etag, headers['cache-control']]).toEqual([200, neutral, 'public, max-age=300']);
      }
    }
  });

  test('a gallery as soon as it is locked, hidden or deleted', async () => {
    const { id, photo } = await galleryWithPhoto();
    expect((await ofGallery(id)).etag).not.toBe(neutral);
    const hide = (shown: boolean) =>
      server.call({
        method: 'PUT',
        url: `/api/v1/galleries/${id}/gallery_photos/${photo.id}`,
        as: people.tokens.owner,
        payload: { photo: { show_in_gallery: shown } },
      });
    expect((await hide(false)).statusCode).toBe(200);
    expect((await ofGallery(id, photo.id)).etag).toBe(neutral);
    expect((await ofGallery(id)).etag).toBe(neutral);
    await hide(true);
    expect((await ofGallery(id)).etag).not.toBe(neutral);
    await server.call({ method: 'POST', url: `/api/v1/galleries/${id}/inactive`, as: people.tokens.owner });
    expect((await ofGallery(id)).etag).toBe(neutral);
  });

  test.each(['0', '12345', 'abc', '9'.repeat(30), '-1'])('what does not exist: %s', async (id) => {
    const { status, etag } = await card(`/api/v1/share_cards/galleries/${id}`);
    expect([status, etag]).toEqual([200, neutral]);
    expect((await card(`/api/v1/share_cards/organizations/${id}`)).etag).toBe(neutral);
  });

  test('a photo of another gallery', async () => {
    const [one, other] = [await galleryWithPhoto(), await galleryWithPhoto()];
    expect((await ofGallery(one.id, other.photo.id)).etag).toBe(neutral);
    expect((await card(`/api/v1/share_cards/galleries/${one.id}?photo=abc`)).etag).toBe(neutral);
  });
});

test('organizations have cards of their own', async () => {
  await galleryWithPhoto();
  const etags = new Set<string>([neutral]);
  for (const { id } of [people.parent, people.hawks, people.tides]) {
    const { status, bytes, etag } = await card(`/api/v1/share_cards/organizations/${id}`);
    expect([status, (await sharp(bytes).metadata()).width]).toEqual([200, 1200]);
    etags.add(etag);
  }
  expect(etags.size).toBe(4);
});

test('a link to a locked or private gallery shows the name of its club, without a photo', async () => {
  await galleryWithPhoto();
  const withPhoto = await card(`/api/v1/share_cards/organizations/${people.hawks.id}`);
  const nameOnly = await card(`/api/v1/share_cards/organizations/${people.hawks.id}?only=name`);
  expect(nameOnly.status).toBe(200);
  expect(new Set([withPhoto.etag, nameOnly.etag, neutral]).size).toBe(3);
  // Whatever its galleries show, the card stays the same.
  await galleryWithPhoto();
  expect((await card(`/api/v1/share_cards/organizations/${people.hawks.id}?only=name`)).etag).toBe(nameOnly.etag);
  const nobody = await card('/api/v1/share_cards/organizations/12345?only=name');
  expect(nobody.etag).toBe(neutral);
});

test('names that the fonts cannot draw still make a card', async () => {
  for (const name of ['杯赛决赛', '🎉', 'Đội Bóng Trường', 'A'.repeat(200)]) {
    const { id } = await galleryWithPhoto({ name });
    const { bytes } = await ofGallery(id);
    expect((await sharp(bytes).metadata()).height).toBe(630);
  }
});
