/** Sellers create, change and end codes, and who may do so. */
import { beforeAll, expect, test } from 'vitest';
import * as words from '#src/features/coupons/coupon-editing.contract.ts';
import type { CouponAnswer, CouponsPage } from '#src/features/coupons/coupon-editing.contract.ts';
import { machineDay } from '#src/shared/dates.ts';
import { addDays } from '#src/shared/day-range.ts';
import { openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
const today = (): string => machineDay(new Date());
let people: Neighborhood;

beforeAll(async () => {
  people = await settleAnother(server);
});

const PERCENT = { kind: 'percent', value: 20, max_uses: null, max_per_person: null };
const base = (organizationId: number) => `/api/v1/affiliates/${organizationId}/coupons`;
const send = (method: 'GET' | 'POST' | 'PUT', url: string, coupon?: object, as: string | null = people.tokens.owner) =>
  server.call({ method, url, as, ...(coupon ? { payload: { coupon } } : {}) });

async function make(coupon: object): Promise<CouponAnswer> {
  const answer = await send('POST', base(people.hawks.id), coupon);
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
  return answer.json<CouponAnswer>();
}

async function problemsOf(coupon: object): Promise<unknown> {
  const answer = await send('POST', base(people.hawks.id), coupon);
  return [answer.statusCode, answer.json<{ errors?: unknown }>().errors];
}

/** A paid order that the coupon made cheaper. */
async function sell(couponId: number, state: string, soldCents = 1520, savedCents = 380): Promise<void> {
  const key = `desk-order-${Math.random()}`;
  await server.data.ownerQuery(
    `with o as (insert into orders (vanity_id, organization_id, checkout_key, content_hash, status, first_name, last_name, email_address,
                                    subtotal_cents, tax_cents, donation_cents, share_bps)
                values ($1, $2, $1, '\\x00', 'failed', 'Maria', 'Jensen', 'maria@families.test', 0, 0, 0, 2000) returning id)
     insert into coupon_uses (order_id, coupon_id, organization_id, person, state, sold_cents, saved_cents)
     select id, $3, $2, sha256('maria'), $4, $5, $6 from o`,
    [key, people.hawks.id, couponId, state, soldCents, savedCents],
  );
}

test('a code is created as typed, or generated, and listed with what it sold', async () => {
  const galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, {});
  const made = await make({
    ...PERCENT,
    code: 'hawks-20',
    value: 12.5,
    max_uses: 25,
    minimum: 20,
    first_day: today(),
    last_day: today(),
    gallery_ids: [galleryId, galleryId],
  });
  expect(made).toMatchObject({
    code: 'HAWKS20',
    kind: 'percent',
    value: 12.5,
    max_uses: 25,
    max_per_person: null,
    minimum: 20,
    first_day: today(),
    last_day: today(),
    gallery_ids: [galleryId],
    sheet_ids: null,
    state: 'active',
    uses: 0,
    sold: 0,
    saved: 0,
    ended_at: null,
    warnings: [],
  });
  await sell(made.id, 'used');
  await sell(made.id, 'used', 400, 100);
  await sell(made.id, 'reserved');
  await sell(made.id, 'released');
  const newer = await make({ kind: 'amount', value: 5, max_uses: 10 });
  expect(newer.code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
  const first = (await send('GET', `${base(people.hawks.id)}?limit=1`)).json<CouponsPage>();
  expect(first.coupons.map(({ id }) => id)).toEqual([newer.id]);
  const second = (await send('GET', `${base(people.hawks.id)}?limit=1&after=${first.next}`)).json<CouponsPage>();
  expect(second.coupons).toEqual([{ ...made, uses: 3, sold: 19.2, saved: 4.8 }]);
  const one = await send('GET', `${base(people.hawks.id)}/${made.id}`);
  expect(one.json()).toEqual(second.coupons[0]);
});

const REFUSED: [changes: object, errors: object][] = [
  [{ kind: 'percent', value: 0 }, { value: [words.PERCENT_NOT_VALID] }],
  [{ kind: 'percent', value: 100.5, max_uses: 1 }, { value: [words.PERCENT_NOT_VALID] }],
  [{ kind: 'percent', value: 12.345 }, { value: [words.PERCENT_NOT_VALID] }],
  [{ kind: 'amount', value: -1 }, { value: [words.AMOUNT_NOT_VALID] }],
  [{ kind: 'amount', value: 1e9 }, { value: [words.AMOUNT_NOT_VALID] }],
  [{ kind: 'amount', value: '10,00' }, { value: [words.VALUE_REQUIRED] }],
  [{ kind: 'photos', value: 2.5 }, { value: [words.PHOTOS_NOT_VALID] }],
  [{ kind: 'photos', value: 201 }, { value: [words.PHOTOS_NOT_VALID] }],
  [{ kind: 'half' }, { kind: [words.KIND_REQUIRED] }],
  [
    { kind: undefined, value: undefined },
    { kind: [words.KIND_REQUIRED], value: [words.VALUE_REQUIRED] },
  ],
  [{ code: 'abc' }, { code: [words.CODE_NOT_VALID] }],
  [{ code: 'HAWKS\u202e20' }, { code: [words.CODE_NOT_VALID] }],
  [{ code: 'HAWKS\u0000' }, { code: ['contains characters that are not allowed'] }],
  [{ code: 'x'.repeat(5_000) }, { code: [words.CODE_NOT_VALID] }],
  [
    { max_uses: 0, max_per_person: 1.5 },
    { max_uses: [words.USES_NOT_VALID], max_per_person: [words.USES_NOT_VALID] },
  ],
  [{ minimum: 10.005 }, { minimum: [words.MINIMUM_NOT_VALID] }],
  [
    { first_day: '2026-02-30', last_day: '12.24.2026' },
    { first_day: [words.FIRST_DAY_NOT_VALID], last_day: [words.LAST_DAY_NOT_VALID] },
  ],
  [{ last_day: '2020-01-01' }, { last_day: [words.LAST_DAY_PAST] }],
  [{ first_day: '2200-02-02', last_day: '2200-02-01' }, { last_day: [words.DAYS_CROSSED] }],
  [
    { gallery_ids: [1], sheet_ids: [1] },
    { gallery_ids: [words.GALLERIES_NOT_VALID], sheet_ids: [words.SHEETS_NOT_VALID] },
  ],
  [{ gallery_ids: Array.from({ length: 101 }, (_, index) => index + 1) }, { gallery_ids: [words.TOO_MANY_CHOSEN] }],
  [{ kind: 'percent', value: 100 }, { max_uses: ['A code that makes photos free needs a limit.'] }],
  // $1.00 less 99.5% rounds to nothing.
  [{ kind: 'percent', value: 99.5 }, { max_uses: ['A code that makes photos free needs a limit.'] }],
  [{ kind: 'photos', value: 2 }, { max_uses: ['A code that makes photos free needs a limit.'] }],
  [{ kind: 'amount', value: 5, minimum: 5 }, { max_uses: ['A code that makes photos free needs a limit.'] }],
];

test.each(REFUSED.map(([changes, errors]) => [JSON.stringify(changes).slice(0, 80), changes, errors] as const))(
  '%s is refused with a sentence for each problem',
  async (_name, changes, errors) => {
    expect(await problemsOf({ ...PERCENT, ...changes })).toEqual([422, errors]);
  },
);

test('an amount below every order’s price needs no limit', async () => {
  expect(await make({ kind: 'amount', value: 5, minimum: 5.01 })).toMatchObject({ max_uses: null, minimum: 5.01 });
  expect(await make({ kind: 'percent', value: 99.5, minimum: 5 })).toMatchObject({ max_uses: null, minimum: 5 });
  expect(await make({ kind: 'percent', value: 98 })).toMatchObject({ max_uses: null });
});

test('an organization can use the letters of a code once, also after it ended, and others may have the same code', async () => {
  const { id } = await make({ ...PERCENT, code: 'ONLYONE' });
  await send('POST', `${base(people.hawks.id)}/${id}/end`);
  expect(await problemsOf({ ...PERCENT, code: 'only one' })).toEqual([422, { code: [words.CODE_TAKEN] }]);
  const other = await send('POST', base(people.tides.id), { ...PERCENT, code: 'ONLYONE' }, people.tokens.neighbor);
  expect(other.statusCode).toBe(201);
  const both = await Promise.all(
    ['first', 'second'].map(() => send('POST', base(people.hawks.id), { ...PERCENT, code: 'RACE' })),
  );
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 422]);
});

