/** Codes in orders: what a typed code gives, and that its limit holds. */
import pg from 'pg';
import { beforeEach, expect, test, vi } from 'vitest';
import { sql } from 'kysely';
import * as words from '#src/features/coupons/coupons.contract.ts';
import { createCouponUses } from '#src/features/coupons/coupon-uses.service.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { createRateLimits } from '#src/platform/limits/rate-limits.ts';
import { deriveKeys } from '#src/platform/platform.ts';
import { openShop, type Shop } from '#tests/support/shop-goods.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const NOW = new Date('2026-10-05T03:30:00Z');
const SYSTEM = { kind: 'system', why: 'a test' } as const;
let shop: Shop;
let sender = 0;
let caller: Caller;
let orders = 0;

beforeEach(async () => {
  shop = await openShop(db);
  caller = { actor: { kind: 'visitor' }, visitorId: null, unlocks: new Map(), ip: `192.0.2.${++sender}` };
});

const uses = () =>
  createCouponUses({
    database: db.database,
    limits: createRateLimits({ database: db.database, factor: 1 }),
    clock: { now: () => NOW },
    keys: deriveKeys('a secret of the coupons'),
  });

async function coupon(changes: Record<string, unknown> = {}): Promise<number> {
  const row = {
    code: 'HAWKS20',
    is_made_up: false,
    kind: 'percent',
    value: 2000,
    organization_id: shop.sellerId,
    ...changes,
  };
  const names = Object.keys(row);
  const [made] = await db.ownerQuery<{ id: number }>(
    `insert into coupons (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning id`,
    Object.values(row),
  );
  return made?.id ?? 0;
}

const read = (codes: string[], email: string | null = null) =>
  uses().termsOf(caller, { organizationId: shop.sellerId, codes, email });

/** Stores an order that uses a coupon, in one transaction like `place`; returns its id. */
async function order(couponId: number, email = `buyer${++orders}@families.test`, status = 'pending'): Promise<number> {
  const key = `coupon-order-key-${++orders}`;
  return db.database.write(SYSTEM, async (tx) => {
    const { rows } = await sql<{ id: number }>`
      insert into orders (vanity_id, organization_id, checkout_key, content_hash, status, first_name, last_name, email_address,
                          subtotal_cents, tax_cents, donation_cents, share_bps, paid_at)
      values (${key}, ${shop.sellerId}, ${key}, '\\x00', ${status}, 'Maria', 'Jensen', ${email}, 0, 0, 0, 2000,
              ${status === 'paid' ? NOW : null}) returning id`.execute(tx);
    const orderId = rows[0]?.id ?? 0;
    await uses().reserve(tx, { couponId, orderId, email, soldCents: 1520, savedCents: 380 });
    return orderId;
  });
}

const decide = (orderId: number, status: string) =>
  db.ownerQuery("update orders set status = $2, paid_at = case when $2 <> 'failed' then now() end where id = $1", [
    orderId,
    status,
  ]);
const statesOf = async (couponId: number) =>
  (
    await db.ownerQuery<{ state: string; count: number }>(
      'select state, count(*)::integer as count from coupon_uses where coupon_id = $1 group by state order by state',
      [couponId],
    )
  ).map(({ state, count }) => `${count} ${state}`);
const open = (orderId: number) =>
  db.database.write(SYSTEM, async (tx) => {
    await sql`update orders set status = 'pending' where id = ${orderId}`.execute(tx);
    await uses().reserveAgain(tx, orderId);
  });

test('a code works however it is typed, and without a code no query runs', async () => {
  const id = await coupon({ gallery_ids: [shop.galleryId], minimum_cents: 2000, max_uses: 5 });
  const terms = { id, code: 'HAWKS20', kind: 'percent', value: 2000, minimumCents: 2000 };
  expect(await read([' hawks–20 '])).toEqual({
    coupon: { ...terms, galleryIds: [shop.galleryId], sheetIds: null },
    refused: [],
  });
  expect(await read([])).toEqual({ coupon: null, refused: [] });
});

