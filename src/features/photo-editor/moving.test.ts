/** Photos move to another gallery of the same organization, over HTTP (decision record 0178). */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { GALLERY_IS_DELETED } from '#src/features/galleries/galleries.contract.ts';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { SAME_GALLERY, type MoveAnswer, type OtherGallery } from '#src/features/photo-editor/photo-editor.contract.ts';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { UPGRADE_FOR_MORE_PHOTOS, type PhotosPage } from '#src/features/photos/photos.contract.ts';
import type { TakedownsPage } from '#src/features/takedowns/takedowns.contract.ts';
import { buyPhotos, openSale, type ForSale } from '#tests/support/bought-photos.ts';
import { addAthlete, addTeam, tag } from '#tests/support/consent-rows.ts';
import { addReadyPhoto, openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { meetAtLock, WAITING_SESSIONS } from '#tests/support/test-database.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true, env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
/** The wrong gallery, with three photos, and the right one, with one. */
let wrong: ForSale;
let right: ForSale;
beforeEach(async () => {
  people = await settleAnother(server);
  wrong = await openSale(server, people.tokens.owner, people.hawks.id, { photos: 3, name: 'Wrong' });
  right = await openSale(server, people.tokens.owner, people.hawks.id, { photos: 1, name: 'Right', priceDollars: 6 });
  await giveRenditions();
});

const sql = <Row extends object>(text: string, values: unknown[] = []) => server.data.ownerQuery<Row>(text, values);
const move = (ids: readonly number[], as: string | null = people.tokens.owner, from = wrong, to = right) =>
  server.call({
    method: 'POST',
    url: `/api/v1/galleries/${from.galleryId}/gallery_photos/move`,
    as,
    payload: { ids, gallery_id: to.galleryId },
  });
/** The new ids, in the order of the old ones. */
async function moved(ids: readonly number[]): Promise<{ ids: number[]; stayed: number[] }> {
  const answer = await move(ids);
  expect(answer.statusCode, answer.body).toBe(200);
  const { moved: pairs, stayed } = answer.json<MoveAnswer>();
  const newIds = new Map(pairs.map((pair) => [pair.id, pair.new_id]));
  return { ids: ids.flatMap((id) => newIds.get(id) ?? []), stayed };
}
/** Every ready photo has them. */
const giveRenditions = () =>
  sql(`insert into renditions (photo_id, size, mark, format, pixel_version, object_key, sha256, bytes, width, height)
       select id, 320, 'clean', 'jpeg', 1, 'renditions/' || id, 'x', 1, 1, 1 from photos on conflict do nothing`);
/** What everyone sees of a gallery. */
async function shownIn({ galleryId }: ForSale, query = ''): Promise<number[]> {
  const answer = await server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/gallery_photos${query}` });
  return answer.json<PhotosPage>().photos.map(({ id }) => id);
}
const countsOf = async (...galleries: ForSale[]) =>
  sql(
    'select photo_count as all, public_photo_count as public from galleries where id = any ($1) order by array_position($1, id)',
    [galleries.map(({ galleryId }) => galleryId)],
  );
const atBoth = (): Promise<number[][]> => Promise.all([shownIn(wrong), shownIn(right)]);
const askToHide = (id: number, guardian = true, { galleryId } = wrong) =>
  server.call({
    method: 'POST',
    url: `/api/v1/galleries/${galleryId}/gallery_photos/${id}/takedown`,
    payload: { reason: 'Please.', contact: 'mother@family.test', guardian },
  });
const changeConsent = (athleteId: number, consent: 'yes' | 'no') =>
  server.data.database.write({ kind: 'tenants', organizationIds: [people.hawks.id] }, (tx) =>
    server.app.consent.changeConsent(tx, { organizationId: people.hawks.id, athleteId, consent, by: 'member' }),
  );
const broken = () => checkInvariants({ database: server.platform.database, sandboxCards: true });

describe('photos that move to another gallery', () => {
  test('leave the one and come first in the other, with keywords, likes and own price, for everyone at once', async () => {
    const [first = 0, second = 0, third = 0] = wrong.photoIds;
    const url = `/api/v1/galleries/${wrong.galleryId}`;
    await sql('update photos set price_override_cents = 900 where id = $1', [first]);
    await server.call({
      method: 'POST',
      url: `${url}/add_keywords`,
      as: people.tokens.owner,
      payload: { photo: { id: first, keywords: ['Relay'] } },
    });
    await server.call({ method: 'POST', url: `${url}/gallery_photos/${first}/add_like` });
    // Kept from the second request on.
    for (let count = 0; count < 3; count++) expect(await atBoth()).toEqual([expect.any(Array), right.photoIds]);
    const { ids, stayed } = await moved([first, second, 999_999]);
    expect([ids.length, stayed]).toEqual([2, []]);
    expect(ids.filter((id) => wrong.photoIds.includes(id))).toEqual([]);
    const [left, came] = await atBoth();
    expect(left).toEqual([third]);
    expect([new Set(came?.slice(0, 2)), came?.[2]]).toEqual([new Set(ids), right.photoIds[0]]);
    expect(await countsOf(wrong, right)).toEqual([
      { all: 1, public: 1 },
      { all: 3, public: 3 },
    ]);
    const facts = await server.call({
      method: 'GET',
      url: `/api/v1/galleries/${right.galleryId}/photo_facts?ids=${ids.join()}`,
      as: people.tokens.owner,
    });
    expect(facts.json<{ photos: PhotoFact[] }>().photos).toMatchObject([
      { id: ids[0], name: 'Photo 1', likes: 1, price: 9, price_override: 9, keywords: [{ name: 'Relay' }] },
      { id: ids[1], name: 'Photo 2', likes: 0, price: 6, price_override: null, keywords: [] },
    ]);
    expect(await shownIn(right, '?keyword=relay')).toEqual([ids[0]]);
    expect(await shownIn(wrong, '?keyword=relay')).toEqual([]);
    expect(await broken()).toEqual([]);
    // Whoever did not get the answer sends it again: nothing is moved twice.
    expect(await moved([first, second])).toEqual({ ids, stayed: [] });
    expect(await shownIn(right)).toHaveLength(3);
  });

  test('stay with whoever bought them, and their sales with the gallery that sold them', async () => {
    const [sold = 0] = wrong.photoIds;
    const vanityId = await buyPhotos(server, [{ ...wrong, photoIds: [sold] }]);
    const [line] = await sql<{ order_key: string }>('select order_key from order_photos where photo_id = $1', [sold]);
    const {
      ids: [id],
    } = await moved([sold]);
    expect(await sql('select gallery_id, revoked_at from order_photos where photo_id = $1', [sold])).toEqual([
      { gallery_id: wrong.galleryId, revoked_at: null },
    ]);
    const receipt = await server.call({ method: 'GET', url: `/api/v1/orders/${vanityId}` });
    expect([receipt.statusCode, receipt.body]).toEqual([200, expect.stringContaining(`"${line?.order_key}"`)]);
    const pictures = await sql('select object_key from renditions where photo_id = $1', [id]);
    expect(pictures).toEqual([{ object_key: `renditions/${sold}` }]);
    expect(await sql('select sales_count from photos where id = any ($1) order by sales_count', [[sold, id]])).toEqual([
      { sales_count: 0 },
      { sales_count: 1 },
    ]);
    // The new one is sold like every photo, for the price of its gallery.
    await buyPhotos(server, [{ ...right, photoIds: [id ?? 0] }]);
    expect(await broken()).toEqual([]);
  });

  test('say that they were sold when someone asks to hide them: buyers keep their copies', async () => {
    const [sold = 0] = wrong.photoIds;
    await sql("update photos set original_key = 'original of ' || id where id = $1", [sold]);
    await buyPhotos(server, [{ ...wrong, photoIds: [sold] }]);
    const { ids } = await moved([sold]);
    expect((await askToHide(ids[0] ?? 0, true, right)).statusCode).toBe(202);
    const url = `/api/v1/affiliates/${people.hawks.id}/takedowns`;
    const { takedowns } = (await server.call({ method: 'GET', url, as: people.tokens.owner })).json<TakedownsPage>();
    expect(takedowns).toMatchObject([{ photo: { id: ids[0], sales_count: 1 } }]);
  });

  test('came when they were uploaded and approved, for views by time and for passes that have ended', async () => {
    const [old = 0] = wrong.photoIds;
    await sql("update photos set created_at = '2025-05-01', reviewed_at = '2025-05-02' where id = $1", [old]);
    const { ids } = await moved([old]);
    const times = `select created_at = '2025-05-01' as "uploaded", reviewed_at = '2025-05-02' as "approved" from photos`;
    expect(await sql(`${times} where id = any ($1)`, [ids])).toEqual([{ uploaded: true, approved: true }]);
  });

  test('bring every like and vote with them', async () => {
    for (const table of ['photo_likes', 'photo_votes'])
      await sql(
        `insert into ${table} (photo_id, visitor_id) select id, gen_random_uuid() from unnest($1::bigint[]) with ordinality as photo (id, place), generate_series(1, place)`,
        [wrong.photoIds],
      );
    const { ids } = await moved(wrong.photoIds);
    const counts = () =>
      sql('select likes_count as likes, votes_count as votes from photos where id = any ($1) order by 1', [ids]);
    expect(await counts()).toEqual([1, 2, 3].map((count) => ({ likes: count, votes: count })));
    await sql('delete from photo_likes where photo_id = any ($1)', [ids]);
    expect(await counts()).toEqual([1, 2, 3].map((count) => ({ likes: 0, votes: count })));
  });

  test('are found by their old links, by those who may see them where they are now', async () => {
    const [photo = 0, removed = 0] = wrong.photoIds;
    const pathOf = ({ galleryId }: ForSale, id: number) => `/${people.hawks.path}/gallery/${galleryId}/photo/${id}`;
    const open = async (id: number, as: string | null = null, more = '') => {
      const headers = { host: `${people.parent.path}.sideline.localhost` };
      const answer = await server.call({ method: 'GET', url: pathOf(wrong, id) + more, as, headers });
      return [answer.statusCode, answer.headers['location']];
    };
    const update = (what: string) => sql(`update galleries set ${what} where id = $1`, [right.galleryId]);
    const { ids } = await moved([photo, removed]);
    const [here = 0] = ids;
    expect(await open(photo)).toEqual([302, pathOf(right, here)]);
    // In no list: only members are told.
    await update('is_private = true');
    expect([await open(photo), await open(photo, people.tokens.owner)]).toEqual([
      [302, '/404'],
      [302, pathOf(right, here)],
    ]);
    await update("is_private = false, password_required = true, password_encrypted = ''");
    expect(await open(photo)).toEqual([302, '/404']);
    await update('password_required = false');
    await sql('update photos set show_in_gallery = false where id = $1', [here]);
    expect(await open(photo)).toEqual([302, '/404']);
    await sql('update photos set show_in_gallery = true where id = $1', [here]);
    // Moved once more.
    const next = await openSale(server, people.tokens.owner, people.hawks.id, { photos: 0, name: 'Next' });
    await move([here], people.tokens.owner, right, next);
    const [last = 0] = await shownIn(next);
    expect(await open(photo)).toEqual([302, pathOf(next, last)]);
    await sql('update photos set removed_at = now() where id = any ($1)', [ids]);
    expect(await open(removed)).toEqual([302, '/404']);
    // Out of a gallery that was deleted, and to the form that asks to hide it.
    expect(await open(photo, null, '/hide')).toEqual([302, `${pathOf(next, last)}/hide`]);
    await sql('update galleries set active = false where id = $1', [wrong.galleryId]);
    expect(await open(photo)).toEqual([302, pathOf(next, last)]);
  });

  test.each([
    ['the organization’s neighbor', () => people.tokens.neighbor, 404],
    ['a stranger', () => people.tokens.foreigner, 404],
    ['no one who is signed in', () => null, 401],
  ])('are not moved by %s', async (_who, as, status) => {
    expect((await move(wrong.photoIds, as())).statusCode).toBe(status);
    expect(await shownIn(wrong)).toHaveLength(3);
  });

  test('go to galleries of the same organization only, and to none that was deleted', async () => {
    const { tokens, tides, hawks } = people;
    const neighbors = await openSale(server, tokens.neighbor, tides.id, { photos: 1 });
    // A member of the parent may edit both.
    for (const as of [tokens.owner, tokens.parentMember, tokens.admin])
      expect((await move(wrong.photoIds, as, wrong, neighbors)).statusCode).toBe(404);
    const same = await move(wrong.photoIds, tokens.owner, wrong, wrong);
    expect([same.statusCode, same.json()]).toMatchObject([422, { errors: { gallery_id: [SAME_GALLERY] } }]);
    await server.call({ method: 'POST', url: `/api/v1/galleries/${right.galleryId}/inactive`, as: tokens.owner });
    const gone = await move(wrong.photoIds);
    expect([gone.statusCode, gone.json()]).toMatchObject([403, { error: GALLERY_IS_DELETED }]);
    expect(await shownIn(wrong)).toHaveLength(3);
    const next = await openGallery(server, tokens.owner, hawks.id, { name: 'Équipe' });
    const offered = async (q: string) => {
      const url = `/api/v1/galleries/${wrong.galleryId}/other_galleries${q}`;
      return (await server.call({ method: 'GET', url, as: tokens.owner })).json<OtherGallery[]>();
    };
    expect(await offered('')).toEqual([{ id: next, name: 'Équipe', photo_count: 0 }]);
    expect(await offered('?q=equipe')).toHaveLength(1);
    expect(await offered('?q=wrong')).toEqual([]);
  });

  test('do not fill a free gallery beyond its limit', async () => {
    const setFree = (free: boolean) =>
      sql('update organizations set free_tier = $1 where id = $2', [free, people.hawks.id]);
    await setFree(true);
    // A new one has one gallery only.
    onTestFinished(async () => void (await setFree(false)));
    await sql(
      `insert into photos (gallery_id, organization_id, name, status, order_key, width, height, thumbhash, original_key, original_sha256, original_bytes)
       select gallery_id, organization_id, name, status, 'z' || at, width, height, thumbhash, original_key, original_sha256, original_bytes
         from photos, generate_series(1, 497) at where id = $1`,
      right.photoIds,
    );
    const refused = await move(wrong.photoIds);
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { error: UPGRADE_FOR_MORE_PHOTOS }]);
    expect(await shownIn(wrong)).toHaveLength(3);
    expect((await moved(wrong.photoIds.slice(0, 2))).ids).toHaveLength(2);
  });

  test('are not those of contributors, those that someone asked to hide, and those that are not ready', async () => {
    const [contributed = 0, asked = 0, rotating = 0] = wrong.photoIds;
    const hidden = await addReadyPhoto(server, { id: wrong.galleryId, organizationId: people.hawks.id });
    await sql(
      `with made as (insert into gallery_contributors (gallery_id, organization_id, name, email) values ($1, $2, 'C', 'c@people.test') returning id)
       update photos set gallery_contributor_id = made.id from made where photos.id = $3`,
      [wrong.galleryId, people.hawks.id, contributed],
    );
    expect([(await askToHide(asked, false)).statusCode, (await askToHide(hidden)).statusCode]).toEqual([202, 202]);
    await sql('update photos set turns = 1 where id = $1', [rotating]);
    const { ids, stayed } = await moved([...wrong.photoIds, hidden]);
    expect([ids, new Set(stayed)]).toEqual([[], new Set([...wrong.photoIds, hidden])]);
  });

  test('are hidden by the same consents as before, and shown when they end', async () => {
    const { hawks, tokens } = people;
    const [told = 0, held = 0, plain = 0] = wrong.photoIds;
    const teamId = await addTeam(server, hawks.id);
    const maya = await addAthlete(server, hawks.id, { consent: 'no', teamId });
    await tag(server, hawks.id, [{ photoId: told, athleteId: maya }]);
    await sql(
      `insert into photo_withholdings (photo_id, cause, source_id, organization_id) values ($1, 'hold', 0, $2)`,
      [held, hawks.id],
    );
    expect(await shownIn(wrong)).toEqual([plain]);
    const { ids } = await moved(wrong.photoIds);
    const [newTold, newHeld, newPlain] = ids;
    expect(await shownIn(right)).toEqual([newPlain, ...right.photoIds]);
    // What no one has checked is not published by moving it; what a family allows is.
    await changeConsent(maya, 'yes');
    expect(new Set(await shownIn(right))).toEqual(new Set([newTold, newPlain, ...right.photoIds]));
    const show = await server.call({
      method: 'PUT',
      url: `/api/v1/galleries/${right.galleryId}/gallery_photos`,
      as: tokens.owner,
      payload: { ids: [newHeld], photo: { show_in_gallery: true } },
    });
    expect(show.statusCode).toBe(200);
    expect(await shownIn(right)).toHaveLength(4);
  });
});

describe('at the same moment', () => {
  test('two who move the same photos move them once, and opposite moves do not wait for each other forever', async () => {
    const back = await server.call({
      method: 'POST',
      url: `/api/v1/galleries/${right.galleryId}/gallery_photos/move`,
      as: people.tokens.owner,
      payload: { ids: right.photoIds, gallery_id: wrong.galleryId },
    });
    expect(back.statusCode).toBe(200);
    const [mine = 0] = back.json<MoveAnswer>().moved.map(({ new_id: id }) => id);
    const other = await addReadyPhoto(server, { id: right.galleryId, organizationId: people.hawks.id });
    await giveRenditions();
    const answers = await Promise.all([
      move(wrong.photoIds),
      move([...wrong.photoIds, mine]),
      move([other], people.tokens.owner, right, wrong),
      move(wrong.photoIds),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    const all = answers.flatMap((answer) => answer.json<MoveAnswer>().moved);
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set([...wrong.photoIds, mine, other]));
    expect(new Set(all.map(({ new_id: id }) => id)).size).toBe(wrong.photoIds.length + 2);
    expect(await countsOf(wrong, right)).toEqual([
      { all: 1, public: 1 },
      { all: 4, public: 4 },
    ]);
    expect(await broken()).toEqual([]);
  });

  test('a consent that ends while a photo moves hides it in its new gallery, too', async () => {
    const { hawks } = people;
    const [photo = 0] = wrong.photoIds;
    const maya = await addAthlete(server, hawks.id, { consent: 'yes', teamId: await addTeam(server, hawks.id) });
    await tag(server, hawks.id, [{ photoId: photo, athleteId: maya }]);
    const lock = `select from athletes where id = ${maya} for update`;
    await meetAtLock(server.data, { lock, sessions: 2 }, () =>
      Promise.all([moved([photo]), changeConsent(maya, 'no')]),
    );
    expect(await shownIn(right)).toEqual(right.photoIds);
  });

  test('what an unknown consent means may change while photos move, and counts for them in their new gallery', async () => {
    const { hawks } = people;
    const [photo = 0] = wrong.photoIds;
    const maya = await addAthlete(server, hawks.id, { teamId: await addTeam(server, hawks.id) });
    await tag(server, hawks.id, [{ photoId: photo, athleteId: maya }]);
    // Whoever moves photos has locked them by then.
    const lock = `select from galleries where id = ${right.galleryId} for update`;
    const changeUnknown = async () => {
      await expect.poll(() => server.data.ownerQuery(WAITING_SESSIONS)).toHaveLength(1);
      await sql("insert into athlete_settings (organization_id, unknown_consent) values ($1, 'family')", [hawks.id]);
    };
    await meetAtLock(server.data, { lock, sessions: 2 }, () => Promise.all([moved([photo]), changeUnknown()]));
    expect(await shownIn(right)).toEqual(right.photoIds);
  });

  test('a photo that someone asks to hide while it moves is not shown in the other gallery without their request', async () => {
    const [photo = 0] = wrong.photoIds;
    const lock = `select from photos where id = ${photo} for update`;
    const [{ ids, stayed }] = await meetAtLock(server.data, { lock, sessions: 2 }, () =>
      Promise.all([moved([photo]), askToHide(photo)]),
    );
    const requests = await sql('select from takedowns where photo_id = $1', [photo]);
    expect([ids.length, stayed.length, requests.length]).toEqual(stayed.length === 1 ? [0, 1, 1] : [1, 0, 0]);
  });

  test('a photo that is bought while it moves is sold once, with its line in the gallery that showed it', async () => {
    const [photo = 0] = wrong.photoIds;
    const one = { ...wrong, photoIds: [photo] };
    // Whoever moves it waits for the photo, and whoever buys it to count its sale: the order has its line by then.
    const lock = `select from photos where id = ${photo} for update`;
    const [, { ids }] = await meetAtLock(server.data, { lock, sessions: 2 }, () =>
      Promise.all([buyPhotos(server, [one]), moved([photo])]),
    );
    expect(await sql('select gallery_id from order_photos where photo_id = any ($1)', [[photo, ...ids]])).toEqual([
      { gallery_id: wrong.galleryId },
    ]);
    const sold = await sql('select id, sales_count from photos where sales_count > 0 and id = any ($1)', [
      [photo, ...ids],
    ]);
    expect(sold).toEqual([{ id: photo, sales_count: 1 }]);
    expect(await shownIn(right)).toHaveLength(2);
    expect(await broken()).toEqual([]);
  });
});
