/**
 * What an account pays the platform: the yearly plan at sign-up or by an upgrade, its renewal or end, and promo codes instead. Buyers'
 * orders are another module.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { createAccountPlans } from '#src/features/billing/account-plan.service.ts';
import { createAccountCharging, type AccountChargingDeps } from '#src/features/billing/account-charging.service.ts';
import {
  ACCOUNT_MONEY,
  createAccountSettlement,
  type AccountSettlementDeps,
} from '#src/features/billing/account-settlement.service.ts';
import { sweepAccountPaymentsJob } from '#src/features/billing/billing.jobs.ts';
import { createPromoCodes } from '#src/features/billing/promo-codes.service.ts';
import { createRenewals } from '#src/features/billing/renewals.service.ts';
import { createSignUpPayments } from '#src/features/billing/sign-up-payments.service.ts';
import { createUpgrades, type UpgradeDeps } from '#src/features/billing/upgrades.service.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import { bind } from '#src/shared/bind.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';

export type { SignUpPayment } from '#src/features/billing/subscriptions.rules.ts';

type BillingDeps = AccountSettlementDeps &
  Omit<AccountChargingDeps, 'settlement' | 'ledger'> & {
    organizations: OrganizationService;
    accounts: UpgradeDeps['accounts'];
    limits: Limits;
    jobs: Pick<Jobs, 'enqueue'>;
    audit: AuditRecorder;
  };
export type BillingService = ReturnType<typeof createBillingService>;

type Context = ReturnType<typeof contextOf>;

function contextOf(deps: BillingDeps) {
  const settlement = createAccountSettlement(deps);
  const charging = createAccountCharging({ ...deps, settlement });
  const promoCodes = createPromoCodes(deps);
  return { ...deps, settlement, charging, promoCodes };
}

/** Like `promoIsValid`, for the organization of this host; false if it accepts no codes. @throws too_many */
export async function promoIsValidAt(ctx: Context, caller: Caller, code: string, hostLabel: string | null) {
  const organization = hostLabel === null ? null : await ctx.organizations.byHostLabel(hostLabel);
  return ctx.promoCodes.promoIsValid(caller, code, organization?.id ?? 0);
}

/** Only one of these jobs is queued at a time, however many processes plan it. */
export async function planSweep(ctx: Context): Promise<void> {
  await ctx.database.write(ACCOUNT_MONEY, (tx) =>
    ctx.jobs.enqueue(tx, sweepAccountPaymentsJob, null, { singletonKey: 'next' }),
  );
}

export function createBillingService(deps: BillingDeps) {
  const ctx = contextOf(deps);
  return {
    ...ctx.promoCodes,
    ...createSignUpPayments(ctx),
    ...createUpgrades(ctx),
    ...createRenewals(ctx),
    ...createAccountPlans(ctx),
    sweep: ctx.charging.sweep,
    hasLeftBehind: ctx.charging.hasLeftBehind,
    ...bind(ctx, { promoIsValidAt, planSweep }),
  };
}
