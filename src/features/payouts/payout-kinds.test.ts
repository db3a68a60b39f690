/**
 * Whether an order is due is decided twice: for a payout by `planPayouts`, and for the review, which counts all orders of
 * all organizations, by `judgedOrders` in SQL. Both must say the same.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createLedgerService } from '#src/features/ledger/ledger.service.ts';
import { listReview } from '#src/features/payouts/payout-lists.sql.ts';
import { holdEnds, planPayouts } from '#src/features/payouts/payouts.rules.ts';
import { listPaidOut } from '#src/features/payouts/payouts.sql.ts';
import { cents } from '#src/shared/money.ts';
import { sellDue, shareOf, type DuePlan } from '#tests/support/due-orders.ts';
import { settleAnother } from '#tests/support/neighborhood.ts';
import { reportCharge, type Afterwards } from '#tests/support/refunds.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
const AMOUNT = 4_000;
const dispute = (status: 'open' | 'won' | 'lost', amount = AMOUNT): Afterwards => ({
  disputes: [{ id: `dp_${randomUUID()}`, amountCents: cents(amount), status, reason: 'fraudulent' }],
});

type Case = { sold?: Omit<DuePlan, 'amounts'>; isPaidOut?: boolean; afterwards?: Afterwards };

test.each<[string, Case, string]>([
  ['an old sale', {}, 'due'],
  ['a new sale', { sold: { daysAgo: 10 } }, 'tooNew'],
  ['a sale of the last day', { sold: { daysAgo: 30.01 } }, 'due'],
  ['a sale on the seller’s own account', { sold: { processor: 'custom' } }, 'none'],
  ['a partly refunded sale', { afterwards: { refundedCents: 1_000 } }, 'due'],
  ['a new sale that is partly refunded', { sold: { daysAgo: 10 }, afterwards: { refundedCents: 1_000 } }, 'tooNew'],
  ['a refunded sale', { afterwards: { refundedCents: AMOUNT } }, 'carry'],
  ['a sale of which a part is disputed', { afterwards: dispute('open', 1_000) }, 'disputed'],
  ['a new sale of which a part is disputed', { sold: { daysAgo: 10 }, afterwards: dispute('open', 1_000) }, 'disputed'],
  ['a sale that is disputed as a whole', { afterwards: dispute('open') }, 'carry'],
  ['a sale with a won dispute', { afterwards: dispute('won') }, 'due'],
  ['a sale with a lost dispute', { afterwards: dispute('lost') }, 'carry'],
  ['a sale that was paid out', { isPaidOut: true }, 'none'],
  ['a sale that was paid out and refunded', { isPaidOut: true, afterwards: { refundedCents: 1_000 } }, 'carry'],
])('the review and a payout agree about %s', async (_, { sold, isPaidOut = false, afterwards }, kind) => {
  const people = await settleAnother(server);
  const [order] = await sellDue(server, people.hawks.id, { amounts: [AMOUNT], ...sold });
  if (isPaidOut) {
    const paid = await server.call({
      method: 'POST',
      url: '/api/v1/payouts',
      as: people.tokens.admin,
      payload: {
        reviewed_at: new Date().toISOString(),
        organizations: [{ id: people.hawks.id, amount: shareOf(AMOUNT) / 100 }],
      },
    });
    expect(paid.statusCode, paid.body).toBe(200);
  }
  if (afterwards) await reportCharge(server, order?.vanityId ?? '', afterwards);
  // A large due sale, so that the payout has lines also where the order takes something off.
  const [large] = await sellDue(server, people.hawks.id, { amounts: [100_000] });

  const organizationIds = [people.hawks.id];
  const wanted = [order?.id ?? 0, large?.id ?? 0];
  const paidUntil = holdEnds(new Date(), 30);
  const ledger = createLedgerService(server.platform);
  const { review, payables, planned } = await server.platform.database.write(
    { kind: 'system', why: 'test' },
    async (tx) => {
      const facts = new Map((await server.app.orders.lockPayableOrders(tx, wanted)).map((each) => [each.id, each]));
      const open = await ledger.openPayables(tx, organizationIds);
      const paidOut = new Map([...(await listPaidOut(tx, wanted))].map(([id, { payoutId }]) => [id, payoutId]));
      const [row] = await listReview(tx, { paidUntil, organizationIds });
      const plan = planPayouts({ wanted, facts, payables: open, paidOut, paidUntil, alone: true });
      return { review: row, payables: open, planned: plan };
    },
  );
  const lines = planned.drafts[0]?.lines ?? [];
  const ofLines = (of: 'sale' | 'carry') =>
    lines.filter((line) => line.kind === of).reduce((sum, line) => sum + line.amountCents, 0);
  const against = (reason: string) =>
    payables
      .filter(
        ({ orderId }) => planned.reasons.get(orderId) === reason && !lines.some((line) => line.orderId === orderId),
      )
      .reduce((sum, { payableCents }) => sum + payableCents, 0);
  expect(review).toMatchObject({
    due: ofLines('sale'),
    carry: ofLines('carry'),
    tooNew: against('too_new'),
    disputed: against('disputed'),
  });
  const { due = 0, carry, tooNew, disputed } = review ?? {};
  const all = { due: due - shareOf(100_000), carry, tooNew, disputed };
  expect(Object.entries(all).flatMap(([name, sum]) => (sum === 0 ? [] : name))).toEqual(kind === 'none' ? [] : [kind]);
});
