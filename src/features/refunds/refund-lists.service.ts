/** Orders and refunds for the office and for members: open requests first, searched orders, and all past refunds. Read-only. */
import { pageOf } from '#src/shared/paging.ts';
import { requireEditor, requirePlatformAdmin, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { PricingLine } from '#src/features/order-offers/order-offers.contract.ts';
import { frozenPriceList } from '#src/features/order-offers/quoted-offers.rules.ts';
import * as rules from '#src/features/refunds/refunds.rules.ts';
import * as refundListsSql from '#src/features/refunds/refund-lists.sql.ts';
import * as words from '#src/features/refunds/refunds.contract.ts';
import * as refundsSql from '#src/features/refunds/refunds.sql.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { bind } from '#src/shared/bind.ts';
import { CSV_MARK, csvLine } from '#src/shared/csv.ts';
import { present } from '#src/shared/field-names.ts';
import { problem } from '#src/shared/problem.ts';
import { tenantScope, type Database, type Reader } from '#src/platform/db/db.ts';
import { createConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';

const OFFICE = { kind: 'system', why: 'platform admins manage refunds of every tenant' } as const;
const OPEN_AT_MOST = 50;
const FOUND_AT_MOST = 10;
/** Orders read at a time for a file. */
const LINES_AT_A_TIME = 1_000;

export type LineOfCard = Omit<refundListsSql.LineOfOrder, 'orderId'>;
/** `pricing`: how the price was made; empty without an offer, a pass or a code. */
export type OfficeCard = rules.OrderCard & {
  lines: LineOfCard[];
  pricing: PricingLine[];
  soldPasses: refundListsSql.OfferedOrder['passes'];
};
export type PastRefund = words.RefundAnswer & {
  buyer: string;
  seller: { name: string; path: string; timeZone: string };
};
export type RefundLists = ReturnType<typeof createRefundLists>;
type Owner = Pick<Organization, 'id' | 'parentOrganizationId'>;
type RefundListsDeps = { database: Database; organizations: Pick<OrganizationService, 'byId' | 'family'> };
type Context = ReturnType<typeof contextOf>;

function contextOf(deps: RefundListsDeps) {
  return { ...deps, fileReads: createConcurrencyLimit({ atOnce: words.ORDER_FILE_READS.atOnce }) };
}

async function cardsOf(db: Reader, orders: readonly rules.ListedOrder[]): Promise<rules.OrderCard[]> {
  const ids = orders.map(({ id }) => id);
  const refunds = await refundListsSql.listRefundsOf(db, ids);
  const requests = await refundsSql.listRequestsOf(db, ids);
  const given = refunds.map((refund) => present(words.refundAnswer, rules.named(refund)));
  const answers = requests.map((request) => present(words.requestAnswer, rules.named(request)));
  return orders.map((order) => rules.cardOf(order, given, answers));
}

async function officeCards(db: Reader, orders: readonly rules.ListedOrder[]): Promise<OfficeCard[]> {
  const ids = orders.map(({ id }) => id);
  const lines = await refundListsSql.listLines(db, ids);
  const offered = new Map((await refundListsSql.listOffered(db, ids)).map((order) => [order.orderId, order]));
  return (await cardsOf(db, orders)).map((card) => {
    const sold = offered.get(card.id);
    return {
      ...card,
      lines: lines.filter(({ orderId }) => orderId === card.id).map(({ orderId: _order, ...line }) => line),
      pricing: sold ? frozenPriceList(sold.words, sold.lines, sold.subtotalCents) : [],
      soldPasses: sold?.passes ?? [],
    };
  });
}

/** The data of the refunds page; an order that was searched for is listed once, as found. @throws unauthenticated; forbidden */
export async function overview(ctx: RefundListsDeps, caller: Caller, search: string | null, after: number | null) {
  requirePlatformAdmin(caller.actor);
  const wanted = rules.readSearch(search);
  return ctx.database.read(OFFICE, async (db) => {
    const orderIds = await refundListsSql.listRequestedOrders(db, OPEN_AT_MOST);
    const found = wanted === null ? null : await refundListsSql.findOrders(db, wanted, FOUND_AT_MOST);
    const isFound = (id: number) => found?.some((order) => order.id === id) ?? false;
    const open = (await refundListsSql.listOrdersById(db, orderIds)).filter(({ id }) => !isFound(id));
    const past = await refundListsSql.listRefunds(db, after, words.REFUNDS_A_PAGE + 1);
    const { shown, next } = pageOf(past, words.REFUNDS_A_PAGE);
    return {
      open: await officeCards(
        db,
        open.toSorted((a, b) => orderIds.indexOf(a.id) - orderIds.indexOf(b.id)),
      ),
      found: found && (await officeCards(db, found)),
      hasFoundRequests: orderIds.some(isFound),
      past: shown.map(({ buyer, seller, ...refund }) => ({
        ...present(words.refundAnswer, rules.named(refund)),
        buyer,
        seller,
      })),
      next,
    };
  });
}

/**
 * Orders of an organization and of those below it, newest first. `sellers`: those that have sold, if the organization has
 * others below it; one more than `SELLERS_LISTED` if there are more. @throws unauthenticated; not_found for other organizations
 */
export async function ofOrganization(
  ctx: RefundListsDeps,
  caller: Caller,
  organization: Owner,
  { after = null, ...filter }: words.OrdersFilter & { after?: number | null },
): Promise<{ orders: rules.OrderCard[]; next: number | null; sellers: refundListsSql.Seller[] }> {
  const { id, parentOrganizationId } = organization;
  requireEditor(caller.actor, { organizationId: id, parentOrganizationId });
  const all = await sellersOf(ctx, caller, organization);
  const wanted = wantedOf(filter);
  return ctx.database.read(tenantScope(...all), async (db) => {
    const page = { wanted, after, limit: rules.ORDERS_A_PAGE };
    const { shown, next } = await pageOfOrders(db, chosenOf(all, filter), page);
    const sellers = all.length > 1 ? await refundListsSql.listSellers(db, all, rules.SELLERS_LISTED + 1) : [];
    return { orders: await cardsOf(db, shown), next, sellers };
  });
}

/** The same for the API. @throws unauthenticated; not_found for other organizations */
export async function answer(
  ctx: RefundListsDeps,
  caller: Caller,
  organizationId: number,
  { after, limit = rules.ORDERS_A_PAGE, ...filter }: words.OrdersQuery,
): Promise<words.OrdersPage> {
  const organization = await editedBy(ctx.organizations, caller, organizationId);
  const sellers = chosenOf(await sellersOf(ctx, caller, organization), filter);
  const wanted = wantedOf(filter);
  return ctx.database.read(tenantScope(...sellers), async (db) => {
    const { shown, next } = await pageOfOrders(db, sellers, { wanted, after: after ?? null, limit });
    const isToken = caller.actor.kind === 'token';
    return { orders: shown.map((order) => presentListed(order, { withKeys: !isToken })), next };
  });
}

/**
 * All of them as a file, one organization after the other, each newest first. Few pages are read at a time for all files of a
 * process together, and a slow reader does not delay the others (threat 72).
 * @throws as `answer`; unavailable
 */
export async function csv(ctx: Context, caller: Caller, organizationId: number, filter: words.OrdersFilter) {
  const organization = await editedBy(ctx.organizations, caller, organizationId);
  const sellers = chosenOf(await sellersOf(ctx, caller, organization), filter);
  const pages = pagesOf(ctx, sellers, wantedOf(filter));
  const { atOnce, waiting } = words.ORDER_FILE_READS;
  if (ctx.fileReads.pending() >= atOnce + waiting)
    throw problem('unavailable', words.ORDER_FILES_ARE_BUSY, { retryAfterSeconds: 5 });
  // Read before the answer begins, so that files that start at the same moment count, too.
  const first = await pages.next();
  return (async function* () {
    yield CSV_MARK + csvLine(rules.ORDER_COLUMNS.map(([head]) => head)) + linesOf(first.value ?? []);
    for await (const orders of pages) if (orders.length > 0) yield linesOf(orders);
  })();
}

const linesOf = (orders: readonly rules.ListedOrder[]) =>
  orders.map((order) => csvLine(rules.orderCells(order))).join('');

/** A page of several organizations would read as many orders of each. */
async function* pagesOf(ctx: Context, sellers: readonly number[], wanted: refundListsSql.OrdersWanted) {
  for (const seller of sellers.toSorted((a, b) => a - b))
    for (let after: number | null = null; ;) {
      const page: PageOfOrders = { wanted, after, limit: LINES_AT_A_TIME };
      const { shown, next }: OrdersRead = await ctx.fileReads.run(() =>
        ctx.database.read(tenantScope(seller), (db) => pageOfOrders(db, [seller], page)),
      );
      yield shown;
      if (next === null) break;
      after = next;
    }
}

type OrdersRead = { shown: rules.ListedOrder[]; next: number | null };
type PageOfOrders = { wanted: refundListsSql.OrdersWanted; after: number | null; limit: number };

/** For members: the page of bought credit shows its code to anyone, so its vanity id stays with the buyer. */
async function pageOfOrders(
  db: Reader,
  organizationIds: readonly number[],
  { wanted, after: before, limit }: PageOfOrders,
): Promise<OrdersRead> {
  const orders = await refundListsSql.listOrders(db, { organizationIds, wanted, before, limit: limit + 1 });
  const shown = orders.map((order) => (order.kind === 'credit' ? { ...order, vanityId: null } : order));
  return pageOf(shown, limit);
}

const wantedOf = ({ search = '', status, from, to }: words.OrdersFilter) => ({
  search: rules.readSearch(search),
  status: status || null,
  from: from || null,
  to: to || null,
});

/** Whose orders members see: the organization's, and those of organizations below it; API tokens see only the former. */
async function sellersOf(ctx: RefundListsDeps, caller: Caller, organization: Owner): Promise<number[]> {
  return caller.actor.kind === 'token' ? [organization.id] : ctx.organizations.family(organization);
}

/** Of these sellers the one that the filter names, if it names one. */
const chosenOf = (sellers: readonly number[], { organization_id: chosen = '' }: words.OrdersFilter): number[] =>
  sellers.filter((id) => chosen === '' || id === chosen);

function presentListed({ seller, vanityId, ...order }: rules.ListedOrder, { withKeys }: { withKeys: boolean }) {
  const organization = { id: seller.id, name: seller.name, domain_name: seller.path };
  return present(words.listedOrder, { ...order, vanityId: withKeys ? vanityId : null, organization });
}

export const createRefundLists = (deps: RefundListsDeps) =>
  bind(contextOf(deps), { overview, ofOrganization, answer, csv });
