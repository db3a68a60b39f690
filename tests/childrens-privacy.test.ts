/**
 * What visitors can learn about a child's photo, by every route: calls, pages, pictures, share cards. A parent sends it
 * with everything that phones write into files; it is shown; someone asks to hide it. Each test has a photo of its own.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { OwnPhotosPage } from '#src/features/contributors/contributors.contract.ts';
import { CAMERA, fractionBytes, PLACE, SHOT } from '#tests/support/location.ts';
import { openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { cookieOf, untilDecided } from '#tests/support/photo-uploads.ts';
import { exifSegment, iptcSegment, quartersJpeg, withSegments } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ works: true, pages: true, env: { RATE_LIMIT_FACTOR: '1000' } });
const SENDER = {
  name: 'Ana Quillfeather',
  email: 'quillfeather@families.test',
  site: 'https://quillfeather.example',
  instagram: '@quillfeather',
};
/** Facts about the sender, the camera and the place, which no visitor may see. */
const SECRETS = [
  /quillfeather/i,
  /Canon EOS/,
  /MAKER NOTES/,
  /40\.44/,
  /73\.98/,
  /adminview/,
  /"exif"/,
  /"iptc"/,
  /dhash/,
];

let people: Neighborhood;
let galleryId: number;
let photoId: number;
let visitor: string;

const get = (url: string, headers: Record<string, string> = {}) =>
  server.call({
    method: 'GET',
    url,
    headers: { host: `${people.parent.path}.sideline.localhost:3000`, ...headers },
  });
const asSender = () => ({ cookie: `visitor=${visitor}` });

