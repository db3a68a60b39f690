/** Families open cards: which ones, how many, on which host, and how often they may guess. */
import { beforeAll, expect, test } from 'vitest';
import { makeSecrets } from '#src/features/families/cards.service.ts';
import { insertCards } from '#src/features/families/cards.sql.ts';
import * as words from '#src/features/families/families.contract.ts';
import { makeCode } from '#src/features/families/families.rules.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { readFamily } from '#src/http/cookies.ts';
import { addCarded, addTeam, openCard, type CardedAthlete } from '#tests/support/family-cards.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let host: string;
let team: { id: number; organizationId: number };

beforeAll(async () => {
  people = await settleAnother(server);
  host = `${people.parent.path}.localhost`;
  team = { id: await addTeam(server, people.hawks.id), organizationId: people.hawks.id };
});

let senders = 0;
/** A new sender, so that no test uses up the tries of another. */
const someone = () => `203.0.113.${++senders}`;
const show = (
  payload: object,
  { cookie, on = host, from = someone() }: { cookie?: string; on?: string; from?: string } = {},
) =>
  server.call({
    method: 'POST',
    url: '/api/v1/family',
    headers: { host: on, ...(cookie ? { cookie } : {}) },
    remoteAddress: from,
    payload,
  });
const guess = () => makeCode((below) => Math.floor(Math.random() * below));

/** The children that are open in a browser with this cookie. */
function athletesOf(cookie: string, hostLabel = people.parent.path) {
  const family = readFamily(server.platform.keys.familyCookies, cookie.slice('family='.length), {
    hostLabel,
    now: new Date(),
  });
  return server.app.families.familyAthletes((family ? { family } : {}) as Caller);
}

test('a code opens its child and gives the browser a cookie that scripts cannot read', async () => {
  const maya = await addCarded(server, team);
  const answer = await show({ code: maya.code.toLowerCase().replace('-', ' ') });
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    { child: { id: maya.athleteId, label: 'Maya R.', team: 'Hawks U12', number: '10' } },
  ]);
  expect(answer.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' });
  const [cookie] = answer.cookies;
  expect(cookie).toMatchObject({ name: 'family', httpOnly: true, sameSite: 'Lax', maxAge: 180 * 86_400, path: '/' });
  expect(cookie).not.toHaveProperty('domain');
  expect(await athletesOf(`family=${cookie?.value}`)).toMatchObject([{ athleteId: maya.athleteId, consent: 'yes' }]);
});

test('the QR code of a card, or its whole address, opens the same child', async () => {
  const maya = await addCarded(server, team);
  for (const entry of [{ key: maya.key }, { code: `https://x.example/hawks/family#${maya.key}` }])
    expect((await show(entry)).json()).toMatchObject({ child: { id: maya.athleteId } });
});

test.each([
  [{}, words.CODE_REQUIRED],
  [{ code: '  ' }, words.CODE_REQUIRED],
  [{ code: 'K7M3P-9QX2T', key: 'AbCdEfGhIjKlMnOpQrStUv' }, words.CODE_OR_KEY],
])('%o is refused', async (payload, message) => {
  const answer = await show(payload);
  expect([answer.statusCode, answer.json()]).toMatchObject([422, { errors: { code: [message] } }]);
});

test('an unknown field is refused', async () => {
  expect((await show({ code: 'K7M3P-9QX2T', name: 'Maya' })).statusCode).toBe(422);
});

test('unknown, replaced, refused and blank cards open nothing, and say why', async () => {
  const blank = makeSecrets(server.platform.keys, null);
  await server.platform.database.write({ kind: 'tenants', organizationIds: [team.organizationId] }, (tx) =>
    insertCards(tx, team.organizationId, [blank]),
  );
  const replaced = await addCarded(server, team);
  await server.data.ownerQuery('update athlete_cards set replaced_at = now() where athlete_id = $1', [
    replaced.athleteId,
  ]);
  const cases: [string, string][] = [
    [guess(), words.CODE_UNKNOWN],
    [replaced.code, words.CODE_REPLACED],
    [blank.code, words.CARD_IS_BLANK],
  ];
  for (const [code, message] of cases) {
    const answer = await show({ code });
    expect([answer.statusCode, answer.json()]).toMatchObject([401, { error: message, errors: { code: [message] } }]);
    expect(answer.cookies).toEqual([]);
  }
});

