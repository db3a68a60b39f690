/** The plan of an account: what members see of it, stopping its renewal, and letting it renew after all. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import {
  NO_CARD_ON_FILE,
  NOTHING_RENEWS,
  RENEWAL_UNDER_WAY,
  type AccountPlan,
} from '#src/features/billing/billing.contract.ts';
import { paysForPlan } from '#src/features/erasures/erasures.contract.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { callerOf, chargesOf, payWith } from '#tests/support/payer.ts';
import { useTestServer } from '#tests/support/test-server.ts';
import { DAY_MS } from '#src/shared/dates.ts';

const BEGIN = new Date('2026-11-21T15:00:00Z');
const END = new Date('2027-11-21T15:00:00Z');
let now = BEGIN;
const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' }, clock: { now: () => now } });
let people: Neighborhood;
let charges = 0;
let lastEmail = 0;
let lastAction = 0;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const rows = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  server.data.ownerQuery<Row>(text, values);
const subjects = async () =>
  (await rows<{ subject: string }>('select subject from mail_outbox where id > $1 order by id', [lastEmail])).map(
    ({ subject }) => subject,
  );
const charged = async () => (await chargesOf(server)).length - charges;
const address = () => `/api/v1/affiliates/${people.tides.id}/plan`;
const read = async (as: string | null = people.tokens.neighbor) => server.call({ method: 'GET', url: address(), as });
const put = async (renews: unknown, as: string | null = people.tokens.neighbor) =>
  server.call({ method: 'PUT', url: `${address()}/renewal`, as, payload: { renews } });
const plan = async () => (await read()).json<AccountPlan>();
const isFree = async () =>
  (await rows<{ free: boolean }>('select free_tier as free from organizations where id = $1', [people.tides.id]))[0]
    ?.free;
async function renewAt(days: number): Promise<void> {
  now = new Date(END.getTime() + days * DAY_MS);
  await server.app.billing.renewDue();
}

/** Every test begins with a year that was just paid for. */
beforeEach(async () => {
  now = BEGIN;
  await rows("update subscriptions set status = 'ended', ended_at = now() where status <> 'ended'");
  await rows('update organizations set free_tier = true where id = $1', [people.tides.id]);
  server.app.organizations.forget(people.tides.id);
  const { id: token } = await payWith(server);
  const caller = await callerOf(server, people.tokens.neighbor);
  await server.app.billing.upgrade(caller, { token, type: 'upgrade', affiliate_id: people.tides.id });
  charges = (await chargesOf(server)).length;
  lastAction = (await rows<{ id: number }>('select coalesce(max(id), 0)::int as id from audit_log'))[0]?.id ?? 0;
  lastEmail = (await rows<{ id: number }>('select coalesce(max(id), 0)::int as id from mail_outbox'))[0]?.id ?? 0;
});

describe('the plan of an account', () => {
  test('says what is paid for it, until when, and with which card', async () => {
    expect(await plan()).toEqual({
      plan: 'premium',
      subscription: {
        price: 89,
        paid_until: END.toISOString(),
        renews: true,
        past_due: false,
        card_brand: 'visa',
        card_last4: '4242',
      },
    });
    const free = await server.call({
      method: 'GET',
      url: `/api/v1/affiliates/${people.hawks.id}/plan`,
      as: people.tokens.owner,
    });
    expect(free.json<AccountPlan>().subscription).toBeNull();
  });

  test('is for members and platform admins, as is stopping it', async () => {
    for (const [as, status] of [
      [null, 401],
      [people.tokens.owner, 404],
      [people.tokens.foreigner, 404],
    ] as const)
      expect([(await read(as)).statusCode, (await put(false, as)).statusCode]).toEqual([status, status]);
    for (const as of [people.tokens.parentMember, people.tokens.admin]) expect((await read(as)).statusCode).toBe(200);
    expect((await put('no')).statusCode).toBe(422);
    const hawks = { method: 'PUT', url: `/api/v1/affiliates/${people.hawks.id}/plan/renewal` } as const;
    const none = await server.call({ ...hawks, as: people.tokens.owner, payload: { renews: false } });
    expect([none.statusCode, none.json<{ error: string }>().error]).toEqual([409, NOTHING_RENEWS]);
  });
});

