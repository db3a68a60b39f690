/**
 * An organization's debt is settled by invoice: shown, booked once, in its statement, and then no longer an obstacle to
 * deletion.
 */
import type { KyselyPlugin } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { createLedgerService } from '#src/features/ledger/ledger.service.ts';
import {
  DEBT_HAS_CHANGED,
  INVOICE_REFERENCE_REQUIRED,
  NOTHING_OWED,
  OWED_AMOUNT_REQUIRED,
  SETTLED_WITH_OTHER_AMOUNT,
} from '#src/features/payouts/payouts.contract.ts';
import { CONFIRM_PASSWORD_FIRST } from '#src/features/accounts/accounts.contract.ts';
import type { StatementAnswer } from '#src/features/statements/statements.contract.ts';
import type { Writer } from '#src/platform/db/db.ts';
import { owedTo } from '#tests/support/balances.ts';
import { sellDue, shareOf } from '#tests/support/due-orders.ts';
import { settleAnother, thisMonth, type Neighborhood } from '#tests/support/neighborhood.ts';
import { callerOf } from '#tests/support/payer.ts';
import { reportCharge } from '#tests/support/refunds.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
beforeEach(async () => {
  people = await settleAnother(server);
});

const settle = (payload: object, as: string | null = people.tokens.admin) =>
  server.call({ method: 'POST', url: '/api/v1/payouts/settlements', as, payload });
const owes = async (organizationId: number) =>
  (await server.app.payouts.review(await callerOf(server, people.tokens.admin))).held.filter(
    (row) => row.organizationId === organizationId && row.owesCents > 0,
  );
const remove = (club: { path: string; parentId: number | null }) =>
  server.call({
    method: 'DELETE',
    url: `/api/v1/organizations/${club.path}?org_id=${club.parentId}`,
    as: people.tokens.admin,
  });
const sound = async () =>
  expect(
    (await checkInvariants({ database: server.platform.database, sandboxCards: false })).filter((line) =>
      /^(I2|I3|settlements|payouts)/.test(line),
    ),
  ).toEqual([]);

describe('our share of sales on an own account', () => {
  test('is settled once by its reference, however often it is sent, and then the organization can be deleted', async () => {
    const { tides } = people;
    await sellDue(server, tides.id, { amounts: [1000, 2500], processor: 'custom' });
    expect(await owes(tides.id)).toMatchObject([{ why: 'own_account', orders: 2, owesCents: 700 }]);
    const refused = await remove(tides);
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
      409,
      'It owes Sideline $7.00. Settle that first, among the payouts.',
    ]);
    const body = { organization_id: tides.id, amount: 7, reference: ' Invoice 12 ' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => settle(body)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(201));
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
    expect(answers[0]?.json()).toMatchObject({ organization_id: tides.id, amount: 7, reference: 'Invoice 12' });
    const told = async (changes: object) => {
      const answer = await settle({ ...body, ...changes });
      return [answer.statusCode, answer.json<{ error: string }>().error];
    };
    expect(await told({ amount: 8 })).toEqual([409, SETTLED_WITH_OTHER_AMOUNT]);
    expect(await told({ reference: 'Invoice 13' })).toEqual([409, NOTHING_OWED]);
    expect(await owes(tides.id)).toEqual([]);
    const actions = await server.data.ownerQuery(
      "select 1 from audit_log where action = 'debt.settled' and organization_id = $1",
      [tides.id],
    );
    expect(actions).toHaveLength(1);
    await sound();
    const statement = (
      await server.call({
        method: 'GET',
        url: `/api/v1/affiliates/${tides.id}/statements/${thisMonth()}`,
        as: people.tokens.neighbor,
      })
    ).json<StatementAnswer>();
    expect(statement).toMatchObject({ closing_balance: 0, own_account: { settled: 7 } });
    expect((await remove(tides)).statusCode).toBe(204);
  });
});