test('a change keeps absent fields, and follows the rules for codes', async () => {
  const made = await make({ ...PERCENT, code: 'CHANGES', max_uses: 5, minimum: 20, last_day: addDays(today(), 3) });
  await sell(made.id, 'used');
  await sell(made.id, 'used');
  const url = `${base(people.hawks.id)}/${made.id}`;
  const changed = await send('PUT', url, { value: 25, minimum: null, code: 'changes2' });
  expect(changed.json()).toEqual({
    ...made,
    code: 'CHANGES2',
    value: 25,
    minimum: 0,
    uses: 2,
    sold: 30.4,
    saved: 7.6,
  });
  const few = await send('PUT', url, { max_uses: 1 });
  expect([few.statusCode, few.json()]).toMatchObject([422, { errors: { max_uses: [words.fewerThanUsed(2)] } }]);
  const free = await send('PUT', url, { kind: 'photos', max_uses: null });
  expect(free.json()).toMatchObject({ errors: { value: [words.PHOTOS_NOT_VALID] } });
  await make({ ...PERCENT, code: 'TAKEN' });
  expect((await send('PUT', url, { code: 'taken' })).json()).toMatchObject({ errors: { code: [words.CODE_TAKEN] } });
  // Days in the past may stay.
  await server.data.ownerQuery("update coupons set last_day = '2026-01-01' where id = $1", [made.id]);
  expect((await send('PUT', url, { value: 30, last_day: '2026-01-01' })).json()).toMatchObject({ state: 'expired' });
});