test('a card of another parent is unknown, and its cookie is ignored there', async () => {
  const maya = await addCarded(server, team);
  const elsewhere = `${people.stranger.path}.localhost`;
  expect((await show({ code: maya.code }, { on: elsewhere })).json()).toMatchObject({ error: words.CODE_UNKNOWN });
  const cookie = await openCard(server, host, { code: maya.code });
  expect(await athletesOf(cookie)).toHaveLength(1);
  expect(await athletesOf(cookie, people.stranger.path)).toEqual([]);
});

test('neither a cookie with one changed character nor an expired one opens anything', async () => {
  const maya = await addCarded(server, team);
  const cookie = await openCard(server, host, { code: maya.code });
  const middle = Math.floor(cookie.length / 2);
  const changed = `${cookie.slice(0, middle)}${cookie[middle] === 'A' ? 'B' : 'A'}${cookie.slice(middle + 1)}`;
  expect(await athletesOf(changed)).toEqual([]);
  const read = (days: number) =>
    readFamily(server.platform.keys.familyCookies, cookie.slice('family='.length), {
      hostLabel: people.parent.path,
      now: new Date(Date.now() + days * 86_400_000),
    });
  expect(read(179)).not.toBeNull();
  expect(read(182)).toBeNull();
});

test('eight children of one parent can be open in one browser, a ninth cannot', async () => {
  const tides = { id: await addTeam(server, people.tides.id, 'Tides'), organizationId: people.tides.id };
  const children: CardedAthlete[] = [];
  for (let number = 1; number <= 9; number++)
    children.push(await addCarded(server, number % 2 ? team : tides, { number: String(number) }));
  let cookie: string | undefined;
  for (const child of children.slice(0, 8)) cookie = await openCard(server, host, child, cookie);
  expect((await athletesOf(cookie ?? '')).map(({ athleteId }) => athleteId)).toEqual(
    children.slice(0, 8).map(({ athleteId }) => athleteId),
  );
  const refused = await show({ code: children[8]?.code }, cookie ? { cookie } : {});
  expect([refused.statusCode, refused.json()]).toMatchObject([409, { error: words.TOO_MANY_CHILDREN }]);
  const again = await show({ code: children[0]?.code }, cookie ? { cookie } : {});
  expect(again.statusCode).toBe(200);
});

test('each browser counts once as a device of a card', async () => {
  const maya = await addCarded(server, team);
  const cookie = await openCard(server, host, maya);
  await openCard(server, host, maya, cookie);
  await openCard(server, host, { key: maya.key });
  const [card] = await server.data.ownerQuery<{ devices: number; opened: boolean }>(
    'select devices, first_opened_at is not null as opened from athlete_cards where athlete_id = $1',
    [maya.athleteId],
  );
  expect(card).toEqual({ devices: 2, opened: true });
});

test('forgetting a child keeps the others open; forgetting the last one deletes the cookie', async () => {
  const [maya, leo] = [await addCarded(server, team), await addCarded(server, team, { firstName: 'Leo', number: '7' })];
  const both = await openCard(server, host, leo, await openCard(server, host, maya));
  const forget = (athleteId: number, cookie: string) =>
    server.call({ method: 'DELETE', url: `/api/v1/family/${athleteId}`, headers: { host, cookie } });
  const one = await forget(maya.athleteId, both);
  expect(one.statusCode).toBe(204);
  const left = `family=${one.cookies[0]?.value}`;
  expect(await athletesOf(left)).toMatchObject([{ athleteId: leo.athleteId }]);
  expect((await forget(leo.athleteId, left)).cookies[0]).toMatchObject({ name: 'family', value: '' });
});