test('letters that look like digits are read as digits in generated codes only', async () => {
  await coupon({ code: '10ABCDE0', is_made_up: true });
  await coupon({ code: 'COACH101' });
  expect((await read(['loAB-CDEo'])).coupon?.code).toBe('10ABCDE0');
  expect((await read(['coach101'])).coupon?.code).toBe('COACH101');
  expect((await read(['C0ACHIOI'])).refused).toEqual([{ code: 'C0ACHIOI', error: words.CODE_UNKNOWN }]);
});

test('each refusal says why, with days in the seller’s zone', async () => {
  await coupon({ code: 'ENDED', last_day: '2026-10-03' });
  // 3:30 in UTC is the evening before in New York.
  await coupon({ code: 'LASTDAY', last_day: '2026-10-04' });
  await coupon({ code: 'STARTS', first_day: '2026-10-05' });
  await coupon({ code: 'STOPPED', ended_at: NOW });
  const full = await coupon({ code: 'FULL', max_uses: 1 });
  await order(full);
  const mine = await coupon({ code: 'MINE', max_per_person: 1, max_uses: 1 });
  await order(mine, 'Maria@Families.test');
  expect((await read(['ended', 'starts', 'stopped', 'full', 'mine'], 'maria@families.TEST')).refused).toEqual([
    { code: 'ended', error: 'This code ended on 10.03.2026.' },
    { code: 'starts', error: 'This code starts on 10.05.2026.' },
    { code: 'stopped', error: 'This code ended on 10.04.2026.' },
    { code: 'full', error: 'This code has been used up.' },
    { code: 'mine', error: 'You have used this code already.' },
  ]);
  expect((await read(['lastday', 'mine', 'nothing'])).refused).toEqual([
    { code: 'mine', error: 'This code has been used up.' },
    { code: 'nothing', error: 'We do not recognize this code.' },
  ]);
});

test('the first code that can be used is used, a second one is refused, and the same one twice counts once', async () => {
  await coupon({ code: 'FIRST' });
  await coupon({ code: 'SECOND' });
  const { coupon: used, refused } = await read(['first', 'F-I-R-S-T', 'second']);
  expect(used?.code).toBe('FIRST');
  expect(refused).toEqual([{ code: 'second', error: 'One code per order, please. You can add credit codes as well.' }]);
});

test('codes of another seller are unknown', async () => {
  await coupon({ code: 'THEIRS' });
  shop = await openShop(db);
  expect((await read(['theirs'])).refused).toEqual([{ code: 'theirs', error: words.CODE_UNKNOWN }]);
});

test('ten wrong codes in ten minutes block their sender, also for a valid one', async () => {
  await coupon({ code: 'RIGHT' });
  await coupon({ code: 'ENDED', last_day: '2026-10-03' });
  const full = await coupon({ code: 'FULL', max_uses: 1 });
  await order(full);
  for (let round = 0; round < 12; round++) await read(['full', 'right']);
  await read(['wrong1', 'wrong2', 'wrong3', 'wrong4', 'wrong5']);
  await read(['wrong6', 'wrong7', 'wrong8', 'wrong9']);
  expect((await read(['ended'])).refused).toHaveLength(1);
  const tooMany = { code: 'too_many', message: 'Too many codes were tried. Please wait ten minutes.' };
  await expect(read(['right'])).rejects.toMatchObject(tooMany);
  await expect(read(['wrong'])).rejects.toMatchObject(tooMany);
  await expect(read(['ended'])).rejects.toMatchObject(tooMany);
  caller = { ...caller, ip: '198.51.100.7' };
  expect((await read(['right'])).coupon?.code).toBe('RIGHT');
});

