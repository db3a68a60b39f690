import { createHash, randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { PICTURE_UNREADABLE, type PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { locationIn } from '#tests/support/location.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto, cookieOf, untilDecided } from '#tests/support/photo-uploads.ts';
import { exifSegment, gpsTags, pictureData, quartersJpeg, withSegments } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ works: true, env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let owner: string;
let original: Buffer;
let small: Buffer;
let galleryId: number;
let photo: PhotoAnswer;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  owner = people.tokens.owner;
  original = withSegments(
    await quartersJpeg(1800, 1200),
    exifSegment({ main: [[0x010f, 'TestCam']], exif: [[0x9003, '2026:05:09 14:03:22']], gps: gpsTags(44.98, -93.27) }),
  );
  galleryId = await openGallery(server, owner, people.hawks.id);
  small = await quartersJpeg(320, 240);
  photo = await ready(galleryId, original);
});

/** A small one, if its size does not matter. */
async function ready(id: number, bytes = small): Promise<PhotoAnswer> {
  const added = await addPhoto(server, owner, id, { bytes, name: 'Winning goal' });
  const [decided] = await untilDecided(server, owner, id, [added.id]);
  if (decided?.status !== 'ready') throw new Error(`not ready: ${decided?.problem}`);
  return decided;
}

const at = (one: PhotoAnswer, query = '') => `/api/v1/galleries/${one.gallery_id}/gallery_photos/${one.id}${query}`;
const get = (
  url: string,
  options: { as?: string | null; headers?: Record<string, string>; method?: 'GET' | 'HEAD' } = {},
) => server.call({ method: 'GET', ...options, url });
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A paid order for these photos, like after a checkout; returns their order keys. */
async function sell(photos: readonly PhotoAnswer[], status = 'paid'): Promise<string[]> {
  const [order] = await server.data.ownerQuery<{ id: number }>(
    `insert into orders (vanity_id, organization_id, checkout_key, content_hash, status, first_name, last_name, email_address, subtotal_cents, tax_cents, donation_cents, share_bps, paid_at)
     values ($1, $2, $1, '\\x00', $3, 'A', 'B', 'a@b.test', 400, 0, 0, 2000, now()) returning id`,
    [randomBytes(16).toString('base64url'), people.hawks.id, status],
  );
  const keys: string[] = [];
  for (const one of photos) {
    const key = randomBytes(16).toString('base64url');
    await server.data.ownerQuery(
      'insert into order_photos (order_id, organization_id, photo_id, gallery_id, price_cents, order_key) values ($1, $2, $3, $4, 400, $5)',
      [order?.id, people.hawks.id, one.id, one.gallery_id, key],
    );
    keys.push(key);
  }
  return keys;
}

