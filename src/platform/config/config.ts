/**
 * Reads the environment once, at the start. Everything else gets this plain object; nothing else reads `process.env`.
 */
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { randomToken, readOrMakeSecret } from '#src/platform/secrets.ts';
import { address, number, oneOf, secret, text } from '#src/platform/config/variables.ts';
import { CRASH_POINTS } from '#src/platform/processes/crash-points.ts';
import type { CdnSettings } from '#src/platform/cdn/cdn.ts';
import { telemetryOf, telemetryVariables } from '#src/platform/telemetry/settings.ts';
import type { FreeSpaceRule } from '#src/platform/storage/disk-space.ts';

export type Config = ReturnType<typeof readConfig>;

/** Something in the environment is wrong; the message is for the person who starts the program. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Parses and checks the environment. Throws ConfigError with one message per bad variable. Creates `APP_SECRET` below
 * `DATA_DIR` (0600) if it is unset.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const variables = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = environmentSchema.safeParse(variables);
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`).join('\n'));
  const given = parsed.data;
  refuseContradictions(given);
  const dataDir = path.resolve(given.DATA_DIR);
  return Object.freeze({
    port: given.PORT,
    host: given.HOST,
    /** Absolute. */
    dataDir,
    baseDomain: given.BASE_DOMAIN,
    /** Null: the embedded database below `dataDir`. */
    databaseUrl: given.DATABASE_URL ?? null,
    /** A read-only copy of `databaseUrl` for what visitors see, and how far it may lag behind; null: none. */
    replica: replicaOf(given),
    /** Whether a start may migrate `databaseUrl` once it is in use; otherwise only `npm run migrate` does. */
    migratesAtStart: given.MIGRATE === 'start',
    /**
     * How many copies of the embedded database, made before updates, are kept in `dataDir/backups`; 0: none is made.
     */
    upgradeBackups: given.UPGRADE_BACKUPS,
    /** Where the embedded database archives its write-ahead log; null: nowhere. */
    walArchiveDir: given.WAL_ARCHIVE_DIR === undefined ? null : path.resolve(given.WAL_ARCHIVE_DIR),
    /** Null: objects on disk below `dataDir/objects`. */
    s3: s3Of(given),
    /** Null: visitors get all pictures from this server. */
    cdn: cdnOf(given),
    /** Webhooks may be sent to this machine, over http and to any port: for tests and development. */
    webhooksToLocalhost: given.WEBHOOKS_TO_LOCALHOST === '1',
    /** Null: the sandbox card provider. */
    stripe: stripeOf(given),
    /** Null: emails become files below `dataDir/outbox`. */
    smtpUrl: given.SMTP_URL ?? null,
    mailFrom: given.MAIL_FROM ?? `Sideline <no-reply@${given.BASE_DOMAIN}>`,
    /** Where people reach those who run the site, unless the root organization names its own address. */
    contactEmail: given.CONTACT_EMAIL ?? `hello@${given.BASE_DOMAIN}`,
    /** The contact in `security.txt`, as a `mailto:`, `https:` or `tel:` address. */
    securityContact: securityContactOf(given),
    /** The platform's own pages on social networks; empty: the footer offers sharing instead. */
    socialLinks: given.SOCIAL_LINKS ?? [],
    /** The two print shops on the order page; none until the operator has agreements with some. */
    printPartners: given.PRINT_PARTNERS ?? [],
    /** Root of every key; see `deriveKey` in platform/secrets.ts. */
    appSecret: given.APP_SECRET ?? madeSecret(dataDir),
    /** Fill an empty database with the demo. */
    demo: given.DEMO === undefined ? given.DATABASE_URL === undefined && !takesMoney(given) : given.DEMO === 'on',
    webConcurrency: given.WEB_CONCURRENCY ?? Math.min(4, availableParallelism()),
    rateLimitFactor: given.RATE_LIMIT_FACTOR,
    /** How much free disk space uploads leave; no effect if objects are in an S3 store. */
    freeSpace: freeSpaceOf(given),
    /** How long a web process keeps serving after it was told to stop, while `/readyz` says that it is leaving. */
    drainMs: 1000 * (given.DRAIN_SECONDS ?? (given.ROLE === 'web' ? 5 : 0)),
    /** Memory of one web process for pages that are the same for every visitor; 0: none is cached. */
    pageCacheBytes: given.PAGE_CACHE_MB * 1_048_576,
    payoutHoldDays: given.PAYOUT_HOLD_DAYS,
    /** From this amount on a second person must confirm a payout; null: never. */
    payoutSecondApprovalCents: given.PAYOUT_SECOND_APPROVAL_CENTS ?? null,
    logLevel: given.LOG_LEVEL,
    /** What is sent to an OpenTelemetry collector. The destination is read by its libraries themselves (`OTEL_…`). */
    telemetry: telemetryOf(given),
    /** Statements that take this long are logged. */
    slowStatementMs: given.SLOW_STATEMENT_MS,
    /** `all`: the supervisor with its children; `migrate`: migrates the database to this version and exits. */
    role: given.ROLE,
    /** The port on which a separate worker answers probes and metrics; null: none. */
    workerPort: given.WORKER_PORT ?? null,
    mode: given.SIDELINE_MODE,
    metricsToken: given.METRICS_TOKEN ?? null,
    /** Addresses of proxies whose `X-Forwarded-For` and `-Proto` are trusted; null: none. */
    trustProxy: given.TRUST_PROXY ?? null,
    /** The commit, if the code is not a clone; null: git is asked. */
    commit: given.SIDELINE_COMMIT ?? null,
    allowSandbox: given.ALLOW_SANDBOX === '1',
    passwordMin: given.PASSWORD_MIN,
  });
}

