/** Promo codes over HTTP, and many simultaneous uses. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
const SYSTEM = { kind: 'system', why: 'a test makes accounts' } as const;
let people: Neighborhood;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  await server.data.ownerQuery('update organizations set takes_promo_codes = true where id = $1', [people.parent.id]);
});
beforeEach(async () => {
  await server.data.ownerQuery('delete from promo_redemptions');
  await server.data.ownerQuery('delete from promo_codes');
  await server.data.ownerQuery('truncate rate_counters');
});

async function issue(
  code: string,
  {
    maxUses = 1,
    expires = null,
    owner = people.parent.id,
  }: { maxUses?: number; expires?: string | null; owner?: number } = {},
): Promise<void> {
  await server.data.ownerQuery(
    'insert into promo_codes (organization_id, code, max_uses, expires_at) values ($1, $2, $3, now() + $4::interval)',
    [owner, code, maxUses, expires],
  );
}

const ask = (code: unknown, host = 'lakeside.sideline.localhost') =>
  server.call({ method: 'POST', url: '/api/v1/promocode/', headers: { host }, payload: { promo_code: code } });
const redeem = (code: string, organizationId = people.parent.id) =>
  server.platform.database.write(SYSTEM, (tx) =>
    server.app.billing.redeemPromo(tx, { organizationId, code, redeemedBy: people.hawks.id }),
  );

describe('checking a promo code', () => {
  test.each([
    ['as it was issued', 'KICKOFF1', true],
    ['in small letters', 'kickoff1', true],
    ['with a space behind it', 'KICKOFF1 ', true],
    ['empty', '', false],
    ['with nine letters', 'KICKOFF12', false],
    ['unknown', 'KICKOFF9', false],
    ['in other letters', 'KICKÖFF1', false],
    ['with a wildcard', 'KICKOFF%', false],
  ])('%s', async (_how, code, status) => {
    await issue('KICKOFF1');
    const answer = await ask(code);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ status });
  });

  test('returns false for codes that expired, are used up or belong to others', async () => {
    await issue('EXPIRED1', { expires: '-1 minute' });
    await issue('LASTWEEK', { expires: '1 minute' });
    await issue('USEDUP11');
    await redeem('USEDUP11');
    await issue('RIVERS11', { owner: people.stranger.id });
    const answers = [];
    for (const code of ['EXPIRED1', 'LASTWEEK', 'USEDUP11', 'RIVERS11']) answers.push((await ask(code)).json());
    expect(answers).toEqual([{ status: false }, { status: true }, { status: false }, { status: false }]);
  });

  test('returns false on the hosts of organizations that accept none', async () => {
    await issue('KICKOFF1');
    await issue('RIVERS11', { owner: people.stranger.id });
    expect((await ask('KICKOFF1', 'localhost')).json()).toEqual({ status: false });
    expect((await ask('RIVERS11', 'riverside.sideline.localhost')).json()).toEqual({ status: false });
  });

  test.each([[null], [7], [['KICKOFF1']], [{ $ne: null }]])('refuses %j, which is not text', async (code) => {
    const answer = await ask(code);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ errors: { promo_code: [expect.any(String)] } });
  });

  test('is refused from the 21st attempt on', async () => {
    await issue('KICKOFF1');
    for (let attempt = 1; attempt <= 20; attempt++) expect((await ask(`GUESS${attempt}`)).statusCode).toBe(200);
    const answer = await ask('KICKOFF1');
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('using a promo code', () => {
  test('fifty times at the same time uses a single-use code once', async () => {
    await issue('ONLYONE1');
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => redeem('ONLYONE1')));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [code] = await server.data.ownerQuery(
      'select c.uses, (select count(*)::int from promo_redemptions) as redemptions from promo_codes c',
    );
    expect(code).toEqual({ uses: 1, redemptions: 1 });
  });

  test('explains a refusal, under its field', async () => {
    await issue('RIVERS11', { owner: people.stranger.id });
    const tries: [string, number?][] = [['UNKNOWN1'], ['RIVERS11'], ['RIVERS11', people.stranger.id], ['']];
    for (const [code, owner] of tries)
      await expect(redeem(code, owner), code).rejects.toMatchObject({
        code: 'invalid',
        message: 'This promo code is not valid.',
        details: { errors: { promoCode: ['This promo code is not valid.'] } },
      });
  });

  test('is undone when the account is', async () => {
    await issue('ONLYONE1');
    const cutOff = server.platform.database.write(SYSTEM, async (tx) => {
      const promo = { organizationId: people.parent.id, code: 'ONLYONE1', redeemedBy: people.hawks.id };
      await server.app.billing.redeemPromo(tx, promo);
      throw new Error('the account could not be made');
    });
    await expect(cutOff).rejects.toThrow('could not be made');
    expect((await ask('ONLYONE1')).json()).toEqual({ status: true });
  });
});
