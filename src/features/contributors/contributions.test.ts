/** Contributions over HTTP: viewed and withdrawn by their sender, reviewed by their owner. */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  DECISION_UNKNOWN,
  NOTHING_CHOSEN,
  OWN_PHOTO_GONE,
  WITHDRAWN,
  WITHDRAWN_SOLD,
  type OwnPhotosPage,
  type WaitingPage,
} from '#src/features/contributors/contributors.contract.ts';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { openGallery, settleAnother, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { cookieOf, listPhotos, untilDecided } from '#tests/support/photo-uploads.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ works: true, env: { RATE_LIMIT_FACTOR: '100' } });
let people: Neighborhood;
let owner: string;
beforeAll(async () => {
  people = await settleNeighborhood(server);
  owner = people.tokens.owner;
});

type Place = { id: number; key: string };
async function openInvited(fields: Record<string, unknown> = {}): Promise<Place> {
  const id = await openGallery(server, people.tokens.admin, people.hawks.id, fields);
  const [full] = (
    await server.call({ method: 'GET', url: `/api/v1/galleries/${id}/full`, as: people.tokens.admin })
  ).json<GalleryAnswer[]>();
  return { id, key: full?.contribute_key ?? '' };
}

type Sender = { name?: string; email?: string; visitor?: string | null };
/** Sends photos; returns the browser's cookie. */
async function send({ key }: Place, count: number, sender: Sender = {}): Promise<string> {
  const { name = 'Ana Flores', email = 'ana@families.test', visitor = null } = sender;
  const headers: Record<string, string> = visitor === null ? {} : { cookie: `visitor=${visitor}` };
  const photos: { key: string; name: string }[] = [];
  for (let index = 0; index < count; index++) {
    const payload = { contributeKey: key, filename: 'a.jpg' };
    const policy = await server.call({ method: 'POST', url: '/api/v1/policy', payload });
    const object = policy.json<{ key: string }>().key;
    await server.platform.storage.put(object, await quartersJpeg(640, 480), { contentType: 'image/jpeg' });
    photos.push({ key: object, name: `${name} ${index + 1}` });
  }
  const payload = { contributeKey: key, photos, name, email };
  const answer = await server.call({ method: 'POST', url: '/api/v1/contributor', payload, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return cookieOf(answer, 'visitor') ?? visitor ?? '';
}
async function untilReady({ id }: Place): Promise<number[]> {
  const ids = (await listPhotos(server, people.tokens.admin, id)).map((photo) => photo.id);
  await untilDecided(server, people.tokens.admin, id, ids);
  return ids;
}
type Asker = { visitor?: string; key?: string };
const headersOf = ({ visitor, key }: Asker): Record<string, string> => ({
  ...(visitor === undefined ? {} : { cookie: `visitor=${visitor}` }),
  ...(key === undefined ? {} : { 'x-contribute-key': key }),
});
const own = async (galleryId: number, asker: Asker, after = '') => {
  const query = new URLSearchParams({ gallery_id: String(galleryId), ...(after === '' ? {} : { after }) });
  const url = `/api/v1/contributor/photos?${query}`;
  return (await server.call({ method: 'GET', url, headers: headersOf(asker) })).json<OwnPhotosPage>();
};
const withdraw = (galleryId: number, photoId: number, asker: Asker) =>
  server.call({
    method: 'DELETE',
    url: `/api/v1/contributor/photos/${photoId}?gallery_id=${galleryId}`,
    headers: headersOf(asker),
  });
const waiting = async (galleryId: number, after = '') => {
  const url = `/api/v1/galleries/${galleryId}/contributions${after === '' ? '' : `?after=${after}`}`;
  return (await server.call({ method: 'GET', url, as: owner })).json<WaitingPage>();
};
const decide = (galleryId: number, payload: object, as: string | null = owner) =>
  server.call({ method: 'PUT', url: `/api/v1/galleries/${galleryId}/contributions`, as, payload });

describe('a contributor', () => {
  test('finds their own photos again in this browser, and no one else does', async () => {
    const place = await openInvited();
    const visitor = await send(place, 2);
    const ids = await untilReady(place);
    const mine = await own(place.id, { visitor });
    expect(mine.photos.map(({ id, state, may_withdraw }) => ({ id, state, may_withdraw }))).toEqual(
      ids.map((id) => ({ id, state: 'waiting', may_withdraw: true })),
    );
    for (const asker of [{}, { visitor: `${visitor}x` }, { key: place.key }, { visitor: await send(place, 1) }])
      expect((await own(place.id, asker)).photos.map(({ id }) => id)).not.toContain(ids[0]);
    const elsewhere = await openInvited();
    expect(await own(elsewhere.id, { visitor })).toEqual({ photos: [], next: null });
  });

  test('sees the waiting picture, by an address that opens only this one', async () => {
    const place = await openInvited();
    const visitor = await send(place, 2);
    await untilReady(place);
    const [first, second] = (await own(place.id, { visitor })).photos;
    const look = (url: string) => server.call({ method: 'GET', url });
    const seen = await look(`${first?.image_url}&size=320`);
    expect([seen.statusCode, seen.headers['cache-control']]).toEqual([200, 'private, no-store']);
    const plain = first?.image_url?.replace(/&own=.*$/, '') ?? '';
    const proof = second?.image_url?.match(/&own=.*$/)?.[0] ?? '';
    expect((await look(plain)).statusCode).toBe(404);
    expect((await look(plain + proof)).statusCode).toBe(404);
    expect((await look(`${first?.image_url}&download=true`)).statusCode).toBe(404);
    expect((await look(`${first?.image_url}&adminview=true`)).statusCode).toBe(404);
    await server.call({ method: 'POST', url: `/api/v1/galleries/${place.id}/inactive`, as: owner });
    expect((await look(first?.image_url ?? '')).statusCode).toBe(404);
  });

  test('sees the outcome of each photo', async () => {
    const place = await openInvited();
    const visitor = await send(place, 4);
    const [shown = 0, hidden = 0, rejected = 0, still = 0] = await untilReady(place);
    await decide(place.id, { decision: 'approve', ids: [shown, hidden] });
    const url = `/api/v1/galleries/${place.id}/gallery_photos/${hidden}`;
    await server.call({ method: 'PUT', url, as: owner, payload: { photo: { show_in_gallery: false } } });
    await decide(place.id, { decision: 'reject', ids: [rejected] });
    const states = new Map((await own(place.id, { visitor })).photos.map((photo) => [photo.id, photo]));
    expect([shown, hidden, rejected, still].map((id) => states.get(id)?.state)).toEqual([
      'shown',
      'not_chosen',
      'not_chosen',
      'waiting',
    ]);
    expect(states.get(rejected)).toMatchObject({ image_url: null, may_withdraw: false });
  });

  test('withdraws a photo, and it is removed everywhere', async () => {
    const place = await openInvited();
    const visitor = await send(place, 2);
    const [first = 0, second = 0] = await untilReady(place);
    await decide(place.id, { decision: 'approve', ids: [first] });
    expect((await withdraw(place.id, first, {})).statusCode).toBe(404);
    expect((await withdraw(place.id, first, { visitor: await send(place, 1) })).statusCode).toBe(404);
    const answer = await withdraw(place.id, first, { visitor });
    expect(answer.json()).toEqual({ removed: true, message: WITHDRAWN });
    const again = await withdraw(place.id, first, { visitor });
    expect([again.statusCode, again.json()]).toEqual([404, expect.objectContaining({ error: OWN_PHOTO_GONE })]);
    expect(await listPhotos(server, null, place.id)).toEqual([]);
    expect((await listPhotos(server, owner, place.id)).map(({ id }) => id)).not.toContain(first);
    expect((await own(place.id, { visitor })).photos.map(({ id }) => id)).toEqual([second]);
  });

  test('who withdraws a sold photo hides it permanently, and its buyers keep it', async () => {
    const place = await openInvited();
    const visitor = await send(place, 1);
    const [id = 0] = await untilReady(place);
    await decide(place.id, { decision: 'approve', ids: [id] });
    await server.data.ownerQuery('update photos set sales_count = 1 where id = $1', [id]);
    expect((await withdraw(place.id, id, { visitor })).json()).toEqual({ removed: false, message: WITHDRAWN_SOLD });
    expect(await listPhotos(server, null, place.id)).toEqual([]);
    expect((await own(place.id, { visitor })).photos).toMatchObject([{ id, state: 'withdrawn', may_withdraw: false }]);
    await decide(place.id, { decision: 'approve', ids: [id] });
    const url = `/api/v1/galleries/${place.id}/gallery_photos/${id}`;
    await server.call({ method: 'PUT', url, as: owner, payload: { photo: { show_in_gallery: true } } });
    expect(await listPhotos(server, null, place.id)).toEqual([]);
    expect(await listPhotos(server, owner, place.id)).toMatchObject([{ id, show_in_gallery: false }]);
  });

  test('can withdraw with a personal key from another device, too', async () => {
    const place = await openInvited();
    const email = `device@families.test`;
    await server.call({
      method: 'POST',
      url: `/api/v1/affiliates/${people.hawks.id}/collaborator`,
      as: owner,
      payload: { email, gallery_id: place.id },
    });
    const [sentEmail] = await server.data.ownerQuery<{ key_hash: Buffer }>(
      'select key_hash from gallery_invites where gallery_id = $1',
      [place.id],
    );
    expect(sentEmail).toBeDefined();
    // The email's text is deleted once it is sent, so the key is set to a known one.
    const { hashToken } = await import('#src/platform/secrets.ts');
    const key = 'AAAAAAAAAAAAAAAAAAAA_w';
    await server.data.ownerQuery('update gallery_invites set key_hash = $2 where gallery_id = $1', [
      place.id,
      hashToken(key),
    ]);
    await send({ ...place, key }, 1, { email });
    const [id = 0] = await untilReady(place);
    expect((await own(place.id, { key })).photos).toMatchObject([{ id, state: 'waiting' }]);
    expect((await withdraw(place.id, id, { key: place.key })).statusCode).toBe(404);
    expect((await withdraw(place.id, id, { key })).statusCode).toBe(200);
  });

  test('pages through their own photos, the newest contribution first', async () => {
    const place = await openInvited();
    const visitor = await send(place, 1, { name: 'First' });
    await send(place, 2, { name: 'Second', visitor });
    await untilReady(place);
    const names = (await own(place.id, { visitor })).photos.map(({ name }) => name);
    expect(names).toEqual(['Second 1', 'Second 2', 'First 1']);
    const bad = await server.call({ method: 'GET', url: `/api/v1/contributor/photos?gallery_id=${place.id}&after=x` });
    expect(bad.statusCode).toBe(422);
  });
});

describe('the owner’s review', () => {
  test('shows each sender’s photos, the oldest first, in capture order, with a clean picture', async () => {
    const place = await openInvited();
    await send(place, 2);
    await send(place, 1, { name: 'Ben', email: 'ben@families.test' });
    await untilReady(place);
    const page = await waiting(place.id);
    expect(page.total).toBe(3);
    expect(page.photos.map(({ name }) => name)).toEqual(['Ana Flores 1', 'Ana Flores 2', 'Ben 1']);
    expect(page.contributors).toMatchObject([
      { name: 'Ana Flores', email: 'ana@families.test', waiting: 2 },
      { name: 'Ben', email: 'ben@families.test', waiting: 1 },
    ]);
    // The same quarters four times.
    expect(page.photos[0]?.similar_to).toMatchObject({ is_shown: false });
    const [first] = page.photos;
    const picture = { method: 'GET', url: first?.image_url ?? '' } as const;
    expect((await server.call({ ...picture, as: owner })).statusCode).toBe(200);
    expect((await server.call(picture)).statusCode).toBe(404);
  });

  test('approves, rejects and undoes; of two simultaneous decisions one counts', async () => {
    const place = await openInvited();
    await send(place, 3);
    const [one = 0, two = 0, three = 0] = await untilReady(place);
    const answer = await decide(place.id, { decision: 'approve', ids: [one, two] });
    expect(answer.json<{ ids: number[] }>().ids.toSorted()).toEqual([one, two].toSorted());
    expect((await listPhotos(server, null, place.id)).map(({ id }) => id)).toEqual([one, two]);
    expect((await decide(place.id, { decision: 'wait', ids: [two] })).json()).toEqual({ ids: [two] });
    expect((await waiting(place.id)).photos.map(({ id }) => id)).toEqual([two, three]);
    const both = await Promise.all([
      decide(place.id, { decision: 'reject', ids: [three] }),
      decide(place.id, { decision: 'reject', ids: [three] }),
    ]);
    expect(both.map((each) => each.json<{ ids: number[] }>().ids.length).toSorted()).toEqual([0, 1]);
    expect((await listPhotos(server, owner, place.id)).map(({ id }) => id)).toEqual([one, two]);
  });

  test('approves all photos of one person, by any of their contributions, and no one else’s', async () => {
    const place = await openInvited();
    await send(place, 2);
    await send(place, 1, { name: 'Ben', email: 'ben@families.test' });
    await send(place, 1, { email: 'ANA@families.test' });
    await untilReady(place);
    const [ana] = (await waiting(place.id)).contributors;
    const answer = await decide(place.id, { decision: 'approve', contributor_id: ana?.id });
    expect(answer.json<{ ids: number[] }>().ids).toHaveLength(3);
    expect((await waiting(place.id)).photos.map(({ name }) => name)).toEqual(['Ben 1']);
  });

  test('approves nothing that arrived after the page was loaded, even under the same address', async () => {
    const place = await openInvited();
    await send(place, 1);
    await untilReady(place);
    const [ana] = (await waiting(place.id)).contributors;
    await send(place, 1, { name: 'Not Ana' });
    await untilReady(place);
    const look = { decision: 'approve', contributor_id: ana?.id, up_to: ana?.id };
    expect((await decide(place.id, look)).json<{ ids: number[] }>().ids).toHaveLength(1);
    expect((await waiting(place.id)).photos.map(({ name }) => name)).toEqual(['Not Ana 1']);
  });

  test('approves nothing that is still processing, by its id, by its person or in the editor', async () => {
    const place = await openInvited();
    await send(place, 2);
    const ids = await untilReady(place);
    await server.data.ownerQuery("update photos set status = 'processing' where id = $1", [ids[0]]);
    const [ana] = (await waiting(place.id)).contributors;
    const editor = `/api/v1/galleries/${place.id}/gallery_photos`;
    const photo = { show_in_gallery: true };
    expect(
      (await server.call({ method: 'PUT', url: editor, as: owner, payload: { ids: [ids[0]], photo } })).json(),
    ).toEqual({ updated: 0 });
    expect(
      (await server.call({ method: 'PUT', url: `${editor}/${ids[0]}`, as: owner, payload: { photo } })).statusCode,
    ).toBe(409);
    expect((await decide(place.id, { decision: 'approve', ids: [ids[0]] })).json()).toEqual({ ids: [] });
    const all = await decide(place.id, { decision: 'approve', contributor_id: ana?.id });
    expect(all.json()).toEqual({ ids: [ids[1]] });
    expect((await waiting(place.id)).photos.map(({ id }) => id)).toEqual([ids[0]]);
    expect((await decide(place.id, { decision: 'reject', ids: [ids[0]] })).json()).toEqual({ ids: [ids[0]] });
  });

  test('decides only on contributions of its own gallery', async () => {
    const [place, other] = [await openInvited(), await openInvited()];
    await send(place, 1);
    await send(other, 1);
    const [theirs = 0] = await untilReady(other);
    expect((await decide(place.id, { decision: 'reject', ids: [theirs] })).json()).toEqual({ ids: [] });
    const [stranger] = (await waiting(other.id)).contributors;
    expect((await decide(place.id, { decision: 'approve', contributor_id: stranger?.id })).json()).toEqual({ ids: [] });
    expect((await waiting(other.id)).total).toBe(1);
    for (const [as, status] of [
      [null, 401],
      [people.tokens.neighbor, 404],
      [people.tokens.foreigner, 404],
    ] as const) {
      expect((await decide(other.id, { decision: 'approve', ids: [theirs] }, as)).statusCode).toBe(status);
      const url = `/api/v1/galleries/${other.id}/contributions`;
      expect((await server.call({ method: 'GET', url, as })).statusCode).toBe(status);
    }
  });

  test.each<[object, object]>([
    [{}, { decision: [DECISION_UNKNOWN] }],
    [{ decision: 'approve' }, { ids: [NOTHING_CHOSEN] }],
    [{ decision: 'approve', ids: [] }, { ids: [NOTHING_CHOSEN] }],
    [{ decision: 'approve', ids: [1], contributor_id: 2 }, { ids: [NOTHING_CHOSEN] }],
  ])('refuses %j', async (payload, errors) => {
    const { id } = await openInvited();
    const answer = await decide(id, payload);
    expect([answer.statusCode, answer.json()]).toEqual([422, expect.objectContaining({ errors })]);
  });

  test('is paged', async () => {
    const place = await openInvited();
    await send(place, 1);
    await untilReady(place);
    await server.data.ownerQuery(
      `insert into photos (gallery_id, organization_id, name, order_key, show_in_gallery, gallery_contributor_id)
       select gallery_id, organization_id, 'More ' || n, 'z' || lpad(n::text, 30, '0') || 'V', false, gallery_contributor_id
         from photos, generate_series(1, 70) n where gallery_id = $1`,
      [place.id],
    );
    const first = await waiting(place.id);
    const second = await waiting(place.id, first.next ?? '');
    expect([first.photos.length, second.photos.length, second.next, second.total]).toEqual([60, 11, null, 71]);
    expect(new Set([...first.photos, ...second.photos].map(({ id }) => id)).size).toBe(71);
  });
});

describe('the owner’s notice of contributions', () => {
  /** A gallery with one waiting photo. */
  async function arrivedIn(organizationId: number, name: string): Promise<void> {
    const place = await openInvited({ organization_id: organizationId, name });
    await send(place, 1);
    await untilReady(place);
  }
  const sentEmails = (gallery: string) =>
    server.data.ownerQuery<{ subject: string; recipient: string }>(
      'select subject, recipient from mail_outbox where subject like $1 order by id',
      [`%${gallery}`],
    );

  test('is one email an hour and gallery, and none if nothing waits', async () => {
    const place = await openInvited({ name: 'Told Cup' });
    await send(place, 1);
    await send(place, 2, { email: 'ben@families.test' });
    await untilReady(place);
    await server.app.contributors.notifyOwners();
    expect(await sentEmails('Told Cup')).toEqual([
      { subject: '3 photos wait for you in Told Cup', recipient: 'hawks@clubs.test' },
    ]);
    await send(place, 1);
    await untilReady(place);
    await Promise.all([server.app.contributors.notifyOwners(), server.app.contributors.notifyOwners()]);
    expect(await sentEmails('Told Cup')).toHaveLength(1);
    const hourLater = "update contribution_notices set told_at = told_at - interval '61 minutes'";
    await server.data.ownerQuery(hourLater);
    await Promise.all([server.app.contributors.notifyOwners(), server.app.contributors.notifyOwners()]);
    expect((await sentEmails('Told Cup')).map(({ subject }) => subject)).toEqual([
      '3 photos wait for you in Told Cup',
      '4 photos wait for you in Told Cup',
    ]);
    await server.data.ownerQuery(hourLater);
    await server.app.contributors.notifyOwners();
    expect(await sentEmails('Told Cup')).toHaveLength(2);

    const seen = await openInvited({ name: 'Seen Cup' });
    await send(seen, 1);
    await untilReady(seen);
    await decide(seen.id, { decision: 'approve', ids: (await waiting(seen.id)).photos.map(({ id }) => id) });
    await server.app.contributors.notifyOwners();
    expect(await sentEmails('Seen Cup')).toEqual([]);
  });

  test('is sent after a member has confirmed an address, and 24 times a day to one address', async () => {
    const { hawks, emails } = await settleAnother(server);
    const prove = async (at: string) =>
      server.data.ownerQuery(`update users set email_proven_at = ${at} where email = any($1)`, [Object.values(emails)]);
    await arrivedIn(hawks.id, 'Unproven Cup');
    await prove('null');
    await server.app.contributors.notifyOwners();
    expect(await sentEmails('Unproven Cup')).toEqual([]);
    await prove('now()');
    const bucket = `arrivals:to:${hawks.path}@clubs.test`;
    await server.platform.limits.clear(bucket);
    // This server multiplies limits by 100.
    await server.platform.limits.take({ bucket, limit: 24, windowSeconds: 86_400, cost: 2_399 });
    await server.app.contributors.notifyOwners();
    expect(await sentEmails('Unproven Cup')).toHaveLength(1);
    await arrivedIn(hawks.id, 'Buried Cup');
    await server.app.contributors.notifyOwners();
    expect(await sentEmails('Buried Cup')).toEqual([]);
  });
});
