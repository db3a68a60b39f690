/**
 * Opens the infrastructure of one process: database, objects, jobs, limits, cards, keys. What a process needs depends
 * on its role, so each part is opened once here and closed in reverse order, those that take work first.
 */
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createCdn } from '#src/platform/cdn/cdn.ts';
import { systemClock, type Clock } from '#src/platform/clock.ts';
import type { Config } from '#src/platform/config/config.ts';
import type { DatabaseAddresses } from '#src/platform/db/client.ts';
import { openDatabase } from '#src/platform/db/db.ts';
import { createWatchers } from '#src/platform/telemetry/watchers.ts';
import type { BeginSpan } from '#src/platform/telemetry/work.ts';
import type { JobDefinition } from '#src/platform/jobs/jobs.ts';
import type { RenditionWork } from '#src/platform/images/images.ts';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import { openJobs } from '#src/platform/jobs/pg-boss-jobs.ts';
import type { Metrics } from '#src/platform/metrics.ts';
import { createMemoryLimits } from '#src/platform/limits/memory-limits.ts';
import { createRateLimits } from '#src/platform/limits/rate-limits.ts';
import { BY_HAND, type PayoutSender } from '#src/platform/payouts/payouts.ts';
import type { PaymentProvider } from '#src/platform/payments/payments.ts';
import type { ReadProviderEvent } from '#src/platform/payments/provider-events.ts';
import { openSandboxProvider, readSandboxFault } from '#src/platform/payments/sandbox-provider.ts';
import { deriveKey } from '#src/platform/secrets.ts';
import { openDiskStorage, type DiskStorage } from '#src/platform/storage/disk-storage.ts';
import { openFileTransport, openSmtpTransport } from '#src/platform/mail/transports.ts';
import { createEmailSender } from '#src/platform/mail/email-sender.ts';
import type { MailTransport } from '#src/platform/mail/mail.ts';
import { outbox } from '#src/platform/mail/outbox.ts';
import type { Storage } from '#src/platform/storage/storage.ts';

/** The purpose of each key, from which the key is derived: another purpose makes another key. */
const PURPOSES = {
  galleryPasswords: 'gallery passwords',
  unlockProofs: 'gallery unlock proofs',
  visitorCookies: 'visitor cookies',
  contributeKeys: 'contribute keys',
  /** Gives contributors access to their own photos. */
  ownPictures: 'own pictures',
  /** Encrypts the secret card keys of organizations. */
  processorKeys: 'organization card keys',
  /** Distinguishes the senders of requests to hide without storing their addresses. */
  takedownAskers: 'takedown askers',
  /** Signs the keys of pictures that are sent for an organization's settings. */
  settingsUploads: 'settings uploads',
  /** Passwords in rows that wait for their import, and the hashes by which rows and files are recognized. */
  bulkImports: 'bulk imports',
  /** Signs the links that prove an email address. */
  emailProofs: 'email proofs',
  /** Recognizes browsers in which an account was logged in before. */
  knownDevices: 'known devices',
  /** Signs the addresses of public pictures at a CDN. */
  publicPictures: 'public pictures',
  /** Encrypts the signing secrets of webhooks. */
  webhookSecrets: 'webhook secrets',
  /** Counts how often a buyer used a coupon without storing the buyer's address. */
  couponBuyers: 'coupon buyers',
  /** Looks up and encrypts codes of prepaid credit. */
  creditCodes: 'credit codes',
  /** Hashes the codes of family cards for storage. */
  familyCodes: 'family codes',
  /** Encrypts the codes of family cards, which can be printed again. */
  familyCards: 'family cards',
  /** Signs the cookie with the family cards that a browser has opened. */
  familyCookies: 'family cookies',
  /** Encrypts the keys in emails about new photos. */
  watchKeys: 'watch keys',
} as const;

export type Keys = Record<keyof typeof PURPOSES, Buffer>;

export type Platform = Awaited<ReturnType<typeof openPlatform>>;

type PlatformOptions = {
  config: Config;
  addresses: DatabaseAddresses;
  log: Logger;
  /** "web 1", "worker": shown by the database. */
  processName: string;
  /** Every job of the product. */
  jobDefinitions: readonly JobDefinition<unknown>[];
  /** True in the process that handles jobs. */
  works: boolean;
  /**
   * The longest wait for a database session; two seconds when absent. Longer for processes that no user waits for: they also
   * wait for a database that hangs.
   */
  slotWaitMs?: number;
  clock?: Clock;
  /** Observes jobs, statements and calls to other systems; absent or null: nothing does. */
  metrics?: Metrics | null;
  /** Begins spans; absent or null: tracing is off. */
  begin?: BeginSpan | null;
};

/** For each web process, in addition to the ten shared ones: an order has four short transactions. */
const CHECKOUT_CONNECTIONS = 3;
/** A user is waiting meanwhile. */
const PREVIEW_TIMEOUT_MS = 8_000;

export function deriveKeys(appSecret: string): Keys {
  const keys = Object.entries(PURPOSES).map(([name, purpose]) => [name, deriveKey(appSecret, purpose)]);
  return Object.fromEntries(keys) as Keys;
}

type Closable = { close(): Promise<void> };

/**
 * Collects what is opened, and closes it: first, and in parallel, what takes work from the database, then the others in
 * reverse order.
 */
