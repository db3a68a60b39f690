/**
 * What an account pays the platform: the yearly plan at sign-up or by an upgrade, its renewal, and promo codes in its
 * place. Buyers' orders are another room's.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { createAccountCharging, type AccountChargingDeps } from '#src/features/billing/account-charging.service.ts';
import {
  ACCOUNT_MONEY,
  createAccountSettlement,
  type AccountSettlementDeps,
} from '#src/features/billing/account-settlement.service.ts';
import { sweepAccountPaymentsJob } from '#src/features/billing/billing.jobs.ts';
import { createDeclineLimits } from '#src/features/billing/decline-limits.service.ts';
import { createPromoCodes } from '#src/features/billing/promo-codes.service.ts';
import { createRenewals } from '#src/features/billing/renewals.service.ts';
import { createSignUpPayments } from '#src/features/billing/sign-up-payments.service.ts';
import { createUpgrades, type UpgradeDeps } from '#src/features/billing/upgrades.service.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';

export type { SignUpPayment } from '#src/features/billing/account-payments.rules.ts';

export type BillingDeps = AccountSettlementDeps &
  Omit<AccountChargingDeps, 'settlement' | 'ledger'> & {
    organizations: OrganizationService;
    payerOf: UpgradeDeps['payerOf'];
    limits: Limits;
    jobs: Pick<Jobs, 'enqueue'>;
  };
export type BillingService = ReturnType<typeof createBillingService>;

export function createBillingService(deps: BillingDeps) {
  const { database, jobs, organizations } = deps;
  const declines = createDeclineLimits(deps);
  const settlement = createAccountSettlement(deps);
  const charging = createAccountCharging({ ...deps, settlement });
  const promoCodes = createPromoCodes(deps);

  return {
    ...promoCodes,
    ...createSignUpPayments({ database, charging, settlement, declines }),
    ...createUpgrades({ ...deps, charging, declines }),
    ...createRenewals({ ...deps, charging, settlement }),
    sweep: charging.sweep,

    /** As `promoIsValid`, at the organization whose host this is; false where it takes no codes. @throws too_many */
    async promoIsValidAt(caller: Caller, code: string, hostLabel: string | null): Promise<boolean> {
      const organization = hostLabel === null ? null : await organizations.byHostLabel(hostLabel);
      return promoCodes.promoIsValid(caller, code, organization?.id ?? 0);
    },

    /** One sweep waits at a time, whoever plans it. */
    async planSweep(afterSeconds: number): Promise<void> {
      await database.write(ACCOUNT_MONEY, (tx) =>
        jobs.enqueue(tx, sweepAccountPaymentsJob, null, { startAfterSeconds: afterSeconds, singletonKey: 'next' }),
      );
    },
  };
}
