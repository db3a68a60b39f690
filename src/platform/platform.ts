/**
 * Opens the machines of one process: database, objects, jobs, limits, cards, keys. What a
 * process needs differs by its role, so each machine is opened once here and closed in reverse.
 */
import { join } from 'node:path';
import type { Logger } from 'pino';
import { systemClock, type Clock } from '#src/platform/clock.ts';
import type { Config } from '#src/platform/config/config.ts';
import type { DatabaseAddresses } from '#src/platform/db/client.ts';
import { openDatabase } from '#src/platform/db/db.ts';
import type { JobDefinition } from '#src/platform/jobs/jobs.ts';
import type { RenditionWork } from '#src/platform/images/images.ts';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import { openJobs, type JobObservation } from '#src/platform/jobs/pg-boss-jobs.ts';
import { createMemoryLimits } from '#src/platform/limits/concurrency-limit.ts';
import { createRateLimits } from '#src/platform/limits/rate-limits.ts';
import { BY_HAND, type PayoutSender } from '#src/platform/payouts/payouts.ts';
import type { PaymentProvider } from '#src/platform/payments/payments.ts';
import type { ReadProviderEvent } from '#src/platform/payments/provider-events.ts';
import { openSandboxProvider, readSandboxFault } from '#src/platform/payments/sandbox-provider.ts';
import { deriveKey } from '#src/platform/secrets.ts';
import { openDiskStorage, type DiskStorage } from '#src/platform/storage/disk-storage.ts';
import { openFileTransport, openSmtpTransport } from '#src/platform/mail/transports.ts';
import type { MailTransport } from '#src/platform/mail/mail.ts';
import { createOutbox } from '#src/platform/mail/outbox.ts';
import type { Storage } from '#src/platform/storage/storage.ts';

/** What each key is for, of which it is derived: a purpose that is changed makes another key. */
const PURPOSES = {
  galleryPasswords: 'gallery passwords',
  unlockProofs: 'gallery unlock proofs',
  visitorCookies: 'visitor cookies',
  contributeKeys: 'contribute keys',
  /** Opens contributors' own photos to them. */
  ownPictures: 'own pictures',
  /** Seals the secret card keys of organizations. */
  processorKeys: 'organization card keys',
  /** Tells askers of takedowns apart without keeping where they asked from. */
  takedownAskers: 'takedown askers',
  /** Signs the keys of pictures that are sent for an organization's settings. */
  settingsUploads: 'settings uploads',
  /** Passwords of rows that wait for their import, and the marks by which rows and files are recognized. */
  bulkImports: 'bulk imports',
  /** Signs the links that prove an email address. */
  emailProofs: 'email proofs',
  /** Recognizes browsers in which an account was logged in before. */
  knownDevices: 'known devices',
} as const;

export type Keys = Record<keyof typeof PURPOSES, Buffer>;

export type Platform = Awaited<ReturnType<typeof openPlatform>>;

export type PlatformOptions = {
  config: Config;
  addresses: DatabaseAddresses;
  log: Logger;
  /** "web 1", "worker": shown by the database. */
  processName: string;
  /** Every job of the product. */
  jobDefinitions: readonly JobDefinition<unknown>[];
  /** True in the process that handles jobs. */
  works: boolean;
  /** Longest wait for a database session, for processes that no user waits for. Two seconds if it is left out. */
  slotWaitMs?: number;
  clock?: Clock;
  /** Told how each attempt of a job went. */
  observeJob?: (observation: JobObservation) => void;
};

/** A user waits at the screen meanwhile. */
const PREVIEW_TIMEOUT_MS = 8_000;

export function deriveKeys(appSecret: string): Keys {
  const keys = Object.entries(PURPOSES).map(([name, purpose]) => [name, deriveKey(appSecret, purpose)]);
  return Object.fromEntries(keys) as Keys;
}

/** Opens everything or nothing: what was opened before a failure is closed again. */
export async function openPlatform(options: PlatformOptions) {
  const { config, addresses, log, clock = systemClock } = options;
  const closers: (() => Promise<void>)[] = [];
  const opened = <T extends { close(): Promise<void> }>(machine: T): T => {
    closers.unshift(() => machine.close());
    return machine;
  };
  const close = async () => {
    for (const closer of closers.splice(0)) await closer();
  };
  const onError = (error: Error) => log.warn({ err: error }, 'a database session broke');
  const sessions = { url: addresses.appUrl, role: addresses.appRole };
  const patience = {
    tellsSilence: !options.works,
    ...(options.slotWaitMs === undefined ? {} : { slotWaitMs: options.slotWaitMs }),
  };
  try {
    const database = opened(
      await openDatabase({
        ...sessions,
        ...patience,
        applicationName: `sideline ${options.processName}`,
        onError,
      }),
    );
    const disk = config.s3 ? null : opened(await openDisk(config, clock));
    const storage: Storage = disk ?? opened(await openS3(config.s3));
    const jobs = opened(
      await openJobs({
        ...sessions,
        applicationName: `sideline ${options.processName} jobs`,
        definitions: options.jobDefinitions,
        works: options.works,
        log,
        ...(options.observeJob ? { observe: options.observeJob } : {}),
      }),
    );
    const mailTransport = opened(openPostOffice(config));
    const sandbox = config.stripe
      ? null
      : opened(
          openSandboxProvider({
            ...sessions,
            ...patience,
            fault: readSandboxFault(process.env.SANDBOX_FAULT),
            clock,
            onError,
          }),
        );
    const previews = opened(openPictureLab({ concurrency: 1, timeoutMs: PREVIEW_TIMEOUT_MS }));
    const payments: PaymentProvider = sandbox ?? opened(await openStripe(config.stripe, log));
    return {
      config,
      log,
      clock,
      database,
      storage,
      /** The disk driver when objects live on disk: it takes uploads itself. */
      disk,
      jobs,
      limits: createRateLimits({ database, factor: config.rateLimitFactor }),
      memoryLimits: createMemoryLimits({ factor: config.rateLimitFactor }),
      outbox: createOutbox({ database, jobs, mailTransport }),
      payments,
      /** Reads the card provider's webhooks; null without their signing secret. */
      readProviderEvent: await openEventReader(config),
      /** The sandbox when cards are not real: it makes tokens. */
      sandbox,
      /** Who moves the money of payouts. */
      payoutSender: BY_HAND as PayoutSender,
      /** Draws previews of marks; its process starts with the first and ends when there is nothing to draw. */
      previews: previews as Pick<RenditionWork, 'preview'>,
      keys: deriveKeys(config.appSecret),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
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

function openPostOffice(config: Config): MailTransport {
  if (config.smtpUrl !== null) return openSmtpTransport({ url: config.smtpUrl, from: config.mailFrom });
  return openFileTransport({ folder: join(config.dataDir, 'outbox'), from: config.mailFrom });
}

// The libraries of services that most installations do without weigh some 30 MB in each process: loaded only where they are used.
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
