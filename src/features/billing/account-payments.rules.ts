/** A payment for an account, as the modules hand it around. */
import type { Cents } from '#src/shared/money.ts';

export type PaymentKind = 'sign_up' | 'upgrade' | 'renewal';
export type PaidCard = { brand: string; last4: string; expMonth: number; expYear: number };

/** What the provider said of a charge that succeeded. */
export type ChargedFacts = { chargeId: string; feeCents: Cents | null; card: PaidCard; savedCard: string | null };

/** A sign-up that is paid and has no account yet: kept by anyone who makes the account, or refunded. */
export type SignUpPayment = { id: number; amountCents: Cents };

/** A payment with all that settling it needs. */
export type AccountPayment = {
  id: number;
  kind: PaymentKind;
  organizationId: number | null;
  subscriptionId: number | null;
  idempotencyKey: string;
  amountCents: Cents;
  periodStart: Date | null;
  sentAt: Date | null;
  payerName: string;
  payerEmail: string;
};
