import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  holdEnds,
  needsSecondPerson,
  planPayouts,
  reasonAgainst,
  type OrderFacts,
  type PlanInput,
} from '#src/features/payouts/payouts.rules.ts';

const PAID_UNTIL = new Date('2026-05-01T12:00:00Z');
const order = (changes: Partial<OrderFacts> = {}): OrderFacts => ({
  id: 1,
  organizationId: 7,
  status: 'paid',
  processor: 'platform',
  paidAt: new Date('2026-04-01T12:00:00Z'),
  isInDispute: false,
  ...changes,
});

test('the hold ends a number of whole days before now', () => {
  expect(holdEnds(new Date('2026-05-31T12:00:00Z'), 30)).toEqual(PAID_UNTIL);
  expect(holdEnds(PAID_UNTIL, 0)).toEqual(PAID_UNTIL);
});

describe('an order', () => {
  test.each<[string, OrderFacts | undefined, number, ReturnType<typeof reasonAgainst>]>([
    ['that is due', order(), 1, null],
    ['of which a part was refunded', order({ status: 'partially_refunded' }), 1, null],
    ['paid at the very end of the hold', order({ paidAt: PAID_UNTIL }), 1, null],
    ['paid a moment later', order({ paidAt: new Date(PAID_UNTIL.getTime() + 1) }), 1, 'too_new'],
    ['that is unknown', undefined, 1, 'unknown'],
    ['that is pending', order({ status: 'pending', paidAt: null }), 0, 'unpaid'],
    ['that failed', order({ status: 'failed', paidAt: null }), 0, 'unpaid'],
    ['of an own account', order({ processor: 'custom' }), 0, 'own_account'],
    ['that is disputed', order({ status: 'disputed', isInDispute: true }), 1, 'disputed'],
    ['whose dispute was lost', order({ status: 'disputed' }), -59, 'disputed'],
    ['whose dispute of a part was lost', order({ status: 'disputed' }), 1, null],
    ['that was refunded', order({ status: 'refunded' }), -59, 'refunded'],
    ['that was refunded and deducted elsewhere', order({ status: 'refunded' }), 1, null],
    ['that cost nothing', order(), 0, 'nothing_left'],
    ['that costs more than it brought', order(), -1, 'nothing_left'],
  ])('%s', (_what, facts, payable, reason) => {
    expect(reasonAgainst(facts, payable, PAID_UNTIL)).toBe(reason);
  });
});

const planOf = (changes: Partial<PlanInput>) =>
  planPayouts({
    wanted: [],
    facts: new Map(),
    payables: [],
    paidOut: new Map(),
    paidUntil: PAID_UNTIL,
    alone: false,
    ...changes,
  });

describe('a plan', () => {
  const facts = new Map([
    [1, order()],
    [2, order({ id: 2, paidAt: new Date('2026-04-03T12:00:00Z') })],
    [3, order({ id: 3, organizationId: 8 })],
  ]);

  test('creates one payout per organization, with everything that is carried over', () => {
    const { drafts, reasons } = planOf({
      wanted: [1, 2, 3],
      facts,
      payables: [
        { orderId: 1, organizationId: 7, payableCents: 100 },
        { orderId: 2, organizationId: 7, payableCents: 200 },
        { orderId: 3, organizationId: 8, payableCents: 50 },
        { orderId: 4, organizationId: 7, payableCents: -30 },
        { orderId: 5, organizationId: 7, payableCents: 5 },
        { orderId: 6, organizationId: 7, payableCents: 1_000 },
      ],
      paidOut: new Map([
        [4, 11],
        [5, 11],
      ]),
    });
    expect(reasons.size).toBe(0);
    expect(drafts).toEqual([
      {
        organizationId: 7,
        lines: [
          { orderId: 1, amountCents: 100, kind: 'sale' },
          { orderId: 2, amountCents: 200, kind: 'sale' },
          { orderId: 4, amountCents: -30, kind: 'carry' },
          { orderId: 5, amountCents: 5, kind: 'carry' },
        ],
        amountCents: 275,
        orderCount: 2,
        salesFrom: new Date('2026-04-01T12:00:00Z'),
        salesTo: new Date('2026-04-03T12:00:00Z'),
      },
      expect.objectContaining({ organizationId: 8, amountCents: 50 }),
    ]);
  });

  test.each([
    [-100, 'exactly as much as is due'],
    [-101, 'more than is due'],
  ])('holds an organization that owes %i: %s', (payableCents) => {
    const { drafts, reasons, sums } = planOf({
      wanted: [1],
      facts,
      payables: [
        { orderId: 1, organizationId: 7, payableCents: 100 },
        { orderId: 4, organizationId: 7, payableCents },
      ],
    });
    expect([drafts, reasons.get(1), sums.get(7)]).toEqual([[], 'negative_balance', 100 + payableCents]);
  });

  test('pays released money alone only on request', () => {
    const freed = { payables: [{ orderId: 4, organizationId: 7, payableCents: 30 }], paidOut: new Map([[4, 11]]) };
    expect(planOf(freed).drafts).toEqual([]);
    expect(planOf({ ...freed, alone: true }).drafts).toMatchObject([
      { amountCents: 30, orderCount: 0, salesFrom: null, salesTo: null },
    ]);
  });

  test('never pays zero or less, nor an order twice, and its sums are its lines', () => {
    const ids = fc.integer({ min: 1, max: 30 });
    fc.assert(
      fc.property(
        fc.uniqueArray(ids),
        fc.uniqueArray(fc.tuple(ids, fc.integer({ min: -500, max: 500 })), { selector: ([id]) => id }),
        fc.uniqueArray(ids),
        fc.boolean(),
        (wanted, owed, paid, alone) => {
          const { drafts } = planOf({
            wanted,
            alone,
            facts: new Map(Array.from({ length: 30 }, (_, id) => [id, order({ id, organizationId: id % 3 })])),
            payables: owed.map(([orderId, payableCents]) => ({
              orderId,
              payableCents,
              organizationId: orderId % 3,
            })),
            paidOut: new Map(paid.map((id) => [id, 1])),
          });
          const sales = drafts.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'sale'));
          expect(new Set(sales.map(({ orderId }) => orderId)).size).toBe(sales.length);
          expect(sales.every(({ orderId }) => wanted.includes(orderId) && !paid.includes(orderId))).toBe(true);
          for (const { amountCents, lines, organizationId } of drafts) {
            expect(amountCents).toBeGreaterThan(0);
            expect(lines.reduce((sum, line) => sum + line.amountCents, 0)).toBe(amountCents);
            // No one is sent more than what they are owed in total.
            const positive = owed.filter(([id, cents]) => id % 3 === organizationId && cents > 0);
            expect(amountCents).toBeLessThanOrEqual(positive.reduce((sum, [, cents]) => sum + cents, 0));
          }
        },
      ),
    );
  });
});

test.each([
  [100, null, false],
  [99, 100, false],
  [100, 100, true],
])('%i cents above a threshold of %s: %s', (amount, threshold, needs) => {
  expect(needsSecondPerson(amount, threshold)).toBe(needs);
});
