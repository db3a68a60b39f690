/**
 * All public addresses of a photo (athletes specification B.5, B.13). None of them opens it from the request in which a
 * child becomes unpublished or is tagged; the CDN purges it, and "yes" shows it again. All calls of visitors:
 * `tests/hidden-children.test.ts`.
 */
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { RENDITION_SIZES } from '#src/shared/picture-sizes.ts';
import { addTeam, tag } from '#tests/support/consent-rows.ts';
import { addCarded, openCard, type CardedAthlete } from '#tests/support/family-cards.ts';
import { CDN_TOKEN, FakeCdn } from '#tests/support/fake-cdn.ts';
import { openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto, untilDecided } from '#tests/support/photo-uploads.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const CDN_URL = 'https://pictures.example';
const env: Record<string, string> = { RATE_LIMIT_FACTOR: '100000', PICTURES_CDN_URL: CDN_URL, CDN_PURGE_PRIVATE: '1' };
const cdn = new FakeCdn();
beforeAll(async () => {
  env['CDN_PURGE_URL'] = `${await cdn.start()}/purge`;
  env['CDN_PURGE_TOKEN'] = CDN_TOKEN;
});
afterAll(() => cdn.stop());

const server = useTestServer({ works: true, pages: true, env });
/** Names that nothing else has. */
const NAMES = [
  { firstName: 'Zephyrine', lastName: 'Quillfeather' },
  { firstName: 'Thaddeus', lastName: 'Oxenfjord' },
];
const OF_THE_ROSTER = /zephyrine|quillfeather|thaddeus|oxenfjord/i;

let people: Neighborhood;
let host: string;
let organizationId: number;
let galleryId: number;
let teamId: number;
let carded: CardedAthlete[];
let maya: number;
let leo: number;
/** Those of Maya, and last one without her. */
let photos: number[];
let other: number;
let seal: string;

const get = (url: string, headers: Record<string, string> = {}) =>
  server.call({ method: 'GET', url, headers: { host, ...headers } });
const say = (athleteId: number, consent: string) =>
  server.call({
    method: 'PUT',
    url: `/api/v1/athletes/${athleteId}`,
    as: people.tokens.owner,
    payload: { athlete: { consent } },
  });
const galleryPage = () => `/${people.hawks.path}/gallery/${galleryId}`;
const picture = (id: number) => `/api/v1/galleries/${galleryId}/gallery_photos/${id}`;

/** Addresses of one photo, each with its status while everyone may see it. */
function doorsOf(id: number): [url: string, open: number][] {
  return [
    ...RENDITION_SIZES.map((size): [string, number] => [`${picture(id)}?size=${size}`, 200]),
    [picture(id), 200],
    ...RENDITION_SIZES.map((size): [string, number] => [cdnPath(id).replace('1440.jpg', `${size}.jpg`), 200]),
    [`${galleryPage()}/photo/${id}`, 200],
    [`${galleryPage()}/photo/${id}/hide`, 200],
  ];
}
const cdnPaths = new Map<number, string>();
const cdnPath = (id: number) => cdnPaths.get(id) ?? '';

/** Addresses of many photos, whose bodies must not contain a hidden one. */
const lists = () => [
  galleryPage(),
  `${galleryPage()}?embed=1`,
  `/${people.hawks.path}`,
  '/',
  '/sitemap.xml',
  '/sitemap-pages.xml',
  '/sitemap-galleries.xml',
  `/api/v1/galleries/${galleryId}/gallery_photos?limit=100`,
  `/api/v1/galleries/${galleryId}/gallery_photos?limit=100&number=10`,
  `/api/v1/galleries/${galleryId}/gallery_photos?limit=100&keyword=goal`,
  `/api/v1/galleries/${galleryId}/full`,
  `/api/v1/galleries/${galleryId}/numbers`,
  `/api/v1/galleries/${galleryId}`,
  `/api/v1/oembed?url=${encodeURIComponent(`http://${host}${galleryPage()}`)}`,
  `/api/v1/affiliates/${organizationId}/galleries`,
];

beforeEach(async () => {
  people = await settleAnother(server);
  organizationId = people.hawks.id;
  host = `${people.parent.path}.sideline.localhost:3000`;
  galleryId = await openGallery(server, people.tokens.owner, organizationId, { display_watermark: false });
  const ids: number[] = [];
  for (let at = 0; at < 4; at += 1) {
    const color = { r: (at * 60 + galleryId) % 255, g: 90, b: 160 };
    const bytes = await sharp({ create: { width: 300, height: 200, channels: 3, background: color } })
      .jpeg()
      .toBuffer();
    ids.push((await addPhoto(server, people.tokens.owner, galleryId, { bytes, name: `Goal ${at}` })).id);
  }
  await untilDecided(server, people.tokens.owner, galleryId, ids);
  [photos, other] = [ids.slice(0, 3), ids[3] ?? 0];
  const listed = await get(`/api/v1/galleries/${galleryId}/gallery_photos?limit=100`);
  for (const { id, image_url } of listed.json<{ photos: PhotoAnswer[] }>().photos)
    cdnPaths.set(id, image_url.slice(CDN_URL.length));
  seal = cdnPath(other);
  teamId = await addTeam(server, organizationId);
  const team = { id: teamId, organizationId };
  carded = await Promise.all(NAMES.map((name, at) => addCarded(server, team, { ...name, number: `${10 + at}` })));
  [maya = 0, leo = 0] = carded.map(({ athleteId }) => athleteId);
  await server.data.ownerQuery("insert into athlete_settings (organization_id, mode) values ($1, 'numbers')", [
    organizationId,
  ]);
  await tag(server, organizationId, [
    ...photos.map((photoId) => ({ photoId, athleteId: maya })),
    { photoId: photos[0] ?? 0, athleteId: leo },
    { photoId: other, athleteId: leo },
  ]);
});

