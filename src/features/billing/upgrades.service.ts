/**
 * A member upgrades an account of the free tier to Premium: the payment is stored as sent, the card is charged once
 * even with simultaneous requests, and success, subscription, posting and receipt are written together.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AccountCharging } from '#src/features/billing/account-charging.service.ts';
import type { AccountPayment } from '#src/features/billing/subscriptions.rules.ts';
import * as accountPaymentsSql from '#src/features/billing/account-payments.sql.ts';
import * as words from '#src/features/billing/billing.contract.ts';
import { refuseAfterDeclines, throwDecline } from '#src/features/billing/decline-limits.service.ts';
import { PREMIUM_PLAN } from '#src/features/tenancy/plans.rules.ts';
import * as subscriptionsSql from '#src/features/billing/subscriptions.sql.ts';
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tenantScope } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';

type Payer = { userId: number; name: string; email: string };

type Upgraded =
  | { state: 'upgraded'; affiliate: Organization; card: words.ShownCard }
  /** The outcome is not known yet; the recovery job finds out. With a secret 3-D Secure waits for the cardholder. */
  | { state: 'pending'; affiliate: Organization; clientSecret: string | null };

export type UpgradeDeps = Pick<Platform, 'database' | 'limits'> & {
  charging: AccountCharging;
  organizations: Pick<OrganizationService, 'byId' | 'forget'>;
  accounts: Pick<AccountService, 'currentUser'>;
};

/** Who pays: the signed-in caller. */
async function payerOf(ctx: UpgradeDeps, caller: Caller): Promise<Payer> {
  const { id, first_name, last_name, email } = await ctx.accounts.currentUser(caller);
  return { userId: id, name: `${first_name} ${last_name}`, email };
}

/** @throws not_found; conflict when it is already premium or another upgrade is being paid. */
async function startPayment(ctx: UpgradeDeps, organization: Organization, payer: Payer): Promise<AccountPayment> {
  return ctx.database.write(tenantScope(organization.id), async (tx) => {
    const subscriber = await subscriptionsSql.lockSubscriber(tx, organization.id);
    if (!subscriber || subscriber.isDeleted) throw notFound();
    if (!subscriber.freeTier) throw problem('conflict', words.ALREADY_UPGRADED);
    const payment = await accountPaymentsSql.insertPayment(tx, {
      kind: 'upgrade',
      organizationId: organization.id,
      userId: payer.userId,
      subscriptionId: null,
      periodStart: null,
      plan: 'premium',
      amountCents: PREMIUM_PLAN.yearlyPriceCents,
      payerName: payer.name,
      payerEmail: payer.email,
    });
    if (!payment) throw problem('conflict', words.UPGRADE_RUNNING);
    return payment;
  });
}

/**
 * @throws unauthenticated; not_found for other organizations; conflict "already upgraded" or being paid; card_refused
 * (402) in the provider's words; too_many after five declines in ten minutes
 */
export async function upgrade(
  ctx: UpgradeDeps,
  caller: Caller,
  { affiliate_id, token }: words.ChargeBody,
): Promise<Upgraded> {
  const organization = await editedBy(ctx.organizations, caller, affiliate_id);
  const payer = await payerOf(ctx, caller);
  await refuseAfterDeclines(ctx, caller, payer.email);
  const payment = await startPayment(ctx, organization, payer);
  const charged = await ctx.charging.charge(payment, {
    source: { token },
    keepCard: { email: payer.email, name: payer.name },
    description: `Sideline ${PREMIUM_PLAN.name}, one year: ${organization.name}`,
  });
  if (charged.state === 'declined') return throwDecline(ctx, caller, payer.email, charged);
  if (charged.state === 'unknown') return { state: 'pending', affiliate: organization, clientSecret: null };
  if (charged.state === 'requires_action')
    return { state: 'pending', affiliate: organization, clientSecret: charged.clientSecret };
  if (charged.settled === 'to_refund') throw problem('conflict', words.ALREADY_UPGRADED);
  const { last4, expMonth, expYear } = charged.card;
  return {
    state: 'upgraded',
    affiliate: { ...organization, freeTier: false },
    card: { last4, exp_month: expMonth, exp_year: expYear },
  };
}

/** The status of the newest upgrade, for members. @throws unauthenticated; not_found for others. */
export async function upgradeState(ctx: UpgradeDeps, caller: Caller, affiliateId: number): Promise<words.UpgradeState> {
  const organization = await editedBy(ctx.organizations, caller, affiliateId);
  const last = await ctx.database.read(tenantScope(organization.id), (db) =>
    accountPaymentsSql.findLastUpgrade(db, organization.id),
  );
  if (!last) return { status: 'none', error: null };
  if (last.state === 'succeeded') return { status: 'paid', error: null };
  if (last.state === 'failed') return { status: 'failed', error: last.error };
  // Paid for an account that had become premium meanwhile: the payment is refunded.
  if (last.state === 'refunding' || last.state === 'refunded')
    return { status: 'failed', error: words.ALREADY_UPGRADED };
  return { status: 'pending', error: null };
}

export const createUpgrades = (deps: UpgradeDeps) => bind(deps, { upgrade, upgradeState });
