import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { trustIn } from '#src/http/request-work.ts';
import { ConfigError, readConfig } from '#src/platform/config/config.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'sideline-config-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_abc', STRIPE_PUBLISHABLE_KEY: 'pk_test_abc' };
const LIVE = { STRIPE_SECRET_KEY: 'sk_live_abc', STRIPE_PUBLISHABLE_KEY: 'pk_live_abc' };
const SECRET = 'x'.repeat(32);
const CDN = {
  PICTURES_CDN_URL: 'https://pictures.example',
  CDN_PURGE_URL: 'https://api.cdn.example/purge',
  CDN_PURGE_TOKEN: 'token',
};
const REAL = { DATABASE_URL: 'postgres://sideline@db/sideline', APP_SECRET: SECRET, ...STRIPE };

function refusalOf(env: Record<string, string>): string {
  try {
    readConfig({ DATA_DIR: dataDir, ...env });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('this environment was accepted');
}

describe('the environment', () => {
  it('needs no required variables', () => {
    expect(readConfig({ DATA_DIR: dataDir })).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      baseDomain: 'sideline.localhost',
      databaseUrl: null,
      s3: null,
      stripe: null,
      cdn: null,
      smtpUrl: null,
      mailFrom: 'Sideline <no-reply@sideline.localhost>',
      contactEmail: 'hello@sideline.localhost',
      socialLinks: [],
      printPartners: [],
      demo: true,
      rateLimitFactor: 1,
      payoutHoldDays: 30,
      logLevel: 'info',
      role: 'all',
      metricsToken: null,
      trustProxy: null,
      allowSandbox: false,
      replica: null,
      migratesAtStart: false,
      upgradeBackups: 3,
      commit: null,
      passwordMin: 6,
    });
  });

  it('counts an empty variable as unset', () => {
    expect(readConfig({ DATA_DIR: dataDir, PORT: '', DATABASE_URL: ' ' })).toMatchObject({
      port: 3000,
      databaseUrl: null,
    });
  });

  it('runs one to four web processes by default', () => {
    const { webConcurrency } = readConfig({ DATA_DIR: dataDir });
    expect(webConcurrency).toBeGreaterThanOrEqual(1);
    expect(webConcurrency).toBeLessThanOrEqual(4);
  });

  it.each([
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '4000' }, { port: 4000, sitePort: 4000 }],
    [{ SITE_PORT: '8080' }, { port: 3000, sitePort: 8080 }],
    [{ HOST: '::1' }, { host: '::1' }],
    [{ BASE_DOMAIN: 'Sideline.Example' }, { baseDomain: 'sideline.example' }],
    [
      { S3_BUCKET: 'photos', S3_ENDPOINT: 'http://127.0.0.1:7480', S3_FORCE_PATH_STYLE: 'true' },
      { s3: { bucket: 'photos', region: 'us-east-2', forcePathStyle: true, credentials: null } },
    ],
    [STRIPE, { stripe: { secretKey: 'sk_test_abc', live: false, webhookSecret: null, apiBase: null } }],
    [
      CDN,
      {
        cdn: {
          origin: 'https://pictures.example',
          seconds: 300,
          purge: { url: CDN.CDN_PURGE_URL, token: 'token', reachesPrivate: false },
        },
      },
    ],
    [
      { ...CDN, CDN_PURGE_URL: 'http://relay:8080/purge', CDN_PURGE_PRIVATE: '1', PICTURES_CDN_SECONDS: '3600' },
      { cdn: { seconds: 3_600, purge: { reachesPrivate: true } } },
    ],
    [{ ...STRIPE, STRIPE_API_BASE: 'http://127.0.0.1:9/' }, { stripe: { apiBase: 'http://127.0.0.1:9' } }],
    [LIVE, { stripe: { live: true }, demo: false }],
    [
      { SMTP_URL: 'smtps://user:word@mail.example:465', MAIL_FROM: 'Us <us@mail.example>' },
      { mailFrom: 'Us <us@mail.example>' },
    ],
    [{ DEMO: 'off' }, { demo: false }],
    [{ RATE_LIMIT_FACTOR: '0.5' }, { rateLimitFactor: 0.5 }],
    [{ RATE_LIMIT_FACTOR: '1000' }, { rateLimitFactor: 1000 }],
    [{ ROLE: 'worker' }, { role: 'worker' }],
    [
      { ...REAL, DATABASE_REPLICA_URL: 'postgres://r/db', DATABASE_REPLICA_MAX_LAG_SECONDS: '2' },
      { replica: { url: 'postgres://r/db', maxLagMs: 2000 } },
    ],
    [
      { MIGRATE: 'start', UPGRADE_BACKUPS: '0', SIDELINE_COMMIT: '665d80ee' },
      { migratesAtStart: true, upgradeBackups: 0, commit: '665d80ee' },
    ],
    [{ CRASH_AT: 'checkout.after_charge' }, {}],
    [REAL, { demo: false, appSecret: SECRET }],
    [
      { DATABASE_URL: 'postgresql://h/db', ALLOW_SANDBOX: '1', DEMO: 'on' },
      { demo: true, allowSandbox: true },
    ],
  ])('accepts %j', (env, expected) => {
    expect(readConfig({ DATA_DIR: dataDir, ...env })).toMatchObject(expected);
  });

  it.each([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ PORT: '1e3' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ DATABASE_REPLICA_URL: 'postgres://r/db' }, 'DATABASE_URL must be set as well when DATABASE_REPLICA_URL is.'],
    [{ MIGRATE: 'yes' }, 'MIGRATE must be "command" or "start".'],
    [{ SIDELINE_COMMIT: 'main' }, 'SIDELINE_COMMIT must be the id of a commit.'],
    [{ HOST: 'http://here' }, 'HOST must be an IP address or a host name of this machine.'],
    [
      { BASE_DOMAIN: 'https://sideline.example' },
      'BASE_DOMAIN must be a host name such as sideline.example, without scheme or port.',
    ],
    [{ BASE_DOMAIN: '127.0.0.1' }, 'BASE_DOMAIN must be a host name such as sideline.example, without scheme or port.'],
    [
      { DATABASE_URL: 'mysql://h/db' },
      'DATABASE_URL must be an address that begins with postgres:// or postgresql://.',
    ],
    [{ S3_BUCKET: 'A B' }, 'S3_BUCKET must be the name of a bucket.'],
    [
      { S3_ENDPOINT: 'ftp://x', S3_BUCKET: 'photos' },
      'S3_ENDPOINT must be an address that begins with http:// or https://.',
    ],
    [{ S3_ENDPOINT: 'http://x' }, 'S3_BUCKET must be set as well when S3_ENDPOINT is.'],
    [
      { S3_BUCKET: 'photos', AWS_ACCESS_KEY_ID: 'a' },
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set both or not at all.',
    ],
    [
      { ...CDN, CDN_PURGE_TOKEN: '' },
      'PICTURES_CDN_URL, CDN_PURGE_URL and CDN_PURGE_TOKEN must be set all or not at all.',
    ],
    [
      { CDN_PURGE_URL: CDN.CDN_PURGE_URL, CDN_PURGE_TOKEN: 'token' },
      'PICTURES_CDN_URL, CDN_PURGE_URL and CDN_PURGE_TOKEN must be set all or not at all.',
    ],
    [
      { ...CDN, PICTURES_CDN_URL: 'https://pictures.example/sideline' },
      'PICTURES_CDN_URL must be an address that begins with http:// or https:// and has no path.',
    ],
    [
      { ...CDN, BASE_DOMAIN: 'example' },
      'PICTURES_CDN_URL must not be below BASE_DOMAIN: browsers would send the sign-in cookie there.',
    ],
    [
      { ...CDN, CDN_PURGE_URL: 'http://relay/purge' },
      'CDN_PURGE_URL must begin with https://, unless CDN_PURGE_PRIVATE=1 says that it is in your own network.',
    ],
    [{ ...CDN, PICTURES_CDN_SECONDS: '60' }, 'PICTURES_CDN_SECONDS must be a whole number from 240 to 86400.'],
    [{ ...CDN, CDN_PURGE_TOKEN: 'two words' }, 'CDN_PURGE_TOKEN must be a token without spaces.'],
    [{ S3_FORCE_PATH_STYLE: 'yes' }, 'S3_FORCE_PATH_STYLE must be "true" or "false".'],
    [
      { STRIPE_SECRET_KEY: 'pk_test_a' },
      'STRIPE_SECRET_KEY must be a secret key of Stripe, which begins with sk_test_ or sk_live_.',
    ],
    [
      { STRIPE_SECRET_KEY: 'sk_test_a' },
      'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must be set both or not at all.',
    ],
    [
      { ...STRIPE, STRIPE_PUBLISHABLE_KEY: 'pk_live_a' },
      'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must be of the same mode, both test or both live.',
    ],
    [
      { ...STRIPE, STRIPE_WEBHOOK_SECRET: 'abc' },
      'STRIPE_WEBHOOK_SECRET must be a signing secret of Stripe, which begins with whsec_.',
    ],
    [
      { ...STRIPE, STRIPE_API_BASE: 'http://x/v1' },
      'STRIPE_API_BASE must be an address that begins with http:// or https:// and has no path.',
    ],
    [{ ...LIVE, DEMO: 'on' }, 'DEMO must be unset or "off" with live card keys: the password of its users is public.'],
    [
      { STRIPE_API_BASE: 'http://x' },
      'STRIPE_SECRET_KEY must be set as well when STRIPE_WEBHOOK_SECRET or STRIPE_API_BASE is.',
    ],
    [{ ...LIVE, RATE_LIMIT_FACTOR: '10' }, 'RATE_LIMIT_FACTOR must be unset or 1 with live card keys.'],
    [{ RATE_LIMIT_FACTOR: '0' }, 'RATE_LIMIT_FACTOR must be a number from 0.01 to 1000000.'],
    [{ SMTP_URL: 'mail.example' }, 'SMTP_URL must be an address that begins with smtp:// or smtps://.'],
    [
      { SECURITY_CONTACT: 'http://plain.example' },
      'SECURITY_CONTACT must be an email address, or an address that begins with https:// or tel:+.',
    ],
    [{ CONTACT_EMAIL: 'nobody' }, 'CONTACT_EMAIL must be an email address such as hello@sideline.example.'],
    [
      { PRINT_PARTNERS: 'Corner Prints https://prints.example, Dead link' },
      'PRINT_PARTNERS must be two print shops, each a name and an address that begins with https://, separated by a comma.',
    ],
    [
      { SOCIAL_LINKS: 'https://one.example/us, javascript:alert(1)' },
      'SOCIAL_LINKS must be at most 8 addresses that begin with https://, separated by commas.',
    ],
    [{ MAIL_FROM: 'nobody' }, 'MAIL_FROM must be an email address, or a name and an address in <>.'],
    [{ APP_SECRET: 'short' }, 'APP_SECRET must have at least 32 characters.'],
    [{ DEMO: 'yes' }, 'DEMO must be "on" or "off".'],
    [{ WEB_CONCURRENCY: '0' }, 'WEB_CONCURRENCY must be a whole number from 1 to 64.'],
    [{ PAYOUT_HOLD_DAYS: '-1' }, 'PAYOUT_HOLD_DAYS must be a whole number from 0 to 3650.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be "trace", "debug", "info", "warn", "error", "fatal", or "silent".'],
    [{ ROLE: 'cook' }, 'ROLE must be "all", "web", "worker", or "migrate".'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must have at least 16 characters.'],
    [
      { ...REAL, WAL_ARCHIVE_DIR: '/archive' },
      'WAL_ARCHIVE_DIR must be unset with DATABASE_URL: only the embedded database archives its log there.',
    ],
    [{ ALLOW_SANDBOX: 'true' }, 'ALLOW_SANDBOX must be "0" or "1".'],
    [{ PASSWORD_MIN: '5' }, 'PASSWORD_MIN must be a whole number from 6 to 100.'],
    [
      { CRASH_AT: 'nowhere' },
      'CRASH_AT must be one of the crash points listed in src/platform/processes/crash-points.ts.',
    ],
    [
      { ...STRIPE, NODE_ENV: 'production', CRASH_AT: 'checkout.after_charge' },
      'CRASH_AT must be unset where real cards are charged: it is for tests.',
    ],
    [
      { DATABASE_URL: REAL.DATABASE_URL, ...STRIPE },
      'APP_SECRET must be set with DATABASE_URL, or ALLOW_SANDBOX=1 must say that this is a trial.',
    ],
    [
      { DATABASE_URL: REAL.DATABASE_URL, APP_SECRET: SECRET },
      'STRIPE_SECRET_KEY must be set with DATABASE_URL, or ALLOW_SANDBOX=1 must say that this is a trial.',
    ],
    [
      { ...REAL, DEMO: 'on' },
      'DEMO must be unset or "off" with DATABASE_URL, or ALLOW_SANDBOX=1 must say that this is a trial.',
    ],
  ])('refuses %j', (env, sentence) => {
    expect(refusalOf(env)).toBe(sentence);
  });

  it.each(['everybody', 'Loopback', '300.1.1.1', '10.0.0', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.1,', '::1/129'])(
    'refuses %s as a proxy',
    (proxies) =>
      expect(refusalOf({ TRUST_PROXY: proxies })).toBe(
        'TRUST_PROXY must be addresses or networks of proxies, separated by commas, such as 10.0.0.0/8.',
      ),
  );

  it.each(['loopback', '10.0.0.0/8, 172.16.0.1', 'uniquelocal,fd00::/8'])('accepts %s as proxies', (proxies) => {
    const { trustProxy } = readConfig({ DATA_DIR: dataDir, TRUST_PROXY: proxies });
    expect(trustProxy).toBe(proxies);
    expect(() => trustIn(trustProxy)).not.toThrow();
  });

  it('names everything that is wrong, one sentence a line', () => {
    expect(refusalOf({ PORT: 'x', DEMO: 'y', S3_ENDPOINT: 'http://x', STRIPE_API_BASE: 'x' }).split('\n')).toEqual([
      'PORT must be a whole number from 0 to 65535.',
      'STRIPE_API_BASE must be an address that begins with http:// or https:// and has no path.',
      'DEMO must be "on" or "off".',
      'S3_BUCKET must be set as well when S3_ENDPOINT is.',
    ]);
  });

  it.each([
    ['S3_BUKET', 'S3_BUCKET'],
    ['s3_bucket', 'S3_BUCKET'],
    ['DATABASE_REPLICA_ULR', 'DATABASE_REPLICA_URL'],
    ['STRIPE_SECRET_KEYS', 'STRIPE_SECRET_KEY'],
    ['PICTURES_CDN_URI', 'PICTURES_CDN_URL'],
    ['PAYOUT_HOLD_DAY', 'PAYOUT_HOLD_DAYS'],
    ['WAL_ARCHIVE_DIRS', 'WAL_ARCHIVE_DIR'],
  ])('names the setting that %s was meant to be', (given, meant) => {
    expect(refusalOf({ [given]: 'something' })).toBe(`${given} is not a setting; ${meant} is.`);
  });

  it('leaves the variables of other programs alone', () => {
    const others = `
      PATHS HOSTS PGHOST DATABASE_HOST DATABASE_URI SMTP_PASSWORD SMTP_URI EMAIL_FROM LOGLEVEL DATADIR NODEENV
      BASEDOMAIN WORKERS_PORT S3_PORT STRIPE_API_VERSION`;
    const given = Object.fromEntries(
      others
        .trim()
        .split(/\s+/)
        .map((name) => [name, 'something']),
    );
    expect(readConfig({ DATA_DIR: dataDir, ...given })).toMatchObject({ databaseUrl: null });
    expect(readConfig({ DATA_DIR: dataDir, PAYOUT_HOLD_DAYS: '7', PAYOUT_HOLD_DAY: '9' })).toMatchObject({
      payoutHoldDays: 7,
    });
  });

  it('never repeats a secret that it refuses', () => {
    expect(refusalOf({ STRIPE_SECRET_KEY: 'hunter2', APP_SECRET: 'hunter2' })).not.toContain('hunter2');
  });
});