function collectParts() {
  const takers: Closable[] = [];
  const others: Closable[] = [];
  const addTo =
    (list: Closable[]) =>
    <T extends Closable>(part: T): T => {
      list.unshift(part);
      return part;
    };
  return {
    opened: addTo(others),
    takesWork: addTo(takers),
    async close() {
      // Each waits up to 20 s for work in progress; one after the other they would take new work meanwhile, and the
      // total is 25 s.
      await Promise.all(takers.splice(0).map((taker) => taker.close()));
      for (const part of others.splice(0)) await part.close();
    },
  };
}

/** Opens everything or nothing: what was opened before a failure is closed again. */
export async function openPlatform(options: PlatformOptions) {
  const { config, addresses, log, clock = systemClock } = options;
  const { opened, takesWork, close } = collectParts();
  const onError = (error: Error) => log.warn({ err: error }, 'a database session broke');
  const sessions = { url: addresses.appUrl, role: addresses.appRole };
  const { works, slotWaitMs } = options;
  // If no user is waiting, a machine that is busy for a few seconds is not an outage.
  const waiting = slotWaitMs === undefined ? { reportsSilence: !works } : { slotWaitMs };
  const watch = createWatchers(options);
  try {
    const database = opened(
      await openDatabase({
        ...sessions,
        ...waiting,
        applicationName: `sideline ${options.processName}`,
        replica: works ? null : config.replica,
        checkoutConnections: works ? 0 : CHECKOUT_CONNECTIONS,
        onError,
        onStatement: watch.statement,
      }),
    );
    watch.pools(database);
    const disk = config.s3 ? null : opened(watch.store(await openDisk(config, clock)));
    const storage: Storage = disk ?? opened(watch.store(await openS3(config.s3)));
    const jobs = takesWork(
      await openJobs({
        ...sessions,
        applicationName: `sideline ${options.processName} jobs`,
        definitions: options.jobDefinitions,
        works,
        log,
        ...watch.jobs,
      }),
    );
    const mailTransport = opened(watch.mail(openMailTransport(config)));
    const emailSender = takesWork(createEmailSender({ database, mailTransport, log, ...watch.jobs }));
    const sandbox = config.stripe ? null : opened(openSandbox({ ...sessions, ...waiting, clock, onError }));
    const previews = opened(openPictureLab({ concurrency: 1, timeoutMs: PREVIEW_TIMEOUT_MS }));
    const payments = watch.cards(sandbox ?? opened(await openStripe(config.stripe, log)));
    const keys = deriveKeys(config.appSecret);
    return {
      config,
      log,
      /** Begins the spans of requests; null: tracing is off. */
      begin: options.begin ?? null,
      observeCall: watch.call,
      clock,
      database,
      storage,
      /** The disk driver when objects are on disk: it handles uploads itself. */
      disk,
      jobs,
      /** Every job of the product. */
      jobDefinitions: options.jobDefinitions,
      limits: createRateLimits({ database, factor: config.rateLimitFactor }),
      memoryLimits: createMemoryLimits({ factor: config.rateLimitFactor }),
      outbox,
      /** Begins to send when the worker starts. */
      emailSender,
      payments,
      /** Reads the card provider's webhooks; null without their signing secret. */
      readProviderEvent: await openEventReader(config),
      /** The sandbox when cards are not real: it creates tokens. */
      sandbox,
      /** Transfers the money of payouts. */
      payoutSender: BY_HAND as PayoutSender,
      /** Draws previews of watermarks; its process starts with the first and ends when it is idle. */
      previews: previews as Pick<RenditionWork, 'preview'>,
      keys,
      cdn: createCdn({ settings: config.cdn, key: keys.publicPictures, clock, jobs }),
      /** Called with the outcome of each attempt of a job. */
      observeJob: options.metrics?.observeJob ?? (() => undefined),
      /** Called with 1 when a job begins, and with -1 when it ends. */
      countWork: options.metrics?.countWork ?? (() => undefined),
      /** Something else that takes work from the database: closed with the queue, and so before the database is. */
      takesWork,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function openSandbox(options: Omit<Parameters<typeof openSandboxProvider>[0], 'fault'>) {
  return openSandboxProvider({ ...options, fault: readSandboxFault(process.env.SANDBOX_FAULT) });
}

async function openDisk(config: Config, clock: Clock): Promise<DiskStorage> {
  return openDiskStorage({
    folder: join(config.dataDir, 'objects'),
    signingSecret: deriveKey(config.appSecret, 'upload policies'),
    baseDomain: config.baseDomain,
    clock,
    freeSpace: config.freeSpace,
  });
}

function openMailTransport(config: Config): MailTransport {
  if (config.smtpUrl !== null) return openSmtpTransport({ url: config.smtpUrl, from: config.mailFrom });
  return openFileTransport({ folder: join(config.dataDir, 'outbox'), from: config.mailFrom });
}

// The libraries of services that most installations do not use take about 30 MB in each process: they are loaded only if needed.
async function openStripe(stripe: Config['stripe'], log: Logger): Promise<PaymentProvider> {
  if (!stripe) throw new Error('Stripe is not configured');
  const { openStripeProvider } = await import('#src/platform/payments/stripe-provider.ts');
  return openStripeProvider({ ...stripe, log });
}

async function openS3(s3: Config['s3']): Promise<Storage> {
  if (!s3) throw new Error('S3 is not configured');
  const { openS3Storage } = await import('#src/platform/storage/s3-storage.ts');
  return openS3Storage(s3);
}

async function openEventReader(config: Config): Promise<ReadProviderEvent | null> {
  if (!config.stripe?.webhookSecret) return null;
  const { stripeEventReader } = await import('#src/platform/payments/provider-events.ts');
  return stripeEventReader(config.stripe.webhookSecret);
}
