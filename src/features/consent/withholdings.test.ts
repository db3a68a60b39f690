/** What hides a photo and what shows it again: every cause, in its transaction. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Consent } from '#src/features/consent/consent.contract.ts';
import type { ConsentBy } from '#src/features/consent/consent.rules.ts';
import { addAthlete, addCard, addTeam, chooseUnknown, tag } from '#tests/support/consent-rows.ts';
import { addReadyPhoto, openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let organizationId: number;
let galleryId: number;

beforeAll(async () => {
  people = await settleAnother(server);
  organizationId = people.hawks.id;
});
beforeEach(async () => {
  galleryId = await openGallery(server, people.tokens.owner, organizationId);
});

const addPhoto = (fields: { shown?: boolean } = {}) => addReadyPhoto(server, { id: galleryId, organizationId }, fields);
const seen = async (): Promise<number[]> => {
  const answer = await server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/gallery_photos` });
  return answer
    .json<{ photos: { id: number }[] }>()
    .photos.map(({ id }) => id)
    .toSorted((a, b) => a - b);
};
const sorted = (...ids: number[]) => ids.toSorted((a, b) => a - b);
const causes = async (photoId: number) => {
  const rows = await server.data.ownerQuery<{ cause: string; withheld: boolean }>(
    `select w.cause, p.withheld_at is not null as withheld from photo_withholdings w join photos p on p.id = w.photo_id
      where w.photo_id = $1 order by w.cause, w.source_id`,
    [photoId],
  );
  return rows.map(({ cause }) => cause);
};
const change = (athleteId: number, consent: Consent, by: ConsentBy = 'member', cardId?: number) =>
  server.data.database.write({ kind: 'tenants', organizationIds: [organizationId] }, (tx) =>
    server.app.consent.changeConsent(tx, { organizationId, athleteId, consent, by, cardId }),
  );
const ask = (photoId: number, contact = 'mother@family.test') =>
  server.call({
    method: 'POST',
    url: `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}/takedown`,
    payload: { reason: 'Please.', contact, guardian: true },
  });
const answerRequest = async (photoId: number, decision: 'keep' | 'hide') => {
  const page = await server.call({
    method: 'GET',
    url: `/api/v1/affiliates/${organizationId}/takedowns?state=open`,
    as: people.tokens.owner,
  });
  const found = page.json<{ takedowns: { id: number; photo: { id: number } }[] }>().takedowns;
  const id = found.find(({ photo }) => photo.id === photoId)?.id;
  const answer = await server.call({
    method: 'PUT',
    url: `/api/v1/affiliates/${organizationId}/takedowns/${id}`,
    as: people.tokens.owner,
    payload: { decision },
  });
  expect(answer.statusCode).toBe(200);
};
const show = (ids: number[], shown = true) =>
  server.call({
    method: 'PUT',
    url: `/api/v1/galleries/${galleryId}/gallery_photos`,
    as: people.tokens.owner,
    payload: { ids, photo: { show_in_gallery: shown } },
  });

describe('a tag', () => {
  test.each([
    ['yes', true],
    ['family', false],
    ['no', false],
    ['unknown', true],
  ] as const)('of a child with the consent "%s" leaves the photo public: %s', async (consent, isPublic) => {
    const [tagged, other] = [await addPhoto(), await addPhoto()];
    await tag(server, organizationId, [
      { photoId: tagged, athleteId: await addAthlete(server, organizationId, { consent }) },
    ]);
    expect(await seen()).toEqual(isPublic ? sorted(tagged, other) : [other]);
  });

  test.each([
    ['show', true],
    ['family', false],
    ['hide', false],
  ] as const)('of a child who was not asked follows the club’s choice: %s', async (unknown, isPublic) => {
    const club = await settleAnother(server);
    const gallery = await openGallery(server, club.tokens.owner, club.hawks.id);
    const photoId = await addReadyPhoto(server, { id: gallery, organizationId: club.hawks.id });
    await chooseUnknown(server, club.hawks.id, 'show');
    await tag(server, club.hawks.id, [{ photoId, athleteId: await addAthlete(server, club.hawks.id) }]);
    await chooseUnknown(server, club.hawks.id, unknown);
    const [photo] = await server.data.ownerQuery('select show_in_gallery as shown from photos where id = $1', [
      photoId,
    ]);
    expect(photo).toEqual({ shown: isPublic });
    await chooseUnknown(server, club.hawks.id, 'show');
    const [again] = await server.data.ownerQuery('select show_in_gallery as shown from photos where id = $1', [
      photoId,
    ]);
    expect(again).toEqual({ shown: true });
  });

  test('that is removed shows the photo again, unless another child is on it', async () => {
    const photoId = await addPhoto();
    const [maya, leo] = [
      await addAthlete(server, organizationId, { consent: 'no' }),
      await addAthlete(server, organizationId, { consent: 'family' }),
    ];
    await tag(server, organizationId, [
      { photoId, athleteId: maya },
      { photoId, athleteId: leo },
    ]);
    expect(await causes(photoId)).toEqual(['consent', 'consent']);
    await server.data.ownerQuery('delete from photo_tags where athlete_id = $1', [maya]);
    expect(await seen()).toEqual([]);
    await server.data.ownerQuery('delete from photo_tags where athlete_id = $1', [leo]);
    expect(await seen()).toEqual([photoId]);
  });

  test('of a bare number follows the consent of everyone who wears it on that team, also later', async () => {
    const photoId = await addPhoto();
    const teamId = await addTeam(server, organizationId);
    await tag(server, organizationId, [{ photoId, teamId, number: '10' }]);
    expect(await seen()).toEqual([photoId]);
    await addAthlete(server, organizationId, { consent: 'no', teamId, number: '07' });
    expect(await seen()).toEqual([photoId]);
    const maya = await addAthlete(server, organizationId, { consent: 'no', teamId, number: '10' });
    expect(await seen()).toEqual([]);
    expect(await change(maya, 'yes')).toMatchObject({ hidden: 0, shown: 1 });
    expect(await seen()).toEqual([photoId]);
  });

  test('that moves to another athlete, as in a merge, follows that one’s consent', async () => {
    const photoId = await addPhoto();
    const [yes, no] = [
      await addAthlete(server, organizationId, { consent: 'yes' }),
      await addAthlete(server, organizationId, { consent: 'no' }),
    ];
    await tag(server, organizationId, [{ photoId, athleteId: yes }]);
    await server.data.ownerQuery('update photo_tags set athlete_id = $2 where athlete_id = $1', [yes, no]);
    expect(await seen()).toEqual([]);
    await server.data.ownerQuery('update photo_tags set athlete_id = $1 where athlete_id = $2', [yes, no]);
    expect(await seen()).toEqual([photoId]);
  });
});

describe('a consent', () => {
  test('hides all photos of the child and shows again those that were published', async () => {
    const maya = await addAthlete(server, organizationId, { consent: 'yes' });
    const photos = [await addPhoto(), await addPhoto(), await addPhoto({ shown: false })];
    const other = await addPhoto();
    await tag(
      server,
      organizationId,
      photos.map((photoId) => ({ photoId, athleteId: maya })),
    );
    expect(await change(maya, 'no')).toEqual({ consent: 'no', hidden: 3, shown: 0 });
    expect(await seen()).toEqual([other]);
    expect(await change(maya, 'yes')).toEqual({ consent: 'yes', hidden: 0, shown: 2 });
    expect(await seen()).toEqual(sorted(...photos.slice(0, 2), other));
  });

  test('shows no photo that someone asked to hide, and neither does the decision about that request', async () => {
    const maya = await addAthlete(server, organizationId, { consent: 'yes' });
    const [first, second] = [await addPhoto(), await addPhoto()];
    await tag(server, organizationId, [
      { photoId: first, athleteId: maya },
      { photoId: second, athleteId: maya },
    ]);
    for (const photoId of [first, second]) expect((await ask(photoId)).statusCode).toBe(202);
    await change(maya, 'no');
    expect(await causes(first)).toEqual(['consent', 'takedown']);
    await answerRequest(first, 'keep');
    expect(await causes(first)).toEqual(['consent']);
    expect(await seen()).toEqual([]);
    await change(maya, 'yes');
    expect(await seen()).toEqual([first]);
    await answerRequest(second, 'keep');
    expect(await seen()).toEqual(sorted(first, second));
  });

  test('cannot be bypassed by showing hundreds of photos; what was chosen meanwhile applies afterwards', async () => {
    const maya = await addAthlete(server, organizationId, { consent: 'no' });
    const photos = [await addPhoto(), await addPhoto({ shown: false })];
    await tag(
      server,
      organizationId,
      photos.map((photoId) => ({ photoId, athleteId: maya })),
    );
    expect((await show(photos)).json()).toMatchObject({ updated: 0 });
    expect(await seen()).toEqual([]);
    expect((await show(photos.slice(0, 1), false)).json()).toMatchObject({ updated: 1 });
    await change(maya, 'yes');
    expect(await seen()).toEqual(photos.slice(1));
  });

  test('of two families is the stricter one’s, until a member decides', async () => {
    const maya = await addAthlete(server, organizationId, { consent: 'yes' });
    const [mother, father] = [await addCard(server, organizationId, maya), await addCard(server, organizationId, maya)];
    expect((await change(maya, 'no', 'family', mother)).consent).toBe('no');
    expect((await change(maya, 'yes', 'family', father)).consent).toBe('no');
    expect((await change(maya, 'yes', 'import')).consent).toBe('no');
    expect((await change(maya, 'yes', 'family', mother)).consent).toBe('yes');
    await change(maya, 'no', 'family', father);
    expect((await change(maya, 'yes')).consent).toBe('yes');
    expect((await change(maya, 'yes', 'family', mother)).consent).toBe('yes');
  });

  test('of a family stays when a later file loosens a stricter one, also when its card has ended', async () => {
    const maya = await addAthlete(server, organizationId, { consent: 'yes' });
    const card = await addCard(server, organizationId, maya);
    const photoId = await addPhoto();
    await tag(server, organizationId, [{ photoId, athleteId: maya }]);
    expect((await change(maya, 'family', 'family', card)).consent).toBe('family');
    expect((await change(maya, 'no', 'import')).consent).toBe('no');
    const [row] = await server.data.ownerQuery<{ by: string; club: string }>(
      'select consent_by as by, club_consent as club from athletes where id = $1',
      [maya],
    );
    expect(row).toEqual({ by: 'family', club: 'no' });
    expect((await change(maya, 'yes', 'family', card)).consent).toBe('no');
    await change(maya, 'family', 'family', card);
    expect((await change(maya, 'yes', 'import')).consent).toBe('family');
    await server.data.ownerQuery('update athlete_cards set replaced_at = now() where id = $1', [card]);
    await change(maya, 'no', 'import');
    expect((await change(maya, 'yes', 'import')).consent).toBe('family');
    expect(await seen()).toEqual([]);
  });

  test('of a child on a team in play holds a photo that is moved or copied from another gallery', async () => {
    const teamId = await addTeam(server, organizationId);
    await addAthlete(server, organizationId, { consent: 'no', teamId });
    const elsewhere = await openGallery(server, people.tokens.owner, organizationId);
    // No page changes a photo's gallery (decision record 0178), so nothing recounts them.
    await server.data.ownerQuery('update galleries set public_photo_count = 10 where id = any ($1)', [
      [elsewhere, galleryId],
    ]);
    const add = () => addReadyPhoto(server, { id: elsewhere, organizationId });
    const [moved, checked, looked] = [await add(), await add(), await add()];
    await server.data.ownerQuery(
      'insert into photo_checks (photo_id, organization_id, gallery_id) values ($1, $2, $3)',
      [checked, organizationId, elsewhere],
    );
    const fine = await addAthlete(server, organizationId, { consent: 'yes', teamId });
    await tag(server, organizationId, [{ photoId: looked, athleteId: fine }]);
    await server.data.ownerQuery(
      'insert into gallery_teams (gallery_id, team_id, organization_id) values ($1, $2, $3)',
      [galleryId, teamId, organizationId],
    );
    await server.data.ownerQuery('update photos set gallery_id = $1 where id = any ($2)', [
      galleryId,
      [moved, checked, looked],
    ]);
    const copied = await addPhoto();
    expect([await causes(moved), await causes(checked), await causes(looked), await causes(copied)]).toEqual([
      ['hold'],
      ['hold'],
      [],
      ['hold'],
    ]);
    expect(await seen()).toEqual([looked]);
  });

  test('"no" of the club stays, whatever a card says', async () => {
    const maya = await addAthlete(server, organizationId, { consent: 'no' });
    const card = await addCard(server, organizationId, maya);
    expect((await change(maya, 'yes', 'family', card)).consent).toBe('no');
    expect((await change(maya, 'yes', 'family', card)).consent).toBe('no');
    expect((await change(maya, 'yes')).consent).toBe('yes');
  });

  test('of another organization’s athlete is not found', async () => {
    const foreign = await addAthlete(server, people.tides.id, {});
    await expect(change(foreign, 'no')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('that changes while someone tags leaves no photo public', async () => {
    const maya = await addAthlete(server, organizationId, { consent: 'yes' });
    const photos = await Promise.all(Array.from({ length: 12 }, () => addPhoto()));
    const tagging = photos.map((photoId) => tag(server, organizationId, [{ photoId, athleteId: maya }]));
    await Promise.all([...tagging.slice(0, 6), change(maya, 'no'), ...tagging.slice(6)]);
    expect(await seen()).toEqual([]);
  });
});

describe('the previous release', () => {
  /** Its statements, as they were recorded (tests/upgrades). */
  const withhold = (id: number) =>
    server.data.ownerQuery(
      'update photos set withheld_at = coalesce(withheld_at, now()), show_in_gallery = false, featured = false where id = $1',
      [id],
    );
  const release = (id: number) =>
    server.data.ownerQuery(
      'update photos set withheld_at = null, show_in_gallery = true where id = $1 and withheld_at is not null and removed_at is null',
      [id],
    );

  test('hides and shows photos as before, but shows none that another cause hides', async () => {
    const maya = await addAthlete(server, organizationId, { consent: 'no' });
    const [plain, tagged] = [await addPhoto(), await addPhoto()];
    for (const id of [plain, tagged]) {
      await withhold(id);
      expect(await causes(id)).toEqual(['takedown']);
    }
    await tag(server, organizationId, [{ photoId: tagged, athleteId: maya }]);
    await withhold(tagged);
    expect(await causes(tagged)).toEqual(['consent', 'takedown']);
    for (const id of [plain, tagged]) await release(id);
    expect(await seen()).toEqual([plain]);
    expect(await causes(tagged)).toEqual(['consent']);
    await withhold(tagged);
    await change(maya, 'yes');
    expect(await seen()).toEqual([plain]);
    await release(tagged);
    expect(await seen()).toEqual(sorted(plain, tagged));
  });
});