describe('a debt from refunds beyond the sales', () => {
  test('is settled order by order, and none of it is deducted from the next payout', async () => {
    const { hawks } = people;
    const [order] = await sellDue(server, hawks.id, { amounts: [2000] });
    const pay = (ids: number[]) =>
      server.call({ method: 'POST', url: '/api/v1/orders/bulk-pay-out', as: people.tokens.admin, payload: { ids } });
    expect((await pay([order?.id ?? 0])).statusCode).toBe(200);
    await reportCharge(server, order?.vanityId ?? '', { refundedCents: 2000 });
    const [debt] = await owes(hawks.id);
    expect(debt).toMatchObject({ why: 'negative_balance' });
    const amount = (debt?.owesCents ?? 0) / 100;
    const changed = await settle({ organization_id: hawks.id, amount: amount + 1, reference: 'ACH 9' });
    expect([changed.statusCode, changed.json()]).toMatchObject([409, { error: DEBT_HAS_CHANGED, amount }]);
    expect((await settle({ organization_id: hawks.id, amount, reference: 'ACH 9' })).statusCode).toBe(201);
    expect(await owedTo(server.data, hawks.id)).toBe(0);
    const url = `/api/v1/affiliates/${hawks.id}/statements/${thisMonth()}`;
    const statement = (await server.call({ method: 'GET', url, as: people.tokens.owner })).json<StatementAnswer>();
    expect(statement.movements.settled).toBe(amount);
    expect(statement.closing_balance).toBe(0);
    const lines = await server.call({ method: 'GET', url: `${url}/lines`, as: people.tokens.owner });
    expect(lines.body).toContain('Paid to Sideline by invoice');
    const [next] = await sellDue(server, hawks.id, { amounts: [1000] });
    const paid = (await pay([next?.id ?? 0])).json<{ payouts: { amount: number }[] }>();
    expect(paid.payouts[0]?.amount).toBe(shareOf(1000) / 100);
    await sound();
  });
});

test('a sale during a settlement is included completely, or not at all', async () => {
  const { stranger } = people;
  const [order] = await sellDue(server, stranger.id, { amounts: [2000] });
  const payload = { ids: [order?.id ?? 0] };
  await server.call({ method: 'POST', url: '/api/v1/orders/bulk-pay-out', as: people.tokens.admin, payload });
  await reportCharge(server, order?.vanityId ?? '', { refundedCents: 2000 });
  const ledger = createLedgerService(server.platform);
  // After each statement someone buys again: sales do not wait for a settlement.
  const buys: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await sellDue(server, stranger.id, { amounts: [100] });
      return result;
    },
  };
  const debt = await server.platform.database.write({ kind: 'system', why: 'test' }, (tx) =>
    ledger.debtOf(tx.withPlugin(buys) as Writer, stranger.id),
  );
  expect(debt.debtCents).toBeGreaterThan(0);
  expect(debt.orders.reduce((sum, { amountCents }) => sum - amountCents, 0)).toBe(debt.debtCents);
});

test('settling is for platform admins with their password, and reports all missing fields', async () => {
  const body = { organization_id: people.stranger.id, amount: 1, reference: 'x' };
  expect((await settle(body, null)).statusCode).toBe(401);
  expect((await settle(body, people.tokens.owner)).statusCode).toBe(403);
  expect((await settle(body, people.tokens.foreigner)).statusCode).toBe(403);
  expect((await settle({ ...body, organization_id: 999_999 })).statusCode).toBe(404);
  const wrong = await settle({ organization_id: people.stranger.id, amount: 'much', reference: ' ' });
  expect([wrong.statusCode, wrong.json<{ errors: object }>().errors]).toEqual([
    422,
    { amount: [OWED_AMOUNT_REQUIRED], reference: [INVOICE_REFERENCE_REQUIRED] },
  ]);
  await server.data.ownerQuery("update sessions set confirmed_at = now() - interval '11 minutes'");
  const late = await settle(body);
  expect([late.statusCode, late.json<{ error: string }>().error]).toEqual([401, CONFIRM_PASSWORD_FIRST]);
});