test('an ended code stays ended', async () => {
  const { id } = await make({ ...PERCENT, code: 'ENDING' });
  const url = `${base(people.hawks.id)}/${id}`;
  const ended = (await send('POST', `${url}/end`)).json<CouponAnswer>();
  expect(ended.state).toBe('ended');
  expect((await send('POST', `${url}/end`)).json()).toEqual(ended);
  const changed = await send('PUT', url, { value: 30 });
  expect([changed.statusCode, changed.json()]).toMatchObject([409, { error: words.COUPON_HAS_ENDED }]);
});

test('the seller sees how many photos cost nothing', async () => {
  expect((await make({ kind: 'photos', value: 3, max_uses: 1 })).warnings).toEqual([
    'With this code 3 photos cost nothing.',
  ]);
  expect((await make({ kind: 'percent', value: 100, max_uses: 1 })).warnings).toEqual([words.ALL_COST_NOTHING]);
  const galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, { price_per_photo: 4 });
  const amount = { kind: 'amount', max_uses: 1, gallery_ids: [galleryId] };
  expect((await make({ ...amount, value: 3.99 })).warnings).toEqual([]);
  expect((await make({ ...amount, value: 7 })).warnings).toEqual(['With this code 1 photo costs nothing.']);
  expect((await make({ ...amount, value: 7, minimum: 7.01 })).warnings).toEqual([]);
});