/** An email address may be written without `mailto:`. */
function securityContactOf({
  SECURITY_CONTACT: given,
  CONTACT_EMAIL: email,
  BASE_DOMAIN: domain,
}: Environment): string {
  const contact = given ?? email ?? `hello@${domain}`;
  return /^(mailto|https|tel):/.test(contact) ? contact : `mailto:${contact}`;
}

function madeSecret(dataDir: string): string {
  try {
    return readOrMakeSecret(path.join(dataDir, 'secrets', 'app-secret'), randomToken);
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR must be a folder in which Sideline may write, and ${dataDir} is not (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
    );
  }
}

/**
 * The larger of 1 GB and 5 % (rule 63). If no cards are charged, it is a trial on a personal machine, whose disk may be
 * fuller than that: 1 GB is kept free there. On a small disk at most a quarter is kept free unless the operator sets
 * more.
 */
function freeSpaceOf(given: Environment): FreeSpaceRule {
  const { MIN_FREE_MB: megabytes, MIN_FREE_PERCENT: percent } = given;
  const isRehearsal = given.STRIPE_SECRET_KEY === undefined;
  return Object.freeze({
    bytes: (megabytes ?? 1024) * 1_048_576,
    percent: percent ?? (isRehearsal ? 0 : 5),
    mostPercent: megabytes === undefined ? 25 : 100,
  });
}

function replicaOf(given: Environment) {
  if (given.DATABASE_REPLICA_URL === undefined) return null;
  return Object.freeze({ url: given.DATABASE_REPLICA_URL, maxLagMs: 1000 * given.DATABASE_REPLICA_MAX_LAG_SECONDS });
}

function s3Of(given: Environment) {
  if (given.S3_BUCKET === undefined) return null;
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = given;
  return Object.freeze({
    bucket: given.S3_BUCKET,
    endpoint: given.S3_ENDPOINT ?? null,
    region: given.S3_REGION,
    forcePathStyle: given.S3_FORCE_PATH_STYLE === 'true',
    /** Null: the machine's own identity, found by the S3 library. */
    credentials:
      accessKeyId !== undefined && secretAccessKey !== undefined
        ? Object.freeze({ accessKeyId, secretAccessKey })
        : null,
  });
}

function cdnOf(given: Environment): CdnSettings | null {
  const { PICTURES_CDN_URL: address, CDN_PURGE_URL: url, CDN_PURGE_TOKEN: token } = given;
  if (address === undefined || url === undefined || token === undefined) return null;
  return Object.freeze({
    origin: new URL(address).origin,
    seconds: given.PICTURES_CDN_SECONDS,
    purge: Object.freeze({ url, token, reachesPrivate: given.CDN_PURGE_PRIVATE === '1' }),
  });
}

