/**
 * Renews subscriptions automatically: an email two weeks before, the stored card on the day, a few more tries after a decline,
 * and then the free tier. One that a member has stopped ends with its period. Each period is charged once, however often the job runs.
 */
import type { AccountCharging } from '#src/features/billing/account-charging.service.ts';
import { addDays, NOTICE_DAYS } from '#src/features/billing/subscriptions.rules.ts';
import * as accountPaymentsSql from '#src/features/billing/account-payments.sql.ts';
import { ACCOUNT_MONEY, type AccountSettlement } from '#src/features/billing/account-settlement.service.ts';
import { NO_CARD_ON_FILE } from '#src/features/billing/billing.contract.ts';
import { renewalNoticeEmail } from '#src/features/billing/billing.mail.tsx';
import { PREMIUM_PLAN } from '#src/features/tenancy/plans.rules.ts';
import * as subscriptionsSql from '#src/features/billing/subscriptions.sql.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { Platform } from '#src/platform/platform.ts';
import type { SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { cents } from '#src/shared/money.ts';

/** Subscriptions in one run. */
const AT_MOST = 200;

type SubscriptionIds = { id: number; organizationId: number };

type RenewalsDeps = Pick<Platform, 'database' | 'outbox' | 'clock'> & {
  charging: AccountCharging;
  settlement: AccountSettlement;
  organizations: Pick<OrganizationService, 'forget'>;
  origin: SiteOrigin;
  log: { error(details: object, message: string): void };
};

/** Stores the payment of a due period. Null when it is no longer due, or is settled here without a card. */
async function openPayment(ctx: RenewalsDeps, { id, organizationId }: SubscriptionIds) {
  return ctx.database.write(ACCOUNT_MONEY, async (tx) => {
    const subscriber = await subscriptionsSql.lockSubscriber(tx, organizationId);
    const subscription = await subscriptionsSql.lockLive(tx, id);
    const now = ctx.clock.now();
    if (!subscriber || !subscription) return null;
    const { chargeOn, periodEnd, stoppedAt } = subscription;
    if ((stoppedAt === null ? chargeOn : periodEnd) > now) return null;
    if (subscriber.isDeleted) {
      await subscriptionsSql.markEnded(tx, id, now);
      return null;
    }
    if (stoppedAt !== null) {
      await ctx.settlement.end(tx, subscription, subscriber, null);
      return null;
    }
    if (subscription.savedCard === null) {
      await ctx.settlement.decline(tx, subscription, subscriber, NO_CARD_ON_FILE);
      return null;
    }
    const payment = await accountPaymentsSql.insertPayment(tx, {
      kind: 'renewal',
      organizationId,
      userId: null,
      subscriptionId: id,
      plan: subscription.plan,
      amountCents: cents(subscription.priceCents),
      periodStart: subscription.periodEnd,
      payerName: subscription.payerName,
      payerEmail: subscription.payerEmail,
    });
    return payment ? { payment, savedCard: subscription.savedCard, name: subscriber.name } : null;
  });
}

async function renew(ctx: RenewalsDeps, due: SubscriptionIds): Promise<void> {
  const opened = await openPayment(ctx, due);
  // Its plan may have ended.
  if (!opened) return ctx.organizations.forget(due.organizationId);
  await ctx.charging.charge(opened.payment, {
    source: { savedCard: opened.savedCard },
    description: `Sideline ${PREMIUM_PLAN.name}, one year: ${opened.name}`,
  });
}

async function announce(ctx: RenewalsDeps, { id, organizationId }: SubscriptionIds): Promise<void> {
  await ctx.database.write(ACCOUNT_MONEY, async (tx) => {
    const subscriber = await subscriptionsSql.lockSubscriber(tx, organizationId);
    const subscription = await subscriptionsSql.lockLive(tx, id);
    if (!subscriber || subscriber.isDeleted || !subscription || subscription.stoppedAt !== null) return;
    const { periodEnd, priceCents, payerName, payerEmail, cardBrand, cardLast4 } = subscription;
    if (subscription.announcedEnd?.getTime() === periodEnd.getTime()) return;
    await subscriptionsSql.markAnnounced(tx, id, periodEnd);
    const about = { payer: { name: payerName, email: payerEmail }, subscriber, origin: ctx.origin };
    const card = { brand: cardBrand, last4: cardLast4 };
    await ctx.outbox.queueEmail(tx, renewalNoticeEmail(about, { subscriptionId: id, priceCents, periodEnd, card }));
  });
}

/** One after another; an error is logged, and the next one follows. */
async function each(
  ctx: RenewalsDeps,
  subscriptions: readonly SubscriptionIds[],
  work: typeof renew | typeof announce,
): Promise<void> {
  for (const ids of subscriptions) {
    try {
      await work(ctx, ids);
    } catch (error) {
      ctx.log.error({ err: error, subscriptionId: ids.id }, 'a subscription could not be renewed or announced');
    }
  }
}

/** Sends due emails and charges due cards, by the platform's clock. Two runs at the same time are safe. */
export async function renewDue(ctx: RenewalsDeps): Promise<void> {
  const now = ctx.clock.now();
  const before = addDays(now, NOTICE_DAYS);
  const unannounced = await ctx.database.read(ACCOUNT_MONEY, (db) =>
    subscriptionsSql.listUnannounced(db, { now, before, limit: AT_MOST }),
  );
  await each(ctx, unannounced, announce);
  const due = await ctx.database.read(ACCOUNT_MONEY, (db) => subscriptionsSql.listDue(db, now, AT_MOST));
  await each(ctx, due, renew);
}

export const createRenewals = (deps: RenewalsDeps) => bind(deps, { renewDue });
