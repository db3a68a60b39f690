/** What the invariants report when rows about accounts' money disagree. Each test breaks one thing and repairs it. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { callerOf, payWith } from '#tests/support/payer.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
const run = (text: string, values: unknown[] = []) => server.data.ownerQuery<Record<string, unknown>>(text, values);
/** The names of violated invariants. */
const broken = async () => [
  ...new Set(
    (await checkInvariants({ database: server.platform.database, sandboxCards: true })).map((line) =>
      line.slice(0, line.indexOf(':')),
    ),
  ),
];

let people: Neighborhood;
let upgradeId: unknown;
let returnedId: unknown;
beforeAll(async () => {
  people = await settleNeighborhood(server);
  const { billing } = server.app;
  const { id: token } = await payWith(server);
  await billing.upgrade(await callerOf(server, people.tokens.neighbor), {
    token,
    type: 'upgrade',
    affiliate_id: people.tides.id,
  });
  const { id: another } = await payWith(server);
  const visitor = await callerOf(server, null);
  const card = { token: another, email: 'new@people.test', name: 'New Person', organizationName: 'New Club' };
  await billing.undoSignUpPayment(await billing.chargeSignUp(visitor, card));
  const ids = await run('select id from account_payments order by id');
  [upgradeId, returnedId] = ids.map(({ id }) => id);
});

describe('the invariants of accounts', () => {
  beforeEach(async () => {
    if ((await broken()).length > 0) throw new Error('something is still broken from the test before');
  });

  const upgradeIs = (change: string) => run(`update account_payments set ${change} where id = $1`, [upgradeId]);
  const returnedIs = (change: string) => run(`update account_payments set ${change} where id = $1`, [returnedId]);

  test.each<[string, string[], () => Promise<unknown>, () => Promise<unknown>]>([
    [
      'a premium account that is on the free tier all the same',
      ['subscriptions'],
      () => run('update organizations set free_tier = true where id = $1', [people.tides.id]),
      () => run('update organizations set free_tier = false where id = $1', [people.tides.id]),
    ],
    [
      'a subscription of another price than was paid',
      ['subscriptions'],
      () => run('update subscriptions set price_cents = 10900'),
      () => run('update subscriptions set price_cents = 8900'),
    ],
    [
      'a period that no one paid',
      ['subscriptions'],
      () =>
        run(
          "update subscriptions set period_start = period_start + interval '1 year', period_end = period_end + interval '1 year'",
        ),
      () =>
        run(
          "update subscriptions set period_start = period_start - interval '1 year', period_end = period_end - interval '1 year'",
        ),
    ],
    [
      'a charge that we think failed',
      ['I4', 'subscriptions', 'account postings'],
      () => upgradeIs("state = 'failed'"),
      () => upgradeIs("state = 'succeeded'"),
    ],
    [
      'a payment that bought nothing and stays with us',
      ['account payments', 'account postings', 'subscriptions'],
      () => upgradeIs("subscription_id = null, decided_at = decided_at - interval '1 hour'"),
      () => upgradeIs("subscription_id = (select id from subscriptions), decided_at = decided_at + interval '1 hour'"),
    ],
    [
      'a refund that the provider has not made',
      ['account refunds'],
      () => run('update sandbox_provider.refunds set amount_cents = 1'),
      () => run('update sandbox_provider.refunds set amount_cents = 8900'),
    ],
    [
      'a refund that does not come through',
      ['account payments', 'account postings'],
      () => returnedIs("state = 'refunding', decided_at = decided_at - interval '1 hour'"),
      () => returnedIs("state = 'refunded', decided_at = decided_at + interval '1 hour'"),
    ],
    [
      'a receipt that was never queued',
      ['account receipts'],
      () =>
        run("update mail_outbox set dedupe_key = 'else' where dedupe_key = 'account-receipt-' || $1", [
          String(upgradeId),
        ]),
      () =>
        run("update mail_outbox set dedupe_key = 'account-receipt-' || $1 where dedupe_key = 'else'", [
          String(upgradeId),
        ]),
    ],
    [
      'a promo code that counts wrongly',
      ['promo codes'],
      () =>
        run("insert into promo_codes (organization_id, code, max_uses, uses) values ($1, 'MISCOUNT', 5, 2)", [
          people.parent.id,
        ]),
      () => run("delete from promo_codes where code = 'MISCOUNT'"),
    ],
  ])('finds %s', async (_what, names, breakIt, mendIt) => {
    await breakIt();
    expect((await broken()).toSorted()).toEqual(names.toSorted());
    await mendIt();
  });
});
