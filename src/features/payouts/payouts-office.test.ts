/** The review of payouts, the second admin, files for the bank, what members see, and a provider of transfers. */
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
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
import { listPaidOut } from '#src/features/payouts/payouts.sql.ts';
import { openSandboxTransfers, type TransferFault } from '#tests/support/sandbox-transfers.ts';
import { siteOrigin } from '#src/shared/addresses.ts';
import { owedTo, sellDue, shareOf } from '#tests/support/due-orders.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { callerOf } from '#tests/support/payer.ts';
import { reportCharge } from '#tests/support/refunds.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { PAYOUT_SECOND_APPROVAL_CENTS: '50000' } });
let people: Neighborhood;
let secondAdmin: string;
beforeAll(async () => {
  await server.app.accounts.createUser({
    email: 'second@people.test',
    firstName: 'Second',
    lastName: 'Admin',
    password: TEST_PASSWORD,
    roleId: 2,
    administers: [],
  });
  secondAdmin = await server.signIn('second@people.test');
});
beforeEach(async () => {
  people = await settleAnother(server);
});

const caller = () => callerOf(server, people.tokens.admin);
const review = async () => server.app.payouts.review(await caller());
const press = (organizations: { id: number; amount: number }[], reviewedAt: string, as = people.tokens.admin) =>
  server.call({
    method: 'POST',
    url: '/api/v1/payouts',
    as,
    payload: { reviewed_at: reviewedAt, organizations },
  });
const get = (url: string, as: string | null) => server.call({ method: 'GET', url, as });
const sharesOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + shareOf(amount), 0);

/** Sells at these amounts, and pays out everything that is due to the organization; returns the payout's id. */
async function sellAndPayOut(id: number, amounts: readonly number[]): Promise<number> {
  await sellDue(server, id, { amounts });
  const made = await press([{ id, amount: sharesOf(amounts) / 100 }], new Date().toISOString());
  expect(made.statusCode, made.body).toBe(200);
  return made.json<PayOutAnswer>().payouts[0]?.id ?? 0;
}
const confirm = (payoutId: number, as: string) =>
  server.call({ method: 'POST', url: `/api/v1/payouts/${payoutId}/confirm`, as, payload: { reference: 'ACH 1' } });

/** The hawks have orders that are due and one that is too new, and the tides a fee for a refund. */
async function sellForReview(): Promise<void> {
  await sellDue(server, people.hawks.id, { amounts: [1000, 2000] });
  await sellDue(server, people.hawks.id, { amounts: [4000], daysAgo: 10 });
  const [gone] = await sellDue(server, people.tides.id, { amounts: [700] });
  await reportCharge(server, gone?.vanityId ?? '', { refundedCents: 700 });
}

describe('the review', () => {
  const growth = (before: Record<string, number>, after: Record<string, number>) =>
    Object.fromEntries(Object.entries(after).map(([name, sum]) => [name, sum - (before[name] ?? 0)]));

  test('groups what is due and what is held, with its reasons', async () => {
    const before = await review();
    await sellForReview();
    await sellDue(server, people.parent.id, { amounts: [1000], processor: 'custom' });
    const after = await review();
    const ours = new Set([people.hawks.id, people.tides.id, people.parent.id]);
    const held = after.held.filter(({ organizationId }) => ours.has(organizationId));
    expect(after.holdDays).toBe(30);
    expect(after.ready.filter(({ organizationId }) => ours.has(organizationId))).toMatchObject([
      {
        organizationId: people.hawks.id,
        amount: sharesOf([1000, 2000]),
        sales: sharesOf([1000, 2000]),
        carry: 0,
        orders: 2,
      },
    ]);
    const due = sharesOf([1000, 2000]);
    expect(growth(before.readySums, after.readySums)).toEqual({ amount: due, organizations: 1, orders: 2 });
    expect(held.map(({ organizationId, why, amount, orders }) => ({ organizationId, why, amount, orders }))).toEqual([
      { organizationId: people.hawks.id, why: 'too_new', amount: shareOf(4000), orders: 1 },
      { organizationId: people.tides.id, why: 'negative_balance', amount: -50, orders: 0 },
      { organizationId: people.parent.id, why: 'own_account', amount: 0, orders: 1 },
    ]);
    expect(growth(before.heldSums, after.heldSums)).toEqual({ amount: shareOf(4000) - 50, organizations: 2 });
    expect(held[0]?.until?.getTime()).toBeCloseTo(Date.now() + 20 * 86_400_000, -5);
  });

  test('pays what was shown: an organization that has changed since is skipped and named', async () => {
    await sellForReview();
    const { ready, reviewedAt } = await review();
    const hawks = ready.find(({ organizationId }) => organizationId === people.hawks.id);
    const seen = { id: people.hawks.id, amount: (hawks?.amount ?? 0) / 100 };
    await sellDue(server, people.tides.id, { amounts: [5000] });
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
    const answer = await press([seen, { id: people.stranger.id, amount: 3 }], reviewedAt);
    expect(answer.statusCode).toBe(200);
    expect(answer.json<PayOutAnswer>().results).toEqual([
      {
        organization_id: people.hawks.id,
        result: 'paid_out',
        payout_id: expect.any(Number),
        amount: sharesOf([1000, 2000]) / 100,
      },
      { organization_id: people.stranger.id, result: 'nothing_due', payout_id: null, amount: 0 },
    ]);
  });

  test('pays what a won dispute released, although nothing new was sold', async () => {
    const { id } = people.stranger;
    const [order] = await sellDue(server, id, { amounts: [6000] });
    await press([{ id, amount: shareOf(6000) / 100 }], new Date().toISOString());
    const dispute = { id: 'dp_freed', amountCents: 6000 as never, reason: null };
    await reportCharge(server, order?.vanityId ?? '', { disputes: [{ ...dispute, status: 'open' }] });
    await sellDue(server, id, { amounts: [20_000] });
    expect((await press([{ id, amount: (shareOf(20_000) - 6000) / 100 }], new Date().toISOString())).statusCode).toBe(
      200,
    );
    await reportCharge(server, order?.vanityId ?? '', { disputes: [{ ...dispute, status: 'won' }] });
    const answer = await press([{ id, amount: 60 }], new Date().toISOString());
    expect(answer.json<PayOutAnswer>().results[0]).toMatchObject({ result: 'paid_out', amount: 60 });
    expect(await owedTo(server, id)).toBe(0);
  });

  test('sent twice at the same time pays once', async () => {
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
    const payoutId = await sellAndPayOut(people.hawks.id, [100_000]);
    const alone = await confirm(payoutId, people.tokens.admin);
    expect([alone.statusCode, alone.json<{ error: string }>().error]).toEqual([403, SECOND_PERSON_NEEDED]);
    const together = await confirm(payoutId, secondAdmin);
    expect(together.json<OfficePayout>()).toMatchObject({
      status: 'paid',
      needs_second_person: true,
      created_by: { name: 'admin Person' },
      approved_by: { name: 'Second Admin' },
    });
  });
});

