/** Every variable that Sideline reads, and what it may be. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { address, number, oneOf, secret, text } from '#src/platform/config/variables.ts';
import { CRASH_POINTS } from '#src/platform/processes/crash-points.ts';
import { telemetryVariables } from '#src/platform/telemetry/settings.ts';

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

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/** An IP address, a network such as 10.0.0.0/8, or the name of one: what Fastify accepts. */
function isProxy(part: string): boolean {
  const [address = '', bits, ...rest] = part.split('/');
  if (NAMED_NETWORKS.includes(part)) return true;
  const most = isIP(address) === 6 ? 128 : 32;
  const isNetwork = bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
  return isIP(address) !== 0 && isNetwork && rest.length === 0;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Every variable that Sideline reads (docs/requirements/running.md). An empty variable counts as unset. */
export const environmentSchema = z.object({
  NODE_ENV: text.optional(),
  PORT: number({ min: 0, max: 65_535, whole: true }).default(3000),
  SITE_PORT: number({ min: 1, max: 65_535, whole: true }).optional(),
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
    .regex(/^[^@\r\n]*[^@\s<]@[^@\s<>]+>?$/, 'must be an email address, or a name and an address in <>')
    .optional(),
  CONTACT_EMAIL: text
    .regex(/^[\w.%+-]{1,64}@[a-z0-9.-]{1,185}$/i, 'must be an email address such as hello@sideline.example')
    .optional(),
  SECURITY_CONTACT: text
    .regex(
      /^(?:(?:mailto:)?[\w.%+-]{1,64}@[a-z0-9.-]{1,185}|tel:\+[0-9-]{3,20}|https:\/\/[\x21-\x7e]{3,500})$/i,
      'must be an email address, or an address that begins with https:// or tel:+',
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
    .refine(
      (value) => value.split(',').every((part) => isProxy(part.trim())),
      'must be addresses or networks of proxies, separated by commas, such as 10.0.0.0/8',
    )
    .optional(),
  SIDELINE_COMMIT: text.regex(/^[0-9a-f]{7,64}$/, 'must be the id of a commit').optional(),
  ALLOW_SANDBOX: oneOf(['0', '1']).default('0'),
  PASSWORD_MIN: number({ min: 6, max: 100, whole: true }).default(6),
  CRASH_AT: oneOf(CRASH_POINTS, 'one of the crash points listed in src/platform/processes/crash-points.ts').optional(),
});

export type Environment = z.output<typeof environmentSchema>;

/** Whether real cards are charged. */
export const takesMoney = (given: Environment): boolean =>
  given.STRIPE_SECRET_KEY !== undefined && isLive(given.STRIPE_SECRET_KEY);

export const isLive = (key: string): boolean => key.includes('k_live_');