/** The page of an unknown photo redirects to the page for that (specification P§2.2). */
const closedAs = ({ statusCode, headers }: Awaited<ReturnType<typeof get>>): number =>
  statusCode === 302 && headers.location === '/404' ? 404 : statusCode;

/**
 * Checks what every address answers a visitor about these photos. Pages are requested three times, so that kept ones
 * are among them.
 */
async function expectDoors(ids: readonly number[], isOpen: boolean): Promise<void> {
  for (const id of ids)
    for (const [url, open] of doorsOf(id)) {
      const answer = await get(url);
      expect([url, isOpen ? answer.statusCode : closedAs(answer)]).toEqual([url, isOpen ? open : 404]);
      if (!isOpen) expect(answer.body, url).not.toContain('Goal');
    }
  for (const url of lists()) {
    const answer = await get(url);
    for (const id of ids) {
      const isListed = answer.body.includes(String(id));
      if (!isOpen) expect([url, isListed]).toEqual([url, false]);
    }
    expect(answer.body, url).not.toMatch(OF_THE_ROSTER);
  }
  const list = await get(`/api/v1/galleries/${galleryId}/gallery_photos?limit=100`);
  expect(list.json<{ total: number }>().total).toBe(isOpen ? 4 : 1);
}

describe('a child who must not be published', () => {
  test('is at no public address once the consent is answered, and returns with "yes"', async () => {
    // The server keeps pages and lists that were requested before.
    for (let time = 0; time < 2; time += 1) await expectDoors(photos, true);
    const cards = () => Promise.all(photos.map((id) => get(`/api/v1/share_cards/galleries/${galleryId}?photo=${id}`)));
    const neutral = await get('/api/v1/share_cards/galleries/1');
    const before = await cards();
    expect(before.every(({ rawPayload }) => !rawPayload.equals(neutral.rawPayload))).toBe(true);
    expect((await say(maya, 'no')).json()).toMatchObject({ hidden: 3, shown: 0 });
    await expectDoors(photos, false);
    const after = await cards();
    for (const [at, card] of after.entries())
      expect(card.rawPayload.equals(before[at]?.rawPayload ?? card.rawPayload)).toBe(false);
    expect((await get(`${picture(other)}?size=640`)).statusCode).toBe(200);
    expect((await get(seal)).statusCode).toBe(200);
    await vi.waitFor(
      () => expect(cdn.purged).toEqual(expect.arrayContaining(photos.map((id) => `photo-${id}`))),
      15_000,
    );
    expect((await say(maya, 'yes')).json()).toMatchObject({ hidden: 0, shown: 3 });
    await expectDoors(photos, true);
  });

  test('is hidden by the request that tags, and the answer names the photo', async () => {
    await say(leo, 'no');
    const [, photoId = 0] = photos;
    expect((await get(`${picture(photoId)}?size=640`)).statusCode).toBe(200);
    const answer = await server.call({
      method: 'PUT',
      url: `/api/v1/galleries/${galleryId}/tags`,
      as: people.tokens.owner,
      payload: { changes: [{ photo_ids: [photoId], add: [{ athlete_id: leo }] }], client_key: 'consent-of-photos' },
    });
    expect(answer.json()).toMatchObject({ tagged: 1, hidden: [photoId] });
    for (const [url] of doorsOf(photoId)) expect([url, closedAs(await get(url))]).toEqual([url, 404]);
  });

  test('cannot be liked, ordered or requested to hide', async () => {
    await say(maya, 'family');
    const [photoId = 0] = photos;
    for (const [method, url, payload] of [
      ['PUT', `${picture(photoId)}/like`, {}],
      ['POST', `${picture(photoId)}/takedown`, { reason: 'Please.', contact: 'a@b.test', guardian: true }],
    ] as const)
      expect([url, (await server.call({ method, url, payload, headers: { host } })).statusCode]).toEqual([url, 404]);
  });
});

describe('a family', () => {
  const pixels = (id: number, cookie: string) => get(`${picture(id)}?size=640`, { cookie });

  test('sees its child with "family" by its card, another family does not, and with "no" nobody does', async () => {
    const [mayas = '', leos = ''] = await Promise.all(carded.map(({ code }) => openCard(server, host, { code })));
    await say(maya, 'family');
    const [both = 0, alone = 0] = photos;
    expect((await pixels(alone, mayas)).statusCode).toBe(200);
    expect((await pixels(alone, mayas)).headers['cache-control']).toBe('private, no-store');
    expect((await pixels(both, mayas)).statusCode).toBe(200);
    for (const id of photos) expect((await pixels(id, leos)).statusCode).toBe(404);
    expect((await get(`${picture(alone)}?size=640&download=true`, { cookie: mayas })).statusCode).toBe(404);
    await say(leo, 'no');
    expect((await pixels(both, mayas)).statusCode).toBe(404);
    await say(maya, 'no');
    for (const id of photos) expect((await pixels(id, mayas)).statusCode).toBe(404);
  });
});