function stripeOf(given: Environment) {
  if (given.STRIPE_SECRET_KEY === undefined || given.STRIPE_PUBLISHABLE_KEY === undefined) return null;
  return Object.freeze({
    secretKey: given.STRIPE_SECRET_KEY,
    publishableKey: given.STRIPE_PUBLISHABLE_KEY,
    webhookSecret: given.STRIPE_WEBHOOK_SECRET ?? null,
    apiBase: given.STRIPE_API_BASE?.replace(/\/$/, '') ?? null,
    live: isLive(given.STRIPE_SECRET_KEY),
  });
}

/** Whether real cards are charged. */
const takesMoney = (given: Environment): boolean =>
  given.STRIPE_SECRET_KEY !== undefined && isLive(given.STRIPE_SECRET_KEY);

const isLive = (key: string): boolean => key.includes('k_live_');

/** Combinations of variables that are not allowed. */
function refuseContradictions(given: Environment): void {
  const refusals: [boolean, string][] = [
    [
      given.S3_ENDPOINT !== undefined && given.S3_BUCKET === undefined,
      'S3_BUCKET must be set as well when S3_ENDPOINT is.',
    ],
    [
      given.S3_BUCKET !== undefined &&
        (given.AWS_ACCESS_KEY_ID === undefined) !== (given.AWS_SECRET_ACCESS_KEY === undefined),
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set both or not at all.',
    ],
    [
      (given.STRIPE_SECRET_KEY === undefined) !== (given.STRIPE_PUBLISHABLE_KEY === undefined),
      'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must be set both or not at all.',
    ],
    [
      given.STRIPE_SECRET_KEY === undefined &&
        (given.STRIPE_WEBHOOK_SECRET !== undefined || given.STRIPE_API_BASE !== undefined),
      'STRIPE_SECRET_KEY must be set as well when STRIPE_WEBHOOK_SECRET or STRIPE_API_BASE is.',
    ],
    [
      given.STRIPE_SECRET_KEY !== undefined &&
        given.STRIPE_PUBLISHABLE_KEY !== undefined &&
        isLive(given.STRIPE_SECRET_KEY) !== isLive(given.STRIPE_PUBLISHABLE_KEY),
      'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must be of the same mode, both test or both live.',
    ],
    [
      given.RATE_LIMIT_FACTOR !== 1 && given.STRIPE_SECRET_KEY !== undefined && isLive(given.STRIPE_SECRET_KEY),
      'RATE_LIMIT_FACTOR must be unset or 1 with live card keys.',
    ],
    [
      given.DEMO === 'on' && takesMoney(given),
      'DEMO must be unset or "off" with live card keys: the password of its users is public.',
    ],
    [
      given.WEBHOOKS_TO_LOCALHOST === '1' && takesMoney(given),
      'WEBHOOKS_TO_LOCALHOST must be unset or 0 with live card keys: it is for tests and development.',
    ],
    [
      given.CRASH_AT !== undefined && given.NODE_ENV === 'production' && given.STRIPE_SECRET_KEY !== undefined,
      'CRASH_AT must be unset where real cards are charged: it is for tests.',
    ],
    [
      given.DATABASE_REPLICA_URL !== undefined && given.DATABASE_URL === undefined,
      'DATABASE_URL must be set as well when DATABASE_REPLICA_URL is.',
    ],
    ...cdnRefusals(given),
    ...realDatabaseRefusals(given),
  ];
  const sentences = refusals.filter(([refused]) => refused).map(([, sentence]) => sentence);
  if (sentences.length > 0) throw new ConfigError(sentences.join('\n'));
}

/** A CDN without purging would show hidden photos; a CDN below our own domain would be sent users' session cookies. */
function cdnRefusals(given: Environment): [boolean, string][] {
  const { PICTURES_CDN_URL: address, CDN_PURGE_URL: url, CDN_PURGE_TOKEN: token } = given;
  const isSet = address !== undefined;
  const host = isSet ? new URL(address).hostname : '';
  return [
    [
      isSet !== (url !== undefined) || isSet !== (token !== undefined),
      'PICTURES_CDN_URL, CDN_PURGE_URL and CDN_PURGE_TOKEN must be set all or not at all.',
    ],
    [
      host === given.BASE_DOMAIN || host.endsWith(`.${given.BASE_DOMAIN}`),
      'PICTURES_CDN_URL must not be below BASE_DOMAIN: browsers would send the sign-in cookie there.',
    ],
    [
      url !== undefined && !url.startsWith('https://') && given.CDN_PURGE_PRIVATE !== '1',
      'CDN_PURGE_URL must begin with https://, unless CDN_PURGE_PRIVATE=1 says that it is in your own network.',
    ],
  ];
}