describe('a stopped plan', () => {
  test('stays until its year is over, is not charged, and then is the free tier, with an email each time', async () => {
    for (const _press of [1, 2])
      expect((await put(false)).json<AccountPlan>().subscription).toMatchObject({ renews: false });
    expect(await subjects()).toEqual(['Sideline Premium for tides will not renew']);
    await renewAt(-14);
    await renewAt(-1);
    expect([await isFree(), (await plan()).subscription?.renews]).toEqual([false, false]);
    await renewAt(0);
    await renewAt(0);
    await renewAt(400);
    expect(await subjects()).toEqual([
      'Sideline Premium for tides will not renew',
      'tides is back on the Sideline Free plan',
    ]);
    expect([await isFree(), await charged()]).toEqual([true, 0]);
    const [sent] = await rows<{ text: string }>(
      'select to_jsonb(m)::text as text from mail_outbox m order by id desc limit 1',
    );
    expect(sent?.text).toContain('its renewal was stopped in the settings');
    server.app.organizations.forget(people.tides.id);
    expect(await plan()).toEqual({ plan: 'free', subscription: null });
    const actions = await rows<{ action: string }>(
      `select action from audit_log where action like 'plan.%' and id > $1`,
      [lastAction],
    );
    expect(actions).toEqual([{ action: 'plan.renewal_stopped' }]);
    expect(await checkInvariants({ database: server.platform.database, sandboxCards: true })).toEqual([]);
  });

  test('renews after all on its day, and is announced before', async () => {
    await put(false);
    expect((await put(true)).json<AccountPlan>().subscription).toMatchObject({ renews: true });
    await renewAt(-14);
    await renewAt(0);
    expect(await charged()).toBe(1);
    expect((await subjects()).slice(1)).toEqual([
      'Sideline Premium for tides renews on 11.21.2027',
      'Sideline Premium for tides renews on 11.21.2027',
      'Your receipt: Sideline Premium for tides',
    ]);
    expect((await plan()).subscription).toMatchObject({ renews: true, paid_until: '2028-11-21T15:00:00.000Z' });
  });

  test('that renews after all says so to its payer before the card is charged, however short the time', async () => {
    await renewAt(-14);
    const before = (await subjects()).length;
    await put(false);
    await put(true);
    expect((await subjects()).slice(before)).toEqual([
      'Sideline Premium for tides will not renew',
      'Sideline Premium for tides renews on 11.21.2027',
    ]);
    await renewAt(0);
    expect(await charged()).toBe(1);
  });

  test('is not charged by a release that does not know that it was stopped', async () => {
    await put(false);
    const due = await rows("select id from subscriptions where status <> 'ended' and charge_on < '2100-01-01'");
    expect(due).toEqual([]);
  });

  test('does not keep its payer from being erased', async () => {
    const blocked = async () => {
      const payload = { email: people.emails.neighbor, dry_run: true };
      const answer = await server.call({ method: 'POST', url: '/api/v1/erasures', as: people.tokens.admin, payload });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json<{ blocked: string[] }>().blocked.filter((reason) => reason.startsWith('Pays for'));
    };
    expect(await blocked()).toEqual([paysForPlan('tides')]);
    await put(false);
    expect(await blocked()).toEqual([]);
  });

  test('cannot be stopped while a payment is undecided, nor renew without the card that was erased', async () => {
    const [payment] = await rows<{ id: number }>(
      `insert into account_payments (organization_id, kind, plan, amount_cents, idempotency_key, state, payer_name, payer_email)
       values ($1, 'upgrade', 'premium', 8900, gen_random_uuid(), 'unknown', 'A', 'a@b.test') returning id`,
      [people.tides.id],
    );
    const refused = await put(false);
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([409, RENEWAL_UNDER_WAY]);
    await rows('delete from account_payments where id = $1', [payment?.id]);
    await put(false);
    await rows("update subscriptions set saved_card = null where status <> 'ended'");
    const again = await put(true);
    expect([again.statusCode, again.json<{ error: string }>().error]).toEqual([409, NO_CARD_ON_FILE]);
  });

  test('whose payer was erased ends with an email to the members of the organization', async () => {
    await put(false);
    await rows(
      "update subscriptions set saved_card = null, payer_email = 'erased@erased.invalid' where status <> 'ended'",
    );
    await plan();
    await renewAt(0);
    const sent = await rows<{ recipient: string; subject: string }>(
      'select recipient, subject from mail_outbox where id > $1 order by id offset 1',
      [lastEmail],
    );
    expect(sent).toEqual([{ recipient: people.emails.neighbor, subject: 'tides is back on the Sideline Free plan' }]);
    // Immediately, without waiting for the next reading of the organization.
    expect(await plan()).toEqual({ plan: 'free', subscription: null });
  });

  test('that is past due ends when it is stopped, because nothing of it is paid for', async () => {
    now = new Date(END.getTime() + DAY_MS / 2);
    await rows(
      "update subscriptions set status = 'past_due', declines = 1, charge_on = period_end + interval '1 day' where status <> 'ended'",
    );
    expect((await plan()).subscription).toMatchObject({ past_due: true, renews: true });
    expect((await put(false)).json<AccountPlan>()).toEqual({ plan: 'free', subscription: null });
    expect((await put(false)).statusCode).toBe(409);
    for (const days of [1, 400]) await renewAt(days);
    expect([await isFree(), await charged(), await subjects()]).toEqual([
      true,
      0,
      ['tides is back on the Sideline Free plan'],
    ]);
    expect(await checkInvariants({ database: server.platform.database, sandboxCards: true })).toEqual([]);
  });
});
