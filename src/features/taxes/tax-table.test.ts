/** The tax table over HTTP: who may edit it, what it may contain, and that orders use it (rule 17). */
import { beforeEach, describe, expect, test } from 'vitest';
import * as words from '#src/features/taxes/tax-table.contract.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
beforeEach(async () => {
  people = await settleAnother(server);
});

const address = (id: number) => `/api/v1/organizations/${id}/tax_rates`;
const list = (as: string | null, id: number) => server.call({ method: 'GET', url: address(id), as });
const put = (as: string | null, id: number, payload: Record<string, unknown>) =>
  server.call({ method: 'PUT', url: address(id), as, payload });
const remove = (as: string | null, id: number, query: string) =>
  server.call({ method: 'DELETE', url: `${address(id)}?${query}`, as });
const MINNESOTA = { state: 'mn', zip_prefix: '', rate: 6.875, jurisdiction: 'Minnesota sales tax' };

describe('the tax table', () => {
  test('is managed by the parent’s members', async () => {
    const director = people.tokens.parentMember;
    expect((await list(director, people.parent.id)).json()).toEqual([]);
    expect((await put(director, people.parent.id, MINNESOTA)).json()).toEqual({ ...MINNESOTA, state: 'MN' });
    await put(people.tokens.admin, people.parent.id, {
      state: 'MN',
      zip_prefix: '558',
      rate: 7.375,
      jurisdiction: 'Duluth',
    });
    await put(director, people.parent.id, { ...MINNESOTA, rate: 7 });
    expect((await list(director, people.parent.id)).json()).toEqual([
      { state: 'MN', zip_prefix: '', rate: 7, jurisdiction: 'Minnesota sales tax' },
      { state: 'MN', zip_prefix: '558', rate: 7.375, jurisdiction: 'Duluth' },
    ]);
    const rows = await server.data.ownerQuery<{ rate_ppm: number }>(
      'select rate_ppm from tax_rates where organization_id = $1 order by zip_prefix',
      [people.parent.id],
    );
    expect(rows.map(({ rate_ppm }) => rate_ppm)).toEqual([70_000, 73_750]);
    expect((await remove(director, people.parent.id, 'state=MN&zip_prefix=558')).statusCode).toBe(204);
    const gone = await remove(director, people.parent.id, 'state=MN&zip_prefix=558');
    expect([gone.statusCode, gone.json()]).toMatchObject([404, { error: words.TAX_RATE_NOT_THERE }]);
    const actions = await server.data.ownerQuery<{ action: string }>(
      'select action from audit_log where organization_id = $1 order by id',
      [people.parent.id],
    );
    expect(actions.map(({ action }) => action)).toEqual([
      'tax_rate.set',
      'tax_rate.set',
      'tax_rate.set',
      'tax_rate.removed',
    ]);
  });

  test('has at most 500 rates; those it has can still be changed', async () => {
    await server.data.ownerQuery(
      `insert into tax_rates (organization_id, state, zip_prefix, rate_ppm, jurisdiction)
       select $1, 'MN', lpad(n::text, 5, '0'), 1000, 'Many' from generate_series(1, $2::int) n`,
      [people.parent.id, words.MAX_TAX_RATES],
    );
    const director = people.tokens.parentMember;
    const refused = await put(director, people.parent.id, MINNESOTA);
    expect([refused.statusCode, refused.json()]).toMatchObject([422, { error: words.TAX_TABLE_IS_FULL }]);
    expect((await put(director, people.parent.id, { ...MINNESOTA, zip_prefix: '00001' })).statusCode).toBe(200);
    expect((await list(director, people.parent.id)).json()).toHaveLength(words.MAX_TAX_RATES);
  });

  test('is hidden from others, and affiliates have none of their own', async () => {
    for (const [token, id, status] of [
      [null, people.parent.id, 401],
      [people.tokens.owner, people.parent.id, 404],
      [people.tokens.foreigner, people.parent.id, 404],
      [people.tokens.owner, people.hawks.id, 403],
      [people.tokens.parentMember, people.hawks.id, 403],
    ] as const) {
      expect((await list(token, id)).statusCode).toBe(status);
      expect((await put(token, id, MINNESOTA)).statusCode).toBe(status);
      expect((await remove(token, id, 'state=MN')).statusCode).toBe(status);
    }
    expect((await list(people.tokens.owner, people.hawks.id)).json()).toMatchObject({
      error: words.TAXES_ARE_THE_PARENTS,
    });
  });

  test.each<[Record<string, unknown>, Record<string, string[]>]>([
    [{}, { rate: [words.TAX_RATE_REQUIRED], jurisdiction: [words.JURISDICTION_REQUIRED] }],
    [{ ...MINNESOTA, state: 'XX' }, { state: [words.TAX_STATE_NOT_VALID] }],
    [{ ...MINNESOTA, zip_prefix: '5580x' }, { zip_prefix: [words.TAX_ZIP_NOT_VALID] }],
    [{ ...MINNESOTA, zip_prefix: '558021' }, { zip_prefix: [words.TAX_ZIP_NOT_VALID] }],
    [{ ...MINNESOTA, rate: 30.0001 }, { rate: [words.TAX_RATE_NOT_VALID] }],
    [{ ...MINNESOTA, rate: -1 }, { rate: [words.TAX_RATE_NOT_VALID] }],
    [{ ...MINNESOTA, rate: 6.87501 }, { rate: [words.TAX_RATE_NOT_VALID] }],
    [{ ...MINNESOTA, rate: '6' }, { rate: [words.TAX_RATE_NOT_VALID] }],
    [{ ...MINNESOTA, jurisdiction: ' ' }, { jurisdiction: [words.JURISDICTION_REQUIRED] }],
  ])('refuses %j', async (body, errors) => {
    const answer = await put(people.tokens.parentMember, people.parent.id, body);
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { errors }]);
  });

  test('has a limit, also for simultaneous requests', async () => {
    await server.data.ownerQuery(
      `insert into tax_rates (organization_id, state, zip_prefix, rate_ppm, jurisdiction)
       select $1, '', lpad(n::text, 5, '0'), 0, 'x' from generate_series(1, 499) n`,
      [people.parent.id],
    );
    const answers = await Promise.all(
      ['99001', '99002', '99003', '99004'].map((zip_prefix) =>
        put(people.tokens.parentMember, people.parent.id, { ...MINNESOTA, zip_prefix }),
      ),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect((await list(people.tokens.parentMember, people.parent.id)).json()).toHaveLength(500);
  });
});