test('a card that a family refuses stops working for everyone, and members are told without a name', async () => {
  const maya = await addCarded(server, team, { firstName: 'Quentinella', number: '44' });
  const cookie = await openCard(server, host, maya);
  const onRoster = async () =>
    (await server.call({ url: `/api/v1/athletes/${maya.athleteId}`, as: people.tokens.owner })).json<object>();
  expect(await onRoster()).toMatchObject({ card_opened: true, devices: 1 });
  const answer = await server.call({
    method: 'POST',
    url: `/api/v1/family/${maya.athleteId}/not_mine`,
    headers: { host, cookie },
  });
  expect([answer.statusCode, answer.json()]).toEqual([200, { message: words.NOT_MY_CHILD_DONE }]);
  expect(await athletesOf(cookie)).toEqual([]);
  expect((await show({ code: maya.code })).json()).toMatchObject({ error: words.CODE_REPLACED });
  // Another family had opened it: the child's own has not seen its photos.
  expect(await onRoster()).toMatchObject({ card_opened: false, devices: 0 });
  const emails = await server.data.ownerQuery<{ to: string; text: string }>(
    `select recipient as to, body_text as text from mail_outbox where dedupe_key like 'card-refused-%' order by id desc limit 1`,
  );
  expect(emails).toMatchObject([{ text: expect.stringContaining('number 44 of Hawks U12') }]);
  expect(emails[0]?.text).not.toContain('Quentinella');
  const twice = await server.call({
    method: 'POST',
    url: `/api/v1/family/${maya.athleteId}/not_mine`,
    headers: { host, cookie },
  });
  expect([twice.statusCode, twice.json()]).toMatchObject([404, { error: words.CHILD_NOT_FOUND }]);
});

test('a replaced card closes in every browser', async () => {
  const maya = await addCarded(server, team);
  const cookie = await openCard(server, host, maya);
  await server.call({
    method: 'POST',
    url: `/api/v1/athletes/${maya.athleteId}/cards`,
    as: people.tokens.owner,
  });
  expect(await athletesOf(cookie)).toEqual([]);
});

test('after ten wrong codes an hour one address has to wait, and an honest family elsewhere does not', async () => {
  const maya = await addCarded(server, team);
  const from = someone();
  for (let tries = 0; tries < words.WRONG_CODES_AN_HOUR; tries++) {
    expect((await show({ code: guess() }, { from })).statusCode).toBe(401);
    expect((await show({ code: maya.code }, { from })).statusCode).toBe(tries < 9 ? 200 : 429);
  }
  const waits = await show({ code: maya.code }, { from });
  expect([waits.statusCode, Number(waits.headers['retry-after']) > 60]).toEqual([429, true]);
  expect((await show({ code: maya.code })).statusCode).toBe(200);
});

test('all networks of one /48 guess together', async () => {
  for (let tries = 0; tries < words.WRONG_CODES_AN_HOUR; tries++)
    expect((await show({ code: guess() }, { from: `2001:db8:77:${tries}::1` })).statusCode).toBe(401);
  expect((await show({ code: guess() }, { from: '2001:db8:77:ffff::1' })).statusCode).toBe(429);
  expect((await show({ code: guess() }, { from: '2001:db8:78::1' })).statusCode).toBe(401);
});

test('at 200 wrong codes an hour the members get one email, and nobody else is locked out', async () => {
  const others = await settleAnother(server);
  const on = `${others.parent.path}.localhost`;
  const itsTeam = { id: await addTeam(server, others.hawks.id), organizationId: others.hawks.id };
  const maya = await addCarded(server, itsTeam);
  const notes = () =>
    server.data.ownerQuery<{ to: string }>(
      `select recipient as to from mail_outbox where dedupe_key like 'family-guesses-${others.parent.id}-%'`,
    );
  const guesses = async (from: number, to: number) => {
    for (let at = from; at < to; at++)
      expect((await show({ code: guess() }, { on, from: `198.51.100.${Math.floor(at / 9)}` })).statusCode).toBe(401);
  };
  await guesses(0, 5);
  const [counter] = await server.data.ownerQuery<{ hits: number }>(
    'update rate_counters set hits = hits + 193 where bucket = $1 returning hits',
    [`family:wrong:${others.parent.id}`],
  );
  expect(counter?.hits).toBe(198);
  await guesses(198, 199);
  expect(await notes()).toEqual([]);
  await guesses(199, 205);
  expect(await notes()).toEqual([{ to: others.emails.parentMember }]);
  expect((await show({ code: maya.code }, { on })).statusCode).toBe(200);
});
