/** Custom payment over HTTP: who allows it, who enters keys, and what is returned of them (rules 7, 47; bad input 125). */
import { beforeEach, describe, expect, test } from 'vitest';
import { CONFIRM_PASSWORD_FIRST } from '#src/features/accounts/accounts.contract.ts';
import * as words from '#src/features/tenancy/processor-keys.contract.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
beforeEach(async () => {
  people = await settleAnother(server);
});

const put = (as: string | null, affiliate: Record<string, unknown>, id = people.hawks.id) =>
  server.call({ method: 'PUT', url: `/api/v1/affiliates/${id}`, as, payload: { affiliate } });
const PAIR = { stripe_pk: 'pk_test_hawks1', stripe_sk: 'sk_test_nobody-reads9876'.replace('-', '') };
const actions = async () =>
  (
    await server.data.ownerQuery<{ action: string }>(
      'select action from audit_log where organization_id = $1 order by id',
      [people.hawks.id],
    )
  ).map(({ action }) => action);
const allow = async () =>
  expect((await put(people.tokens.admin, { can_add_custom_payment: true })).statusCode).toBe(200);
/** The owner has entered a pair of keys. */
async function enterKeys(): Promise<void> {
  await allow();
  expect((await put(people.tokens.owner, { processor_info: PAIR })).statusCode).toBe(200);
}
const forgetPassword = () => server.data.ownerQuery("update sessions set confirmed_at = now() - interval '11 minutes'");

describe('custom payment', () => {
  test('is allowed by platform admins only; the line is in the audit log', async () => {
    for (const token of [people.tokens.owner, people.tokens.parentMember])
      expect((await put(token, { can_add_custom_payment: true })).json()).toMatchObject([
        { can_add_custom_payment: false },
      ]);
    const refused = await put(people.tokens.owner, { processor_info: PAIR });
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { error: words.KEYS_NOT_ALLOWED }]);
    expect((await put(people.tokens.admin, { can_add_custom_payment: true })).json()).toMatchObject([
      { can_add_custom_payment: true },
    ]);
    // Repeating it is not logged.
    await put(people.tokens.admin, { can_add_custom_payment: true });
    expect(await actions()).toEqual(['organization.custom_payment_switched']);
  });

  test.each<[Record<string, string>, Record<string, string[]>]>([
    [
      { stripe_pk: '', stripe_sk: '' },
      { stripe_pk: [words.KEYS_REQUIRED], stripe_sk: [words.KEYS_REQUIRED] },
    ],
    [
      { stripe_pk: 'sk_test_abc', stripe_sk: 'pk_test_abc' },
      { stripe_pk: [words.PUBLIC_KEY_NOT_VALID], stripe_sk: [words.SECRET_KEY_NOT_VALID] },
    ],
    [{ stripe_pk: 'pk_live_abc', stripe_sk: 'sk_test_abc' }, { stripe_pk: [words.KEYS_OF_TWO_MODES] }],
  ])('%j is refused, with the other problems', async (processor_info, errors) => {
    await allow();
    const answer = await put(people.tokens.owner, { processor_info, domain_name: people.tides.path });
    // A taken path is only noticed when it is written.
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { errors }]);
  });

  test('that is not allowed does not stand in the way of blank fields, which keep the keys', async () => {
    const { admin, owner } = people.tokens;
    const blank = { name: 'Hawks', processor_info: { stripe_pk: '', stripe_sk: '' } };
    expect((await put(owner, blank)).json()).toMatchObject([
      { name: 'Hawks', processor_info: { stripe_sk_set: false } },
    ]);
    await enterKeys();
    await forgetPassword();
    const ended = { can_add_custom_payment: false, processor_info: { stripe_pk: PAIR.stripe_pk, stripe_sk: '' } };
    const kept = { processor_info: { stripe_pk: PAIR.stripe_pk, stripe_sk_set: true, stripe_sk_last4: '9876' } };
    expect((await put(admin, ended)).json()).toMatchObject([{ can_add_custom_payment: false, ...kept }]);
    expect((await put(owner, blank)).json()).toMatchObject([kept]);
    const typed = await put(owner, { processor_info: { stripe_pk: 'pk_test_other', stripe_sk: '' } });
    expect([typed.statusCode, typed.json()]).toMatchObject([403, { error: words.KEYS_NOT_ALLOWED }]);
  });

  test('asks for the password, never returns the secret and emails the owners', async () => {
    await allow();
    await forgetPassword();
    const early = await put(people.tokens.owner, { processor_info: PAIR });
    expect([early.statusCode, early.json()]).toMatchObject([401, { error: CONFIRM_PASSWORD_FIRST }]);
    await server.call({
      method: 'POST',
      url: '/api/v1/confirm-password',
      as: people.tokens.owner,
      payload: { password: TEST_PASSWORD },
    });
    const answer = await put(people.tokens.owner, { processor_info: PAIR });
    expect(answer.json()).toMatchObject([
      {
        processor_info: { stripe_pk: PAIR.stripe_pk, stripe_sk: null, stripe_sk_set: true, stripe_sk_last4: '9876' },
      },
    ]);
    expect(answer.body).not.toContain('nobodyreads');
    expect(await actions()).toContain('organization.card_keys_changed');
    const log = await server.data.ownerQuery('select * from audit_log');
    expect(JSON.stringify(log)).not.toContain('nobodyreads');
    const sentEmails = await server.data.ownerQuery<{ recipient: string }>(
      "select recipient from mail_outbox where subject like 'Card keys%' and recipient = any ($1)",
      [Object.values(people.emails)],
    );
    expect(sentEmails).toEqual([{ recipient: people.emails.owner }]);
  });

  test('keeps a secret that is left blank, and logs nothing if nothing changes', async () => {
    await enterKeys();
    const before = await actions();
    await forgetPassword();
    const same = await put(people.tokens.owner, { processor_info: { stripe_pk: PAIR.stripe_pk, stripe_sk: '' } });
    expect(same.statusCode).toBe(200);
    expect(await actions()).toEqual(before);
    const live = await put(people.tokens.owner, { processor_info: { stripe_pk: 'pk_live_abc', stripe_sk: '' } });
    expect(live.json()).toMatchObject({ errors: { stripe_pk: [words.KEYS_OF_TWO_MODES] } });
  });

  test('is hidden from others: visitors see the public key only while it is allowed', async () => {
    await enterKeys();
    const seen = async () =>
      (await server.call({ method: 'GET', url: `/api/v1/organizations/${people.hawks.id}` })).json() as unknown[];
    expect(await seen()).toMatchObject([{ processor_info: { stripe_pk: PAIR.stripe_pk } }]);
    for (const [token, status] of [
      [null, 401],
      [people.tokens.neighbor, 404],
      [people.tokens.foreigner, 404],
    ] as const)
      expect((await put(token, { processor_info: PAIR })).statusCode).toBe(status);
    await put(people.tokens.admin, { can_add_custom_payment: false });
    expect(await seen()).toMatchObject([{ processor_info: { stripe_pk: null } }]);
  });
});
