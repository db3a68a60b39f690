/** Promo codes of platform admins over HTTP: issued, changed, ended, used up at the same time (rule 22). */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as words from '#src/features/codes/issued-codes.contract.ts';
import type { IssuedCode } from '#src/features/codes/issued-codes.contract.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
const SYSTEM = { kind: 'system', why: 'a test makes accounts' } as const;
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});
beforeEach(async () => {
  await server.data.ownerQuery('delete from promo_redemptions');
  await server.data.ownerQuery('delete from promo_codes');
  await takes(true);
});

const takes = async (yes: boolean) => {
  await server.data.ownerQuery('update organizations set takes_promo_codes = $2 where id = $1', [
    people.parent.id,
    yes,
  ]);
  server.app.organizations.forget(people.parent.id);
};
type Fields = Record<string, unknown>;
const issue = (fields: Fields = {}, as: string | null = people.tokens.admin) =>
  server.call({
    method: 'POST',
    url: '/api/v1/promo_codes',
    as,
    payload: { promo_code: { organization_id: people.parent.id, max_uses: 1, ...fields } },
  });
const change = (id: number, promo_code: Fields, as: string | null = people.tokens.admin) =>
  server.call({ method: 'PUT', url: `/api/v1/promo_codes/${id}`, as, payload: { promo_code } });
const end = (id: number, as: string | null = people.tokens.admin) =>
  server.call({ method: 'POST', url: `/api/v1/promo_codes/${id}/end`, as });
const list = (query = '', as: string | null = people.tokens.admin) =>
  server.call({ method: 'GET', url: `/api/v1/promo_codes${query}`, as });
const usesOf = (id: number, query = '', as: string | null = people.tokens.admin) =>
  server.call({ method: 'GET', url: `/api/v1/promo_codes/${id}/redemptions${query}`, as });
const isTaken = async (promo_code: string) =>
  (
    await server.call({
      method: 'POST',
      url: '/api/v1/promocode/',
      headers: { host: 'lakeside.sideline.localhost' },
      payload: { promo_code },
    })
  ).json<{ status: boolean }>().status;
const redeem = (code: string, redeemedBy = people.hawks.id) =>
  server.platform.database.write(SYSTEM, (tx) =>
    server.app.billing.redeemPromo(tx, { organizationId: people.parent.id, code, redeemedBy }),
  );
const issued = async (fields: Fields = {}) => (await issue(fields)).json<IssuedCode>();

test.each([
  ['a visitor', () => null, 401],
  ['an owner', () => people.tokens.owner, 403],
  ['the parent’s member', () => people.tokens.parentMember, 403],
])('are closed to %s', async (_who, token, status) => {
  const { id } = await issued({ code: 'KICKOFF1' });
  const tries = [
    list('', token()),
    issue({}, token()),
    change(id, { max_uses: 5 }, token()),
    end(id, token()),
    usesOf(id, '', token()),
  ];
  for (const answer of await Promise.all(tries)) expect(answer.statusCode).toBe(status);
  expect((await list()).json()).toMatchObject({ promo_codes: [{ max_uses: 1, state: 'active' }] });
});

describe('a code', () => {
  test('is issued as it was typed, in capitals, and accepted at the sign-up', async () => {
    const answer = await issue({ code: ' kick-off ', max_uses: 3, last_day: '2099-06-30' });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      201,
      {
        organization: { id: people.parent.id, domain_name: 'lakeside' },
        code: 'KICK-OFF',
        uses: 0,
        max_uses: 3,
        last_day: '2099-06-30',
        state: 'active',
        ended_at: null,
      },
    ]);
    expect(await isTaken('kick-off')).toBe(true);
    // Until the next day starts in the organization's time zone.
    const [row] = await server.data.ownerQuery('select expires_at from promo_codes');
    expect(row).toEqual({ expires_at: new Date('2099-07-01T04:00:00Z') });
    expect(
      await server.data.ownerQuery(
        "select organization_id, details from audit_log where action = 'promo_code.issued' order by id desc limit 1",
      ),
    ).toEqual([
      { organization_id: people.parent.id, details: { code: 'KICK-OFF', max_uses: 3, last_day: '2099-06-30' } },
    ]);
  });

  test('is generated where none was typed', async () => {
    const codes = await Promise.all([issued(), issued({ code: '' }), issued({ code: null })]);
    for (const { code } of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{8}$/);
    expect(new Set(codes.map(({ code }) => code)).size).toBe(3);
  });

  test('is unique, however many are requested at the same time', async () => {
    const answers = await Promise.all(['KICKOFF1', 'kickoff1', 'KickOff1'].map((code) => issue({ code })));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 422, 422]);
    expect(answers.find(({ statusCode }) => statusCode === 422)?.json()).toMatchObject({
      errors: { code: [words.CODE_TAKEN] },
    });
  });

  test('is refused with all its problems', async () => {
    const answer = await issue({ organization_id: '', code: 'TOO LONG A CODE', max_uses: 0, last_day: '30.06.2027' });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      {
        errors: {
          'promo_code.organization_id': [words.CHOOSE_ORGANIZATION],
          'promo_code.code': [words.CODE_NOT_VALID],
          'promo_code.max_uses': [words.MAX_USES_NOT_VALID],
          'promo_code.last_day': [words.LAST_DAY_NOT_VALID],
        },
      },
    ]);
  });

  test.each<[Fields, string, string]>([
    [{ last_day: '2020-01-01' }, 'last_day', words.LAST_DAY_PAST],
    [{ last_day: '2027-02-30' }, 'promo_code.last_day', words.LAST_DAY_NOT_VALID],
    [{ organization_id: 999_999 }, 'organization_id', words.CHOOSE_ORGANIZATION],
    [{ max_uses: 1.5 }, 'promo_code.max_uses', words.MAX_USES_NOT_VALID],
    [{ max_uses: '3' }, 'promo_code.max_uses', words.MAX_USES_NOT_VALID],
    [{ max_uses: 100_001 }, 'promo_code.max_uses', words.MAX_USES_NOT_VALID],
    [{ code: 'KICKÖFF1' }, 'promo_code.code', words.CODE_NOT_VALID],
  ])('with %j is refused', async (fields, field, sentence) => {
    const answer = await issue(fields);
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { errors: { [field]: [sentence] } }]);
  });

  test('exists only below organizations that accept codes', async () => {
    const answer = await issue({ organization_id: people.stranger.id });
    expect(answer.json()).toMatchObject({ errors: { organization_id: [words.TAKES_NO_CODES] } });
    const { id } = await issued({ code: 'KICKOFF1' });
    await takes(false);
    expect((await list()).json()).toMatchObject({ promo_codes: [{ id, state: 'off' }] });
    expect(await isTaken('KICKOFF1')).toBe(false);
  });
});

