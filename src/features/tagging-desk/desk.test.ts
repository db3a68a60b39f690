/** The teams in play of a gallery: chosen by its members, for everyone who tags it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { HOLD_NUMBER_CHANGED, HOLD_BOX_REQUIRED } from '#src/features/consent/consent.contract.ts';
import { TEAM_NOT_FOUND } from '#src/features/roster/roster.contract.ts';
import { TEAMS_EXPECTED, TOO_MANY_IN_PLAY } from '#src/features/tagging-desk/desk-teams.contract.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { addReadyPhoto, openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addRoster, type SeededRoster } from '#tests/support/rosters.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let roster: SeededRoster;
let galleryId: number;

beforeAll(async () => {
  people = await settleAnother(server);
  roster = await addRoster(server, people.hawks.id);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
});

const choose = (
  teamIds: unknown,
  {
    as = people.tokens.owner,
    id = galleryId,
    ...isChecked
  }: { as?: string | null; id?: number; not_published?: number } = {},
) =>
  server.call({
    method: 'PUT',
    url: `/api/v1/galleries/${id}/teams`,
    as,
    payload: { team_ids: teamIds, ...isChecked },
  });

/** The Hawks who must not be published. */
const TICKED = { not_published: 2 };

const member = (organizationId: number): Caller => ({
  actor: {
    kind: 'user',
    userId: 1,
    roleId: 1,
    memberships: [{ organizationId, role: 2 }],
    sessionHash: Buffer.alloc(32),
    confirmedAt: new Date(),
  },
  visitorId: null,
  unlocks: new Map(),
  ip: '127.0.0.1',
});

describe('the teams in play', () => {
  test('are chosen by members of the organization and of its parent, and replaced by the next choice', async () => {
    const { hawks, tides } = roster;
    const both = await choose([tides.id, hawks.id, hawks.id]);
    expect([both.statusCode, both.headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect(both.json()).toEqual({
      teams: [
        { id: hawks.id, name: 'Hawks U12', short_name: 'Hawks' },
        { id: tides.id, name: 'Tides U12', short_name: 'Tides' },
      ],
    });
    const one = await choose([tides.id], { as: people.tokens.parentMember, ...TICKED });
    expect(one.json<{ teams: { id: number }[] }>().teams.map(({ id }) => id)).toEqual([tides.id]);
    expect((await choose([])).json()).toEqual({ teams: [] });
  });

  test('hold existing photos if someone must not be published, and release them only with the confirmed number', async () => {
    const id = await openGallery(server, people.tokens.owner, people.hawks.id);
    await addReadyPhoto(server, { id, organizationId: people.hawks.id });
    const seen = async () => {
      const answer = await server.call({ method: 'GET', url: `/api/v1/galleries/${id}/gallery_photos` });
      return answer.json<{ total: number }>().total;
    };
    expect((await choose([roster.tides.id], { id })).statusCode).toBe(200);
    expect(await seen()).toBe(1);
    expect((await choose([roster.hawks.id], { id })).statusCode).toBe(200);
    expect(await seen()).toBe(0);
    for (const [isChecked, message] of [
      [{}, HOLD_BOX_REQUIRED],
      [{ not_published: 1 }, HOLD_NUMBER_CHANGED],
    ] as const) {
      const refused = await choose([roster.tides.id], { id, ...isChecked });
      expect([refused.statusCode, refused.json()]).toMatchObject([409, { error: message, ...TICKED }]);
    }
    expect((await choose([], { id, ...TICKED })).statusCode).toBe(200);
    expect(await seen()).toBe(0);
    const lines = await server.data.ownerQuery<{ details: object }>(
      "select details from audit_log where action = 'gallery.teams_chosen' and object_id = $1 order by id",
      [id],
    );
    expect(lines.map(({ details }) => details)).toEqual([
      { teams: 1, athletes: 0, before: 0, hidden: 0 },
      { teams: 1, athletes: 2, before: 0, hidden: 1 },
      { teams: 0, athletes: 0, before: 2, hidden: 0 },
    ]);
  });

  test('of others cannot be read', async () => {
    const refusal = server.app.taggingDesk.open(member(people.stranger.id), galleryId);
    await expect(refusal).rejects.toMatchObject({ code: 'not_found' });
  });

  test('are read with their players only by members', async () => {
    const id = await openGallery(server, people.tokens.owner, people.hawks.id);
    await choose([roster.tides.id], { id });
    const read = (as: string | null) => server.call({ method: 'GET', url: `/api/v1/galleries/${id}/teams`, as });
    const answer = await read(people.tokens.parentMember);
    expect([answer.statusCode, answer.headers['cache-control'], answer.json()]).toEqual([
      200,
      'private, no-store',
      {
        teams: [{ id: roster.tides.id, name: 'Tides U12', short_name: 'Tides' }],
        players: [
          {
            athlete_id: roster.kai.id,
            name: 'Kai B.',
            folded: 'kai brandt',
            team_id: roster.tides.id,
            number: '10',
            consent: 'unknown',
          },
        ],
      },
    ]);
    for (const [as, status] of [
      [null, 401],
      [people.tokens.neighbor, 404],
      [people.tokens.foreigner, 404],
    ] as const)
      expect((await read(as)).statusCode).toBe(status);
  });

  test('cannot be chosen by anyone else', async () => {
    const refused = async (as: string | null, id = galleryId) =>
      (await choose([roster.hawks.id], { as, id })).statusCode;
    expect(await refused(null)).toBe(401);
    expect(await refused(people.tokens.neighbor)).toBe(404);
    expect(await refused(people.tokens.foreigner)).toBe(404);
    expect(await refused(people.tokens.owner, 4_711)).toBe(404);
  });

  test('are at most nine teams of this organization', async () => {
    const others = await addRoster(server, people.stranger.id);
    const foreign = await choose([roster.hawks.id, others.hawks.id]);
    expect([foreign.statusCode, foreign.json()]).toMatchObject([422, { errors: { team_ids: [TEAM_NOT_FOUND] } }]);
    const many = await choose(Array.from({ length: 10 }, (_, at) => at + 1));
    expect([many.statusCode, many.body]).toEqual([422, expect.stringContaining(TOO_MANY_IN_PLAY)]);
    const none = await choose('Hawks');
    expect([none.statusCode, none.body]).toEqual([422, expect.stringContaining(TEAMS_EXPECTED)]);
  });

  test('include their current players, by number', async () => {
    const own = await openGallery(server, people.tokens.owner, people.hawks.id);
    await choose([roster.hawks.id, roster.tides.id], { id: own });
    await server.data.ownerQuery('update entries set left_on = current_date - 1 where athlete_id = $1', [
      roster.leo.id,
    ]);
    const { roster: found, choices } = await server.app.taggingDesk.open(member(people.hawks.id), own);
    expect(found.players.map(({ name, number, consent }) => `${number} ${name} ${consent}`)).toEqual([
      '4 Sam O. no',
      '10 Maya R. yes',
      '23 Ada L. family',
      '10 Kai B. unknown',
    ]);
    // Tides has only an athlete whose family was not asked, which this club's photos do not wait for.
    expect(choices.map(({ name, plays, holds }) => [name, plays, holds])).toEqual([
      ['Hawks U12', true, true],
      ['Tides U12', true, false],
    ]);
  });
});
