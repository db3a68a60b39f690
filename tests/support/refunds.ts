/** What the card provider does to a sale later, with its events: the sandbox has no dashboard for it. */
import { createChargeStatus } from '#src/features/refunds/charge-status.service.ts';
import { createCredit } from '#src/features/credit/credit.service.ts';
import { createLedgerService } from '#src/features/ledger/ledger.service.ts';
import type { ChargeStatus } from '#src/platform/payments/payments.ts';
import { cents } from '#src/shared/money.ts';
import type { TestServer } from '#tests/support/test-server.ts';

export type Afterwards = { refundedCents?: number; disputes?: ChargeStatus['disputes'] };

/** The total refunded for an order so far; or its payment is disputed. */
export async function reportCharge(
  server: TestServer,
  vanityId: string,
  { refundedCents = 0, disputes = [] }: Afterwards,
): Promise<void> {
  const [charge] = await server.data.ownerQuery<{ key: string; amount: number; ref: string; fee: number | null }>(
    `select c.idempotency_key::text as key, c.amount_cents as amount, c.provider_ref as ref, c.fee_cents as fee
       from payment_attempts c join orders o on o.id = c.order_id where o.vanity_id = $1 and c.kind = 'charge' and c.state = 'succeeded'`,
    [vanityId],
  );
  if (!charge) throw new Error('this order was not charged');
  const status: ChargeStatus = {
    idempotencyKey: charge.key,
    amountCents: cents(charge.amount),
    refundedCents: cents(refundedCents),
    disputes,
    outcome: {
      state: 'succeeded',
      chargeId: charge.ref,
      savedCard: null,
      feeCents: charge.fee === null ? null : cents(charge.fee),
      card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040 },
    },
  };
  const chargeStatus = createChargeStatus({
    ...server.platform,
    payments: { ...server.platform.payments, chargeStatus: async () => status },
    ledger: createLedgerService(server.platform),
    credit: createCredit(server.platform),
    settlement: { recover: async () => null },
    photos: server.app.photos,
    galleries: server.app.galleries,
  });
  await chargeStatus.checkCharge(charge.ref);
}
