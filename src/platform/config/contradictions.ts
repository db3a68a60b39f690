/** Combinations of variables that are refused. */
import { isLive, takesMoney, type Environment } from '#src/platform/config/environment.ts';

/** One sentence for each combination that is not allowed. */
export function contradictionsOf(given: Environment): string[] {
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
    [
      given.WAL_ARCHIVE_DIR !== undefined && given.DATABASE_URL !== undefined,
      'WAL_ARCHIVE_DIR must be unset with DATABASE_URL: only the embedded database archives its log there.',
    ],
    ...cdnRefusals(given),
    ...realDatabaseRefusals(given),
  ];
  return refusals.filter(([refused]) => refused).map(([, sentence]) => sentence);
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
  const hint = 'or ALLOW_SANDBOX=1 must say that this is a trial.';
  return [
    [given.APP_SECRET === undefined, `APP_SECRET must be set with DATABASE_URL, ${hint}`],
    [given.STRIPE_SECRET_KEY === undefined, `STRIPE_SECRET_KEY must be set with DATABASE_URL, ${hint}`],
    [given.DEMO === 'on', `DEMO must be unset or "off" with DATABASE_URL, ${hint}`],
  ];
}
