/** An upgrade through the front door: who may, what it costs, what it leaves behind, and that it happens once. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { settleNeighbourhood, type Neighbourhood } from '#tests/support/neighbourhood.ts';
import { payWith } from '#tests/support/payer.ts';
import { useTestHouse } from '#tests/support/test-house.ts';

const house = useTestHouse({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighbourhood;
let swimmers: string;
beforeAll(async () => {
  people = await settleNeighbourhood(house);
  // The neighbour administers the club on the free tier.
  swimmers = people.tokens.neighbour;
});

const upgrade = (token: unknown, as: string | null = swimmers, affiliateId: unknown = people.tides.id) =>
  house.call({
    method: 'POST',
    url: '/api/v1/charges/',
    as,
    payload: { token, type: 'upgrade', affiliate_id: affiliateId },
  });
const rows = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  house.data.ownerQuery<Row>(text, values);

/** What the house owns of the provider's books: one line per succeeded charge. */
async function charged(): Promise<number[]> {
  const charges = (await house.platform.sandbox?.listCharges()) ?? [];
  return charges.filter(({ status }) => status === 'succeeded').map((charge) => charge.amount_cents);
}

beforeEach(async () => {
  // Every test begins with a club on the free tier that has never paid.
  await rows("update subscriptions set status = 'ended', ended_at = now() where status <> 'ended'");
  await rows('update organizations set free_tier = true where id = $1', [people.tides.id]);
});

describe('an upgrade', () => {
  test('costs 89 dollars, once, and is written down everywhere', async () => {
    const before = (await charged()).length;
    const answer = await upgrade(await payWith(house));
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      affiliate: expect.objectContaining({ id: people.tides.id, domain_name: 'tides', free_tier: false }),
      card: { last4: '4242', exp_month: 12, exp_year: 2040 },
    });
    expect((await charged()).slice(before)).toEqual([8900]);
    const [organization] = await rows('select free_tier from organizations where id = $1', [people.tides.id]);
    expect(organization).toEqual({ free_tier: false });
    const [subscription] = await rows<{ id: number; days: number }>(
      "select id, status, plan, price_cents, card_last4, payer_email, saved_card is not null as keeps, extract(day from period_end - period_start)::int as days from subscriptions where organization_id = $1 and status <> 'ended'",
      [people.tides.id],
    );
    expect(subscription).toMatchObject({
      status: 'active',
      plan: 'premium',
      price_cents: 8900,
      card_last4: '4242',
      payer_email: 'neighbour@people.test',
      keeps: true,
    });
    expect([365, 366]).toContain(subscription?.days);
    const entries = await rows<{ kind: string; amount_cents: number }>(
      `select a.kind, e.amount_cents from account_payments p
         join ledger_txs t on t.kind = 'account_payment' and t.source_id = p.id::text
         join ledger_entries e on e.tx_id = t.id join ledger_accounts a on a.id = e.account_id
        where p.subscription_id = $1 order by e.id`,
      [subscription?.id],
    );
    expect(entries).toEqual([
      { kind: 'provider_clearing', amount_cents: 8612 },
      { kind: 'provider_fee', amount_cents: 288 },
      { kind: 'platform_revenue', amount_cents: -8900 },
    ]);
    const [letter] = await rows<{ subject: string; text: string; html: string }>(
      "select recipient, subject, body_text as text, html from mail_outbox where dedupe_key like 'account-receipt-%' order by id desc limit 1",
    );
    expect(letter).toMatchObject({ subject: 'Your receipt: Sideline Premium for tides' });
    expect(letter?.text).toContain('$89.00');
    expect(await checkInvariants({ database: house.platform.database, sandboxCards: true })).toEqual([]);
  });
});
