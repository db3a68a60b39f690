import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cents } from '#src/shared/money.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';
import type { ChargeRequest } from './payments.ts';
import {
  openSandboxProvider,
  readSandboxFault,
  sandboxFee,
  type SandboxFault,
  type SandboxProvider,
} from './sandbox-provider.ts';
import { listCharges } from '#tests/support/sandbox-books.ts';

const db = useTestDatabase();
let provider: SandboxProvider;
const opened: SandboxProvider[] = [];

function open(fault: SandboxFault = 'normal'): SandboxProvider {
  const another = openSandboxProvider({ url: db.appUrl, fault, maxConnections: 6 });
  opened.push(another);
  return another;
}
beforeAll(() => {
  provider = open();
});
afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()));
});

const visa = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123', zip: '12345' };
const tokenOf = async (number = visa.number) => (await provider.createToken({ ...visa, number })).id;

let keys = 0;
async function request(changes: Partial<ChargeRequest> = {}): Promise<ChargeRequest> {
  const source = changes.source ?? { token: await tokenOf() };
  return {
    idempotencyKey: `key-${++keys}`,
    amountCents: cents(1500),
    description: 'Photos',
    metadata: { order: 'v1', shop: 'a' },
    ...changes,
    source,
  };
}
const chargesOf = async (key: string) => (await listCharges(db)).filter((charge) => charge.idempotency_key === key);

describe('a token', () => {
  test('shows the card and hides the number', async () => {
    const token = await provider.createToken(visa);
    expect(token).toEqual({
      id: expect.stringMatching(/^tok_[\w-]{24}$/),
      card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040 },
    });
    expect(await provider.cardOf(token.id)).toEqual({ brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040 });
    const kept = await db.ownerQuery('select * from sandbox_provider.tokens where id = $1', [token.id]);
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toMatch(/42424242|"123"/);
  });

  test('pays once', async () => {
    const token = await tokenOf();
    expect(await provider.charge(await request({ source: { token } }))).toMatchObject({ state: 'succeeded' });
    expect(await provider.cardOf(token)).toBeNull();
    expect(await provider.charge(await request({ source: { token } }))).toMatchObject({
      state: 'declined',
      code: 'token_already_used',
    });
  });

  test('pays once even when two charges come at the same time', async () => {
    const token = await tokenOf();
    const both = await Promise.all([
      provider.charge(await request({ source: { token } })),
      provider.charge(await request({ source: { token } })),
    ]);
    expect(both.map((outcome) => outcome.state).toSorted()).toEqual(['declined', 'succeeded']);
  });

  test('expires after ten minutes', async () => {
    const [young, old] = [await tokenOf(), await tokenOf()];
    await db.ownerQuery(
      "update sandbox_provider.tokens set created_at = now() - interval '9 minutes 50 seconds' where id = $1",
      [young],
    );
    await db.ownerQuery(
      "update sandbox_provider.tokens set created_at = now() - interval '10 minutes 1 second' where id = $1",
      [old],
    );
    expect(await provider.cardOf(young)).not.toBeNull();
    expect(await provider.cardOf(old)).toBeNull();
    expect(await provider.charge(await request({ source: { token: old } }))).toMatchObject({
      state: 'declined',
      code: 'token_expired',
    });
    expect(await provider.cardOf('tok_unknown')).toBeNull();
    expect(await provider.charge(await request({ source: { token: 'tok_unknown' } }))).toMatchObject({
      state: 'declined',
      code: 'resource_missing',
    });
  });
});

