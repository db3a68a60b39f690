/**
 * Members see the plan of their account, stop its renewal, and let it renew after all. A stopped plan stays until the end of
 * the paid year; one that is past due ends immediately.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import * as accountPaymentsSql from '#src/features/billing/account-payments.sql.ts';
import { ACCOUNT_MONEY, type AccountSettlement } from '#src/features/billing/account-settlement.service.ts';
import * as words from '#src/features/billing/billing.contract.ts';
import { renewalNoticeEmail, renewalStoppedEmail } from '#src/features/billing/billing.mail.tsx';
import { chargedNever } from '#src/features/billing/subscriptions.rules.ts';
import * as subscriptionsSql from '#src/features/billing/subscriptions.sql.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { planOf } from '#src/features/tenancy/plans.rules.ts';
import type { Platform } from '#src/platform/platform.ts';
import type { SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { toDollars } from '#src/shared/money.ts';
import { notFound, problem } from '#src/shared/problem.ts';

type AccountPlanDeps = Pick<Platform, 'database' | 'clock' | 'outbox'> & {
  organizations: Pick<OrganizationService, 'byId' | 'forget'>;
  settlement: Pick<AccountSettlement, 'end'>;
  audit: AuditRecorder;
  origin: SiteOrigin;
};

function presentPlan(organization: Organization, live: subscriptionsSql.Subscription | null): words.AccountPlan {
  return {
    plan: planOf(organization),
    subscription: live && {
      price: toDollars(live.priceCents),
      paid_until: live.periodEnd.toISOString(),
      renews: live.stoppedAt === null,
      past_due: live.status === 'past_due',
      card_brand: live.cardBrand,
      card_last4: live.cardLast4,
    },
  };
}

/** @throws unauthenticated; not_found for other organizations */
export async function accountPlan(ctx: AccountPlanDeps, caller: Caller, organizationId: number) {
  const organization = await editedBy(ctx.organizations, caller, organizationId);
  const live = await ctx.database.read(ACCOUNT_MONEY, (db) => subscriptionsSql.findLive(db, organization.id));
  return presentPlan(organization, live);
}

/**
 * Whether the plan renews. Saying the same again changes nothing; a plan that stopping has ended is no longer one.
 * @throws unauthenticated; not_found for other organizations; conflict without a yearly plan, or while a payment is undecided
 */
export async function setRenewal(ctx: AccountPlanDeps, caller: Caller, organizationId: number, renews: boolean) {
  const organization = await editedBy(ctx.organizations, caller, organizationId);
  const hasEnded = await ctx.database.write(ACCOUNT_MONEY, async (tx) => {
    const subscriber = await subscriptionsSql.lockSubscriber(tx, organization.id);
    if (!subscriber || subscriber.isDeleted) throw notFound();
    const before = await subscriptionsSql.lockLiveOf(tx, organization.id);
    if (!before) throw problem('conflict', words.NOTHING_RENEWS);
    if ((before.stoppedAt === null) === renews) return false;
    if (await accountPaymentsSql.hasUndecided(tx, organization.id)) throw problem('conflict', words.RENEWAL_UNDER_WAY);
    const { id, periodEnd } = before;
    // The payer was erased meanwhile, with their card.
    if (renews && before.savedCard === null) throw problem('conflict', words.NO_CARD_ON_FILE);
    const now = ctx.clock.now();
    await ctx.audit.record(tx, caller, {
      action: renews ? 'plan.renewal_resumed' : 'plan.renewal_stopped',
      organizationId: organization.id,
      object: ['organization', organization.id],
    });
    // Past due: nothing of the plan is paid for now.
    if (!renews && periodEnd <= now) {
      await ctx.settlement.end(tx, before, subscriber, null);
      return true;
    }
    const stoppedAt = renews ? null : now;
    await subscriptionsSql.setStopped(tx, id, { stoppedAt, chargeOn: renews ? periodEnd : chargedNever(periodEnd) });
    const about = { payer: { name: before.payerName, email: before.payerEmail }, subscriber, origin: ctx.origin };
    const card = { brand: before.cardBrand, last4: before.cardLast4 };
    const { priceCents } = before;
    const email = renews
      ? renewalNoticeEmail(about, { subscriptionId: id, priceCents, periodEnd, card, resumedAt: now })
      : renewalStoppedEmail(about, { subscriptionId: id, stoppedAt: now, periodEnd });
    await ctx.outbox.queueEmail(tx, email);
    return false;
  });
  if (hasEnded) ctx.organizations.forget(organization.id);
  return accountPlan(ctx, caller, organization.id);
}

export const createAccountPlans = (deps: AccountPlanDeps) => bind(deps, { accountPlan, setRenewal });
