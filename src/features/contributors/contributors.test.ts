import { beforeAll, describe, expect, test } from 'vitest';
import { CONTRIBUTE_KEY_UNKNOWN, type GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import {
  CONTRIBUTOR_EMAIL_REQUIRED,
  CONTRIBUTOR_NAME_REQUIRED,
  INSTAGRAM_INVALID,
  PHOTOS_REQUIRED,
} from '#src/features/contributors/contributors.contract.ts';
import { VISITOR } from '#src/features/tenancy/actor.rules.ts';
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';
import { QUOTA_USED_UP, UPLOAD_CLAIMED, UPLOAD_UNKNOWN } from '#src/features/uploads/uploads.contract.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { cookieOf, listPhotos, putUpload } from '#tests/support/photo-uploads.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '100' } });
let people: Neighborhood;
let owner: string;
let galleryId: number;
let key: string;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  owner = people.tokens.owner;
  galleryId = await openGallery(server, owner, people.hawks.id, { name: 'Cup Final' });
  key = await keyOf(galleryId, owner);
});

async function keyOf(id: number, as: string | null): Promise<string> {
  const [gallery] = (await server.call({ method: 'GET', url: `/api/v1/galleries/${id}/full`, as })).json<
    GalleryAnswer[]
  >();
  return gallery?.contribute_key ?? '';
}
const policy = (payload: object, query = '') =>
  server.call({ method: 'POST', url: `/api/v1/policy${query}`, payload: { filename: 'a.jpg', ...payload } });
async function upload(contributeKey: string): Promise<string> {
  const answer = await policy({ contributeKey });
  expect(answer.statusCode, answer.body).toBe(200);
  const object = answer.json<{ key: string }>().key;
  await server.platform.storage.put(object, await quartersJpeg(320, 240), { contentType: 'image/jpeg' });
  return object;
}
const PERSON = { name: 'Ana Flores', email: 'ana@families.test', site: 'ana.example', instagram: '@ana' };
const contribute = (contributeKey: string, keys: readonly string[], more: object = {}) =>
  server.call({
    method: 'POST',
    url: '/api/v1/contributor',
    payload: {
      contributeKey,
      photos: keys.map((object, index) => ({ key: object, name: `Shot ${index + 1}` })),
      ...PERSON,
      ...more,
    },
  });
const check = (query: string) => server.call({ method: 'GET', url: `/api/v1/check-key${query}` });

describe('an invite link', () => {
  test('names only the gallery that it opens', async () => {
    const answer = await check(`?contributeKey=${key}`);
    expect(answer.json()).toEqual({
      gallery: {
        id: galleryId,
        name: 'Cup Final',
        organization: { id: people.hawks.id, name: 'hawks', domain_name: 'hawks' },
      },
      contributor: null,
    });
    expect(answer.headers).toMatchObject({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });
  });

  test.each(['', '?contributeKey=', '?contributeKey=AAAAAAAAAAAAAAAAAAAAAA', `?contributeKey=${'x'.repeat(5_000)}`])(
    'with %j opens nothing',
    async (query) => {
      const answer = await check(query);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ error: CONTRIBUTE_KEY_UNKNOWN });
    },
  );

  test('opens the editor’s address of its own gallery, and of no other', async () => {
    const other = await openGallery(server, owner, people.hawks.id);
    const open = (place: { galleryId: number; organizationId: number }) =>
      server.app.contributors.openInvite(VISITOR, key, place);
    const organizationId = people.hawks.id;
    expect((await open({ galleryId, organizationId })).gallery.id).toBe(galleryId);
    for (const place of [
      { galleryId: other, organizationId },
      { galleryId, organizationId: people.tides.id },
    ])
      await expect(open(place)).rejects.toMatchObject({ code: 'not_found', message: CONTRIBUTE_KEY_UNKNOWN });
  });

  test('is in the public page’s data only where anyone may contribute (rule 8)', async () => {
    expect(await keyOf(galleryId, null)).toBe('');
    const open = await openGallery(server, owner, people.hawks.id, { allow_public_contributions: true });
    expect(await keyOf(open, null)).toBe(await keyOf(open, owner));
    expect(await keyOf(open, null)).toMatch(/^[\w-]{22}$/);
    const locked = await openGallery(server, owner, people.hawks.id, {
      allow_public_contributions: true,
      password_required: true,
      password: 'x1',
    });
    expect(await keyOf(locked, null)).toBe('');
  });
});