describe('a charge', () => {
  test.each([
    ['4000000000000002', 'Your card was declined.', 'card_declined'],
    ['4000000000009995', 'Your card has insufficient funds.', 'card_declined'],
    ['4000000000000069', 'Your card has expired.', 'expired_card'],
    ['4000000000000127', "Your card's security code is incorrect.", 'incorrect_cvc'],
    [
      '4000000000000119',
      'An error occurred while processing your card. Try again in a little bit.',
      'processing_error',
    ],
  ])('of %s is declined: %s', async (number, message, code) => {
    const asked = await request({ source: { token: await tokenOf(number) } });
    expect(await provider.charge(asked)).toEqual({ state: 'declined', message, code });
    expect(await provider.findCharge(asked)).toEqual({ state: 'declined', message, code });
    expect(await chargesOf(asked.idempotencyKey)).toMatchObject([{ status: 'declined', fee_cents: 0 }]);
  });

  test('has its fee and its card, and can be found by its key', async () => {
    const asked = await request();
    const outcome = await provider.charge(asked);
    expect(outcome).toEqual({
      state: 'succeeded',
      chargeId: expect.stringMatching(/^ch_/),
      feeCents: 74,
      card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040 },
      savedCard: null,
    });
    expect(await provider.findCharge(asked)).toEqual({ ...outcome, amountCents: 1500 });
    expect(await chargesOf(asked.idempotencyKey)).toMatchObject([
      { amount_cents: 1500, fee_cents: 74, metadata: { order: 'v1', shop: 'a' }, refunded_cents: 0 },
    ]);
  });

  test('with the same key and content returns the same charge, also ten times concurrently', async () => {
    const asked = await request();
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => provider.charge({ ...asked, metadata: { shop: 'a', order: 'v1' } })),
    );
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(outcomes[0]).toMatchObject({ state: 'succeeded' });
    expect(await chargesOf(asked.idempotencyKey)).toHaveLength(1);
  });

  test.each<[string, Partial<ChargeRequest>]>([
    ['another amount', { amountCents: cents(1501) }],
    ['another card', { source: { token: 'tok_else' } }],
    ['a card to be kept', { keepCard: { email: 'pat@example.test', name: 'Pat' } }],
    ['the keys of a seller', { account: { organizationId: 7, secretKey: 'sk_test_x' } }],
    ['another description', { description: 'Prints' }],
    ['other metadata', { metadata: { order: 'v2', shop: 'a' } }],
  ])('with the same key and %s is refused', async (_what, changes) => {
    const asked = await request();
    await provider.charge(asked);
    expect(await provider.charge({ ...asked, ...changes })).toMatchObject({
      state: 'declined',
      code: 'idempotency_error',
    });
    expect(await chargesOf(asked.idempotencyKey)).toMatchObject([{ amount_cents: 1500 }]);
  });

  test('with a known key and another card leaves that card unused', async () => {
    const asked = await request();
    await provider.charge(asked);
    const token = await tokenOf();
    expect(await provider.charge({ ...asked, source: { token } })).toMatchObject({ code: 'idempotency_error' });
    expect(await provider.charge(await request({ source: { token } }))).toMatchObject({ state: 'succeeded' });
  });

  test('that was closed before it was sent can never happen', async () => {
    const asked = await request();
    expect(await provider.findCharge(asked)).toEqual({ state: 'absent' });
    expect(await provider.findCharge(asked)).toEqual({ state: 'absent' });
    expect(await provider.charge(asked)).toMatchObject({ state: 'declined', code: 'idempotency_key_closed' });
    expect(await chargesOf(asked.idempotencyKey)).toEqual([]);
    expect(await provider.cardOf('token' in asked.source ? asked.source.token : '')).not.toBeNull();
  });

  test('and a search for it agree, whichever comes first', async () => {
    for (let round = 0; round < 10; round++) {
      const asked = await request();
      const [outcome, found] = await Promise.all([provider.charge(asked), provider.findCharge(asked)]);
      expect(found.state).toBe(outcome.state === 'succeeded' ? 'succeeded' : 'absent');
      expect(await chargesOf(asked.idempotencyKey)).toHaveLength(outcome.state === 'succeeded' ? 1 : 0);
    }
  });

  test('whose response is lost has happened, once, however often it is searched for', async () => {
    const faulty = open('lose_reply_after_charge');
    const asked = await request();
    expect(await faulty.charge(asked)).toMatchObject({ state: 'unknown' });
    expect(await faulty.charge(asked)).toMatchObject({ state: 'unknown' });
    expect(await faulty.findCharge(asked)).toMatchObject({ state: 'succeeded', amountCents: 1500 });
    expect(await chargesOf(asked.idempotencyKey)).toHaveLength(1);
  });

  test('that fails before it begins has not happened', async () => {
    const faulty = open('fail_before_charge');
    const asked = await request();
    expect(await faulty.charge(asked)).toMatchObject({ state: 'unknown' });
    expect(await faulty.findCharge(asked)).toEqual({ state: 'absent' });
    expect(await chargesOf(asked.idempotencyKey)).toEqual([]);
  });

  test('has an unknown outcome while the database does not answer', async () => {
    const lost = openSandboxProvider({ url: 'postgres://nobody@127.0.0.1:1/none' });
    expect(await lost.charge(await request())).toMatchObject({ state: 'unknown' });
    expect(await lost.findCharge({ idempotencyKey: 'any' })).toMatchObject({ state: 'unknown' });
    await expect(lost.createToken(visa)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(lost.cardOf('tok_any')).rejects.toMatchObject({ code: 'unavailable' });
    await lost.close();
  });

  test('waits for a session as long as its process allows', async () => {
    const silentServer = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silentServer, 'listening');
    const { port } = silentServer.address() as AddressInfo;
    const patient = openSandboxProvider({ url: `postgres://nobody@127.0.0.1:${port}/none`, slotWaitMs: 4_000 });
    const startedAt = performance.now();
    await expect(patient.createToken(visa)).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - startedAt).toBeGreaterThan(3_900);
    await patient.close();
    silentServer.close();
  });
});