describe('lists and files of payouts', () => {
  /** All pages of a list. */
  async function walk(limit: number, filter = ''): Promise<OfficePayout[]> {
    const walked: OfficePayout[] = [];
    for (let after: number | null = null; ;) {
      const query: string = after === null ? '' : `&after=${after}`;
      const url = `/api/v1/payouts?limit=${limit}${filter}${query}`;
      const page = (await get(url, people.tokens.admin)).json<OfficePayoutsPage>();
      walked.push(...page.payouts);
      expect(page.payouts.length).toBeLessThanOrEqual(limit);
      after = page.next;
      if (after === null) return walked;
    }
  }
  const numbersIn = (file: string) => [...file.matchAll(/payout (\d+)"/g)].map(([, id]) => Number(id));
  const idsOf = (payouts: readonly { id: number }[]) => payouts.map(({ id }) => id);
  /** Of every payout in the database, the newest first. */
  const allIds = async (where = 'true') =>
    idsOf(await server.data.ownerQuery<{ id: number }>(`select id from payouts where ${where} order by id desc`));

  test('are paged by key, newest first', async () => {
    const made: number[] = [];
    for (const amount of [1000, 2000, 3000, 4000]) made.push(await sellAndPayOut(people.hawks.id, [amount]));
    await confirm(made[1] ?? 0, people.tokens.admin);
    const all = (await get('/api/v1/payouts', people.tokens.admin)).json<OfficePayoutsPage>();
    expect(idsOf(all.payouts).slice(0, 4)).toEqual(made.toReversed());
    expect(idsOf(await walk(2))).toEqual(await allIds());
    const open = await walk(2, '&status=open');
    expect(idsOf(open)).toEqual(await allIds("status = 'created'"));
    expect(idsOf(open).filter((id) => made.includes(id))).toEqual([made[3], made[2], made[0]]);
    expect(open.every(({ status }) => status === 'created')).toBe(true);
  });

  test('have the orders of each', async () => {
    const payoutId = await sellAndPayOut(people.hawks.id, [1000, 2000]);
    const lines = await get(`/api/v1/payouts/${payoutId}/orders`, people.tokens.admin);
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
    const payoutId = await sellAndPayOut(people.hawks.id, [1000]);
    await server.data.ownerQuery('update organizations set name = \'=HYPERLINK("x")\' where id = $1', [
      people.hawks.id,
    ]);
    const file = await get(`/api/v1/payouts/${payoutId}/bank.csv`, people.tokens.admin);
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.body).toBe(
      `\uFEFF"Payee","Amount","Currency","Reference","Organization","Address","City","State","Zip"\r\n"'=HYPERLINK(""x"")","${(shareOf(1000) / 100).toFixed(2)}","USD","Sideline payout ${payoutId}","'=HYPERLINK(""x"")","","","",""\r\n`,
    );
    for (const path of ['bank.csv', `${payoutId}/bank.csv`, `${payoutId}/orders`, `${payoutId}`]) {
      expect((await get(`/api/v1/payouts/${path}`, null)).statusCode).toBe(401);
      expect((await get(`/api/v1/payouts/${path}`, people.tokens.owner)).statusCode).toBe(403);
    }
  });

  test('have no file for the bank once they are confirmed, neither of their own nor among all', async () => {
    const [open, done] = [await sellAndPayOut(people.hawks.id, [1000]), await sellAndPayOut(people.hawks.id, [2000])];
    expect((await confirm(done, people.tokens.admin)).statusCode).toBe(200);
    const again = await get(`/api/v1/payouts/${done}/bank.csv`, people.tokens.admin);
    expect([again.statusCode, again.json()]).toMatchObject([409, { error: NOTHING_TO_TRANSFER }]);
    const all = await get('/api/v1/payouts/bank.csv', people.tokens.admin);
    const numbers = numbersIn(all.body);
    expect(all.body.split('\r\n')).toHaveLength(numbers.length + 2);
    expect(numbers).toEqual(await allIds("status = 'created'"));
    expect([numbers.includes(open), numbers.includes(done)]).toEqual([true, false]);
  });

  test('have a file of all payouts, however many there are', async () => {
    const many = await server.data.ownerQuery<{ id: number }>(
      `insert into payouts (organization_id, amount_cents, batch_key, order_count) select $1, n, gen_random_uuid(), 0 from generate_series(1, 5100) as n returning id`,
      [people.hawks.id],
    );
    onTestFinished(async () => {
      await server.data.ownerQuery('delete from payouts where id = any ($1)', [idsOf(many)]);
    });
    const numbers = numbersIn((await get('/api/v1/payouts/bank.csv', people.tokens.admin)).body);
    expect(numbers.slice(0, 5100)).toEqual(idsOf(many).toSorted((a, b) => b - a));
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => b - a));
  });

  test('show members their own, a parent’s those of its children, and no one else any', async () => {
    const first = await sellAndPayOut(people.hawks.id, [1000]);
    const second = await sellAndPayOut(people.hawks.id, [2000]);
    const parents = await sellAndPayOut(people.parent.id, [3000]);
    await sellAndPayOut(people.stranger.id, [4000]);
    const listed = async (id: number, as: string | null) => get(`/api/v1/affiliates/${id}/payouts`, as);
    const own = (await listed(people.hawks.id, people.tokens.owner)).json<MemberPayoutsPage>();
    expect(idsOf(own.payouts)).toEqual([second, first]);
    expect(own.payouts[0]).not.toHaveProperty('created_by');
    const family = (await listed(people.parent.id, people.tokens.parentMember)).json<MemberPayoutsPage>();
    expect(idsOf(family.payouts)).toEqual([parents, second, first]);
    expect((await listed(people.hawks.id, null)).statusCode).toBe(401);
    for (const who of ['neighbor', 'foreigner'] as const)
      expect((await listed(people.hawks.id, people.tokens[who])).statusCode).toBe(404);
    expect((await listed(people.parent.id, people.tokens.owner)).statusCode).toBe(404);
  });

  test('show what is due, what is too new, what is in progress and what was paid', async () => {
    const { id } = people.parent;
    await confirm(await sellAndPayOut(people.hawks.id, [3000]), people.tokens.admin);
    await sellAndPayOut(people.hawks.id, [4000]);
    await sellDue(server, id, { amounts: [1000] });
    await sellDue(server, id, { amounts: [2000], daysAgo: 5 });
    expect(await server.app.payouts.outlookOf(await caller(), id)).toMatchObject({
      holdDays: 30,
      disputedCents: 0,
      tooNewCents: shareOf(2000),
      dueCents: shareOf(1000),
      onTheWayCents: shareOf(4000),
      paidCents: shareOf(3000),
    });
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
    };
    const [order] = await sellDue(server, people.stranger.id, { amounts: [4000] });
    const { payouts } = await createPayingOut(deps).payOutOrders(await caller(), [order?.id ?? 0], { key: null });
    const submit = () => createPayoutDecisions(deps).submit(batches[0] ?? '');
    const status = async () => (await server.app.payouts.byId(await caller(), payouts[0]?.id ?? 0)).status;
    const fail = async (next: TransferFault = 'none') => {
      payoutSender.failNext(next);
      return createPayoutDecisions(deps)
        .fail(await caller(), payouts[0]?.id ?? 0, 'It did not arrive.')
        .then(
          () => 'failed',
          (error: Error) => error.message,
        );
    };
    return { submit, status, fail, moved: payoutSender.moved, orderId: order?.id ?? 0 };
  }

  test('moves the money once and confirms it with its reference', async () => {
    const { submit, status, moved } = await through('none');
    await submit();
    await submit();
    expect([await status(), moved.length]).toEqual(['paid', 1]);
    expect(moved[0]).toMatchObject({ organizationId: people.stranger.id, amountCents: shareOf(4000) });
  });

  test('whose response is lost is asked again with the same key, and moves the money once', async () => {
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
    // It was never sent, and from now on it never will be.
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
      (await server.platform.database.read({ kind: 'system', why: 'test' }, (db) => listPaidOut(db, [orderId]))).size,
    ).toBe(0);
  });
});
