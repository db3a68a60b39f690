/** The payment of a sign-up: attached to its account, or refunded, wherever a process died in between. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import type { SignUpPayment } from '#src/features/billing/billing.service.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { callerOf, chargesOf, DECLINED_CARD, appWith, letTimePass, payWith } from '#tests/support/payer.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
const SYSTEM = { kind: 'system', why: 'a test makes accounts' } as const;
let people: Neighborhood;
let userId: number;
let clubs = 0;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  userId = await server.app.accounts.createUser({
    email: 'new@people.test',
    firstName: 'New',
    lastName: 'Person',
    password: 'long enough',
    roleId: 1,
    administers: [],
  });
});

let chargedBefore = 0;
beforeEach(async () => {
  chargedBefore = (await chargesOf(server)).length;
});
const charged = async () => (await chargesOf(server)).slice(chargedBefore);
const violations = () => checkInvariants({ database: server.platform.database, sandboxCards: true });

const newClub = () =>
  server.app.organizations.create({
    kind: 'affiliate',
    name: `New Club ${++clubs}`,
    domainName: `new-club-${clubs}`,
    parentOrganizationId: people.parent.id,
    contactName: 'New',
    contactEmail: 'new@people.test',
    freeTier: false,
  });

async function pay(number?: string, app = server.app): Promise<SignUpPayment> {
  const { id } = await payWith(server, number);
  return app.billing.chargeSignUp(await callerOf(server, null), {
    token: id,
    email: 'new@people.test',
    name: 'New Person',
    organizationName: 'New Club',
  });
}
const keep = (payment: SignUpPayment, organizationId: number) =>
  server.platform.database.write(SYSTEM, (tx) =>
    server.app.billing.bookSignUpPayment(tx, payment, organizationId, userId),
  );
const stateOf = async ({ id }: { id: number }) =>
  (await server.data.ownerQuery<{ state: string }>('select state from account_payments where id = $1', [id]))[0]?.state;

describe('a paid sign-up', () => {
  test('is charged 89 dollars and stored with its account', async () => {
    const payment = await pay();
    expect(payment.amountCents).toBe(8900);
    const organizationId = await newClub();
    await keep(payment, organizationId);
    expect(await charged()).toEqual([{ amount: 8900, refunded: 0 }]);
    const [subscription] = await server.data.ownerQuery(
      'select status, payer_email, card_last4 from subscriptions where organization_id = $1',
      [organizationId],
    );
    expect(subscription).toEqual({ status: 'active', payer_email: 'new@people.test', card_last4: '4242' });
    const [sentEmail] = await server.data.ownerQuery('select subject from mail_outbox where dedupe_key = $1', [
      `account-receipt-${payment.id}`,
    ]);
    expect(sentEmail).toEqual({ subject: `Your receipt: Sideline Premium for New Club ${clubs}` });
    // Undoing it after a lost response comes too late, and so does the recovery job.
    await server.app.billing.undoSignUpPayment(payment);
    await letTimePass(server, 100);
    await server.app.billing.sweep();
    expect(await stateOf(payment)).toBe('succeeded');
    expect(await violations()).toEqual([]);
  });

  test('with a declined card is refused in the provider’s words', async () => {
    await expect(pay(DECLINED_CARD)).rejects.toMatchObject({
      code: 'card_refused',
      message: 'Your card was declined.',
    });
    expect(await charged()).toEqual([]);
  });

  test('is refunded once when no account was created', async () => {
    const payment = await pay();
    await Promise.all([1, 2, 3].map(() => server.app.billing.undoSignUpPayment(payment)));
    expect(await charged()).toEqual([{ amount: 8900, refunded: 8900 }]);
    expect(await stateOf(payment)).toBe('refunded');
    await expect(keep(payment, await newClub())).rejects.toMatchObject({ code: 'unavailable' });
    const [balance] = await server.data.ownerQuery(
      `select sum(e.amount_cents)::int as cents from ledger_entries e join ledger_txs t on t.id = e.tx_id join ledger_accounts a on a.id = e.account_id
        where t.kind = 'account_refund' and t.source_id = $1 and a.kind = 'provider_fee'`,
      [String(payment.id)],
    );
    expect(balance, 'the provider keeps its fee').toEqual({ cents: 288 });
    expect(await violations()).toEqual([]);
  });

  test('whose account was never created, because the process died, is refunded by the recovery job', async () => {
    const payment = await pay();
    await letTimePass(server, 15);
    await server.app.billing.sweep();
    expect(await stateOf(payment), 'the account may still come').toBe('succeeded');
    await letTimePass(server, 6);
    await Promise.all([server.app.billing.sweep(), server.app.billing.sweep()]);
    expect(await stateOf(payment)).toBe('refunded');
    expect(await charged()).toEqual([{ amount: 8900, refunded: 8900 }]);
    expect(await violations()).toEqual([]);
  });

  test('whose account is rolled back with its transaction remains to be refunded', async () => {
    const payment = await pay();
    const organizationId = await newClub();
    const cutOff = server.platform.database.write(SYSTEM, async (tx) => {
      await server.app.billing.bookSignUpPayment(tx, payment, organizationId, userId);
      throw new Error('the e-mail address was taken');
    });
    await expect(cutOff).rejects.toThrow('was taken');
    await server.app.billing.undoSignUpPayment(payment);
    expect(await charged()).toEqual([{ amount: 8900, refunded: 8900 }]);
    expect(await violations()).toEqual([]);
  });

  test('whose outcome is unknown creates no account, and what was charged is refunded', async () => {
    const app = appWith(server, {
      charge: async (request) => {
        await server.platform.payments.charge(request);
        return { state: 'unknown', cause: new Error('the line went dead') };
      },
    });
    await expect(pay(undefined, app)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('we’ll refund you'),
    });
    expect(await charged()).toEqual([{ amount: 8900, refunded: 0 }]);
    await letTimePass(server, 13);
    await server.app.billing.sweep();
    expect(await charged()).toEqual([{ amount: 8900, refunded: 8900 }]);
    expect(await violations()).toEqual([]);
  });

  test('whose refund fails is refunded by a later run, once', async () => {
    const payment = await pay();
    let asked = 0;
    const app = appWith(server, {
      refund: async (request) => {
        await server.platform.payments.refund(request);
        asked += 1;
        return { state: 'unknown', cause: new Error('the line went dead') };
      },
    });
    await app.billing.undoSignUpPayment(payment);
    expect([asked, await stateOf(payment)]).toEqual([1, 'refunding']);
    await letTimePass(server, 13);
    await server.app.billing.sweep();
    expect(await stateOf(payment)).toBe('refunded');
    expect(await charged()).toEqual([{ amount: 8900, refunded: 8900 }]);
    expect(await violations()).toEqual([]);
  });

  test('is either kept or refunded when both happen at the same time', async () => {
    for (let round = 0; round < 6; round++) {
      const payment = await pay();
      const organizationId = await newClub();
      const [kept] = await Promise.allSettled([
        keep(payment, organizationId),
        server.app.billing.undoSignUpPayment(payment),
      ]);
      expect(await stateOf(payment)).toBe(kept.status === 'fulfilled' ? 'succeeded' : 'refunded');
    }
    expect(await violations()).toEqual([]);
  });
});
