/** Renewals over years: the notice, the stored card on the day, declined cards, and the way back to the free tier. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import type { App } from '#src/app.ts';
import { PAYMENT_UNAVAILABLE } from '#src/shared/card-token.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { callerOf, chargesOf, appWith, letTimePass, payWith } from '#tests/support/payer.ts';
import { useTestServer } from '#tests/support/test-server.ts';
import { DAY_MS } from '#src/shared/dates.ts';

const BEGIN = new Date('2026-11-21T15:00:00Z');
const END = new Date('2027-11-21T15:00:00Z');
let now = BEGIN;
const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' }, clock: { now: () => now } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const rows = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  server.data.ownerQuery<Row>(text, values);
const days = (count: number, from = END) => new Date(from.getTime() + count * DAY_MS);

let chargedBefore = 0;
const charged = async () => (await chargesOf(server)).length - chargedBefore;
let emailsBefore = 0;
const sentEmails = async () =>
  (await rows<{ subject: string }>('select subject from mail_outbox where id > $1 order by id', [emailsBefore])).map(
    ({ subject }) => subject,
  );
const subscription = async () =>
  (
    await rows<Record<string, unknown>>(
      'select status, declines, charge_on, period_end from subscriptions where organization_id = $1 order by id desc limit 1',
      [people.tides.id],
    )
  )[0];
const isFree = async () =>
  (await rows<{ free_tier: boolean }>('select free_tier from organizations where id = $1', [people.tides.id]))[0]
    ?.free_tier;
const violations = () => checkInvariants({ database: server.platform.database, sandboxCards: true });

/** The app with a provider that declines stored cards. */
const refusing = (): App =>
  appWith(server, {
    charge: async () => ({ state: 'declined', message: 'Your card was declined.', code: 'card_declined' }),
  });

/** Runs the renewal job at a given time. */
async function renewAt(moment: Date, app = server.app): Promise<void> {
  now = moment;
  await app.billing.renewDue();
}

beforeEach(async () => {
  now = BEGIN;
  await rows("update subscriptions set status = 'ended', ended_at = now() where status <> 'ended'");
  await rows('update organizations set free_tier = true where id = $1', [people.tides.id]);
  server.app.organizations.forget(people.tides.id);
  const { id } = await payWith(server);
  await server.app.billing.upgrade(await callerOf(server, people.tokens.neighbor), {
    token: id,
    type: 'upgrade',
    affiliate_id: people.tides.id,
  });
  chargedBefore = (await chargesOf(server)).length;
  emailsBefore = (await rows<{ id: number }>('select coalesce(max(id), 0)::int as id from mail_outbox'))[0]?.id ?? 0;
});