describe('a change', () => {
  test('never lowers the maximum below the number of uses', async () => {
    const { id } = await issued({ code: 'KICKOFF1', max_uses: 5 });
    await redeem('KICKOFF1');
    await redeem('KICKOFF1');
    const answer = await change(id, { max_uses: 1 });
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { errors: { max_uses: [words.fewerThanUsed(2)] } }]);
    expect((await change(id, { max_uses: 2 })).json()).toMatchObject({ state: 'used_up', uses: 2, max_uses: 2 });
    expect((await change(id, { max_uses: 3, last_day: '2099-01-01' })).json()).toMatchObject({ state: 'active' });
    expect((await change(id, { last_day: null })).json()).toMatchObject({ last_day: null, max_uses: 3 });
    expect((await change(id, { last_day: '2020-01-01' })).json()).toMatchObject({
      errors: { last_day: [words.LAST_DAY_PAST] },
    });
    const [line] = await server.data.ownerQuery(
      "select details from audit_log where action = 'promo_code.changed' order by id limit 1",
    );
    expect(line).toEqual({
      details: { code: 'KICKOFF1', max_uses_before: 5, max_uses: 2, last_day_before: null, last_day: null },
    });
    expect((await change(999_999, { max_uses: 2 })).statusCode).toBe(404);
  });

  test('of the maximum during many redemptions counts every use once', async () => {
    const { id } = await issued({ code: 'KICKOFF1', max_uses: 20 });
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 30 }, () => redeem('KICKOFF1')),
      change(id, { max_uses: 4 }),
      change(id, { max_uses: 8 }),
    ]);
    const used = outcomes.slice(0, 30).filter(({ status }) => status === 'fulfilled').length;
    const [row] = await server.data.ownerQuery<{ uses: number; max_uses: number; rows: number }>(
      'select uses, max_uses, (select count(*)::int from promo_redemptions) as rows from promo_codes',
    );
    expect(row).toMatchObject({ uses: used, rows: used });
    expect(row?.uses).toBeLessThanOrEqual(row?.max_uses ?? 0);
  });

  test('that ends the code is final, and can be repeated', async () => {
    const { id } = await issued({ code: 'KICKOFF1', max_uses: 5 });
    const [one, two] = await Promise.all([end(id), end(id)]);
    expect([one.statusCode, two.statusCode]).toEqual([200, 200]);
    expect(one.json()).toMatchObject({ state: 'ended', ended_at: expect.any(String) });
    expect(await isTaken('KICKOFF1')).toBe(false);
    await expect(redeem('KICKOFF1')).rejects.toMatchObject({ code: 'invalid' });
    const answer = await change(id, { max_uses: 9 });
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { error: words.CODE_HAS_ENDED }]);
    expect(
      await server.data.ownerQuery("select count(*)::int as lines from audit_log where action = 'promo_code.ended'"),
    ).toEqual([{ lines: 1 }]);
    expect((await end(999_999)).statusCode).toBe(404);
  });
});

describe('the lists', () => {
  test('go page by page, newest first, of one organization or all', async () => {
    const ids: number[] = [];
    for (let number = 10; number < 15; number++) ids.push((await issued({ code: `SEASON${number}` })).id);
    const first = (await list('?limit=3')).json<{ promo_codes: IssuedCode[]; next: number }>();
    expect(first.promo_codes.map(({ id }) => id)).toEqual(ids.slice(2).toReversed());
    const second = (await list(`?limit=3&after=${first.next}`)).json<{ promo_codes: IssuedCode[]; next: null }>();
    expect([second.promo_codes.map(({ id }) => id), second.next]).toEqual([ids.slice(0, 2).toReversed(), null]);
    expect((await list(`?organization_id=${people.stranger.id}`)).json()).toEqual({ promo_codes: [], next: null });
    expect((await list('?after=x')).statusCode).toBe(422);
  });

  test('show which accounts were opened with a code', async () => {
    const { id } = await issued({ code: 'KICKOFF1', max_uses: 5 });
    await redeem('KICKOFF1', people.hawks.id);
    await redeem('KICKOFF1', people.tides.id);
    const first = (await usesOf(id, '?limit=1')).json<{ next: number; redemptions: unknown[] }>();
    expect(first.redemptions).toEqual([
      { id: expect.any(Number), redeemed_at: expect.any(String), account: { id: people.tides.id, name: 'tides' } },
    ]);
    expect((await usesOf(id, `?limit=1&after=${first.next}`)).json()).toMatchObject({
      redemptions: [{ account: { id: people.hawks.id } }],
      next: null,
    });
    expect((await usesOf(999_999)).statusCode).toBe(404);
  });
});