describe('the application secret', () => {
  it('is created once, long, and not readable by other users', () => {
    const first = readConfig({ DATA_DIR: dataDir }).appSecret;
    const file = path.join(dataDir, 'secrets', 'app-secret');
    expect(first.length).toBeGreaterThanOrEqual(43);
    expect(readFileSync(file, 'utf8')).toBe(first);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readConfig({ DATA_DIR: dataDir }).appSecret).toBe(first);
  });

  it('is not created when one is given', () => {
    readConfig({ DATA_DIR: dataDir, APP_SECRET: SECRET });
    expect(() => statSync(path.join(dataDir, 'secrets'))).toThrow();
  });

  describe.each([{}, { APP_SECRET: SECRET }])('with %j', (given) => {
    const wanted = (folder: string, code: string) =>
      `DATA_DIR must be a folder in which Sideline may write, and ${folder} is not (${code}).`;

    it.each([
      ['a file', 'ENOTDIR', (at: string) => writeFileSync(at, '')],
      ['a link to nothing', 'ENOENT', (at: string) => symlinkSync(`${at}-gone`, at)],
    ])('reports a DATA_DIR that is %s', (_what, code, make) => {
      const at = path.join(dataDir, 'unusable');
      make(at);
      expect(refusalOf({ DATA_DIR: at, ...given })).toBe(wanted(at, code));
    });

    // Root may write into every folder.
    it.skipIf(process.getuid?.() === 0)('reports a DATA_DIR that is a read-only folder', () => {
      const at = path.join(dataDir, 'unusable');
      mkdirSync(at, { mode: 0o500 });
      expect(refusalOf({ DATA_DIR: at, ...given })).toBe(wanted(at, 'EACCES'));
    });
  });

  it('reports a DATA_DIR with everything else that is wrong, and makes none', () => {
    const file = path.join(dataDir, 'file');
    writeFileSync(file, '');
    expect(refusalOf({ DATA_DIR: file, PORT: 'x' })).toBe(
      `PORT must be a whole number from 0 to 65535.\nDATA_DIR must be a folder in which Sideline may write, and ${file} is not (ENOTDIR).`,
    );
    const fresh = path.join(dataDir, 'fresh');
    expect(refusalOf({ DATA_DIR: fresh, PORT: 'x' })).toBe('PORT must be a whole number from 0 to 65535.');
    expect(() => statSync(fresh)).toThrow();
  });

  it('is not reported with a DATABASE_URL, also a wrong one', () => {
    const file = path.join(dataDir, 'file');
    writeFileSync(file, '');
    expect(refusalOf({ DATA_DIR: file, DATABASE_URL: 'mysql://db/sideline' })).toMatch(/^DATABASE_URL must [^\n]+$/);
  });

  it.runIf(process.platform === 'linux').each([{}, { APP_SECRET: SECRET }])(
    'reports a DATA_DIR where no folder can be made, with %j',
    (given) => {
      expect(refusalOf({ DATA_DIR: '/proc/sideline', ...given })).toBe(
        'DATA_DIR must be a folder in which Sideline may write, and /proc/sideline is not (ENOENT).',
      );
    },
  );

  it('is made for the embedded database, also when the secret is given', () => {
    const folder = path.join(dataDir, 'new');
    readConfig({ DATA_DIR: folder, APP_SECRET: SECRET });
    expect(statSync(folder).isDirectory()).toBe(true);
  });
});

describe('OpenTelemetry', () => {
  const telemetry = (env: Record<string, string>) => readConfig({ DATA_DIR: dataDir, ...env }).telemetry;

  it.each<[Record<string, string>, boolean, boolean]>([
    [{}, false, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, true, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, true, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_TRACES_EXPORTER: 'none' }, false, true],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_SDK_DISABLED: 'true' }, false, false],
  ])('with %o traces are sent: %s, metrics: %s', (env, traces, metrics) => {
    expect(telemetry(env)).toMatchObject({ traces, metrics });
  });
});