describe('a contributor', () => {
  test('submits photos, which only the owner sees until they are approved', async () => {
    const fresh = await openGallery(server, owner, people.hawks.id);
    const freshKey = await keyOf(fresh, owner);
    const answer = await contribute(freshKey, [await upload(freshKey), await upload(freshKey)]);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toEqual({ accepted: 2 });
    const photos = await listPhotos(server, owner, fresh);
    expect(photos.map((photo) => photo.name)).toEqual(['Shot 1', 'Shot 2']);
    expect(photos[0]).toMatchObject({
      show_in_gallery: false,
      contributor: { name: 'Ana Flores', email: 'ana@families.test', site: 'https://ana.example', instagram: '@ana' },
    });
    await server.data.ownerQuery(
      "update photos set status = 'ready', width = 1, height = 1, thumbhash = '\\x00', original_key = 'o', original_sha256 = 'o', original_bytes = 1 where gallery_id = $1",
      [fresh],
    );
    expect(await listPhotos(server, null, fresh)).toEqual([]);
    await server.call({
      method: 'PUT',
      url: `/api/v1/galleries/${fresh}/gallery_photos/${photos[0]?.id}`,
      as: owner,
      payload: { photo: { show_in_gallery: true } },
    });
    const shown = await server.call({ method: 'GET', url: `/api/v1/galleries/${fresh}/full` });
    expect(shown.json()).toMatchObject([{ gallery_photo: [{ name: 'Shot 1' }], gallery_contributors: [] }]);
    for (const secret of ['ana@families.test', 'ana.example', '@ana', 'Ana Flores'])
      expect(shown.body).not.toContain(secret);
    const [whole] = (await server.call({ method: 'GET', url: `/api/v1/galleries/${fresh}/full`, as: owner })).json<
      GalleryAnswer[]
    >();
    expect(whole?.gallery_contributors).toMatchObject([{ email: 'ana@families.test' }]);
  });

  test('sees photos without time and number in the order in which they were sent', async () => {
    const own = await openGallery(server, owner, people.hawks.id);
    const opens = await keyOf(own, owner);
    const names = ['goal', 'cup', 'team', 'bench', 'fans', 'coach', 'field'];
    const keys = await Promise.all(names.map(() => upload(opens)));
    const photos = keys.map((object, index) => ({ key: object, name: names[index] }));
    expect((await contribute(opens, keys, { photos })).statusCode).toBe(200);
    expect((await listPhotos(server, owner, own)).map(({ name }) => name)).toEqual(names);
  });

  test('who sends in several calls has one batch in capture order, which no one else joins', async () => {
    const own = await openGallery(server, owner, people.hawks.id);
    const opens = await keyOf(own, owner);
    const send = async (name: string, visitor?: string) =>
      server.call({
        method: 'POST',
        url: '/api/v1/contributor',
        ...(visitor === undefined ? {} : { headers: { cookie: `visitor=${visitor}` } }),
        payload: { contributeKey: opens, photos: [{ key: await upload(opens), name }], ...PERSON, batch: 'first' },
      });
    const visitor = cookieOf(await send('1.jpg'), 'visitor') ?? '';
    await send('stranger.jpg');
    await send('2.jpg', visitor);
    await send('3.jpg', visitor);
    const names = (await listPhotos(server, owner, own)).map(({ name }) => name);
    expect(names).toEqual(['stranger.jpg', '1.jpg', '2.jpg', '3.jpg']);
  });

  test('sees every problem', async () => {
    const answer = await contribute(key, [], { name: ' ', email: '' });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      errors: { name: [CONTRIBUTOR_NAME_REQUIRED], email: [CONTRIBUTOR_EMAIL_REQUIRED], photos: [PHOTOS_REQUIRED] },
    });
    expect((await contribute(key, ['x'], { site: 'javascript:alert(1)' })).statusCode).toBe(422);
    for (const instagram of ['@@@', 'x'.repeat(300)])
      expect((await contribute(key, ['x'], { instagram })).statusCode).toBe(422);
    expect((await contribute(key, ['x'], { instagram: '@@@' })).json()).toMatchObject({
      errors: { instagram: [INSTAGRAM_INVALID] },
    });
    expect((await contribute(key, ['x'], { role_id: 2 })).statusCode).toBe(422);
  });

  test('submits only their own uploads: not another link’s, not a member’s, none twice; all or nothing (threat 50)', async () => {
    const other = await keyOf(await openGallery(server, owner, people.hawks.id), owner);
    const [mine, theirs, members] = [await upload(key), await upload(other), await putUpload(server, owner, galleryId)];
    const before = (await listPhotos(server, owner, galleryId)).length;
    const contributors = async () =>
      (
        await server.data.ownerQuery<{ count: number }>(
          'select count(*)::integer as count from gallery_contributors where gallery_id = $1',
          [galleryId],
        )
      )[0]?.count ?? 0;
    const contributorsBefore = await contributors();
    for (const foreign of [theirs, members, 'uploads/1/1/none.jpg']) {
      const answer = await contribute(key, [mine, foreign]);
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({ error: UPLOAD_UNKNOWN });
    }
    expect((await contribute(key, [mine, mine])).json()).toMatchObject({ error: UPLOAD_CLAIMED });
    expect(await listPhotos(server, owner, galleryId)).toHaveLength(before);
    const people409 = await Promise.all([contribute(key, [mine]), contribute(key, [mine])]);
    expect(people409.map((answer) => answer.statusCode).toSorted()).toEqual([200, 409]);
    expect(await contributors()).toBe(contributorsBefore + 1);
    expect(
      (
        await server.call({
          method: 'POST',
          url: `/api/v1/galleries/${galleryId}/gallery_photos`,
          as: owner,
          payload: { photo: { key: await upload(key) } },
        })
      ).statusCode,
    ).toBe(422);
  });

  test('may upload only to the link’s gallery', async () => {
    const other = await openGallery(server, owner, people.hawks.id);
    expect((await policy({ contributeKey: key }, `?gallery_id=${other}`)).statusCode).toBe(404);
    expect((await policy({ contributeKey: key, affiliate_id: people.tides.id })).statusCode).toBe(404);
    expect((await policy({ contributeKey: key }, `?gallery_id=${galleryId}`)).statusCode).toBe(200);
    expect((await policy({ contributeKey: 'AAAAAAAAAAAAAAAAAAAAAA' })).statusCode).toBe(404);
  });

  test('is refused by a link that was revoked, has expired or whose gallery is deleted, also between upload and submission (threat 48)', async () => {
    const ends: [string, string][] = [
      ['update contribute_keys set revoked_at = now() where gallery_id = $1', 'revoked'],
      ["update contribute_keys set expires_at = now() - interval '1 second' where gallery_id = $1", 'expired'],
      ['update galleries set active = false where id = $1', 'inactive'],
    ];
    for (const [statement, how] of ends) {
      const id = await openGallery(server, owner, people.hawks.id);
      const link = await keyOf(id, owner);
      const object = await upload(link);
      await server.data.ownerQuery(statement, [id]);
      for (const answer of [
        await check(`?contributeKey=${link}`),
        await policy({ contributeKey: link }),
        await contribute(link, [object]),
      ]) {
        expect(answer.statusCode, how).toBe(404);
        expect(answer.json(), how).toMatchObject({ error: CONTRIBUTE_KEY_UNKNOWN });
      }
    }
  });

  test('must stay within the link’s quota and the free plan (threat 49, rule 27)', async () => {
    const id = await openGallery(server, people.tokens.neighbor, people.tides.id);
    const link = await keyOf(id, people.tokens.neighbor);
    await server.data.ownerQuery('update contribute_keys set quota = 3 where gallery_id = $1', [id]);
    const objects = await Promise.all(Array.from({ length: 5 }, () => upload(link)));
    const answers = await Promise.all(objects.map((object) => contribute(link, [object])));
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(3);
    expect(answers.find((answer) => answer.statusCode === 403)?.json()).toMatchObject({ error: QUOTA_USED_UP });
    await server.data.ownerQuery('update contribute_keys set quota = null where gallery_id = $1', [id]);
    // Their forms were signed while there was space.
    const two = [await upload(link), await upload(link)];
    await server.data.ownerQuery(
      "insert into photos (gallery_id, organization_id, name, order_key) select $1, $2, 'filler', 'b' || n from generate_series(1001, 1496) n",
      [id, people.tides.id],
    );
    const refused = await contribute(link, two);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ error: UPGRADE_FOR_MORE_PHOTOS });
    expect((await contribute(link, two.slice(0, 1))).statusCode).toBe(200);
    expect((await policy({ contributeKey: link })).json()).toMatchObject({ error: UPGRADE_FOR_MORE_PHOTOS });
  });
});
