/** What the card of a child shows: exactly the table of the specification (athletes B.5), for lists and for pixels. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Consent } from '#src/features/consent/consent.contract.ts';
import { countUnpublished } from '#src/features/consent/consent.sql.ts';
import { listSeen } from '#src/features/families/families.sql.ts';
import { listPhotos } from '#src/features/family-page/family-page.sql.ts';
import { addAthlete, addTeam, tag } from '#tests/support/consent-rows.ts';
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
const sees = (athleteId: number, photoId: number) => server.app.consent.familySees([athleteId], { photoId, galleryId });
/** Every way in which a family gets a photo: pixels, carts, pages and emails, passes. */
async function everyWay(athleteId: number, photoId: number): Promise<boolean[]> {
  const listed = await server.data.database.read({ kind: 'tenants', organizationIds: [organizationId] }, async (db) => [
    await listSeen(db, { athleteIds: [athleteId], photoIds: [photoId] }),
    (await listPhotos(db, { organizationId, athleteId }, { after: null, limit: 100 })).map(({ id }) => id),
  ]);
  const [pass] = await server.data.ownerQuery<{ seen: boolean }>(
    'select p.show_in_gallery or only_family_sees(p.id, $1) as seen from photos p where p.id = $2',
    [athleteId, photoId],
  );
  return [await sees(athleteId, photoId), ...listed.map((ids) => ids.includes(photoId)), pass?.seen ?? false];
}
const unpublished = (athleteId: number) =>
  server.data.database.read({ kind: 'public' }, (db) => countUnpublished(db, [athleteId]));

describe('the family page', () => {
  test.each<[Consent, Consent, { own: boolean; others: boolean }]>([
    ['yes', 'yes', { own: true, others: true }],
    ['family', 'yes', { own: true, others: false }],
    ['no', 'yes', { own: false, others: false }],
    ['no', 'family', { own: false, others: false }],
    // Each of the two families said that no other one may see its child.
    ['family', 'family', { own: false, others: false }],
  ])('of a child with "%s" beside one with "%s" shows it: %o', async (consent, other, { own, others }) => {
    const photoId = await addPhoto();
    const [maya, leo] = [
      await addAthlete(server, organizationId, { consent }),
      await addAthlete(server, organizationId, { consent: other }),
    ];
    await tag(server, organizationId, [
      { photoId, athleteId: maya },
      { photoId, athleteId: leo },
    ]);
    expect(await everyWay(maya, photoId)).toEqual([own, own, own, own]);
    expect(await everyWay(leo, photoId)).toEqual([others, others, others, others]);
    const [entry] = await unpublished(maya);
    expect(entry?.photos ?? 0).toBe(consent === 'no' ? 1 : 0);
  });

  test('shows nothing that a request hides, that nobody published, or that shows another child', async () => {
    const maya = await addAthlete(server, organizationId, { consent: 'family' });
    const [asked, unpublishedPhoto, foreign, fine] = [
      await addPhoto(),
      await addPhoto({ shown: false }),
      await addPhoto(),
      await addPhoto(),
    ];
    await server.data.ownerQuery('update photos set withheld_at = now(), show_in_gallery = false where id = $1', [
      asked,
    ]);
    await tag(
      server,
      organizationId,
      [asked, unpublishedPhoto, fine].map((photoId) => ({ photoId, athleteId: maya })),
    );
    const seen = [];
    for (const id of [asked, unpublishedPhoto, foreign, fine]) seen.push(await sees(maya, id));
    expect(seen).toEqual([false, false, false, true]);
  });

  test('shows a photo of a bare number to the only child who wears it', async () => {
    const teamId = await addTeam(server, organizationId);
    const photoId = await addPhoto();
    await tag(server, organizationId, [{ photoId, teamId, number: '10' }]);
    const maya = await addAthlete(server, organizationId, { consent: 'family', teamId, number: '10' });
    expect(await sees(maya, photoId)).toBe(true);
    const leo = await addAthlete(server, organizationId, { consent: 'yes', teamId, number: '10' });
    expect([await sees(maya, photoId), await sees(leo, photoId)]).toEqual([false, false]);
  });
});
