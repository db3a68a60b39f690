/**
 * The product is killed at named lines, as in a power failure, and recovers automatically: nothing acknowledged is
 * lost, nothing is sold or charged twice, and the invariants are true. Here: plans and photos.
 */
import { describe, expect, test } from 'vitest';
import { withClient } from '#src/platform/db/client.ts';
import {
  addPhoto,
  CARD,
  expectSound,
  expectSoundByScripts,
  numberOf,
  openShop,
  picture,
  post,
  untilTrue,
  start,
} from '#tests/faults/support/crash-rig.ts';

describe.concurrent.each(['billing.after_charge'])('killed at %s', (point) => {
  test('an upgrade is settled automatically, or paid by the next try, and charged once', async (context) => {
    const at = await start(context, { CRASH_AT: point });
    const { organizationId, owner } = await openShop(at);
    await withClient(at.ownerUrl, (client) => client.query('update organizations set free_tier = true'));
    const upgrade = async () => {
      const token = await post(at, '/sandbox/tokens', CARD);
      const body = { token: token.body, type: 'upgrade', affiliate_id: organizationId };
      return post(at, '/api/v1/charges/', body, owner.authorization);
    };
    const state = async () => {
      const { authorization } = owner;
      const answer = await fetch(`${at.url}/api/v1/charges/${organizationId}`, { headers: { authorization } });
      return ((await answer.json()) as { status: string }).status;
    };
    await expect(upgrade()).rejects.toThrow();
    await untilTrue('the upgrade', async () => {
      if ((await state()) === 'failed') await upgrade();
      return (await state()) === 'paid';
    });
    expect((await upgrade()).status).toBe(409);
    expect(await numberOf(at, `select count(*) as n from sandbox_provider.charges where status = 'succeeded'`)).toBe(1);
    expect(await numberOf(at, `select count(*) as n from subscriptions where status = 'active'`)).toBe(1);
    expect(await numberOf(at, 'select count(*) as n from mail_outbox')).toBe(1);
    await expectSound(at);
  });
});

describe.concurrent.each(['billing.after_charge', 'billing.after_settle'])('killed at %s', (point) => {
  test('a paid sign-up without an account is refunded, and can be tried again', async (context) => {
    const at = await start(context, { CRASH_AT: point });
    const signUp = async () => {
      const token = await post(at, '/sandbox/tokens', CARD);
      return post(at, '/signup/', {
        user: { first_name: 'Ada', last_name: 'Byron', email: 'ada@clubs.test', password: 'nine fine pines' },
        affiliateInfo: { affiliateName: 'engines', affiliateOrg: 'Engines', domain_name: 'engines' },
        org: { id: 1 },
        freeTier: false,
        agreeToTerms: true,
        confirmAgeAndPlace: true,
        stripe_token: token.body,
      });
    };
    await expect(signUp()).rejects.toThrow();
    const refunds = 'select count(*) as n from sandbox_provider.refunds where amount_cents = 8900';
    await untilTrue('the refund', async () => (await numberOf(at, refunds)) === 1);
    await untilTrue('its note', async () => {
      return (await numberOf(at, `select count(*) as n from account_payments where state = 'refunded'`)) === 1;
    });
    expect(await numberOf(at, `select count(*) as n from organizations where domain_name = 'engines'`)).toBe(0);
    expect((await signUp()).status).toBe(200);
    await expectSound(at);
  });
});

describe.concurrent.each([
  'ingest.after_original',
  'ingest.mid_renditions',
  'ingest.before_ready',
  'ingest.after_ready',
])('killed at %s', (point) => {
  test('the photo still becomes ready', async (context) => {
    const at = await start(context, { CRASH_AT: point });
    const shop = await openShop(at);
    await addPhoto(shop, 2);
    await expectSound(at);
  });
});

describe.concurrent.each([
  ['claim.before_commit', 201],
  ['claim.after_commit', 409],
])('killed at %s', (point, statusOfRetry) => {
  test(`the claim may be sent again and answers ${statusOfRetry}; there is one photo`, async (context) => {
    const at = await start(context, { CRASH_AT: point });
    const shop = await openShop(at);
    const key = await shop.owner.store(shop.galleryId, await picture(3), 'photo.jpg');
    await expect(shop.owner.claim(shop.galleryId, key)).rejects.toThrow();
    let retry = '';
    await untilTrue('an answer', async () => {
      retry = await shop.owner.claim(shop.galleryId, key).then(
        () => 'answered 201',
        (error: Error) => error.message,
      );
      return /answered \d+/.test(retry);
    });
    expect(retry).toContain(`answered ${statusOfRetry}`);
    await untilTrue(
      'the photo',
      async () => (await numberOf(at, `select count(*) as n from photos where status = 'ready'`)) === 1,
    );
    await expectSound(at);
  });
});

test.concurrent('after kill -9 of everything during uploads, the next start continues with everything that was acknowledged', async (context) => {
  const first = await start(context, {});
  const shop = await openShop(first);
  const acknowledged: number[] = [];
  const uploads = Promise.allSettled(
    Array.from({ length: 8 }, async (_, index) => {
      const key = await shop.owner.store(shop.galleryId, await picture(index + 10), `photo-${index}.jpg`);
      acknowledged.push(await shop.owner.claim(shop.galleryId, key));
    }),
  );
  await untilTrue('the first claims', async () => acknowledged.length >= 3);
  await first.kill();
  await uploads;
  const port = new URL(first.url).port;
  const second = await start(context, { DATA_DIR: first.dataDir, PORT: port });
  await untilTrue(
    'every acknowledged photo',
    async () =>
      (await numberOf(
        second,
        `select count(*) as n from photos where status = 'ready' and id = any('{${acknowledged.join(',')}}')`,
      )) === acknowledged.length,
  );
  await expectSound(second);
  await expectSoundByScripts(second);
});
