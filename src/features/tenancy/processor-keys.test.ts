/**
 * An organization's own card keys: which pairs match, and that the secret one is never returned (rule 7; threat 41). Who may
 * set them: settings-keys.test.ts.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { deriveKey } from '#src/platform/secrets.ts';
import { openShop, type Shop } from '#tests/support/shop-goods.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';
import * as words from '#src/features/tenancy/processor-keys.contract.ts';
import { problemsOfKeys } from '#src/features/tenancy/processor-keys.rules.ts';
import { createProcessorKeys } from '#src/features/tenancy/processor-keys.service.ts';

const db = useTestDatabase();
let shop: Shop;
const keysOf = (knowsAccount = async () => true) =>
  createProcessorKeys({
    database: db.database,
    keys: { processorKeys: deriveKey('a secret of the test', 'organization card keys') },
    payments: { knowsAccount },
  });
// A new seller for each test, who may have keys.
beforeEach(async () => {
  shop = await openShop(db);
  await allow(true);
});

const given = { publishableKey: 'pk_test_abcdef', secretKey: 'sk_test_secret9876' };
const set = async (keys = given, service = keysOf()) => {
  const prepared = await service.prepare(shop.sellerId, keys);
  if (prepared)
    await db.database.write({ kind: 'tenants', organizationIds: [shop.sellerId] }, (tx) =>
      service.store(tx, shop.sellerId, prepared),
    );
  return prepared;
};
const allow = (allowed: boolean) =>
  db.ownerQuery('update organizations set can_add_custom_payment = $2 where id = $1', [shop.sellerId, allowed]);

test.each<[string, string, 'test' | 'live' | null, Record<string, string[]>]>([
  ['pk_test_abc', 'sk_test_abc', null, {}],
  ['pk_live_abc', 'rk_live_abc', null, {}],
  ['pk_test_abc', '', 'test', {}],
  ['', '', null, { stripe_pk: [words.KEYS_REQUIRED], stripe_sk: [words.KEYS_REQUIRED] }],
  [
    'sk_test_abc',
    'pk_test_abc',
    null,
    { stripe_pk: [words.PUBLIC_KEY_NOT_VALID], stripe_sk: [words.SECRET_KEY_NOT_VALID] },
  ],
  ['pk_test_abc', 'sk_live_abc', null, { stripe_pk: [words.KEYS_OF_TWO_MODES] }],
  ['pk_live_abc', '', 'test', { stripe_pk: [words.KEYS_OF_TWO_MODES] }],
])('the keys %j and %j, with a stored %s key: %j', (publicKey, secretKey, kept, errors) => {
  expect(problemsOfKeys(publicKey, secretKey, kept)).toEqual(errors);
});

describe('setting card keys', () => {
  test('needs the platform’s permission', async () => {
    await allow(false);
    await expect(set()).rejects.toMatchObject({
      code: 'forbidden',
      message: words.KEYS_NOT_ALLOWED,
    });
    expect(await keysOf().accountOf(shop.sellerId)).toBeNull();
  });

  test('returns four digits, keeps the secret encrypted and lets charges use it', async () => {
    expect(await set()).toMatchObject({ publishableKey: 'pk_test_abcdef', secretLast4: '9876' });
    const rows = await db.ownerQuery('select * from organization_private where organization_id = $1', [shop.sellerId]);
    expect(JSON.stringify(rows)).not.toContain('secret9876');
    expect(
      Buffer.from((rows[0] as { stripe_sk_encrypted: Buffer }).stripe_sk_encrypted).toString('latin1'),
    ).not.toContain('secret9876');
    expect(await keysOf().accountOf(shop.sellerId)).toMatchObject({ ...given, organizationId: shop.sellerId });
    expect(await set()).toBeNull();
  });

  test('with a blank secret keeps the stored one', async () => {
    await set();
    await set({ publishableKey: 'pk_test_other', secretKey: ' ' });
    expect(await keysOf().accountOf(shop.sellerId)).toMatchObject({
      publishableKey: 'pk_test_other',
      secretKey: given.secretKey,
    });
  });

  test('refuses a secret that the provider does not know', async () => {
    await set();
    const refused = set(
      { ...given, secretKey: 'sk_test_wrong' },
      keysOf(async () => false),
    );
    await expect(refused).rejects.toMatchObject({ code: 'invalid', message: words.KEYS_NOT_ACCEPTED });
    expect(await keysOf().accountOf(shop.sellerId)).toMatchObject({ secretKey: given.secretKey });
  });

  test('has no effect once the permission is removed', async () => {
    await set();
    expect(await keysOf().accountOf(shop.sellerId)).not.toBeNull();
    await allow(false);
    expect(await keysOf().accountOf(shop.sellerId)).toBeNull();
  });
});
