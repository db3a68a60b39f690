/**
 * The product is killed at named lines, as in a power failure, and recovers automatically: nothing acknowledged is
 * lost, nothing is sold or charged twice, and the invariants are true. Here: plans and photos.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { withClient } from '#src/platform/db/client.ts';
import {
  addPhoto,
  CARD,
  countAdded,
  expectSound,
  expectSoundByScripts,
  numberOf,
  openShop,
  picture,
  post,
  untilTrue,
  start,
  useProduct,
} from '#tests/faults/support/crash-rig.ts';

describe.concurrent('plans', () => {
  const product = useProduct();

  describe.each(['billing.after_charge'] as const)('killed at %s', { concurrent: false }, (point) => {
    test('an upgrade is settled automatically, or paid by the next try, and charged once', async () => {
      const { at } = product;
      const { organizationId, owner } = await openShop(at);
      await withClient(at.ownerUrl, (client) =>
        client.query('update organizations set free_tier = true where id = $1', [organizationId]),
      );
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
      const rows = {
        "sandbox_provider.charges where status = 'succeeded'": 1,
        "subscriptions where status = 'active'": 1,
        mail_outbox: 1,
      };
      const added = await countAdded(at, rows);
      await product.killAt(point);
      await expect(upgrade()).rejects.toThrow();
      await untilTrue('the upgrade', async () => {
        if ((await state()) === 'failed') await upgrade();
        return (await state()) === 'paid';
      });
      expect((await upgrade()).status).toBe(409);
      expect(await added()).toEqual(rows);
      await expectSound(at);
    });
  });

  describe.each(['billing.after_charge', 'billing.after_settle'] as const)(
    'killed at %s',
    { concurrent: false },
    (point) => {
      test('a paid sign-up without an account is refunded, and can be tried again', async () => {
        const { at } = product;
        const name = `engines-${randomUUID().slice(0, 8)}`;
        const signUp = async () => {
          const token = await post(at, '/sandbox/tokens', CARD);
          return post(at, '/signup/', {
            user: { first_name: 'Ada', last_name: 'Byron', email: `ada@${name}.test`, password: 'nine fine pines' },
            affiliateInfo: { affiliateName: name, affiliateOrg: 'Engines', domain_name: name },
            org: { id: 1 },
            freeTier: false,
            agreeToTerms: true,
            confirmAgeAndPlace: true,
            stripe_token: token.body,
          });
        };
        const rows = {
          'sandbox_provider.refunds where amount_cents = 8900': 1,
          "account_payments where state = 'refunded'": 1,
          [`organizations where domain_name = '${name}'`]: 0,
        };
        const added = await countAdded(at, rows);
        await product.killAt(point);
        await expect(signUp()).rejects.toThrow();
        await untilTrue('the refund', async () => {
          expect(await added()).toEqual(rows);
          return true;
        });
        expect((await signUp()).status).toBe(200);
        await expectSound(at);
      });
    },
  );
});

describe.concurrent('photos', () => {
  const product = useProduct();

  describe.each([
    'ingest.after_original',
    'ingest.mid_renditions',
    'ingest.before_ready',
    'ingest.after_ready',
  ] as const)('killed at %s', { concurrent: false }, (point) => {
    test('the photo still becomes ready', async () => {
      const { at } = product;
      const shop = await openShop(at);
      await product.killAt(point);
      await addPhoto(shop, 2);
      await untilTrue('the kill', () => product.isKilled('worker'));
      await expectSound(at);
    });
  });

  describe.each([
    ['claim.before_commit', 201],
    ['claim.after_commit', 409],
  ] as const)('killed at %s', { concurrent: false }, (point, statusOfRetry) => {
    test(`the claim may be sent again and answers ${statusOfRetry}; there is one photo`, async () => {
      const { at } = product;
      const shop = await openShop(at);
      const rows = { "photos where status = 'ready'": 1 };
      const added = await countAdded(at, rows);
      const key = await shop.owner.store(shop.galleryId, await picture(3), 'photo.jpg');
      await product.killAt(point);
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
      await untilTrue('the photo', async () => (await added())["photos where status = 'ready'"] === 1);
      await expectSound(at);
    });
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
