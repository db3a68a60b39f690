/**
 * Buyers of prepaid credit in tests: what a seller offers, a code that was bought by the call, and balances of codes.
 */
import { addDays } from '#src/shared/day-range.ts';
import { machineDay } from '#src/shared/dates.ts';
import { randomUUID } from 'node:crypto';
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { payWith } from '#tests/support/payer.ts';
import type { TestServer } from '#tests/support/test-server.ts';

/** A later day of a gift: a fixed one would have passed some time. */
export const inTenDays = (): string => addDays(machineDay(new Date()), 10);

export type Amount = [amountCents: number, bonusCents: number];

export async function offerCredit(server: TestServer, organizationId: number, amounts: Amount[] = [[2500, 0]]) {
  await server.data.ownerQuery(
    `insert into credit_settings (organization_id, active, amounts_cents, bonuses_cents) values ($1, true, $2, $3)
     on conflict (organization_id) do update set active = true, amounts_cents = excluded.amounts_cents, bonuses_cents = excluded.bonuses_cents`,
    [organizationId, amounts.map(([amount]) => amount), amounts.map(([, bonus]) => bonus)],
  );
}

export const someBuyer = (zip = '55401') => {
  const email = `${randomUUID()}@buyers.test`;
  return { first_name: 'Ann', last_name: 'Buyer', email, confirm_email: email, zip };
};

export const buyCredit = async (server: TestServer, organizationId: number, more: object = {}) =>
  server.call({
    method: 'POST',
    url: '/api/v1/credit_orders',
    payload: {
      org_id: organizationId,
      amount: 25,
      user: someBuyer(),
      checkout_key: randomUUID(),
      stripe_token: await payWith(server),
      ...more,
    },
  });

export const orderOf = async (server: TestServer, vanityId: string) =>
  (await server.call({ method: 'GET', url: `/api/v1/orders/${vanityId}` })).json<OrderAnswer>();

/** Credit that someone has bought: its code and its order. */
export async function haveCredit(server: TestServer, organizationId: number, cents = 2500, bonusCents = 0) {
  await offerCredit(server, organizationId, [[cents, bonusCents]]);
  const bought = await buyCredit(server, organizationId, { amount: cents / 100 });
  if (bought.statusCode !== 201) throw new Error(bought.body);
  const { vanity_id: vanityId } = bought.json<{ vanity_id: string }>();
  const { id, credit_sold: sold } = await orderOf(server, vanityId);
  return { vanityId, orderId: id, code: sold?.code ?? '', last4: sold?.last4 ?? '' };
}

export const balanceOf = async (server: TestServer, code: string, how: { from_email?: boolean } = {}) =>
  (await server.call({ method: 'POST', url: '/api/v1/credit/balance', payload: { code, ...how } })).json<{
    balance: number;
    bonus: number;
  }>();

/** The entries of an order's postings of one kind, by account. */
export async function entriesOf(server: TestServer, orderId: number, kind: string) {
  const rows = await server.data.ownerQuery<{ account: string; cents: number }>(
    `select a.kind || case when a.organization_id is null then '' else ' ' || a.organization_id end as account, sum(e.amount_cents)::int as cents
       from ledger_entries e join ledger_accounts a on a.id = e.account_id join ledger_txs t on t.id = e.tx_id
      where e.order_id = $1 and t.kind = $2 group by 1`,
    [orderId, kind],
  );
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]));
}
