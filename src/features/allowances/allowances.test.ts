/** What members see of the photos that are included for their athletes. How orders use them: order-offers/athlete-passes.test.ts. */
import { expect, test } from 'vitest';
import {
  ENDS_ON_PAST,
  PHOTOS_NOT_VALID,
  usedAlready,
  type AllowancesAnswer,
} from '#src/features/allowances/allowances.contract.ts';
import { addCarded, addTeam } from '#tests/support/family-cards.ts';
import { settleAnother } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
const rowsOf = (athleteId: number) =>
  server.data.ownerQuery<{ photos: number }>('select photos from allowances where athlete_id = $1', [athleteId]);

test('members of the organization and of its parent read what the children on a team have, and nobody else does', async () => {
  const { hawks, tokens } = await settleAnother(server);
  const team = { id: await addTeam(server, hawks.id), organizationId: hawks.id };
  const [maya, leo] = [await addCarded(server, team), await addCarded(server, team, { firstName: 'Leo', number: '7' })];
  const left = await addCarded(server, team, { firstName: 'Ada', number: '9' });
  await server.data.ownerQuery('update entries set left_on = current_date - 1 where athlete_id = $1', [left.athleteId]);
  const url = `/api/v1/teams/${team.id}/allowances`;
  const read = (as: string | null = tokens.owner) => server.call({ method: 'GET', url, as });
  const give = (payload: object) => server.call({ method: 'POST', url, as: tokens.owner, payload });
  expect((await read()).json()).toEqual({ athletes: 2, allowances: [] });
  expect((await give({ photos: 5, ends_on: '2099-06-30' })).json()).toEqual({ given: 2 });
  expect((await give({ photos: 3, athlete_ids: [maya.athleteId] })).json()).toEqual({ given: 1 });
  const given = {
    athletes: 2,
    allowances: [
      { athlete_id: maya.athleteId, photos: 3, used: 0, sheet_id: null, ends_on: null, ended: false },
      { athlete_id: leo.athleteId, photos: 5, used: 0, sheet_id: null, ends_on: '2099-06-30', ended: false },
    ].toSorted((one, other) => one.athlete_id - other.athlete_id),
  };
  expect((await read()).json()).toEqual(given);
  expect((await read(tokens.parentMember)).json()).toEqual(given);
  expect((await read(tokens.neighbor)).statusCode).toBe(404);
  expect((await read(null)).statusCode).toBe(401);
});

test('a last day that is over is refused under its field, and what has ended is named as such', async () => {
  const { hawks, tokens } = await settleAnother(server);
  const team = { id: await addTeam(server, hawks.id), organizationId: hawks.id };
  const maya = await addCarded(server, team);
  const included = () => server.app.allowances.includedFor({ athleteId: maya.athleteId, organizationId: hawks.id });
  const url = `/api/v1/teams/${team.id}/allowances`;
  const give = (endsOn: string) =>
    server.call({ method: 'POST', url, as: tokens.owner, payload: { photos: 5, ends_on: endsOn } });
  const refused = await give('2020-06-30');
  expect([refused.statusCode, refused.json()]).toMatchObject([422, { errors: { ends_on: [ENDS_ON_PAST] } }]);
  expect((await give('2099-06-30')).statusCode).toBe(200);
  expect(await included()).toMatchObject({ photos: 5, left: 5 });
  await server.data.ownerQuery("update allowances set ends_on = '2020-06-30' where organization_id = $1", [hawks.id]);
  expect(await included()).toBeNull();
  const read = await server.call({ method: 'GET', url, as: tokens.owner });
  expect(read.json()).toMatchObject({ allowances: [{ ends_on: '2020-06-30', ended: true }] });
});

test('0 takes the included photos back, but not those that were used', async () => {
  const { hawks, tokens } = await settleAnother(server);
  const team = { id: await addTeam(server, hawks.id), organizationId: hawks.id };
  const [maya, leo] = [await addCarded(server, team), await addCarded(server, team, { firstName: 'Leo', number: '7' })];
  const url = `/api/v1/teams/${team.id}/allowances`;
  const give = async (payload: object) => {
    const answer = await server.call({ method: 'POST', url, as: tokens.owner, payload });
    return [answer.statusCode, answer.json()];
  };
  await give({ photos: 5 });
  await server.data.ownerQuery('update allowances set used = 2 where athlete_id = $1', [maya.athleteId]);
  expect(await give({ photos: 0 })).toMatchObject([409, { error: usedAlready(2) }]);
  expect(await give({ photos: 0, athlete_ids: [leo.athleteId] })).toEqual([200, { given: 1 }]);
  expect(await give({ photos: -1 })).toMatchObject([422, { errors: { photos: [PHOTOS_NOT_VALID] } }]);
  const { allowances } = (await server.call({ method: 'GET', url, as: tokens.owner })).json<AllowancesAnswer>();
  const photosOf = (athleteId: number) => allowances.find((row) => row.athlete_id === athleteId)?.photos;
  expect([photosOf(maya.athleteId), photosOf(leo.athleteId)]).toEqual([5, undefined]);
  // For those who never had any, nothing is stored.
  expect(await give({ photos: 0, athlete_ids: [leo.athleteId] })).toEqual([200, { given: 1 }]);
  expect(await rowsOf(leo.athleteId)).toEqual([]);
});

test('included photos survive a merge into an athlete from whom some were taken back', async () => {
  const { hawks, tokens } = await settleAnother(server);
  const team = { id: await addTeam(server, hawks.id), organizationId: hawks.id };
  const [maya, maja] = [await addCarded(server, team), await addCarded(server, team, { firstName: 'Maja' })];
  await server.data.ownerQuery(
    'insert into allowances (organization_id, athlete_id, photos) values ($1, $2, 10), ($1, $3, 0)',
    [hawks.id, maja.athleteId, maya.athleteId],
  );
  const post = (url: string, payload: object = {}) =>
    server.call({ method: 'POST', url: `/api/v1/athletes/${maja.athleteId}/${url}`, as: tokens.owner, payload });
  expect((await post('merge', { into: maya.athleteId })).statusCode).toBe(200);
  expect(await rowsOf(maya.athleteId)).toEqual([{ photos: 10 }]);
  expect((await post('merge/undo')).statusCode).toBe(200);
  expect(await rowsOf(maja.athleteId)).toEqual([{ photos: 10 }]);
});