test('an ended code takes the same statements as an unknown one, so that the time reveals nothing', async () => {
  await coupon({ code: 'ENDED', last_day: '2026-10-03', max_uses: 5 });
  await coupon({ code: 'STOPPED', ended_at: NOW, max_uses: 5 });
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  const statementsOf = async (code: string) => {
    caller = { ...caller, ip: `203.0.113.${++sender}` };
    sent.mockClear();
    expect((await read([code])).refused).toHaveLength(1);
    return sent.mock.calls.map(([asked]) =>
      typeof asked === 'string' ? asked : JSON.parse(JSON.stringify(asked)).text,
    );
  };
  try {
    await statementsOf('warming');
    const unknown = await statementsOf('nothing');
    expect(unknown.length).toBeGreaterThan(1);
    expect(await statementsOf('ended')).toEqual(unknown);
    expect(await statementsOf('stopped')).toEqual(unknown);
  } finally {
    sent.mockRestore();
  }
});

test('of 40 buyers at once, 25 get a coupon of 25 uses; five declined cards give five uses back', async () => {
  const id = await coupon({ max_uses: 25 });
  const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => order(id)));
  const kept = outcomes.filter((one) => one.status === 'fulfilled').map((one) => one.value);
  expect(kept).toHaveLength(25);
  for (const one of outcomes)
    if (one.status === 'rejected')
      expect(one.reason).toMatchObject({
        code: 'invalid',
        details: { errors: { codes: ['This code has been used up.'] } },
      });
  expect(await statesOf(id)).toEqual(['25 reserved']);
  for (const orderId of kept.slice(0, 5)) await decide(orderId, 'failed');
  for (const orderId of kept.slice(5)) await decide(orderId, 'paid');
  expect(await statesOf(id)).toEqual(['5 released', '20 used']);
  const again = await Promise.allSettled(Array.from({ length: 8 }, () => order(id)));
  expect(again.filter((one) => one.status === 'fulfilled')).toHaveLength(5);
  expect((await read(['hawks20'])).refused).toEqual([{ code: 'hawks20', error: words.CODE_USED_UP }]);
});

test('one person uses a coupon once from many tabs, whatever the capitals of the address', async () => {
  const id = await coupon({ max_per_person: 1 });
  const emails = ['maria@families.test', 'Maria@families.test', 'MARIA@FAMILIES.TEST', ' maria@families.test '];
  const outcomes = await Promise.allSettled(emails.map((email) => order(id, email)));
  expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
  await order(id, 'omar@families.test');
  const stored = await db.ownerQuery<{ person: Buffer }>('select person from coupon_uses where coupon_id = $1', [id]);
  expect(stored.map(({ person }) => person.toString('latin1')).join('')).not.toContain('families');
});

test('an order that is reopened for another card reserves its use again, and fails where none is left', async () => {
  const id = await coupon({ max_uses: 2, max_per_person: 1 });
  const [first, second] = [await order(id), await order(id)];
  await decide(first, 'failed');
  await open(first);
  expect(await statesOf(id)).toEqual(['2 reserved']);
  await decide(first, 'failed');
  await order(id);
  await expect(open(first)).rejects.toMatchObject({ details: { errors: { codes: [words.CODE_USED_UP] } } });
  expect(await db.ownerQuery('select status from orders where id = $1', [first])).toEqual([{ status: 'failed' }]);
  await decide(second, 'paid');
  expect(await statesOf(id)).toEqual(['1 released', '1 reserved', '1 used']);
  // An order that is paid and refunded keeps its use.
  await decide(second, 'refunded');
  expect(await statesOf(id)).toEqual(['1 released', '1 reserved', '1 used']);
});

test('an order that costs nothing uses its coupon immediately', async () => {
  const id = await coupon({ value: 10_000, max_uses: 1 });
  await order(id, undefined, 'paid');
  expect(await statesOf(id)).toEqual(['1 used']);
});

test('a coupon that was ended after the cart was priced is not used', async () => {
  const id = await coupon();
  await db.ownerQuery('update coupons set ended_at = $2 where id = $1', [id, NOW]);
  await expect(order(id)).rejects.toMatchObject({ message: 'This code ended on 10.04.2026.' });
  expect(await statesOf(id)).toEqual([]);
});