describe('a subscription', () => {
  test('is announced once, two weeks before it renews', async () => {
    await renewAt(days(-15));
    expect(await sentEmails()).toEqual([]);
    await renewAt(days(-14));
    await renewAt(days(-14));
    await renewAt(days(-3));
    expect(await sentEmails()).toEqual(['Sideline Premium for tides renews on 11.21.2027']);
    expect(await charged()).toBe(0);
  });

  test('is renewed with the stored card on its day, once however often the job runs', async () => {
    await renewAt(days(-1));
    expect(await charged()).toBe(0);
    now = END;
    await Promise.all(Array.from({ length: 5 }, () => server.app.billing.renewDue()));
    expect(await charged()).toBe(1);
    expect(await subscription()).toEqual({
      status: 'active',
      declines: 0,
      charge_on: new Date('2028-11-21T15:00:00Z'),
      period_end: new Date('2028-11-21T15:00:00Z'),
    });
    expect((await sentEmails()).at(-1)).toBe('Your receipt: Sideline Premium for tides');
    expect(await violations()).toEqual([]);
    await renewAt(new Date('2028-11-21T15:00:00Z'));
    expect(await charged()).toBe(2);
    expect(await violations()).toEqual([]);
  });

  test('that began on a February 29 in New York is renewed until the 29th of the next leap year', async () => {
    const latest = '(select max(id) from subscriptions)';
    await rows(`update account_payments set period_start = '2028-03-01T03:00:00Z' where subscription_id = ${latest}`);
    await rows(
      `update subscriptions set period_start = '2030-03-01T03:00:00Z', period_end = '2031-03-01T03:00:00Z',
              charge_on = '2031-03-01T03:00:00Z' where id = ${latest}`,
    );
    await renewAt(new Date('2031-03-01T03:00:00Z'));
    expect(await subscription()).toMatchObject({ period_end: new Date('2032-03-01T03:00:00Z') });
    expect(await charged()).toBe(1);
  });

  test('with a declined card is tried on days 1, 4 and 8, and then moves to the free tier', async () => {
    const app = refusing();
    const galleryId = await openGallery(server, people.tokens.neighbor, people.tides.id, { name: 'Dual Meet' });
    await openGallery(server, people.tokens.neighbor, people.tides.id, { name: 'Relay Day' });
    const tries = [0, 1, 4, 8];
    for (const [index, day] of tries.entries()) {
      if (day > 0) {
        await renewAt(new Date(days(day).getTime() - 60_000), app);
        expect(await subscription(), `too early on day ${day}`).toMatchObject({ declines: index });
      }
      await renewAt(days(day), app);
      await renewAt(days(day), app);
    }
    expect(await sentEmails()).toEqual([
      'We could not renew Sideline Premium for tides',
      'We could not renew Sideline Premium for tides',
      'We could not renew Sideline Premium for tides',
      'tides is back on the Sideline Free plan',
    ]);
    expect(await subscription()).toMatchObject({ status: 'ended' });
    expect(await isFree()).toBe(true);
    expect(await charged()).toBe(0);
    expect(await violations()).toEqual([]);

    // Nothing is deleted; only new things are limited.
    const gallery = await server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/full` });
    expect(gallery.statusCode).toBe(200);
    const another = openGallery(server, people.tokens.neighbor, people.tides.id, { name: 'One More' });
    await expect(another).rejects.toThrow('Please Upgrade to have more than 1 active gallery.');
    await rows('update galleries set active = false where organization_id = $1', [people.tides.id]);
  });

  test('is not declined while the provider is unreachable: it is tried again, and no email is sent', async () => {
    const away = appWith(server, {
      charge: async () => ({ state: 'declined', message: PAYMENT_UNAVAILABLE, code: 'request_refused' }),
    });
    for (const day of [0, 1, 2, 4, 8, 9, 12]) await renewAt(days(day), away);
    expect(await subscription()).toMatchObject({ status: 'active', declines: 0 });
    expect(await isFree()).toBe(false);
    expect((await sentEmails()).filter((subject) => !/renews/i.test(subject))).toEqual([]);
    await renewAt(days(13));
    expect(await charged()).toBe(1);
    expect(await subscription()).toMatchObject({ status: 'active', declines: 0, period_end: days(366) });
  });

  test('that is past due is still premium, and renews when the card works again', async () => {
    await renewAt(END, refusing());
    expect(await subscription()).toMatchObject({ status: 'past_due', declines: 1, charge_on: days(1) });
    expect(await isFree()).toBe(false);
    await renewAt(days(1));
    // The new year starts where the old one ended.
    expect(await subscription()).toMatchObject({
      status: 'active',
      declines: 0,
      period_end: new Date('2028-11-21T15:00:00Z'),
    });
    expect(await charged()).toBe(1);
    expect(await violations()).toEqual([]);
  });

  test('whose charge got no response is settled by the recovery job, and charged once', async () => {
    const app = appWith(server, {
      charge: async (request) => {
        await server.platform.payments.charge(request);
        return { state: 'unknown', cause: new Error('the line went dead') };
      },
    });
    await renewAt(END, app);
    await renewAt(END);
    expect(await charged()).toBe(1);
    expect(await subscription()).toMatchObject({ period_end: END });
    await letTimePass(server, 13);
    await server.app.billing.sweep();
    expect(await subscription()).toMatchObject({ status: 'active', period_end: new Date('2028-11-21T15:00:00Z') });
    expect(await charged()).toBe(1);
    expect(await violations()).toEqual([]);
  });

  test('without a stored card is treated as declined', async () => {
    await rows("update subscriptions set saved_card = null where status <> 'ended'");
    await renewAt(END);
    expect(await subscription()).toMatchObject({ status: 'past_due', declines: 1 });
    expect(await charged()).toBe(0);
  });

  test('of a deleted organization ends without a charge', async () => {
    await rows('update organizations set deleted_at = now() where id = $1', [people.tides.id]);
    try {
      await renewAt(END);
      expect(await subscription()).toMatchObject({ status: 'ended' });
      expect([await charged(), await sentEmails()]).toEqual([0, []]);
    } finally {
      await rows('update organizations set deleted_at = null where id = $1', [people.tides.id]);
    }
  });

  test('that has ended can be started again by an upgrade', async () => {
    const app = refusing();
    for (const day of [0, 1, 4, 8]) await renewAt(days(day), app);
    const { id } = await payWith(server);
    const again = await server.app.billing.upgrade(await callerOf(server, people.tokens.neighbor), {
      token: id,
      type: 'upgrade',
      affiliate_id: people.tides.id,
    });
    expect(again.state).toBe('upgraded');
    expect(await isFree()).toBe(false);
    expect(await violations()).toEqual([]);
  });
});