/** With an operator's database the product is in production: settings for trials are refused. */
function realDatabaseRefusals(given: Environment): [boolean, string][] {
  if (given.DATABASE_URL === undefined || given.ALLOW_SANDBOX === '1') return [];
  const hint = 'or ALLOW_SANDBOX=1 must say that this is a rehearsal.';
  return [
    [given.APP_SECRET === undefined, `APP_SECRET must be set with DATABASE_URL, ${hint}`],
    [given.STRIPE_SECRET_KEY === undefined, `STRIPE_SECRET_KEY must be set with DATABASE_URL, ${hint}`],
    [given.DEMO === 'on', `DEMO must be unset or "off" with DATABASE_URL, ${hint}`],
  ];
}

const hostLabel = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const HOST_NAME = new RegExp(`^(?=.{1,253}$)${hostLabel}(\\.${hostLabel})*$`, 'i');
const IP_V6 = /^[0-9a-f:.]*:[0-9a-f:.]*$/i;
const IP_V4 = /^\d+\.\d+\.\d+\.\d+$/;

const LINKS_AT_MOST = 8;

/** Pages on other sites for the footer: `https://` addresses, separated by commas. */
const webAddresses = text
  .transform((value) => value.split(',').map((part) => part.trim()))
  .refine(
    (links) =>
      links.length <= LINKS_AT_MOST && links.every((link) => /^https:\/\/[^\s"'<>]+$/.test(link) && URL.canParse(link)),
    `must be at most ${LINKS_AT_MOST} addresses that begin with https://, separated by commas`,
  );

/** Two print shops, each `Name https://address`, separated by a comma. */
const printPartners = text
  .transform((value) =>
    value.split(',').map((part) => {
      const [, name = '', address = ''] = /^\s*(.{1,60}?)\s+(https:\/\/[^\s"'<>]+)\s*$/.exec(part) ?? [];
      return { name, address };
    }),
  )
  .refine(
    (partners) => partners.length === 2 && partners.every(({ name, address }) => name !== '' && URL.canParse(address)),
    'must be two print shops, each a name and an address that begins with https://, separated by a comma',
  );

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Every variable that Sideline reads (docs/requirements/running.md). An empty variable counts as unset. */
const environmentSchema = z.object({
  NODE_ENV: text.optional(),
  PORT: number({ min: 0, max: 65_535, whole: true }).default(3000),
  HOST: text
    .refine(
      (value) => HOST_NAME.test(value) || IP_V6.test(value),
      'must be an IP address or a host name of this machine',
    )
    .default('127.0.0.1'),
  DATA_DIR: text.default('./data'),
  BASE_DOMAIN: text
    .toLowerCase()
    .refine(
      (value) => HOST_NAME.test(value) && !IP_V4.test(value),
      'must be a host name such as sideline.example, without scheme or port',
    )
    .default('sideline.localhost'),
  WAL_ARCHIVE_DIR: text.optional(),
  DATABASE_URL: address(['postgres', 'postgresql'], { path: true }).optional(),
  DATABASE_REPLICA_URL: address(['postgres', 'postgresql'], { path: true }).optional(),
  DATABASE_REPLICA_MAX_LAG_SECONDS: number({ min: 1, max: 300, whole: true }).default(5),
  MIGRATE: oneOf(['command', 'start']).default('command'),
  UPGRADE_BACKUPS: number({ min: 0, max: 100, whole: true }).default(3),
  S3_BUCKET: text.regex(BUCKET, 'must be the name of a bucket').optional(),
  S3_ENDPOINT: address(['http', 'https'], { path: true }).optional(),
  S3_REGION: text.regex(/^[a-z0-9-]{1,40}$/, 'must be the name of a region such as us-east-2').default('us-east-2'),
  S3_FORCE_PATH_STYLE: oneOf(['true', 'false']).default('false'),
  AWS_ACCESS_KEY_ID: text.optional(),
  AWS_SECRET_ACCESS_KEY: text.optional(),
  STRIPE_SECRET_KEY: text
    .regex(/^[sr]k_(test|live)_\w+$/, 'must be a secret key of Stripe, which begins with sk_test_ or sk_live_')
    .optional(),
  STRIPE_PUBLISHABLE_KEY: text
    .regex(/^pk_(test|live)_\w+$/, 'must be a publishable key of Stripe, which begins with pk_test_ or pk_live_')
    .optional(),
  STRIPE_WEBHOOK_SECRET: text
    .regex(/^whsec_\S+$/, 'must be a signing secret of Stripe, which begins with whsec_')
    .optional(),
  STRIPE_API_BASE: address(['http', 'https'], { path: false }).optional(),
  PICTURES_CDN_URL: address(['http', 'https'], { path: false }).optional(),
  PICTURES_CDN_SECONDS: number({ min: 240, max: 86_400, whole: true }).default(300),
  CDN_PURGE_URL: address(['http', 'https'], { path: true }).optional(),
  CDN_PURGE_TOKEN: text.regex(/^[\x21-\x7e]+$/, 'must be a token without spaces').optional(),
  CDN_PURGE_PRIVATE: oneOf(['0', '1']).default('0'),
  WEBHOOKS_TO_LOCALHOST: oneOf(['0', '1']).default('0'),
  SMTP_URL: address(['smtp', 'smtps'], { path: true }).optional(),
  MAIL_FROM: text
    .regex(/^[^@\r\n]*[^@\s<]@[^@\s<>]+>?$/, 'must be an e-mail address, or a name and an address in <>')
    .optional(),
  CONTACT_EMAIL: text
    .regex(/^[\w.%+-]{1,64}@[a-z0-9.-]{1,185}$/i, 'must be an e-mail address such as hello@sideline.example')
    .optional(),
  SECURITY_CONTACT: text
    .regex(
      /^(?:(?:mailto:)?[\w.%+-]{1,64}@[a-z0-9.-]{1,185}|tel:\+[0-9-]{3,20}|https:\/\/[\x21-\x7e]{3,500})$/i,
      'must be an e-mail address, or an address that begins with https:// or tel:+',
    )
    .optional(),
  SOCIAL_LINKS: webAddresses.optional(),
  PRINT_PARTNERS: printPartners.optional(),
  APP_SECRET: secret(32).optional(),
  DEMO: oneOf(['on', 'off']).optional(),
  WEB_CONCURRENCY: number({ min: 1, max: 64, whole: true }).optional(),
  RATE_LIMIT_FACTOR: number({ min: 0.01, max: 1_000_000, whole: false }).default(1),
  PAGE_CACHE_MB: number({ min: 0, max: 4096, whole: true }).default(16),
  PAYOUT_HOLD_DAYS: number({ min: 0, max: 3650, whole: true }).default(30),
  PAYOUT_SECOND_APPROVAL_CENTS: number({ min: 1, max: 999_999_999, whole: true }).optional(),
  MIN_FREE_MB: number({ min: 0, max: 100_000_000, whole: true }).optional(),
  MIN_FREE_PERCENT: number({ min: 0, max: 90, whole: false }).optional(),
  DRAIN_SECONDS: number({ min: 0, max: 15, whole: false }).optional(),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  SLOW_STATEMENT_MS: number({ min: 1, max: 600_000, whole: true }).default(500),
  ...telemetryVariables,
  WORKER_PORT: number({ min: 1, max: 65_535, whole: true }).optional(),
  ROLE: oneOf(['all', 'web', 'worker', 'migrate']).default('all'),
  SIDELINE_MODE: oneOf(['dev', 'production']).default('production'),
  METRICS_TOKEN: secret(16).optional(),
  TRUST_PROXY: text
    .regex(
      /^(loopback|linklocal|uniquelocal|[0-9a-f:.]+(\/\d{1,3})?)(,(loopback|linklocal|uniquelocal|[0-9a-f:.]+(\/\d{1,3})?))*$/i,
      'must be addresses or networks of proxies, separated by commas, such as 10.0.0.0/8',
    )
    .optional(),
  SIDELINE_COMMIT: text.regex(/^[0-9a-f]{7,64}$/, 'must be the id of a commit').optional(),
  ALLOW_SANDBOX: oneOf(['0', '1']).default('0'),
  PASSWORD_MIN: number({ min: 6, max: 100, whole: true }).default(6),
  CRASH_AT: oneOf(CRASH_POINTS, 'one of the crash points listed in src/platform/processes/crash-points.ts').optional(),
});

type Environment = z.output<typeof environmentSchema>;
