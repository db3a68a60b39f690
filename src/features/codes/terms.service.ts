/**
 * Platform admins set what an organization pays and keeps, and its flags. The share applies to future orders: each
 * order stores its own (rule 18). Terms may not contradict a paid subscription: such an account is not moved to the
 * free tier, and an Enterprise contract ends the yearly charge.
 */
import { requirePlatformAdmin, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import * as accountPaymentsSql from '#src/features/billing/account-payments.sql.ts';
import * as subscriptionsSql from '#src/features/billing/subscriptions.sql.ts';
import * as words from '#src/features/codes/terms.contract.ts';
import { changedTerms, type Terms } from '#src/features/codes/terms.rules.ts';
import { planOf } from '#src/features/tenancy/plans.rules.ts';
import { ORGANIZATION_NOT_FOUND } from '#src/features/tenancy/organizations.contract.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { publicDay } from '#src/shared/dates.ts';
import { bind } from '#src/shared/bind.ts';
import { columnsOf, present } from '#src/shared/field-names.ts';
import { pick } from '#src/shared/form-values.ts';
import { fieldProblem, notFound, problem } from '#src/shared/problem.ts';

const OFFICE = { kind: 'system', why: 'platform admins agree the terms of any organization' } as const;

const FLAGS = ['takesPromoCodes', 'reportsBuyerColumns', 'shownOnHomePage'] as const;

export type TermsService = ReturnType<typeof createTerms>;
type Live = subscriptionsSql.Subscription | null;

type TermsDeps = Pick<Platform, 'database' | 'clock'> & {
  organizations: Pick<OrganizationService, 'forget' | 'findTerms' | 'setTerms'>;
  audit: AuditRecorder;
};

async function termsOf(ctx: TermsDeps, db: Reader, id: number): Promise<Terms> {
  const row = await ctx.organizations.findTerms(db, id);
  if (!row) throw notFound(ORGANIZATION_NOT_FOUND);
  return {
    plan: planOf({ freeTier: row.free_tier, shareBps: row.share_bps }),
    shareBps: row.share_bps,
    takesPromoCodes: row.takes_promo_codes,
    reportsBuyerColumns: row.reports_buyer_columns,
    shownOnHomePage: row.shown_on_home_page,
  };
}

/** At most two entries: payment and share, and the flags. With values before and after. */
async function record(
  ctx: TermsDeps,
  tx: Writer,
  caller: Caller,
  id: number,
  change: { before: Terms; after: Terms; endedSubscription: boolean },
): Promise<void> {
  const { before, after, endedSubscription } = change;
  const write = (action: string, details: Record<string, string | number | boolean>) =>
    ctx.audit.record(tx, caller, {
      action: `organization.${action}`,
      organizationId: id,
      object: ['organization', id],
      details,
    });
  if (before.plan !== after.plan || before.shareBps !== after.shareBps)
    await write('plan_changed', {
      plan_before: before.plan,
      plan: after.plan,
      share_bps_before: before.shareBps,
      share_bps: after.shareBps,
      ...(endedSubscription ? { subscription_ended: true } : {}),
    });
  if (FLAGS.some((flag) => before[flag] !== after[flag]))
    await write('flags_changed', {
      takes_promo_codes_before: before.takesPromoCodes,
      takes_promo_codes: after.takesPromoCodes,
      reports_buyer_columns_before: before.reportsBuyerColumns,
      reports_buyer_columns: after.reportsBuyerColumns,
      shown_on_home_page_before: before.shownOnHomePage,
      shown_on_home_page: after.shownOnHomePage,
    });
}

/** @throws conflict if the new plan contradicts a running or finished payment */
async function refuseAgainstPayments(
  tx: Writer,
  change: { id: number; before: Terms; after: Terms; live: Live; timeZone: string },
): Promise<void> {
  const { id, before, after, live, timeZone } = change;
  if (before.plan === after.plan && live === null) return;
  if (await accountPaymentsSql.hasUndecided(tx, id)) throw problem('conflict', words.PAYMENT_UNDER_WAY);
  if (live && after.plan === 'free') throw problem('conflict', words.stillPaidFor(publicDay(live.periodEnd, timeZone)));
  if (live && before.plan === 'free') throw problem('conflict', words.SUBSCRIPTION_IS_PAID);
}

function presentTerms(id: number, terms: Terms, live: Live): words.TermsAnswer {
  const subscription =
    live && present(words.subscriptionAnswer, { ...live, paidUntil: live.periodEnd, renews: live.stoppedAt === null });
  return present(words.termsAnswer, { id, ...terms, keepsPercent: (10_000 - terms.shareBps) / 100, subscription });
}

/** @throws unauthenticated; forbidden; not_found */
export async function read(ctx: TermsDeps, caller: Caller, id: number): Promise<words.TermsAnswer> {
  requirePlatformAdmin(caller.actor);
  return ctx.database.read(OFFICE, async (db) =>
    presentTerms(id, await termsOf(ctx, db, id), await subscriptionsSql.findLive(db, id)),
  );
}

/**
 * Changes the given fields. The organization's row is locked first, like in payments.
 * @throws unauthenticated; forbidden; not_found; invalid; conflict if a payment contradicts it
 */
export async function change(ctx: TermsDeps, caller: Caller, id: number, changes: words.TermsChanges) {
  requirePlatformAdmin(caller.actor);
  const answer = await ctx.database.write(OFFICE, async (tx) => {
    const subscriber = await subscriptionsSql.lockSubscriber(tx, id);
    if (!subscriber || subscriber.isDeleted) throw notFound(ORGANIZATION_NOT_FOUND);
    const before = await termsOf(ctx, tx, id);
    const live = await subscriptionsSql.findLive(tx, id);
    const changed = changedTerms(before, changes);
    if ('errors' in changed) throw fieldProblem(changed.errors);
    const { terms: after } = changed;
    const changesPlan = changes.plan !== undefined || changes.keeps_percent !== undefined;
    const { timeZone } = subscriber;
    if (changesPlan) await refuseAgainstPayments(tx, { id, before, after, live, timeZone });
    const endedSubscription = changesPlan && live !== null && after.plan === 'enterprise';
    if (endedSubscription) await subscriptionsSql.markEnded(tx, live.id, ctx.clock.now());
    await ctx.organizations.setTerms(tx, id, {
      free_tier: after.plan === 'free',
      share_bps: after.shareBps,
      ...columnsOf(pick(after, FLAGS)),
    });
    await record(ctx, tx, caller, id, { before, after, endedSubscription });
    return presentTerms(id, after, endedSubscription ? null : live);
  });
  ctx.organizations.forget(id);
  return answer;
}

export const createTerms = (deps: TermsDeps) => bind(deps, { read, change });
