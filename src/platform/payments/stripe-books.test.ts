/**
 * Stripe's books through the adapter, from a local stand-in: every movement, page by page, and the sandbox's in the
 * same shapes.
 */
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BookLine } from '#src/platform/payments/payments.ts';
import { openStripeProvider, type StripeProvider } from '#src/platform/payments/stripe-provider.ts';
import { cents } from '#src/shared/money.ts';
import { startStripeStandIn, type StandIn } from '#tests/support/stripe-stand-in/stand-in.ts';

let stripe: StandIn;
let provider: StripeProvider;
// Books of its own for each test.
beforeEach(async () => {
  stripe = await startStripeStandIn();
  const { secretKey, url: apiBase } = stripe;
  provider = openStripeProvider({ secretKey, apiBase, log: pino({ level: 'silent' }) });
});
afterEach(() => stripe.close());

let keys = 0;
async function charge(amount: number, key = `books-${++keys}`): Promise<string> {
  const outcome = await provider.charge({
    idempotencyKey: key,
    source: { token: stripe.books.makeToken('4242424242424242') },
    amountCents: cents(amount),
    description: 'Photos',
    metadata: { order: `order of ${key}` },
  });
  if (outcome.state !== 'succeeded') throw new Error(outcome.state);
  return outcome.chargeId;
}
const refund = (chargeId: string, amount: number, idempotencyKey: string) =>
  provider.refund({ idempotencyKey, chargeId, amountCents: cents(amount) });

async function lines(from = new Date(Date.now() - 60_000), to = new Date(Date.now() + 60_000)): Promise<BookLine[]> {
  const all: BookLine[] = [];
  for await (const page of provider.books?.({ from, to }) ?? []) all.push(...page);
  return all;
}

describe('the provider’s books', () => {
  test('have charges with their keys and fees, refunds, disputes and transfers to our bank', async () => {
    const [first, second] = [await charge(1_000, 'first'), await charge(2_000)];
    await refund(first, 400, 'refund-1');
    stripe.books.openDispute(second, 2_000);
    const payout = stripe.books.payOut();
    const read = await lines();
    const of = (kind: BookLine['kind']) => read.filter((line) => line.kind === kind);
    expect(of('charge')).toHaveLength(2);
    expect(of('charge').find(({ chargeRef }) => chargeRef === first)).toMatchObject({
      amountCents: 1_000,
      feeCents: 59,
      idempotencyKey: 'first',
      orderRef: 'order of first',
    });
    expect(of('refund')).toEqual([expect.objectContaining({ chargeRef: first, amountCents: -400 })]);
    expect(of('dispute')).toEqual([expect.objectContaining({ chargeRef: second, amountCents: -2_000 })]);
    expect(of('payout')).toEqual([
      expect.objectContaining({ ref: payout.id, amountCents: -payout.amount, partsCents: payout.amount }),
    ]);
    expect(read.some(({ kind }) => kind === 'other')).toBe(false);
  });

  test('are read to their end, however many pages there are, and not beyond the requested range', async () => {
    for (let count = 0; count < 230; count++) await charge(100 + count);
    expect((await lines()).filter(({ kind }) => kind === 'charge')).toHaveLength(230);
    expect(await lines(new Date(0), new Date(1_000))).toEqual([]);
  });

  test('that cannot be read are an error, not empty', async () => {
    const away = openStripeProvider({
      secretKey: 'sk_test_of_nobody',
      apiBase: stripe.url,
      log: pino({ level: 'silent' }),
    });
    await expect(
      (async () => {
        for await (const _page of away.books?.({ from: new Date(0), to: new Date() }) ?? []) break;
      })(),
    ).rejects.toThrow('Invalid API Key');
  });
});

describe('a refund whose response was lost', () => {
  test('is found by its key among those of its charge', async () => {
    const chargeId = await charge(900);
    const asked = { idempotencyKey: 'lost-1', chargeId, amountCents: cents(300) };
    expect(await provider.findRefund(asked)).toEqual({ state: 'absent' });
    stripe.failNext(/refunds/, 'drop_reply', 5);
    expect((await provider.refund(asked)).state).toBe('unknown');
    stripe.heal();
    expect((await provider.findRefund(asked)).state).toBe('succeeded');
    expect(await provider.findRefund({ ...asked, idempotencyKey: 'lost-2' })).toEqual({ state: 'absent' });
  });

  test('of a charge that was refunded in the dashboard is reported as such', async () => {
    const chargeId = await charge(700);
    stripe.books.refund(chargeId, null);
    expect(await refund(chargeId, 700, 'late')).toMatchObject({ state: 'declined', code: 'charge_already_refunded' });
  });
});