let photosSent = 0;
/** Each time another picture: identical files are stored once, and kept until the last is deleted. */
async function send(contributeKey: string): Promise<void> {
  const policy = await server.call({
    method: 'POST',
    url: '/api/v1/policy',
    payload: { contributeKey, filename: 'IMG_2031.jpg' },
  });
  const { key } = policy.json<{ key: string }>();
  const bytes = withSegments(
    await quartersJpeg(800 + 8 * ++photosSent, 600),
    exifSegment({ main: CAMERA, exif: SHOT, gps: PLACE }),
    iptcSegment([
      [80, 'Ana Quillfeather'],
      [116, 'Quillfeather family'],
    ]),
  );
  await server.platform.storage.put(key, bytes, { contentType: 'image/jpeg' });
  const answer = await server.call({
    method: 'POST',
    url: '/api/v1/contributor',
    payload: { contributeKey, photos: [{ key, name: 'Relay' }], ...SENDER },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  visitor = cookieOf(answer, 'visitor') ?? '';
}

beforeEach(async () => {
  people = await settleAnother(server);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, { allow_public_contributions: true });
  const full = await server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/full` });
  await send(full.json<[{ contribute_key: string }]>()[0].contribute_key);
  const [{ id }] = (await server.data.ownerQuery<{ id: number }>('select id from photos where gallery_id = $1', [
    galleryId,
  ])) as [{ id: number }];
  photoId = id;
  await untilDecided(server, people.tokens.owner, galleryId, [photoId]);
});

/** Every address at which a visitor may get a photo of the gallery. */
const urls = () => [
  `/api/v1/galleries/${galleryId}/full`,
  `/api/v1/galleries/${galleryId}/gallery_photos`,
  `/api/v1/galleries/${galleryId}/gallery_photos?keyword=a`,
  `/api/v1/galleries/${galleryId}/gallery_photos?show=all`,
  `/api/v1/galleries/${galleryId}/gallery_photos?show=private`,
  `/api/v1/galleries/${galleryId}/photo_layout`,
  `/api/v1/galleries/${galleryId}/photo_facts?ids=${photoId}`,
  `/api/v1/galleries/${galleryId}/contributions`,
  `/api/v1/galleries/${galleryId}/collaborators`,
  `/api/v1/galleries/${galleryId}/report`,
  `/api/v1/contributor/photos?gallery_id=${galleryId}`,
  `/api/v1/affiliates/${people.hawks.path}?org_id=${people.parent.id}`,
  `/api/v1/affiliates/${people.hawks.id}/takedowns`,
  `/api/v1/affiliates/${people.hawks.id}/audit_log`,
  `/api/v1/affiliates/${people.hawks.id}/watermark_preview`,
  `/${people.hawks.path}`,
  `/${people.hawks.path}/gallery/${galleryId}`,
  `/${people.hawks.path}/gallery/${galleryId}.data`,
  `/${people.hawks.path}/gallery/${galleryId}?publicView=true`,
  `/${people.hawks.path}/gallery/${galleryId}/photo/${photoId}`,
  `/${people.hawks.path}/gallery/${galleryId}/photo/${photoId}.data`,
  `/${people.hawks.path}/gallery/${galleryId}/photo/${photoId}/hide`,
  '/sitemap.xml',
  '/sitemap-galleries.xml',
];
/** The picture's address once the photo is shown. */
const guessed = () => `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}?v=1.m`;
const pictures = (picture: string) =>
  [picture, `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}?`].flatMap((address) =>
    ['', '&size=320', '&size=1440', '&download=true', '&adminview=true', '&adminview=true&download=true'].map(
      (more) => `${address}${more}`,
    ),
  );

async function expectSilence(more: readonly RegExp[] = []): Promise<void> {
  const told: string[] = [];
  for (const url of urls()) {
    const answer = await get(url);
    // A repetition of the requested address reveals nothing.
    const said = answer.statusCode < 300 ? answer.body : '';
    for (const secret of [...SECRETS, ...more]) if (secret.test(said)) told.push(`${url} tells ${secret}`);
    if (answer.statusCode >= 500) told.push(`${url} → ${answer.statusCode}`);
  }
  expect(told).toEqual([]);
}

async function listOwn(): Promise<OwnPhotosPage['photos']> {
  const answer = await get(`/api/v1/contributor/photos?gallery_id=${galleryId}`, asSender());
  return answer.json<OwnPhotosPage>().photos;
}

/** The owner shows the photo; returns its picture's address. */
async function show(): Promise<string> {
  const shown = await server.call({
    method: 'PUT',
    url: `/api/v1/galleries/${galleryId}/contributions`,
    as: people.tokens.owner,
    payload: { decision: 'approve', ids: [photoId] },
  });
  expect(shown.statusCode, shown.body).toBe(200);
  const [photo] = (await get(`/api/v1/galleries/${galleryId}/gallery_photos`)).json<{
    photos: { id: number; image_url: string }[];
  }>().photos;
  expect(photo?.id).toBe(photoId);
  return photo?.image_url ?? '';
}

/** The mother asks to hide the photo. */
async function askToHide(): Promise<void> {
  const asked = await server.call({
    method: 'POST',
    url: `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}/takedown`,
    payload: { reason: 'My son.', contact: 'mother@family.test', guardian: true },
  });
  expect(asked.statusCode).toBe(202);
}

describe('a child’s photo', () => {
  test('that waits for the owner’s review is seen by its sender only, by a link that expires', async () => {
    await expectSilence([new RegExp(String(photoId))]);
    const [sent] = await listOwn();
    const own = sent?.image_url ?? '';
    expect((await get(own)).statusCode).toBe(200);
    expect((await get(own)).headers['cache-control']).toBe('private, no-store');
    expect(
      (
        await get(
          own.replace(/(own=\d+\.)(.)/, (_whole, day: string, first: string) => day + (first === 'A' ? 'B' : 'A')),
        )
      ).statusCode,
    ).toBe(404);
    expect((await get(`/api/v1/contributor/photos?gallery_id=${galleryId}`)).json()).toEqual({
      photos: [],
      next: null,
    });
    for (const address of pictures(guessed())) expect((await get(address)).statusCode, address).toBe(404);
  });

  test('that is shown reveals nothing about its sender, the camera and the place', async () => {
    const picture = await show();
    await expectSilence();
    for (const size of [320, 480, 640, 960, 1440])
      for (const accept of ['image/webp', 'image/jpeg', 'image/avif']) {
        const { rawPayload } = await get(`${picture}&size=${size}`, { accept });
        for (const trace of ['Exif\0', 'Canon', 'Quillfeather', 'Photoshop', 'http://ns.adobe.com'])
          expect(rawPayload.includes(trace), `${size} ${accept} ${trace}`).toBe(false);
        expect(rawPayload.includes(fractionBytes(49_1, true))).toBe(false);
      }
  });

  test('that is hidden on request is seen by no one, at no address old or new', async () => {
    const [waiting] = await listOwn();
    const own = waiting?.image_url ?? '';
    const picture = await show();
    for (const address of [own, picture]) expect((await get(address)).statusCode, address).toBe(200);
    await askToHide();
    await expectSilence([new RegExp(String(photoId)), /mother@family/, /My son/]);
    for (const address of [...pictures(picture), own]) expect((await get(address)).statusCode, address).toBe(404);
    const [sent] = await listOwn();
    expect(sent).toMatchObject({ id: photoId, image_url: null, thumbhash: null });
    const card = await get(`/api/v1/share_cards/galleries/${galleryId}?photo=${photoId}`);
    const neutral = await get(`/api/v1/share_cards/galleries/${galleryId}`);
    expect(card.headers['etag']).toBe(neutral.headers['etag']);
    const quote = await server.call({
      method: 'POST',
      url: '/api/v1/orders/quote',
      payload: { order: { org_id: people.hawks.id }, items: [{ id: photoId, gallery_id: galleryId, sales_price: 4 }] },
    });
    expect(quote.statusCode).toBe(422);
  });

  test('is not shown again by the editor, bulk edits or the review', async () => {
    await show();
    await askToHide();
    const as = people.tokens.owner;
    const base = `/api/v1/galleries/${galleryId}`;
    for (const [url, payload] of [
      [`${base}/gallery_photos/${photoId}`, { photo: { show_in_gallery: true, featured: true } }],
      [`${base}/gallery_photos`, { ids: [photoId], photo: { show_in_gallery: true } }],
      [`${base}/contributions`, { decision: 'approve', ids: [photoId] }],
    ] as const) {
      const answer = await server.call({ method: 'PUT', url, as, payload });
      expect(answer.statusCode, url).toBeLessThan(500);
    }
    await expectSilence([new RegExp(String(photoId))]);
  });

  test('is deleted everywhere when the owner deletes it', async () => {
    const picture = await show();
    await askToHide();
    const base = `/api/v1/affiliates/${people.hawks.id}/takedowns`;
    const listed = await server.call({ method: 'GET', url: base, as: people.tokens.owner });
    const { id } = listed.json<{ takedowns: [{ id: number }] }>().takedowns[0];
    const keys = await server.data.ownerQuery<{ object_key: string }>(
      'select distinct object_key from renditions where photo_id = $1',
      [photoId],
    );
    expect(keys.length).toBeGreaterThan(3);
    const decided = await server.call({
      method: 'PUT',
      url: `${base}/${id}`,
      as: people.tokens.owner,
      payload: { decision: 'delete' },
    });
    expect(decided.statusCode, decided.body).toBe(200);
    const left = async () =>
      (await Promise.all(keys.map(({ object_key: key }) => server.platform.storage.head(key)))).filter(Boolean).length;
    await expect.poll(left, { timeout: 15_000 }).toBe(0);
    for (const sent of await listOwn()) expect(sent).toMatchObject({ image_url: null, thumbhash: null });
    expect(
      (await get(`${picture}&adminview=true`, { authorization: `Bearer ${people.tokens.owner}` })).statusCode,
    ).toBe(404);
  });
});
