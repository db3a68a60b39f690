/**
 * What the office and the members see of orders and their refunds: open requests first, orders that were searched for, and all
 * that was ever refunded. Only reads.
 */
import { pageOf } from '#src/shared/paging.ts';
import { requireEditor, requirePlatformAdmin, type Caller } from '#src/features/tenancy/actor.rules.ts';
import * as rules from '#src/features/refunds/refunds.rules.ts';
import * as refundListsSql from '#src/features/refunds/refund-lists.sql.ts';
import * as words from '#src/features/refunds/refunds.contract.ts';
import * as refundsSql from '#src/features/refunds/refunds.sql.ts';
import { bind } from '#src/shared/bind.ts';
import { present } from '#src/shared/edge-names.ts';
import type { Database, Reader } from '#src/platform/db/db.ts';

const OFFICE = { kind: 'system', why: 'platform admins manage refunds of every tenant' } as const;
const OPEN_AT_MOST = 50;
const FOUND_AT_MOST = 10;

export type LineOfCard = Omit<refundListsSql.LineOfOrder, 'orderId'>;
export type OfficeCard = rules.OrderCard & { lines: LineOfCard[] };
export type PastRefund = words.RefundAnswer & { buyer: string; seller: { name: string; path: string } };
export type RefundListsDeps = { database: Database };

async function cardsOf(db: Reader, orders: readonly rules.ListedOrder[]): Promise<rules.OrderCard[]> {
  const ids = orders.map(({ id }) => id);
  const [refunds, requests] = [await refundListsSql.listRefundsOf(db, ids), await refundsSql.listRequestsOf(db, ids)];
  const given = refunds.map((refund) => present(words.refundAnswer, refund));
  const asked = requests.map((request) => present(words.requestAnswer, request));
  return orders.map((order) => rules.cardOf(order, given, asked));
}

async function officeCards(db: Reader, orders: readonly rules.ListedOrder[]): Promise<OfficeCard[]> {
  const lines = await refundListsSql.listLines(
    db,
    orders.map(({ id }) => id),
  );
  return (await cardsOf(db, orders)).map((card) => ({
    ...card,
    lines: lines.filter(({ orderId }) => orderId === card.id).map(({ orderId: _order, ...line }) => line),
  }));
}

/** What the refunds page shows. @throws unauthenticated; forbidden */
export async function overview(ctx: RefundListsDeps, caller: Caller, search: string | null, after: number | null) {
  requirePlatformAdmin(caller.actor);
  const wanted = rules.readSearch(search);
  return ctx.database.read(OFFICE, async (db) => {
    const asked = await refundListsSql.listAskedOrders(db, OPEN_AT_MOST);
    const open = await refundListsSql.listOrdersById(db, asked);
    const found = wanted === null ? null : await refundListsSql.findOrders(db, wanted, FOUND_AT_MOST);
    const past = await refundListsSql.listRefunds(db, after, words.REFUNDS_A_PAGE + 1);
    const { shown, next } = pageOf(past, words.REFUNDS_A_PAGE);
    return {
      open: await officeCards(
        db,
        open.toSorted((a, b) => asked.indexOf(a.id) - asked.indexOf(b.id)),
      ),
      found: found && (await officeCards(db, found)),
      past: shown.map(({ buyer, seller, ...refund }) => ({ ...present(words.refundAnswer, refund), buyer, seller })),
      next,
    };
  });
}

/** Orders of an organization and of those below it, newest first. @throws unauthenticated; not_found for others' */
export async function ofOrganization(
  ctx: RefundListsDeps,
  caller: Caller,
  organization: { id: number; parentOrganizationId: number | null },
  { search, after }: { search: string | null; after: number | null },
): Promise<{ orders: rules.OrderCard[]; next: number | null }> {
  const { id, parentOrganizationId } = organization;
  requireEditor(caller.actor, { organizationId: id, parentOrganizationId });
  const family = await ctx.database.read({ kind: 'public' }, (db) => refundListsSql.listFamily(db, id));
  return ctx.database.read({ kind: 'tenants', organizationIds: family }, async (db) => {
    const rows = await refundListsSql.listOrders(db, {
      organizationIds: family,
      wanted: rules.readSearch(search),
      before: after,
      limit: rules.ORDERS_A_PAGE + 1,
    });
    const { shown, next } = pageOf(rows, rules.ORDERS_A_PAGE);
    return { orders: await cardsOf(db, shown), next };
  });
}

export const createRefundLists = (deps: RefundListsDeps) => bind(deps, { overview, ofOrganization });
