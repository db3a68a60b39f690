/** Members create cards: which ones they replace, blank ones, and who may. */
import { beforeAll, expect, test } from 'vitest';
import { makeSecrets } from '#src/features/families/cards.service.ts';
import { insertCards } from '#src/features/families/cards.sql.ts';
import * as words from '#src/features/families/cards.contract.ts';
import { CODE_REPLACED } from '#src/features/families/families.contract.ts';
import { printedCode } from '#src/features/families/families.rules.ts';
import { chooseUnknown } from '#tests/support/consent-rows.ts';
import { addCarded, addTeam, openCard } from '#tests/support/family-cards.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let team: { id: number; organizationId: number };

beforeAll(async () => {
  people = await settleAnother(server);
  team = { id: await addTeam(server, people.hawks.id), organizationId: people.hawks.id };
});

const send = (method: 'GET' | 'POST', athleteId: number, payload?: object, as: string | null = people.tokens.owner) =>
  server.call({ method, url: `/api/v1/athletes/${athleteId}/cards`, as, ...(payload ? { payload } : {}) });
const codesOf = async (athleteId: number) =>
  (await send('GET', athleteId)).json<words.CardsAnswer>().cards.map(({ code }) => code);

test('a new card ends the old one', async () => {
  const maya = await addCarded(server, team);
  expect(await codesOf(maya.athleteId)).toEqual([maya.code]);
  const made = await send('POST', maya.athleteId);
  expect(made.statusCode).toBe(201);
  const { cards } = made.json<words.CardsAnswer>();
  expect(cards).toMatchObject([
    { code: expect.stringMatching(/^[2-9A-Z]{5}-[2-9A-Z]{5}$/), first_opened_at: null, devices: 0 },
  ]);
  expect(await codesOf(maya.athleteId)).toEqual(cards.map(({ code }) => code));
  expect(cards[0]?.code).not.toBe(maya.code);
});

test('parents who live apart have their own cards, each replaced separately', async () => {
  const maya = await addCarded(server, team);
  const [first, second] = (await send('POST', maya.athleteId, { replaces: null })).json<words.CardsAnswer>().cards;
  expect(first?.code).toBe(maya.code);
  const after = (await send('POST', maya.athleteId, { replaces: first?.id })).json<words.CardsAnswer>().cards;
  expect(after.map(({ id }) => id)).toEqual([second?.id, expect.any(Number)]);
  expect(await codesOf(maya.athleteId)).not.toContain(maya.code);
  const leo = await addCarded(server, team);
  const foreign = await send('POST', leo.athleteId, { replaces: second?.id });
  expect([foreign.statusCode, foreign.json()]).toMatchObject([404, { error: words.CARD_NOT_FOUND }]);
  expect(await codesOf(leo.athleteId)).toEqual([leo.code]);
});

test('members see what each of two families said, until a member decides', async () => {
  const maya = await addCarded(server, team);
  const host = `${people.parent.path}.localhost`;
  const [, second] = (await send('POST', maya.athleteId, { replaces: null })).json<words.CardsAnswer>().cards;
  const answers = async () =>
    (await send('GET', maya.athleteId)).json<words.CardsAnswer>().cards.map(({ consent }) => consent);
  expect(await answers()).toEqual([null, null]);
  const url = `/api/v1/family/${maya.athleteId}/consent`;
  for (const [code, consent] of [
    [maya.code, 'yes'],
    [second?.code ?? '', 'family'],
  ] as const) {
    const cookie = await openCard(server, host, { code });
    await server.call({ method: 'POST', url, headers: { host, cookie }, payload: { consent } });
  }
  expect(await answers()).toEqual(['yes', 'family']);
  await server.call({
    method: 'PUT',
    url: `/api/v1/athletes/${maya.athleteId}`,
    as: people.tokens.owner,
    payload: { athlete: { consent: 'yes' } },
  });
  expect(await answers()).toEqual([null, null]);
});

test('a blank card can be assigned to an athlete once', async () => {
  const [maya, leo] = [await addCarded(server, team), await addCarded(server, team)];
  const blank = makeSecrets(server.platform.keys, null);
  const others = makeSecrets(server.platform.keys, null);
  await server.platform.database.write({ kind: 'system', why: 'test' }, async (tx) => {
    await insertCards(tx, people.hawks.id, [blank]);
    await insertCards(tx, people.tides.id, [others]);
  });
  const code = printedCode(blank.code).toLowerCase();
  expect((await send('POST', maya.athleteId, { code })).json()).toMatchObject({
    cards: [{ code: printedCode(blank.code) }],
  });
  for (const wrong of [code, others.code, 'K7M3P-9QX2T']) {
    const answer = await send('POST', leo.athleteId, { code: wrong });
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { errors: { code: [words.BLANK_NOT_FOUND] } }]);
  }
  expect(await codesOf(leo.athleteId)).toEqual([leo.code]);
  await openCard(server, `${people.parent.path}.localhost`, { code });
});

test('visitors and other clubs can neither see nor create cards, the parent’s members can', async () => {
  const { athleteId } = await addCarded(server, team);
  for (const method of ['GET', 'POST'] as const) {
    expect((await send(method, athleteId, undefined, null)).statusCode).toBe(401);
    expect((await send(method, athleteId, undefined, people.tokens.neighbor)).statusCode).toBe(404);
    expect((await send(method, athleteId, undefined, people.tokens.foreigner)).statusCode).toBe(404);
  }
  expect((await send('GET', athleteId, undefined, people.tokens.parentMember)).statusCode).toBe(200);
  expect((await send('GET', 4711)).statusCode).toBe(404);
  expect((await send('POST', athleteId, { athlete_id: 1 })).statusCode).toBe(422);
});

test.each([
  ['new cards for everybody end the old ones, and the yes that a family gave with one', true],
  ['cards stay the athletes’', false],
])('in the next season, %s', async (_, newCards) => {
  const club = await settleAnother(server);
  const host = `${club.parent.path}.localhost`;
  const played = { id: await addTeam(server, club.hawks.id), organizationId: club.hawks.id };
  const maya = await addCarded(server, played, { consent: 'unknown' });
  await chooseUnknown(server, club.hawks.id, 'hide');
  const cookie = await openCard(server, host, maya);
  const url = `/api/v1/family/${maya.athleteId}/consent`;
  await server.call({ method: 'POST', url, headers: { host, cookie }, payload: { consent: 'yes' } });
  const [from] = await server.data.ownerQuery<{ id: number }>('select season_id as id from teams where id = $1', [
    played.id,
  ]);
  const started = await server.call({
    method: 'POST',
    url: `/api/v1/seasons/${from?.id}/next`,
    as: club.tokens.owner,
    payload: { season: { name: 'Next', first_day: '2099-08-01', last_day: '2100-06-30' }, new_cards: newCards },
  });
  const { season_id: seasonId } = started.json<{ season_id: number }>();
  await server.app.nextSeason.work(seasonId, new AbortController().signal);
  const opened = await server.call({
    method: 'POST',
    url: '/api/v1/family',
    headers: { host },
    payload: { code: maya.code },
  });
  const [athlete] = await server.data.ownerQuery('select consent from athletes where id = $1', [maya.athleteId]);
  expect([opened.statusCode, opened.json(), athlete]).toMatchObject(
    newCards ? [401, { error: CODE_REPLACED }, { consent: 'unknown' }] : [200, {}, { consent: 'yes' }],
  );
});