describe('a stored card', () => {
  test('can be charged again without the cardholder, any number of times', async () => {
    const first = await request({ keepCard: { email: 'pat@example.test', name: 'Pat Doe' } });
    const outcome = await provider.charge(first);
    if (outcome.state !== 'succeeded' || !outcome.savedCard) throw new Error('the card was not kept');
    expect(await provider.charge(first)).toEqual(outcome);
    expect(await provider.findCharge(first)).toMatchObject({ savedCard: outcome.savedCard });
    for (const amountCents of [cents(8900), cents(8900)])
      expect(await provider.charge(await request({ source: { savedCard: outcome.savedCard }, amountCents }))).toEqual({
        state: 'succeeded',
        chargeId: expect.stringMatching(/^ch_/),
        feeCents: 288,
        card: outcome.card,
        savedCard: outcome.savedCard,
      });
  });

  test('is not stored unless requested, nor when it is declined', async () => {
    expect(await provider.charge(await request())).toMatchObject({ savedCard: null });
    await provider.charge(
      await request({
        source: { token: await tokenOf('4000000000000002') },
        keepCard: { email: 'none@example.test', name: '' },
      }),
    );
    expect(
      await db.ownerQuery("select from sandbox_provider.saved_cards where email = 'none@example.test'"),
    ).toHaveLength(0);
    expect(await provider.charge(await request({ source: { savedCard: 'card_unknown' } }))).toMatchObject({
      state: 'declined',
      code: 'resource_missing',
    });
  });
});

describe('a refund', () => {
  async function paid(): Promise<string> {
    const outcome = await provider.charge(await request());
    if (outcome.state !== 'succeeded') throw new Error('not paid');
    return outcome.chargeId;
  }

  test('returns parts up to the whole, and not more', async () => {
    const chargeId = await paid();
    expect(
      await provider.refund({ idempotencyKey: `r1-${chargeId}`, chargeId, amountCents: cents(1000) }),
    ).toMatchObject({ state: 'succeeded' });
    expect(
      await provider.refund({ idempotencyKey: `r2-${chargeId}`, chargeId, amountCents: cents(501) }),
    ).toMatchObject({ state: 'declined', code: 'amount_too_large' });
    expect(
      await provider.refund({ idempotencyKey: `r3-${chargeId}`, chargeId, amountCents: cents(500) }),
    ).toMatchObject({ state: 'succeeded' });
    expect(await provider.refund({ idempotencyKey: `r4-${chargeId}`, chargeId, amountCents: cents(1) })).toMatchObject({
      state: 'declined',
      code: 'charge_already_refunded',
    });
    expect((await listCharges(db)).find((charge) => charge.id === chargeId)?.refunded_cents).toBe(1500);
  });

  test('with the same key happens once, also five times concurrently, and not with another amount', async () => {
    const chargeId = await paid();
    const asked = { idempotencyKey: `again-${chargeId}`, chargeId, amountCents: cents(700) };
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => provider.refund(asked)));
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect((await listCharges(db)).find((charge) => charge.id === chargeId)?.refunded_cents).toBe(700);
    expect(await provider.refund({ ...asked, amountCents: cents(1) })).toMatchObject({
      state: 'declined',
      code: 'idempotency_error',
    });
  });

  test('requires a paid charge', async () => {
    const declined = await request({ source: { token: await tokenOf('4000000000000002') } });
    await provider.charge(declined);
    const [booked] = await chargesOf(declined.idempotencyKey);
    for (const chargeId of ['ch_unknown', booked?.id ?? '']) {
      expect(await provider.refund({ idempotencyKey: `n-${chargeId}`, chargeId, amountCents: cents(1) })).toMatchObject(
        { state: 'declined', code: 'resource_missing' },
      );
    }
  });
});

test.each([
  [100, 33],
  [50, 31],
  [1500, 74],
  [1583, 76],
  [8900, 288],
  [1, 30],
  [1_000_000, 29_030],
])('the fee of %i cents is %i', (amount, fee) => {
  expect(sandboxFee(cents(amount))).toBe(fee);
});

test('a fault is triggered by name', () => {
  expect(readSandboxFault(undefined)).toBe('normal');
  expect(readSandboxFault('lose_reply_after_charge')).toBe('lose_reply_after_charge');
  expect(() => readSandboxFault('sometimes')).toThrow('SANDBOX_FAULT must be normal');
});
