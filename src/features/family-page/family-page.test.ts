/** What a family sees of its child, and its choice of what may be published. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHILD_NOT_FOUND } from '#src/features/families/families.contract.ts';
import * as words from '#src/features/family-page/family-page.contract.ts';
import { chooseUnknown, tag } from '#tests/support/consent-rows.ts';
import { addCarded, addTeam, openCard, type CardedAthlete } from '#tests/support/family-cards.ts';
import { addReadyPhoto, openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let host: string;
let organizationId: number;
let galleryId: number;
let team: { id: number; organizationId: number };

beforeAll(async () => {
  people = await settleAnother(server);
  host = `${people.parent.path}.localhost`;
  organizationId = people.hawks.id;
  team = { id: await addTeam(server, organizationId), organizationId };
});
beforeEach(async () => {
  galleryId = await openGallery(server, people.tokens.owner, organizationId);
});

const addPhoto = (id = galleryId, shown = true) => addReadyPhoto(server, { id, organizationId }, { shown });
const onPhotos = (athleteId: number, ...photoIds: number[]) =>
  tag(
    server,
    organizationId,
    photoIds.map((photoId) => ({ photoId, athleteId })),
  );
const ask = (cookie: string, query = '', on = host) =>
  server.call({ method: 'GET', url: `/api/v1/family/photos${query}`, headers: { host: on, cookie } });
const page = async (cookie: string, query = '') => (await ask(cookie, query)).json<words.FamilyPhotosAnswer>();
const idsOf = async (cookie: string, query = '') => (await page(cookie, query)).photos.map(({ id }) => id);
const say = (cookie: string, child: CardedAthlete, consent: string) =>
  server.call({
    method: 'POST',
    url: `/api/v1/family/${child.athleteId}/consent`,
    headers: { host, cookie },
    payload: { consent },
  });
const publicIds = async (id = galleryId) =>
  (await server.call({ method: 'GET', url: `/api/v1/galleries/${id}/gallery_photos` }))
    .json<{ photos: { id: number }[] }>()
    .photos.map((photo) => photo.id);

describe('the photos of a child', () => {
  test('come from all galleries, the newest game first, page by page', async () => {
    const maya = await addCarded(server, team);
    const older = [await addPhoto(), await addPhoto()];
    const newer = await openGallery(server, people.tokens.owner, organizationId, {
      name: 'Semifinal',
      price_per_photo: 6,
    });
    const latest = [await addPhoto(newer), await addPhoto(newer)];
    await addPhoto();
    await onPhotos(maya.athleteId, ...older, ...latest);
    const cookie = await openCard(server, host, maya);
    const all = await page(cookie);
    expect(all).toMatchObject({
      child: { id: maya.athleteId, label: 'Maya R.', team: 'Hawks U12', number: '10', consent: 'yes' },
      total: 4,
      unpublished: 0,
      next: null,
      offers: expect.arrayContaining([expect.objectContaining({ id: newer, name: 'Semifinal', price_per_photo: 6 })]),
    });
    // Later photos come first, as in their gallery.
    const order = [...latest.toReversed(), ...older.toReversed()];
    expect(all.photos.map(({ id, price }) => [id, price])).toEqual(order.map((id, at) => [id, at < 2 ? 6 : 4]));
    const first = await page(cookie, `?child=${maya.athleteId}&limit=3`);
    expect(first.photos.map(({ id }) => id)).toEqual(order.slice(0, 3));
    expect(await idsOf(cookie, `?limit=3&after=${first.next}`)).toEqual(order.slice(3));
    expect((await ask(cookie, '?after=nonsense')).statusCode).toBe(422);
  });

  test('have one price only if photos on later pages cost the same', async () => {
    const maya = await addCarded(server, team);
    const cookie = await openCard(server, host, maya);
    const first = async () => (await page(cookie, '?limit=1')).price_per_photo;
    expect(await first()).toBeNull();
    const [later, ...newer] = [await addPhoto(), await addPhoto(), await addPhoto()];
    await onPhotos(maya.athleteId, later, ...newer);
    expect(await first()).toBe(4);
    await server.call({
      method: 'PUT',
      url: `/api/v1/galleries/${galleryId}/gallery_photos/${later}`,
      as: people.tokens.owner,
      payload: { photo: { price_override: 6 } },
    });
    expect(await first()).toBeNull();
    const dearer = await openGallery(server, people.tokens.owner, organizationId, { price_per_photo: 6 });
    const leo = await addCarded(server, team, { firstName: 'Leo' });
    await onPhotos(leo.athleteId, later, await addPhoto(dearer));
    expect((await page(await openCard(server, host, leo), '?limit=1')).price_per_photo).toBe(6);
  });

  test('are shown only with the card, on one host, and are never cached', async () => {
    const [maya, leo] = [await addCarded(server, team), await addCarded(server, team, { firstName: 'Leo' })];
    const cookie = await openCard(server, host, maya);
    const answer = await ask(cookie);
    expect(answer.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' });
    for (const [headers, query] of [
      ['', ''],
      [cookie, `?child=${leo.athleteId}`],
      ['family=made.up.cookie', ''],
    ])
      expect([(await ask(headers ?? '', query)).statusCode, (await ask(headers ?? '', query)).json()]).toMatchObject([
        404,
        { error: CHILD_NOT_FOUND },
      ]);
    expect((await ask(cookie, '', `${people.stranger.path}.localhost`)).statusCode).toBe(404);
    expect((await say(cookie, leo, 'no')).statusCode).toBe(404);
  });

  test.each([
    ['yes', 'yes', [true, true, true]],
    ['family', 'yes', [false, true, false]],
    ['yes', 'family', [false, false, true]],
    ['family', 'family', [false, false, false]],
    ['no', 'yes', [false, false, false]],
    ['yes', 'no', [false, false, false]],
  ] as const)('with the consents %s and %s are seen by public, own and other family: %o', async (own, other, seen) => {
    const [maya, leo] = [
      await addCarded(server, team, { consent: own }),
      await addCarded(server, team, { firstName: 'Leo', consent: other }),
    ];
    const photoId = await addPhoto();
    await onPhotos(maya.athleteId, photoId);
    await onPhotos(leo.athleteId, photoId);
    const [mayas, leos] = [await openCard(server, host, maya), await openCard(server, host, leo)];
    expect([await publicIds(), await idsOf(mayas), await idsOf(leos)]).toEqual(seen.map((is) => (is ? [photoId] : [])));
    // What another child’s consent hides is not counted.
    expect((await page(mayas)).unpublished).toBe(own === 'no' ? 1 : 0);
  });

  test('do not appear before the club publishes them, nor after someone asked to hide them', async () => {
    const maya = await addCarded(server, team, { consent: 'family' });
    const [hidden, asked, fine] = [await addPhoto(galleryId, false), await addPhoto(), await addPhoto()];
    await server.call({
      method: 'POST',
      url: `/api/v1/galleries/${galleryId}/gallery_photos/${asked}/takedown`,
      payload: { reason: 'Please.', contact: 'aunt@families.test', guardian: true },
    });
    await onPhotos(maya.athleteId, hidden, asked, fine);
    expect(await idsOf(await openCard(server, host, maya))).toEqual([fine]);
  });
});

describe('a family that hides its child', () => {
  test('hides all photos from everyone but its page, sees how many, and can undo it', async () => {
    const maya = await addCarded(server, team);
    const photos = [await addPhoto(), await addPhoto()];
    const other = await addPhoto();
    await onPhotos(maya.athleteId, ...photos);
    const cookie = await openCard(server, host, maya);
    const hidden = await say(cookie, maya, 'family');
    expect([hidden.statusCode, hidden.json()]).toEqual([
      200,
      {
        consent: 'family',
        hidden: 2,
        shown: 0,
        message: 'Done. 2 photos are hidden, and new ones will be hidden, too.',
      },
    ]);
    expect([await publicIds(), (await idsOf(cookie)).length]).toEqual([[other], 2]);
    await onPhotos(maya.athleteId, other);
    expect(await publicIds()).toEqual([]);
    expect((await say(cookie, maya, 'yes')).json()).toMatchObject({
      consent: 'yes',
      shown: 3,
      message: words.shownText(3, false),
    });
    expect(await publicIds()).toHaveLength(3);
  });

  test('that was never asked, and was hidden meanwhile, is told that only it sees the photos', async () => {
    await chooseUnknown(server, organizationId, 'family');
    const maya = await addCarded(server, team, { consent: 'unknown' });
    const photoId = await addPhoto();
    await onPhotos(maya.athleteId, photoId);
    const cookie = await openCard(server, host, maya);
    expect((await say(cookie, maya, 'family')).json()).toMatchObject({
      consent: 'family',
      hidden: 0,
      message: 'Done. Only you see photos of Maya here.',
    });
    expect([await publicIds(), await idsOf(cookie)]).toEqual([[], [photoId]]);
    await chooseUnknown(server, organizationId, 'show');
  });

  test('wins over the other family’s yes, until a member decides', async () => {
    const maya = await addCarded(server, team);
    const cards = await server.call({
      method: 'POST',
      url: `/api/v1/athletes/${maya.athleteId}/cards`,
      as: people.tokens.owner,
      payload: { replaces: null },
    });
    const second = cards.json<{ cards: { code: string }[] }>().cards[1];
    const [mother, father] = [
      await openCard(server, host, maya),
      await openCard(server, host, { code: second?.code ?? '' }),
    ];
    await onPhotos(maya.athleteId, await addPhoto());
    await say(mother, maya, 'family');
    expect((await say(father, maya, 'yes')).json()).toMatchObject({
      consent: 'family',
      shown: 0,
      message: words.STILL_HIDDEN,
    });
    expect(await publicIds()).toEqual([]);
  });

  test('is in the activity log and in one email to members, without a name', async () => {
    const maya = await addCarded(server, team, { firstName: 'Quentinella', number: '77' });
    const cookie = await openCard(server, host, maya);
    for (const consent of ['no', 'yes', 'family']) await say(cookie, maya, consent);
    const lines = await server.data.ownerQuery<{ actor: number | null; details: object }>(
      `select actor_id as actor, details from audit_log where action = 'athlete.consent_by_family' and object_id = $1 order by id`,
      [String(maya.athleteId)],
    );
    expect(lines.map(({ details }) => details)).toMatchObject([
      { consent: 'no' },
      { consent: 'yes' },
      { consent: 'family' },
    ]);
    const emails = await server.data.ownerQuery<{ to: string; text: string }>(
      `select recipient as to, subject || body_text || html as text from mail_outbox where dedupe_key like $1`,
      [`family-hid-${maya.athleteId}-%`],
    );
    expect(emails).toMatchObject([
      { to: people.emails.owner, text: expect.stringContaining('number 77 of Hawks U12') },
    ]);
    expect(emails[0]?.text).not.toContain('Quentinella');
  });

  test.each(['not mine', 'new card'])('no longer shows photos with a card that ended: %s', async (end) => {
    await chooseUnknown(server, organizationId, 'hide');
    const maya = await addCarded(server, team, { consent: 'unknown', number: '31' });
    const photoId = await addPhoto();
    await onPhotos(maya.athleteId, photoId);
    const cookie = await openCard(server, host, maya);
    expect((await page(cookie)).child).toMatchObject({ consent: 'unknown', hidden: true });
    expect((await say(cookie, maya, 'yes')).json()).toMatchObject({
      consent: 'yes',
      shown: 1,
      message: 'Done. 1 photo is shown to everybody.',
    });
    expect((await page(cookie)).child).toMatchObject({ consent: 'yes', hidden: false });
    expect(await publicIds()).toEqual([photoId]);
    const sentEmails = await server.data.ownerQuery<{ text: string }>(
      `select body_text as text from mail_outbox where dedupe_key like $1`,
      [`family-showed-${maya.athleteId}-%`],
    );
    expect(sentEmails).toMatchObject([{ text: expect.stringContaining('number 31 of Hawks U12') }]);
    if (end === 'not mine')
      await server.call({
        method: 'POST',
        url: `/api/v1/family/${maya.athleteId}/not_mine`,
        headers: { host, cookie },
      });
    else
      await server.call({ method: 'POST', url: `/api/v1/athletes/${maya.athleteId}/cards`, as: people.tokens.owner });
    expect(await publicIds()).toEqual([]);
    await server.data.ownerQuery('delete from athlete_settings where organization_id = $1', [organizationId]);
  });

  test.each([[{ consent: 'unknown' }], [{ consent: 'perhaps' }], [{}]])('cannot say %o', async (payload) => {
    const maya = await addCarded(server, team);
    const cookie = await openCard(server, host, maya);
    const answer = await server.call({
      method: 'POST',
      url: `/api/v1/family/${maya.athleteId}/consent`,
      headers: { host, cookie },
      payload,
    });
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { errors: { consent: [words.CONSENT_REQUIRED] } }]);
  });
});

test('a family deletes its addresses at once; those of others and watches of another household stay, and so does the card', async () => {
  const email = (name: string) => `${name}-${organizationId}@families.test`;
  const [maya, leo] = [await addCarded(server, team), await addCarded(server, team, { firstName: 'Leo' })];
  for (const { athleteId } of [maya, leo])
    await server.call({
      method: 'PUT',
      url: `/api/v1/athletes/${athleteId}`,
      as: people.tokens.owner,
      payload: { athlete: { family_emails: [email('mother')] } },
    });
  const cookie = await openCard(server, host, maya);
  const watch = (child: CardedAthlete, as: string, name = 'father') =>
    server.call({
      method: 'POST',
      url: '/api/v1/watches',
      headers: { host, cookie: as },
      payload: { email: email(name), child: child.athleteId },
    });
  expect((await watch(maya, cookie)).statusCode).toBe(202);
  const second = await server.call({
    method: 'POST',
    url: `/api/v1/athletes/${maya.athleteId}/cards`,
    as: people.tokens.owner,
    payload: { replaces: null },
  });
  const apart = await openCard(server, host, {
    code: second.json<{ cards: { code: string }[] }>().cards[1]?.code ?? '',
  });
  expect((await watch(maya, apart, 'aunt')).statusCode).toBe(202);
  const kept = () =>
    server.data.ownerQuery(
      `select athlete_id as id, email::text from athlete_families where organization_id = $1 union all
       select athlete_id, email::text from watches where organization_id = $1 order by email`,
      [organizationId],
    );
  expect(await kept()).toHaveLength(4);
  const forget = (as: string, child = maya) =>
    server.call({
      method: 'POST',
      url: `/api/v1/family/${child.athleteId}/forget_us`,
      headers: { host, cookie: as },
    });
  expect([(await forget('')).statusCode, (await forget(cookie, leo)).statusCode]).toEqual([404, 404]);
  expect(await kept()).toHaveLength(4);
  const notified = () =>
    server.data.ownerQuery<{ recipient: string; text: string }>(
      'select recipient, body_text as text from mail_outbox where dedupe_key like $1',
      [`family-forgotten-${maya.athleteId}-%`],
    );
  expect(await notified()).toEqual([]);
  const answer = await forget(cookie);
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    { message: 'Done. The addresses of the family of Maya were deleted.' },
  ]);
  expect(await kept()).toEqual([
    { id: maya.athleteId, email: email('aunt') },
    { id: leo.athleteId, email: email('mother') },
  ]);
  expect((await page(cookie)).child.label).toBe('Maya R.');
  // Members hear of it, without a name and not again when there is nothing left to delete.
  await forget(cookie);
  const [sent, ...others] = await notified();
  expect([sent?.recipient, others, sent?.text.includes('Maya')]).toEqual([people.emails.owner, [], false]);
  expect(sent?.text).toContain('remove them from your own lists');
  const lines = await server.data.ownerQuery<{ details: object }>(
    `select details from audit_log where action = 'athlete.family_forgotten' and object_id = $1`,
    [String(maya.athleteId)],
  );
  expect(lines).toEqual([1, 2].map(() => ({ details: { card_id: expect.any(Number) } })));
});

test('two children of two clubs are open together, each with their own photos', async () => {
  const tides = { id: await addTeam(server, people.tides.id, 'Tides'), organizationId: people.tides.id };
  const [maya, leo] = [
    await addCarded(server, team),
    await addCarded(server, tides, { firstName: 'Leo', number: '7' }),
  ];
  const theirs = await openGallery(server, people.tokens.neighbor, people.tides.id);
  const [hers, his] = [await addPhoto(), await addReadyPhoto(server, { id: theirs, organizationId: people.tides.id })];
  await onPhotos(maya.athleteId, hers);
  await tag(server, people.tides.id, [{ photoId: his, athleteId: leo.athleteId }]);
  const cookie = await openCard(server, host, leo, await openCard(server, host, maya));
  expect([await idsOf(cookie), await idsOf(cookie, `?child=${leo.athleteId}`)]).toEqual([[hers], [his]]);
});

test('photos of two children of one club, including hidden ones, are in one cart, and only with their cards', async () => {
  const [maya, leo] = [
    await addCarded(server, team, { consent: 'family' }),
    await addCarded(server, team, { firstName: 'Leo', number: '7' }),
  ];
  const [hers, his] = [await addPhoto(), await addPhoto()];
  await onPhotos(maya.athleteId, hers);
  await onPhotos(leo.athleteId, his);
  const items = [hers, his].map((id) => ({ id, gallery_id: galleryId, sales_price: 4 }));
  const quote = (cookie: string) =>
    server.call({
      method: 'POST',
      url: '/api/v1/orders/quote',
      headers: { host, cookie },
      payload: { order: { org_id: organizationId }, items },
    });
  const both = await openCard(server, host, leo, await openCard(server, host, maya));
  expect([(await quote(both)).statusCode, (await quote(both)).json()]).toMatchObject([200, { subtotal: 8 }]);
  for (const cookie of ['', await openCard(server, host, leo)])
    expect([(await quote(cookie)).statusCode, (await quote(cookie)).json()]).toMatchObject([422, { ids: [hers] }]);
});