describe('a visitor', () => {
  test.each([
    ['320', 320],
    ['480', 480],
    ['640', 640],
    ['960', 960],
    ['1440', 1440],
    ['', 1440],
    ['99999', 1440],
    ['abc', 1440],
    ['0', 320],
    ['-1', 1440],
  ])('who asks for size %j gets a rendition of %d px, and never the file (threat 8)', async (size, longSide) => {
    for (const more of ['', '&t=1', '&download=false', '&adminview=false']) {
      const answer = await get(at(photo, `?size=${size}${more}`));
      expect(answer.statusCode).toBe(200);
      const { width, height, exif } = await sharp(answer.rawPayload).metadata();
      expect(Math.max(width, height)).toBe(longSide);
      expect(exif).toBeUndefined();
      expect(sha256(answer.rawPayload)).not.toBe(sha256(original));
    }
  });

  test.each([
    '?download=true',
    '?adminview=true',
    '?adminview=true&download=true',
    '?download=true&orderkey=',
    '?download=true&orderkey=AAAAAAAAAAAAAAAAAAAAAA',
    '?orderkey=AAAAAAAAAAAAAAAAAAAAAA',
  ])('gets nothing by %s', async (query) => {
    const answer = await get(at(photo, query));
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('sees the watermark if the gallery has it, and switching it takes effect immediately', async () => {
    const id = await openGallery(server, owner, people.hawks.id);
    const one = await ready(id);
    const marked = await get(one.image_url);
    await server.call({
      method: 'PUT',
      url: `/api/v1/galleries/${id}`,
      as: owner,
      payload: { gallery: { display_watermark: false } },
    });
    const clean = await get(at(one));
    expect(sha256(clean.rawPayload)).not.toBe(sha256(marked.rawPayload));
    // The address that was handed out for the watermarked pixels is no longer cached permanently.
    expect((await get(one.image_url)).headers['cache-control']).toBe('public, max-age=60');
    const [now] = await untilDecided(server, owner, id, [one.id]);
    expect(now?.image_url).not.toBe(one.image_url);
    expect((await get(now?.image_url ?? '')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  test('gets the next larger size of a photo without 960 px', async () => {
    const one = await ready(await openGallery(server, owner, people.hawks.id), original);
    await server.data.ownerQuery('delete from renditions where photo_id = $1 and size = 960', [one.id]);
    const answer = await get(at(one, '?size=960'));
    expect(answer.statusCode).toBe(200);
    expect(sha256(answer.rawPayload)).toBe(sha256((await get(at(one, '?size=1440'))).rawPayload));
  });

  test('sees nothing of hidden, removed, locked and inactive photos, at any size (threat 2)', async () => {
    const id = await openGallery(server, owner, people.hawks.id, { password_required: true, password: 'goalkeeper' });
    const one = await ready(id);
    for (const size of [320, 480, 640, 960, 1440]) expect((await get(at(one, `?size=${size}`))).statusCode).toBe(404);
    const unlocked = await server.call({
      method: 'POST',
      url: `/api/v1/galleries/${id}/unlock`,
      payload: { password: 'goalkeeper' },
    });
    const cookie = `gal_${id}=${cookieOf(unlocked, `gal_${id}`) ?? ''}`;
    for (const size of [320, 480, 640, 960, 1440]) {
      const answer = await get(at(one, `?size=${size}`), { headers: { cookie } });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['cache-control']).toBe('private, no-cache');
    }
    const look = () => get(at(one), { headers: { cookie } });
    await server.call({ method: 'PUT', url: at(one), as: owner, payload: { photo: { show_in_gallery: false } } });
    expect((await look()).statusCode).toBe(404);
    await server.call({ method: 'PUT', url: at(one), as: owner, payload: { photo: { show_in_gallery: true } } });
    expect((await look()).statusCode).toBe(200);
    await server.call({ method: 'POST', url: `/api/v1/galleries/${id}/inactive`, as: owner });
    expect((await look()).statusCode).toBe(404);
    expect((await get(at(one, '?adminview=true'), { as: owner })).statusCode).toBe(200);
  });

  test('cannot get a photo by its id in another gallery', async () => {
    const id = await openGallery(server, owner, people.hawks.id);
    expect((await get(`/api/v1/galleries/${id}/gallery_photos/${photo.id}`)).statusCode).toBe(404);
  });

  test('whose browser has the picture gets 304; every browser gets a JPEG', async () => {
    const first = await get(`${photo.image_url}&size=640`);
    expect(first.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const again = await get(`${photo.image_url}&size=640`, {
      headers: { 'if-none-match': String(first.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
    expect(again.rawPayload).toHaveLength(0);
    expect(again.headers).toMatchObject({
      etag: first.headers.etag,
      'x-content-type-options': 'nosniff',
    });
    const modern = await get(`${photo.image_url}&size=640`, { headers: { accept: 'image/avif,image/webp,*/*' } });
    expect(modern.headers['content-type']).toBe('image/jpeg');
    expect(modern.rawPayload).toEqual(first.rawPayload);
  });

  test('gets the head without the body', async () => {
    for (const query of ['?size=320', '?size=1440']) {
      const [head, body] = [await get(at(photo, query), { method: 'HEAD' }), await get(at(photo, query))];
      expect(head.rawPayload).toHaveLength(0);
      const { date: _one, 'x-request-id': _two, ...rest } = head.headers;
      expect(body.headers).toMatchObject(rest);
      expect(Number(head.headers['content-length'])).toBe(body.rawPayload.length);
    }
  });
});

describe('an editor', () => {
  test('sees clean pixels by adminview, and no cache keeps them (threat 12)', async () => {
    const answer = await get(at(photo, '?adminview=true&size=640'), { as: owner });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(sha256(answer.rawPayload)).not.toBe(sha256((await get(at(photo, '?size=640'))).rawPayload));
    for (const as of [people.tokens.neighbor, people.tokens.foreigner, null])
      expect((await get(at(photo, '?adminview=true&size=640'), { as })).statusCode).toBe(404);
    for (const as of [people.tokens.parentMember, people.tokens.admin])
      expect((await get(at(photo, '?adminview=true&size=640'), { as })).statusCode).toBe(200);
  });

  test('downloads a clean rendition with a size, whole or in part', async () => {
    const seen = await get(at(photo, '?adminview=true&size=640'), { as: owner });
    const url = at(photo, '?adminview=true&download=true&size=640');
    const answer = await get(url, { as: owner });
    expect(answer.rawPayload.equals(seen.rawPayload)).toBe(true);
    expect(answer.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'content-type': 'image/jpeg',
      'content-disposition': expect.stringContaining('Winning goal.jpg'),
    });
    const part = await get(url, { as: owner, headers: { range: 'bytes=10-19' } });
    expect([part.statusCode, part.rawPayload.equals(seen.rawPayload.subarray(10, 20))]).toEqual([206, true]);
    for (const as of [null, people.tokens.neighbor, people.tokens.foreigner])
      expect((await get(url, { as })).statusCode).toBe(404);
  });

  test('downloads the file byte for byte as it was uploaded', async () => {
    const answer = await get(at(photo, '?adminview=true&download=true'), { as: owner });
    expect(sha256(answer.rawPayload)).toBe(sha256(original));
    expect(answer.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment; filename="Winning goal.jpg"; filename*=UTF-8\'\'Winning%20goal.jpg',
      'content-length': String(original.length),
    });
    expect((await get(at(photo, '?adminview=true&download=true'), { as: people.tokens.neighbor })).statusCode).toBe(
      404,
    );
  });
});

describe('a buyer', () => {
  let key: string;
  let other: PhotoAnswer;
  beforeAll(async () => {
    other = await ready(galleryId);
    [key = ''] = await sell([photo]);
  });

  test('downloads the picture data as uploaded, without the position', async () => {
    const answer = await get(at(photo, `?download=true&orderkey=${key}`));
    expect(answer.statusCode).toBe(200);
    expect(locationIn(original)).toBe(true);
    expect(locationIn(answer.rawPayload)).toBe(false);
    expect(pictureData(answer.rawPayload).equals(pictureData(original))).toBe(true);
    expect(answer.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
    });
    expect(String(answer.headers['content-disposition'])).toMatch(/^attachment; /);
    expect(
      answer.rawPayload.equals(
        await server.app.pictures.soldCopy(
          { actor: { kind: 'visitor' }, visitorId: null, unlocks: new Map(), ip: '' },
          { photoId: photo.id, galleryId },
        ),
      ),
    ).toBe(true);
  });

  test('resumes a broken download where it ended', async () => {
    const url = at(photo, `?download=true&orderkey=${key}`);
    const whole = (await get(url)).rawPayload;
    const part = async (range: string, more: Record<string, string> = {}) => get(url, { headers: { range, ...more } });
    const rest = await part('bytes=1000-');
    expect(rest.statusCode).toBe(206);
    expect(rest.headers['content-range']).toBe(`bytes 1000-${whole.length - 1}/${whole.length}`);
    expect(rest.rawPayload.equals(whole.subarray(1000))).toBe(true);
    expect((await part('bytes=-1')).rawPayload.equals(whole.subarray(-1))).toBe(true);
    const outside = await part('bytes=999999999-');
    expect(outside.statusCode).toBe(416);
    expect(outside.headers).toMatchObject({
      'content-range': `bytes */${whole.length}`,
      'x-content-type-options': 'nosniff',
    });
    expect(
      (
        await part(`bytes=${Array.from({ length: 100 }, (_value, index) => `${index}-${index}`).join(',')}`)
      ).rawPayload.equals(whole),
    ).toBe(true);
    expect((await part('bytes=1000-', { 'if-range': '"another"' })).statusCode).toBe(200);
    expect((await part('bytes=1000-', { 'if-range': String(rest.headers.etag) })).statusCode).toBe(206);
    const admin = await get(at(photo, '?adminview=true&download=true'), {
      as: owner,
      headers: { range: 'bytes=10-19' },
    });
    expect(admin.rawPayload.equals(original.subarray(10, 20))).toBe(true);
    const head = await get(url, { method: 'HEAD' });
    expect(Number(head.headers['content-length'])).toBe(whole.length);
  });

  test('sees the clean rendition of a bought photo', async () => {
    const answer = await get(at(photo, `?size=640&orderkey=${key}`));
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(sha256(answer.rawPayload)).toBe(
      sha256((await get(at(photo, '?adminview=true&size=640'), { as: owner })).rawPayload),
    );
  });

  test('cannot open another photo with the key, and none that is unpaid, refunded or revoked (threats 9, 10)', async () => {
    expect((await get(at(other, `?download=true&orderkey=${key}`))).statusCode).toBe(404);
    expect((await get(at(other, `?orderkey=${key}`))).statusCode).toBe(404);
    const [refunded = ''] = await sell([other], 'refunded');
    expect((await get(at(other, `?download=true&orderkey=${refunded}`))).statusCode).toBe(404);
    const [revoked = ''] = await sell([other]);
    expect((await get(at(other, `?download=true&orderkey=${revoked}`))).statusCode).toBe(200);
    await server.data.ownerQuery('update order_photos set revoked_at = now() where order_key = $1', [revoked]);
    expect((await get(at(other, `?download=true&orderkey=${revoked}`))).statusCode).toBe(404);
    expect((await get(at(other, `?download=true&orderkey=${key}&orderkey=${revoked}`))).statusCode).toBe(400);
  });

  test('keeps the photo when it is removed and its gallery deleted (bad input 80)', async () => {
    const id = await openGallery(server, owner, people.hawks.id);
    const one = await ready(id);
    const twin = await ready(galleryId);
    const [bought = ''] = await sell([one]);
    await server.call({ method: 'DELETE', url: at(one), as: owner });
    expect((await get(at(one))).statusCode).toBe(404);
    expect((await get(at(one, '?adminview=true'), { as: owner })).statusCode).toBe(404);
    await server.call({ method: 'POST', url: `/api/v1/galleries/${id}/inactive`, as: owner });
    expect((await get(at(one, `?download=true&orderkey=${bought}`))).statusCode).toBe(200);
    // The same bytes in another gallery share their objects and are not touched.
    expect((await get(at(twin))).statusCode).toBe(200);
  });
});

test('a picture that the store has lost is unavailable, not cached, and never an internal error (fault F20)', async () => {
  const id = await openGallery(server, owner, people.hawks.id);
  const one = await ready(id, await quartersJpeg(700, 500, { quality: 33 }));
  const objects = await server.data.ownerQuery<{ object_key: string }>(
    'select distinct object_key from renditions where photo_id = $1',
    [one.id],
  );
  for (const { object_key: key } of objects) await server.platform.storage.remove(key);
  const answer = await get(one.image_url);
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ error: PICTURE_UNREADABLE });
  expect(answer.headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' });
});

test('an uploaded file cannot be read from the store by its Location (threat 11)', async () => {
  const location = new URL(server.platform.storage.locationOf('uploads/1/1/none.jpg', 'http://localhost'));
  expect((await get(location.pathname)).statusCode).toBe(403);
});
