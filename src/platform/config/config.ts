/** Reads the environment once, at the start. Everything else gets this plain object; nothing else reads `process.env`. */
import { accessSync, constants } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { makeFolder, randomToken, readOrMakeSecret } from '#src/platform/secrets.ts';
import { contradictionsOf } from '#src/platform/config/contradictions.ts';
import { environmentSchema, isLive, takesMoney, type Environment } from '#src/platform/config/environment.ts';
import { misspelledOf } from '#src/platform/config/misspelled.ts';
import type { CdnSettings } from '#src/platform/cdn/cdn.ts';
import { telemetryOf } from '#src/platform/telemetry/settings.ts';
import type { FreeSpaceRule } from '#src/platform/storage/disk-space.ts';

export type Config = ReturnType<typeof readConfig>;

/** Something in the environment is wrong; the message is for the person who starts the program. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Parses and checks the environment. Throws ConfigError with everything that is wrong, one sentence a line. Creates
 * `DATA_DIR` for the embedded database, and `APP_SECRET` below it (0600) if it is unset.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const variables = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const given = parse(variables);
  const dataDir = path.resolve(given.DATA_DIR);
  if (given.DATABASE_URL === undefined) madeBelow(dataDir, () => makeUsable(dataDir));
  return Object.freeze({
    port: given.PORT,
    /** Of the addresses in pages and emails, as long as `baseDomain` is below `localhost`. */
    sitePort: given.SITE_PORT ?? given.PORT,
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
    /** How many copies of the embedded database, made before updates, are kept in `dataDir/backups`; 0: none is made. */
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
    appSecret:
      given.APP_SECRET ??
      madeBelow(dataDir, () => readOrMakeSecret(path.join(dataDir, 'secrets', 'app-secret'), randomToken)),
    /** Fill an empty database with the demo. */
    demo: given.DEMO === undefined ? given.DATABASE_URL === undefined && !takesMoney(given) : given.DEMO === 'on',
    webConcurrency: given.WEB_CONCURRENCY ?? Math.min(4, availableParallelism()),
    rateLimitFactor: given.RATE_LIMIT_FACTOR,
    /** How much free disk space uploads leave; no effect if objects are in an S3 store. */
    freeSpace: freeSpaceOf(given),
    /** How long a web process keeps serving after the request to stop, while `/readyz` says that it is leaving. */
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

function parse(variables: Record<string, string | undefined>): Environment {
  const parsed = environmentSchema.safeParse(variables);
  const issues = parsed.error?.issues ?? [];
  const wrong = new Set(issues.map((issue) => issue.path.join('.')));
  // What is left of a wrong environment may contradict itself as well.
  const rest = Object.entries(variables).filter(([name]) => !wrong.has(name));
  const given = parsed.data ?? environmentSchema.parse(Object.fromEntries(rest));
  const sentences = [
    ...issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`),
    ...misspelledOf(Object.keys(variables), Object.keys(environmentSchema.shape)),
    ...contradictionsOf(given).filter((sentence) => ![...wrong].some((name) => sentence.includes(name))),
    ...(variables.DATABASE_URL === undefined ? unusableOf(path.resolve(given.DATA_DIR)) : []),
  ];
  if (sentences.length > 0) throw new ConfigError(sentences.join('\n'));
  return given;
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

/** Makes the folder if it is new. Throws if it is not a folder in which this process may make files. */
function makeUsable(folder: string): void {
  makeFolder(folder);
  requireUsable(folder);
}

function requireUsable(folder: string): void {
  // Without the dot the path could be a file.
  accessSync(`${folder}${path.sep}.`, constants.W_OK | constants.X_OK);
}

/** What is wrong with a `DATA_DIR` that exists. It does not create one, because other settings may be wrong. */
function unusableOf(dataDir: string): string[] {
  try {
    requireUsable(dataDir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return [sentenceAbout(dataDir, error)];
  }
  return [];
}

const sentenceAbout = (dataDir: string, error: unknown) =>
  `DATA_DIR must be a folder in which Sideline may write, and ${dataDir} is not (${(error as NodeJS.ErrnoException).code ?? String(error)}).`;

/** Makes what is needed below `DATA_DIR`; the folder itself may be new. */
function madeBelow<T>(dataDir: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new ConfigError(sentenceAbout(dataDir, error));
  }
}

/**
 * The larger of 1 GB and 5 % (rule 63). An installation that charges no cards is a trial on a personal machine, whose disk
 * may be fuller than that: 1 GB is kept free there. On a small disk at most a quarter is kept free unless the operator
 * sets more.
 */
function freeSpaceOf(given: Environment): FreeSpaceRule {
  const { MIN_FREE_MB: megabytes, MIN_FREE_PERCENT: percent } = given;
  const isTrial = given.STRIPE_SECRET_KEY === undefined;
  return Object.freeze({
    bytes: (megabytes ?? 1024) * 1_048_576,
    percent: percent ?? (isTrial ? 0 : 5),
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