test('a code may be for galleries and price sheets of its seller, and for sheets that the parent shares', async () => {
  const sheet = async (organizationId: number, isShared: boolean) => {
    const [row] = await server.data.ownerQuery<{ id: number }>(
      "insert into price_sheets (organization_id, name, shared_with_children) values ($1, 'Fall', $2) returning id",
      [organizationId, isShared],
    );
    return row?.id ?? 0;
  };
  const ids = [await sheet(people.hawks.id, false), await sheet(people.parent.id, true)];
  expect((await make({ ...PERCENT, sheet_ids: ids })).sheet_ids).toEqual(ids);
  for (const foreign of [await sheet(people.parent.id, false), await sheet(people.tides.id, true)])
    expect(await problemsOf({ ...PERCENT, sheet_ids: [foreign] })).toEqual([
      422,
      { sheet_ids: [words.SHEETS_NOT_VALID] },
    ]);
  const theirs = await openGallery(server, people.tokens.neighbor, people.tides.id, {});
  expect(await problemsOf({ ...PERCENT, gallery_ids: [theirs] })).toEqual([
    422,
    { gallery_ids: [words.GALLERIES_NOT_VALID] },
  ]);
});

test('only those who may edit the organization see and change its codes', async () => {
  const { id } = await make({ ...PERCENT, code: 'PRIVATE' });
  const url = `${base(people.hawks.id)}/${id}`;
  const calls = [
    ['GET', base(people.hawks.id)],
    ['POST', base(people.hawks.id), PERCENT],
    ['GET', url],
    ['PUT', url, { value: 90 }],
    ['POST', `${url}/end`],
  ] as const;
  const { neighbor, foreigner, parentMember, admin } = people.tokens;
  for (const [method, address, coupon] of calls) {
    const statuses = [];
    for (const as of [null, neighbor, foreigner, parentMember, admin])
      statuses.push((await send(method, address, coupon, as)).statusCode);
    const done = method === 'POST' && coupon ? 201 : 200;
    // The parent's members and platform admins run last, so the coupon has ended by then.
    expect([method, address, statuses]).toEqual([method, address, [401, 404, 404, done, done]]);
  }
  // A member's own organization in the path does not open another's code.
  const crossed = await send('GET', `${base(people.tides.id)}/${id}`, undefined, neighbor);
  expect([crossed.statusCode, crossed.json()]).toMatchObject([404, { error: words.COUPON_NOT_FOUND }]);
});

test('the organization’s activity shows who created, changed and ended a code', async () => {
  const { id } = await make({ ...PERCENT, code: 'LOGGED' });
  await send('PUT', `${base(people.hawks.id)}/${id}`, { value: 30 });
  await send('POST', `${base(people.hawks.id)}/${id}/end`);
  const lines = await server.data.ownerQuery<{ action: string; details: object }>(
    "select action, details from audit_log where object_type = 'coupon' and object_id = $1 order by id",
    [String(id)],
  );
  expect(lines).toMatchObject([
    { action: 'coupon.made', details: { code: 'LOGGED', kind: 'percent', value: 20 } },
    { action: 'coupon.changed', details: { before: { value: 20 }, after: { value: 30 } } },
    { action: 'coupon.ended', details: { code: 'LOGGED', uses: 0 } },
  ]);
});

test('an organization has 500 codes at a time', async () => {
  const { id, path } = people.stranger;
  await server.data.ownerQuery(
    `insert into coupons (organization_id, code, is_made_up, kind, value)
     select $1, 'CODE' || n, false, 'percent', 1000 from generate_series(1000, 1499) n`,
    [id],
  );
  const full = await send('POST', base(id), PERCENT, people.tokens.foreigner);
  expect([path, full.statusCode, full.json()]).toMatchObject([path, 409, { error: words.TOO_MANY_COUPONS }]);
  await server.data.ownerQuery("update coupons set ended_at = now() where organization_id = $1 and code = 'CODE1000'", [
    id,
  ]);
  expect((await send('POST', base(id), PERCENT, people.tokens.foreigner)).statusCode).toBe(201);
});
