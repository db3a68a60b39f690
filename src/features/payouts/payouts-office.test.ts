/** The review of payouts, the second admin, files for the bank, what members see, and a provider of transfers. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createLedgerService } from '#src/features/ledger/ledger.service.ts';
import { createPayoutDecisions } from '#src/features/payouts/payout-decisions.service.ts';
import { createPayingOut } from '#src/features/payouts/paying-out.service.ts';
import {
  NOTHING_TO_SEND,
  NOTHING_TO_TRANSFER,
  ORGANIZATIONS_REQUIRED,
  SECOND_PERSON_NEEDED,
  TRANSFER_ON_ITS_WAY,
  TRANSFER_UNKNOWN,
  TRANSFER_WAS_SENT,
  type MemberPayoutsPage,
  type OfficePayout,
  type OfficePayoutsPage,
  type PayOutAnswer,
} from '#src/features/payouts/payouts.contract.ts';
import { openSandboxTransfers, type TransferFault } from '#tests/support/sandbox-transfers.ts';
import { siteOrigin } from '#src/shared/addresses.ts';
import { owedTo, sellDue, shareOf } from '#tests/support/due-orders.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { tellOf } from '#tests/support/refunds.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { PAYOUT_SECOND_APPROVAL_CENTS: '50000' } });
let people: Neighborhood;
let secondAdmin: string;
let adminId: number;
beforeAll(async () => {
  people = await settleNeighborhood(server);
  await server.app.accounts.createUser({
    email: 'second@people.test',
    firstName: 'Second',
    lastName: 'Admin',
    password: TEST_PASSWORD,
    roleId: 2,
    administers: [],
  });
  secondAdmin = await server.signIn('second@people.test');
  const [admin] = await server.data.ownerQuery<{ id: number }>(
    "select id from users where email = 'admin@people.test'",
  );
  adminId = admin?.id ?? 0;
});

const caller = () =>
  ({
    actor: {
      kind: 'user',
      userId: adminId,
      roleId: 2,
      memberships: [],
      sessionHash: Buffer.alloc(32),
      confirmedAt: new Date(),
    },
    visitorId: null,
    unlocks: new Map(),
    ip: '203.0.113.9',
  }) as const;
const review = () => server.app.payouts.review(caller());
const press = (organizations: { id: number; amount: number }[], reviewedAt: string, as = people.tokens.admin) =>
  server.call({
    method: 'POST',
    url: '/api/v1/payouts',
    as,
    payload: { reviewed_at: reviewedAt, organizations },
  });
const get = (url: string, as: string | null) => server.call({ method: 'GET', url, as });

describe('the review', () => {
  test('groups what is due and what is held, with its reasons', async () => {
    await sellDue(server, people.hawks.id, { amounts: [1000, 2000] });
    await sellDue(server, people.hawks.id, { amounts: [4000], daysAgo: 10 });
    await sellDue(server, people.parent.id, { amounts: [1000], processor: 'custom' });
    const [gone] = await sellDue(server, people.tides.id, { amounts: [700] });
    await tellOf(server, gone?.vanityId ?? '', { refundedCents: 700 });
    const { ready, held, readySums, heldSums, holdDays } = await review();
    expect(holdDays).toBe(30);
    expect(ready).toMatchObject([
      {
        organizationId: people.hawks.id,
        amount: shareOf(1000) + shareOf(2000),
        sales: shareOf(1000) + shareOf(2000),
        carry: 0,
        orders: 2,
      },
    ]);
    expect(readySums).toEqual({ amount: shareOf(1000) + shareOf(2000), organizations: 1, orders: 2 });
    expect(held.map(({ organizationId, why, amount, orders }) => ({ organizationId, why, amount, orders }))).toEqual([
      { organizationId: people.hawks.id, why: 'too_new', amount: shareOf(4000), orders: 1 },
      { organizationId: people.tides.id, why: 'negative_balance', amount: -50, orders: 0 },
      { organizationId: people.parent.id, why: 'own_account', amount: 0, orders: 1 },
    ]);
    expect(heldSums).toEqual({ amount: shareOf(4000) - 50, organizations: 2 });
    expect(held[0]?.until?.getTime()).toBeCloseTo(Date.now() + 20 * 86_400_000, -5);
  });

  test('pays what was shown: an organization that has changed since is left out and named', async () => {
    const { ready, reviewedAt } = await review();
    const seen = ready.map((one) => ({ id: one.organizationId, amount: one.amount / 100 }));
    const [more] = await sellDue(server, people.tides.id, { amounts: [5000] });
    const wrong = await press([{ id: people.tides.id, amount: 1 }], reviewedAt);
    expect([wrong.statusCode, wrong.json<{ error: string }>().error]).toEqual([409, NOTHING_TO_SEND]);
    expect(wrong.json<PayOutAnswer>().results).toEqual([
      {
        organization_id: people.tides.id,
        result: 'changed',
        payout_id: null,
        amount: (shareOf(5000) - 50) / 100,
      },
    ]);
    const answer = await press([...seen, { id: people.stranger.id, amount: 3 }], reviewedAt);
    expect(answer.statusCode).toBe(200);
    expect(answer.json<PayOutAnswer>().results).toEqual([
      {
        organization_id: people.hawks.id,
        result: 'paid_out',
        payout_id: expect.any(Number),
        amount: (shareOf(1000) + shareOf(2000)) / 100,
      },
      { organization_id: people.stranger.id, result: 'nothing_due', payout_id: null, amount: 0 },
    ]);
    expect(more?.id).toBeGreaterThan(0);
  });

  test('pays what a won dispute released, although nothing new was sold', async () => {
    const { id } = people.stranger;
    const [order] = await sellDue(server, id, { amounts: [6000] });
    await press([{ id, amount: shareOf(6000) / 100 }], new Date().toISOString());
    const dispute = { id: 'dp_freed', amountCents: 6000 as never, reason: null };
    await tellOf(server, order?.vanityId ?? '', { disputes: [{ ...dispute, status: 'open' }] });
    const [young] = await sellDue(server, id, { amounts: [20_000] });
    expect((await press([{ id, amount: (shareOf(20_000) - 6000) / 100 }], new Date().toISOString())).statusCode).toBe(
      200,
    );
    await tellOf(server, order?.vanityId ?? '', { disputes: [{ ...dispute, status: 'won' }] });
    const answer = await press([{ id, amount: 60 }], new Date().toISOString());
    expect(answer.json<PayOutAnswer>().results[0]).toMatchObject({ result: 'paid_out', amount: 60 });
    expect(await owedTo(server, id)).toBe(0);
    expect(young?.id).toBeGreaterThan(0);
  });

  test('sent twice at once pays once', async () => {
    const { id } = people.hawks;
    await sellDue(server, id, { amounts: [3000] });
    const now = new Date().toISOString();
    const presses = await Promise.all([1, 2, 3].map(() => press([{ id, amount: shareOf(3000) / 100 }], now)));
    expect(presses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409]);
  });

  test('refuses an invalid review', async () => {
    const answer = await press([], 'yesterday');
    expect(answer.statusCode).toBe(422);
    expect(answer.json<{ errors: Record<string, string[]> }>().errors).toMatchObject({
      organizations: [ORGANIZATIONS_REQUIRED],
      reviewed_at: [expect.any(String)],
    });
    expect(
      (await press([{ id: people.hawks.id, amount: 1 }], new Date().toISOString(), people.tokens.owner)).statusCode,
    ).toBe(403);
  });
});

describe('a large payout', () => {
  test('is confirmed by a second admin', async () => {
    const { id } = people.hawks;
    await sellDue(server, id, { amounts: [100_000] });
    const made = await press([{ id, amount: shareOf(100_000) / 100 }], new Date().toISOString());
    const payoutId = made.json<PayOutAnswer>().payouts[0]?.id ?? 0;
    const confirm = (as: string) =>
      server.call({ method: 'POST', url: `/api/v1/payouts/${payoutId}/confirm`, as, payload: { reference: 'ACH 1' } });
    const alone = await confirm(people.tokens.admin);
    expect([alone.statusCode, alone.json<{ error: string }>().error]).toEqual([403, SECOND_PERSON_NEEDED]);
    const together = await confirm(secondAdmin);
    expect(together.json<OfficePayout>()).toMatchObject({
      status: 'paid',
      needs_second_person: true,
      created_by: { name: 'admin Person' },
      approved_by: { name: 'Second Admin' },
    });
  });
});

describe('lists and files of payouts', () => {
  test('are paged by key, with the orders of each', async () => {
    const all = (await get('/api/v1/payouts', people.tokens.admin)).json<OfficePayoutsPage>();
    expect(all.payouts.length).toBeGreaterThan(3);
    const walked: number[] = [];
    for (let after: number | null = null, rounds = 0; rounds < 20; rounds++) {
      const query: string = after === null ? '' : `&after=${after}`;
      const page = (await get(`/api/v1/payouts?limit=2${query}`, people.tokens.admin)).json<OfficePayoutsPage>();
      walked.push(...page.payouts.map(({ id }) => id));
      after = page.next;
      if (after === null) break;
    }
    expect(walked).toEqual(all.payouts.map(({ id }) => id));
    const open = (await get('/api/v1/payouts?status=open', people.tokens.admin)).json<OfficePayoutsPage>();
    expect(open.payouts.every(({ status }) => status === 'created')).toBe(true);
    const lines = await get(`/api/v1/payouts/${all.payouts.at(-1)?.id}/orders`, people.tokens.admin);
    expect(lines.json()).toMatchObject({
      lines: [
        { kind: 'sale', amount: shareOf(1000) / 100 },
        { kind: 'sale', amount: shareOf(2000) / 100 },
      ],
      next: null,
    });
    expect((await get('/api/v1/payouts/999999/orders', people.tokens.admin)).statusCode).toBe(404);
    expect((await get('/api/v1/payouts/999999', people.tokens.admin)).statusCode).toBe(404);
  });

  test('have a file for the bank that is safe in a spreadsheet, and for platform admins only', async () => {
    const { payouts } = (await get('/api/v1/payouts?status=open', people.tokens.admin)).json<OfficePayoutsPage>();
    const payout = payouts.at(-1);
    await server.data.ownerQuery('update organizations set name = \'=HYPERLINK("x")\' where id = $1', [
      payout?.organization_id,
    ]);
    const file = await get(`/api/v1/payouts/${payout?.id}/bank.csv`, people.tokens.admin);
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.body).toBe(
      `\uFEFF"Payee","Amount","Currency","Reference"\r\n"'=HYPERLINK(""x"")","${payout?.amount.toFixed(2)}","USD","Sideline payout ${payout?.id}"\r\n`,
    );
    const [done] = await server.data.ownerQuery<{ id: number }>('select id from payouts where decided_at is not null');
    const again = await get(`/api/v1/payouts/${done?.id}/bank.csv`, people.tokens.admin);
    expect([again.statusCode, again.json()]).toMatchObject([409, { error: NOTHING_TO_TRANSFER }]);
    const all = await get('/api/v1/payouts/bank.csv', people.tokens.admin);
    expect(all.body.split('\r\n')).toHaveLength(payouts.length + 2);
    for (const path of ['bank.csv', `${payout?.id}/bank.csv`, `${payout?.id}/orders`, `${payout?.id}`]) {
      expect((await get(`/api/v1/payouts/${path}`, null)).statusCode).toBe(401);
      expect((await get(`/api/v1/payouts/${path}`, people.tokens.owner)).statusCode).toBe(403);
    }
    await server.data.ownerQuery("update organizations set name = 'hawks' where id = $1", [payout?.organization_id]);
  });

  test('have a file of all payouts, however many there are', async () => {
    await server.data.ownerQuery(
      `insert into payouts (organization_id, amount_cents, batch_key, order_count) select $1, n, gen_random_uuid(), 0 from generate_series(1, 5100) as n`,
      [people.hawks.id],
    );
    const all = await get('/api/v1/payouts/bank.csv', people.tokens.admin);
    const numbers = [...all.body.matchAll(/payout (\d+)"/g)].map(([, id]) => Number(id));
    expect(numbers.length).toBeGreaterThanOrEqual(5100);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => b - a));
    await server.data.ownerQuery('delete from payouts where order_count = 0 and amount_cents <= 5100');
  });

  test('show members their own, a parent’s those of its children, and no one else any', async () => {
    const listed = async (id: number, as: string | null) => get(`/api/v1/affiliates/${id}/payouts`, as);
    const own = (await listed(people.hawks.id, people.tokens.owner)).json<MemberPayoutsPage>();
    expect(own.payouts.length).toBeGreaterThan(1);
    expect(own.payouts.every(({ organization_id }) => organization_id === people.hawks.id)).toBe(true);
    expect(own.payouts[0]).not.toHaveProperty('created_by');
    const family = (await listed(people.parent.id, people.tokens.parentMember)).json<MemberPayoutsPage>();
    expect(family.payouts.map(({ id }) => id)).toEqual(expect.arrayContaining(own.payouts.map(({ id }) => id)));
    expect(family.payouts.some(({ organization_id }) => organization_id === people.stranger.id)).toBe(false);
    expect((await listed(people.hawks.id, null)).statusCode).toBe(401);
    for (const who of ['neighbor', 'foreigner'] as const)
      expect((await listed(people.hawks.id, people.tokens[who])).statusCode).toBe(404);
    expect((await listed(people.parent.id, people.tokens.owner)).statusCode).toBe(404);
  });

  test('show what is due, what is too new and what is in progress', async () => {
    const { id } = people.parent;
    await sellDue(server, id, { amounts: [1000] });
    await sellDue(server, id, { amounts: [2000], daysAgo: 5 });
    const outlook = await server.app.payouts.outlookOf(caller(), id);
    expect(outlook).toMatchObject({ holdDays: 30, disputedCents: 0 });
    expect(outlook.tooNewCents).toBeGreaterThanOrEqual(shareOf(2000));
    expect(outlook.dueCents).toBeGreaterThanOrEqual(shareOf(1000));
    expect(outlook.paidCents).toBe(shareOf(100_000));
  });
});

describe('a provider of transfers', () => {
  async function through(fault: TransferFault) {
    const payoutSender = openSandboxTransfers();
    payoutSender.failNext(fault);
    const batches: string[] = [];
    const deps = {
      ...server.platform,
      ledger: createLedgerService(server.platform),
      orders: server.app.orders,
      accounts: server.app.accounts,
      audit: server.app.audit,
      origin: siteOrigin('sideline.localhost', 3000),
      jobs: {
        enqueue: async (_tx: unknown, _job: unknown, payload: unknown) =>
          void batches.push((payload as { batchKey: string }).batchKey),
      },
      payoutSender,
      sender: payoutSender,
    };
    const [order] = await sellDue(server, people.stranger.id, { amounts: [4000] });
    const { payouts } = await createPayingOut(deps).payOutOrders(caller(), [order?.id ?? 0], { key: null });
    const submit = () => createPayoutDecisions(deps).submit(batches[0] ?? '');
    const status = async () => (await server.app.payouts.byId(caller(), payouts[0]?.id ?? 0)).status;
    const fail = (next: TransferFault = 'none') => {
      payoutSender.failNext(next);
      return createPayoutDecisions(deps)
        .fail(caller(), payouts[0]?.id ?? 0, 'It did not arrive.')
        .then(
          () => 'failed',
          (error: Error) => error.message,
        );
    };
    return { submit, status, fail, moved: payoutSender.moved, orderId: order?.id ?? 0 };
  }

  test('moves the money once and confirms it by its reference', async () => {
    const { submit, status, moved } = await through('none');
    await submit();
    await submit();
    expect([await status(), moved.length]).toEqual(['paid', 1]);
    expect(moved[0]).toMatchObject({ organizationId: people.stranger.id, amountCents: shareOf(4000) });
  });

  test('whose response is lost is asked again under the same key, and moves the money once', async () => {
    const { submit, status, moved } = await through('lose_reply');
    await expect(submit()).rejects.toThrow('not known');
    expect(await status()).toBe('created');
    await submit();
    expect([await status(), moved.length]).toEqual(['paid', 1]);
  });

  test('that does not answer leaves the payout open', async () => {
    const { submit, status, moved } = await through('fail');
    await expect(submit()).rejects.toThrow('not known');
    expect([await status(), moved.length]).toEqual(['created', 0]);
  });

  test('is asked before an admin sets a payout to failed, which is refused while the outcome is unknown', async () => {
    const { submit, status, fail, moved } = await through('fail');
    await expect(submit()).rejects.toThrow('not known');
    expect([await fail('fail'), await status()]).toEqual([TRANSFER_UNKNOWN, 'created']);
    // It was never sent: from now on it never is.
    expect([await fail(), await status()]).toEqual(['failed', 'failed']);
    await submit();
    expect([moved.length, await status()]).toEqual([0, 'failed']);
  });

  test('that has moved the money, or is moving it, keeps it from being set to failed', async () => {
    const lost = await through('lose_reply');
    await expect(lost.submit()).rejects.toThrow('not known');
    expect([await lost.fail(), await lost.status()]).toEqual([TRANSFER_WAS_SENT, 'paid']);
    const taken = await through('take');
    await taken.submit();
    expect([await taken.fail('take'), await taken.status()]).toEqual([TRANSFER_ON_ITS_WAY, 'submitted']);
    expect([await taken.fail(), await taken.status()]).toEqual([TRANSFER_WAS_SENT, 'paid']);
  });

  test('that refuses makes the orders due again', async () => {
    const { submit, status, orderId } = await through('refuse');
    await submit();
    expect(await status()).toBe('failed');
    expect(
      (
        await server.platform.database.read({ kind: 'system', why: 'test' }, (db) =>
          server.app.payouts.ofOrders(db, [orderId]),
        )
      ).size,
    ).toBe(0);
  });
});
