/** The smallest shop, with its real routes, database, card provider, ledger, outbox and job queue. */
import pino from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { createAccountService, type AccountService } from '#src/features/accounts/accounts.service.ts';
import { createAuditService } from '#src/features/audit/audit.service.ts';
import { createOfferReading } from '#src/features/offers/offer-reading.service.ts';
import { createAllowanceUses } from '#src/features/allowances/allowance-uses.service.ts';
import { createCredit, type CreditService } from '#src/features/credit/credit.service.ts';
import { creditShopRoutes } from '#src/features/credit-shop/credit-shop.routes.ts';
import { createCreditShop, type CreditShop } from '#src/features/credit-shop/credit-shop.service.ts';
import { createCouponUses } from '#src/features/coupons/coupon-uses.service.ts';
import { createFrozenSheets } from '#src/features/offers/frozen-sheets.service.ts';
import { createGalleryService } from '#src/features/galleries/galleries.service.ts';
import { createLedgerService } from '#src/features/ledger/ledger.service.ts';
import { sendFoundOrdersJob } from '#src/features/find-my-order/find-orders.jobs.ts';
import { refundHiddenJob, recoverOrderJob, sweepOrdersJob } from '#src/features/orders/orders.jobs.ts';
import { createFindOrders, type FindOrders } from '#src/features/find-my-order/find-orders.service.ts';
import { findOrderRoutes } from '#src/features/find-my-order/find-orders.routes.ts';
import { orderRoutes } from '#src/features/orders/orders.routes.ts';
import type { CountingDeps } from '#src/features/orders/settlement.service.ts';
import { createOrderService, type OrderService } from '#src/features/orders/orders.service.ts';
import { createTaxTable } from '#src/features/taxes/tax-table.service.ts';
import { createOrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { addPhotoSales } from '#src/features/photos/photo-writes.sql.ts';
import { createPhotoReading } from '#src/features/photos/reading.service.ts';
import { buildServer, type BuiltServer } from '#src/http/build-server.ts';
import { sandboxTokenRoutes } from '#src/http/sandbox-tokens.ts';
import { createCdn } from '#src/platform/cdn/cdn.ts';
import { systemClock } from '#src/platform/clock.ts';
import { installJobSchema } from '#src/platform/jobs/job-schema.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import { openJobs } from '#src/platform/jobs/pg-boss-jobs.ts';
import { catchUpEventsJob, readEventJob, sweepEventsJob } from '#src/features/refunds/refunds.jobs.ts';
import { createMemoryLimits } from '#src/platform/limits/memory-limits.ts';
import { createRateLimits } from '#src/platform/limits/rate-limits.ts';
import { outbox } from '#src/platform/mail/outbox.ts';
import { createProcessorKeys, type ProcessorKeyService } from '#src/features/tenancy/processor-keys.service.ts';
import type { PaymentProvider } from '#src/platform/payments/payments.ts';
import { deriveKeys } from '#src/platform/platform.ts';
import { openSandboxProvider, type SandboxProvider } from '#src/platform/payments/sandbox-provider.ts';
import { siteOrigin } from '#src/shared/addresses.ts';
import type { TestDatabase } from '#tests/support/test-database.ts';

export const HOST = 'www.sideline.localhost';

export type CheckoutRig = {
  built: BuiltServer;
  orders: OrderService;
  findOrders: FindOrders;
  accounts: AccountService;
  sandbox: SandboxProvider;
  jobs: Jobs;
  processorKeys: ProcessorKeyService;
  notices: { galleryIds: readonly number[]; vanityId: string }[];
  counters: CountingDeps;
  credit: CreditService;
  creditShop: CreditShop;
  /** Another process of the same shop, with its own provider behavior. */
  another(payments: PaymentProvider): OrderService;
};

export type RigOptions = {
  /** Declines and orders of a whole file come from one address: the limit must not slow most files down. */
  limitFactor?: number;
};

/** Call at the top of a test file; the fields are set from the first `beforeAll` on. */
export function useCheckout(db: TestDatabase, options: RigOptions = {}): CheckoutRig {
  const rig = {} as CheckoutRig;
  const closers: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    await installJobSchema(db.ownerUrl);
    const { database } = db;
    const log = pino({ level: 'silent' });
    const clock = systemClock;
    const limits = createRateLimits({ database, factor: options.limitFactor ?? 1000 });
    const jobs = await openJobs({
      url: db.appUrl,
      role: db.appRole,
      applicationName: 'test shop',
      definitions: [
        recoverOrderJob,
        sendFoundOrdersJob,
        sweepOrdersJob,
        refundHiddenJob,
        readEventJob,
        sweepEventsJob,
        catchUpEventsJob,
      ],
      works: true,
      log,
    });
    // A busy machine is not an outage.
    const sandbox = openSandboxProvider({ url: db.appUrl, maxConnections: 6, slotWaitMs: 15_000 });
    closers.push(
      () => jobs.close(),
      () => sandbox.close(),
    );
    const keys = deriveKeys('a secret of the test shop');
    const cdn = createCdn({ settings: null, key: keys.publicPictures, clock, jobs });
    const accounts = createAccountService({ database, limits, clock });
    const organizations = createOrganizationService({ database, storage: undefined as never, clock });
    const galleries = createGalleryService({
      database,
      clock,
      organizations,
      audit: createAuditService({ database, limits, organizations }),
      limits,
      keys,
      cdn,
      offers: createOfferReading({ clock, organizations }),
    });
    // Rows without pictures: nothing can be downloaded from this shop.
    const noPictures = {
      soldCopies: async () => new Map(),
      soldCopy: () => Promise.reject(new Error('no pictures here')),
    };
    const photos = { ...createPhotoReading({ database, clock, cdn, galleries }), recordSales: addPhotoSales };
    const notices: CheckoutRig['notices'] = [];
    const processorKeys = createProcessorKeys({
      database,
      keys,
      payments: sandbox,
    });
    const origin = siteOrigin('sideline.localhost', 3000);
    const credit = createCredit({ database, limits, keys });
    const selling = (payments: PaymentProvider) => ({
      database,
      payments,
      jobs,
      outbox,
      limits,
      memoryLimits: createMemoryLimits({ factor: options.limitFactor ?? 1000 }),
      clock,
      log,
      ledger: createLedgerService({ database }),
      processorKeys,
      photos,
      pictures: noPictures,
      organizations,
      allowances: createAllowanceUses({ database }),
      families: { familyAthletes: async () => [] },
      coupons: createCouponUses({ database, limits, clock, keys }),
      credit,
      sheets: createFrozenSheets({ database }),
      taxFor: createTaxTable({ database, clock }),
      origin,
      galleries: {
        ...galleries,
        announceOrderPaid: async (notice: CheckoutRig['notices'][number]) => void notices.push(notice),
      },
    });
    const shop = (payments: PaymentProvider) => createOrderService(selling(payments));
    const audit = createAuditService({ database, limits, organizations });
    const creditShop = createCreditShop({ ...selling(sandbox), audit, accounts });
    const orders = shop(sandbox);
    const findOrders = createFindOrders({ database, limits, jobs, outbox, origin });
    const built = await buildServer({
      log,
      baseDomain: 'sideline.localhost',
      metricsToken: null,
      caller: { actorOf: accounts.actorOf, visitorOf: () => null },
      observe: () => undefined,
      takeRequest: () => undefined,
      modules: [
        orderRoutes(orders),
        creditShopRoutes(creditShop),
        findOrderRoutes(findOrders),
        sandboxTokenRoutes(sandbox),
      ],
    });
    closers.unshift(() => built.server.close());
    Object.assign(rig, {
      built,
      orders,
      findOrders,
      accounts,
      sandbox,
      jobs,
      processorKeys,
      notices,
      counters: { photos, galleries },
      credit,
      creditShop,
      another: shop,
    } satisfies CheckoutRig);
  });

  afterAll(async () => {
    for (const close of closers) await close();
  });
  return rig;
}
