/** What a search by number offers besides photos: teams to watch, and the pass of the number. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { NumberOffers } from '#src/features/passes/passes.contract.ts';
import { chooseUnknown, tag } from '#tests/support/consent-rows.ts';
import { addCarded, addTeam } from '#tests/support/family-cards.ts';
import { addReadyPhoto, openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useSheet } from '#tests/support/shop-sheets.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let organizationId: number;
let team: { id: number; organizationId: number };
let galleryId: number;

beforeEach(async () => {
  people = await settleAnother(server);
  organizationId = people.hawks.id;
  await chooseUnknown(server, organizationId, 'show');
  team = { id: await addTeam(server, organizationId), organizationId };
  galleryId = await openGallery(server, people.tokens.owner, organizationId);
  const offers = [{ id: 1, kind: 'athlete_pass' as const, priceCents: 2500 }];
  const content = { offers, ownPricesTakePart: false, earlyBird: null };
  await useSheet(server.data, { sellerId: organizationId, galleryId }, content);
});

const ask = (search = '10', { as, id = galleryId }: { as?: string; id?: number } = {}) =>
  server.call({
    method: 'GET',
    url: `/api/v1/galleries/${id}/number_offers?search=${encodeURIComponent(search)}`,
    ...(as && { as }),
  });
const offered = async (search = '10') => (await ask(search)).json<NumberOffers>();
const NOTHING = { number: null, teams: [] };
const update = (what: string) => server.data.ownerQuery(`update galleries set ${what} where id = $1`, [galleryId]);

/** A child with number 10 on this many photos. */
async function addPlayer(photos: number, consent = 'yes', firstName = 'Quentinella'): Promise<number> {
  const { athleteId } = await addCarded(server, team, { consent, firstName });
  for (let at = 0; at < photos; at++) {
    const photoId = await addReadyPhoto(server, { id: galleryId, organizationId });
    await tag(server, organizationId, [{ photoId, athleteId }]);
  }
  await server.data.ownerQuery(`update photo_tags t set team_id = $2, number = '10' where athlete_id = $1`, [
    athleteId,
    team.id,
  ]);
  return athleteId;
}

describe('a search by number offers', () => {
  test('the pass of the number, and its team to watch, without a name', async () => {
    await addPlayer(3);
    const answer = await ask(' #10 ');
    expect([answer.statusCode, answer.headers['cache-control'], answer.json()]).toEqual([
      200,
      'no-store',
      {
        number: '10',
        teams: [
          {
            id: team.id,
            name: 'Hawks U12',
            pass: {
              athlete_key: `team:${team.id}:10`,
              whose: 'number 10',
              price: 25,
              photos: 3,
              galleries: 1,
              gallery_id: galleryId,
              sheet_id: expect.any(Number),
              until: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
            },
          },
        ],
      },
    ]);
    expect(answer.body).not.toContain('Quentinella');
    expect(await offered('Hawks 10')).toMatchObject({ number: '10', teams: [{ id: team.id }] });
  });

  test('only the team to watch, and no more, when nobody has a photo, two wear it, or the child is not public', async () => {
    const bare = { number: '10', teams: [{ id: team.id, name: 'Hawks U12', pass: null }] };
    expect(await offered()).toEqual(bare);
    const hidden = await addPlayer(2, 'no');
    expect(await offered()).toEqual(bare);
    // A member shows the photo as an exception: the number is still not revealed.
    await server.data.ownerQuery('delete from photo_withholdings');
    await server.data.ownerQuery('update photos set show_in_gallery = true, withheld_at = null where gallery_id = $1', [
      galleryId,
    ]);
    expect(await offered()).toEqual(bare);
    await server.data.ownerQuery("update athletes set consent = 'yes' where id = $1", [hidden]);
    expect((await offered()).teams[0]?.pass).toMatchObject({ photos: 2 });
    await addPlayer(1, 'yes', 'Leo');
    expect(await offered()).toEqual(bare);
  });

  test('no pass without a price sheet that sells one', async () => {
    await addPlayer(2);
    await update('price_sheet_id = null');
    expect((await offered()).teams).toEqual([{ id: team.id, name: 'Hawks U12', pass: null }]);
  });

  test('no team of a season that has ended', async () => {
    await server.data.ownerQuery('update seasons set last_day = current_date - 2 where organization_id = $1', [
      organizationId,
    ]);
    expect(await offered()).toEqual(NOTHING);
  });
});

describe('nothing is offered', () => {
  test.each(['private', 'off'])('in mode %s', async (mode) => {
    await addPlayer(2);
    await server.data.ownerQuery('update athlete_settings set mode = $2 where organization_id = $1', [
      organizationId,
      mode,
    ]);
    expect(await offered()).toEqual(NOTHING);
  });

  test.each(['is_private = true', 'password_required = true'])('in a gallery with %s', async (what) => {
    await addPlayer(2);
    await update(what);
    expect(await offered()).toEqual(NOTHING);
    expect((await ask('10', { as: people.tokens.owner })).json()).toEqual(NOTHING);
  });

  test('for a text that is not a number, and in an unknown gallery', async () => {
    expect(await offered('goal')).toEqual(NOTHING);
    expect(await offered('Tides 10')).toEqual(NOTHING);
    expect((await ask('10', { id: 4711 })).statusCode).toBe(404);
    expect((await ask('1'.repeat(101))).statusCode).toBe(422);
  });
});
