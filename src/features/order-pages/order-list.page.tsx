/** `/:affiliate/orders`: who bought what of an organization, and where a member asks for a refund (rule 24). */
import { useNavigation, useRevalidator, useSearchParams } from 'react-router';
import { OrderFilter } from '#src/features/order-pages/ui/order-filter.tsx';
import { SearchForm } from '#src/ui/form/search-form.tsx';
import {
  listedOrderPath,
  SEARCH_MAX,
  SELLERS_LISTED,
  PREPAID_CREDIT,
  type OrderCard,
} from '#src/features/refunds/refunds.rules.ts';
import { ordersFilter, ORDERS_TITLE, REQUEST_SENT } from '#src/features/refunds/refunds.contract.ts';
import { readId } from '#src/shared/read-id.ts';
import { errorsOf } from '#src/shared/validators.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { cx } from '#src/ui/cx.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Download, Search } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { BackLink } from '#src/ui/back-link.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { showToast } from '#src/ui/toast.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { WORKING_PAGE, workingMeta } from '#src/web/working-page.ts';
import type { Route } from './+types/order-list.page.ts';
import { OlderLinks } from '#src/ui/paging.tsx';
import { useState } from 'react';
import { AskRefund } from '#src/features/refunds/ui/refund-dialogs.tsx';
import { PASS_LOST_PHOTOS } from '#src/features/order-offers/sold-passes.contract.ts';
import { goodsText } from '#src/features/order-offers/sold-passes.rules.ts';
import { OrderState } from '#src/features/refunds/ui/office-order.tsx';
import { formatDollars } from '#src/shared/money.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { DateText } from '#src/ui/date-text.tsx';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

/** The parts of the filter in the address that are filled in. */
function readFilter(params: URLSearchParams): Record<string, string> {
  const parts = ['search', 'organization_id', 'status', 'from', 'to'].map(
    (name) => [name, (params.get(name) ?? '').trim()] as const,
  );
  return Object.fromEntries(
    parts.filter(([, value]) => value !== '').map(([name, value]) => [name, value.slice(0, SEARCH_MAX)]),
  );
}

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const organization = context.get(affiliateContext);
  const filter = readFilter(url.searchParams);
  const after = readId(url.searchParams.get('after') ?? '');
  const { id, name, domainName: path, parentOrganizationId } = organization;
  const read = ordersFilter.safeParse(filter);
  const page = await app.refundLists.ofOrganization(caller, organization, read.success ? { ...read.data, after } : {});
  // The filter keeps its choice of sellers, and what was chosen.
  const none = read.success ? {} : { orders: [], next: null };
  const errors = read.success ? {} : errorsOf(read.error);
  const isLong = page.sellers.length > SELLERS_LISTED;
  const sellerId = isLong && read.success && read.data.organization_id;
  const searched = isLong && { seller: sellerId ? await app.organizationChoices.one(caller, sellerId, id) : null };
  const isParent = parentOrganizationId === null;
  return { id, name, path, isParent, filter, errors, after, searched, ...page, ...none };
}

export const meta = workingMeta(ORDERS_TITLE);

export default function OrderListPage({ loaderData }: Route.ComponentProps) {
  const { id, name, path, isParent, filter, errors, after, orders, next, sellers, searched } = loaderData;
  const [, setParams] = useSearchParams();
  const { revalidate } = useRevalidator();
  const isLoading = useNavigation().location?.pathname === `/${path}/orders`;
  const { search = '', ...kept } = filter;
  const query = new URLSearchParams(filter).toString();
  return (
    <Main className="pb-12">
      <PageHeader
        title={ORDERS_TITLE}
        subtitle={name}
        back={<BackLink to={`/${path}/report`}>Reports</BackLink>}
        action={
          orders.length > 0 && (
            <a
              href={`/api/v1/affiliates/${id}/orders.csv${query === '' ? '' : `?${query}`}`}
              download
              className={buttonStyle({ variant: 'secondary' })}
            >
              <Download aria-hidden="true" />
              Download CSV
            </a>
          )
        }
      />
      <SearchForm
        label="Search orders"
        placeholder="Name, email or order number"
        value={search}
        kept={kept}
        onSearch={(text) => setParams(text === '' ? kept : { ...kept, search: text }, { preventScrollReset: true })}
      />
      <div className="pt-4">
        <OrderFilter
          page={`/${path}/orders`}
          search={search}
          filter={kept}
          errors={errors}
          sellers={searched ? { parentId: id, chosen: searched.seller } : sellers}
        />
      </div>
      <div aria-busy={isLoading} className={cx('transition-opacity', isLoading && 'opacity-60')}>
        {orders.length === 0 ? (
          <Nothing search={search} isFiltered={Object.keys(kept).length > 0} path={path} />
        ) : (
          <OrdersTable
            orders={orders}
            namesSeller={isParent}
            onAsked={() => {
              showToast(REQUEST_SENT);
              void revalidate();
            }}
          />
        )}
      </div>
      <OlderLinks label="Pages of orders" kept={query === '' ? '' : `${query}&`} after={after} next={next} />
    </Main>
  );
}

function Nothing({ search, isFiltered, path }: { search: string; isFiltered: boolean; path: string }) {
  if (search !== '' || isFiltered)
    return (
      <EmptyState icon={<Search />} title="No orders found">
        {search === '' ? 'No orders match these filters.' : `No orders match “${search}”`}
        {search !== '' && (isFiltered ? ' and these filters.' : '.')}
      </EmptyState>
    );
  return (
    <EmptyState title="No orders yet" action={<LinkButton to={`/${path}/dashboard`}>Share a gallery</LinkButton>}>
      Every order is listed here as soon as someone buys.
    </EmptyState>
  );
}

const creditText = ({ creditCents }: OrderCard) => `${PREPAID_CREDIT}: ${formatDollars(creditCents)}`;
const HEAD = 'px-4 py-3 font-semibold';
const CELL = 'px-4 py-2.5 align-middle';

type OrdersTableProps = {
  orders: readonly OrderCard[];
  /** For a parent, whose list has orders of several organizations. */
  namesSeller: boolean;
  onAsked: () => void;
};

/** A table on wide screens; on narrow ones a card for each order. */
export function OrdersTable({ orders, namesSeller, onAsked }: OrdersTableProps) {
  const [asking, setAsking] = useState<OrderCard | null>(null);
  return (
    <>
      <Rows orders={orders} namesSeller={namesSeller} onAsk={setAsking} />
      <Cards orders={orders} namesSeller={namesSeller} onAsk={setAsking} />
      {asking && (
        <AskRefund
          order={asking}
          onClose={() => setAsking(null)}
          onAsked={() => {
            setAsking(null);
            onAsked();
          }}
        />
      )}
    </>
  );
}

type OrderListProps = Omit<OrdersTableProps, 'onAsked'> & { onAsk: (order: OrderCard) => void };

function Rows({ orders, namesSeller, onAsk }: OrderListProps) {
  return (
    <div className="rounded-lg border border-line bg-surface max-lg:hidden">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">Orders, newest first</caption>
        <thead>
          <tr className="border-b border-line text-left text-quiet">
            <th className={HEAD}>Date</th>
            <th className={HEAD}>Order</th>
            <th className={HEAD}>Buyer</th>
            {namesSeller && <th className={HEAD}>Organization</th>}
            <th className={`${HEAD} text-right`}>Photos</th>
            <th className={`${HEAD} text-right`}>Total</th>
            <th className={`${HEAD} text-right`}>Refunded</th>
            <th className={HEAD}>State</th>
            <th className={HEAD}>
              <span className="sr-only">Refund</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.id} className="border-b border-line last:border-0">
              <td className={CELL}>
                <DateText at={order.createdAt} timeZone={order.seller.timeZone} />
              </td>
              <td className={CELL}>
                <OrderLink order={order} />
              </td>
              <td className={`${CELL} break-words`}>
                {order.buyer}
                <span className="block text-xs text-quiet">{order.email}</span>
              </td>
              {namesSeller && <td className={CELL}>{order.seller.name}</td>}
              <td className={`${CELL} text-right tabular-nums`}>
                {order.kind === 'credit' ? PREPAID_CREDIT : order.passes === 0 ? order.photos : goodsText(order)}
              </td>
              <td className={`${CELL} text-right tabular-nums`}>
                {formatDollars(order.totalCents)}
                {order.creditCents > 0 && <span className="block text-xs text-quiet">{creditText(order)}</span>}
              </td>
              <td className={`${CELL} text-right tabular-nums`}>
                {order.refundedCents > 0 ? formatDollars(order.refundedCents) : ''}
              </td>
              <td className={CELL}>
                <OrderState status={order.status} />
              </td>
              <td className={`${CELL} text-right`}>
                <Refund order={order} onAsk={() => onAsk(order)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cards({ orders, namesSeller, onAsk }: OrderListProps) {
  return (
    <ul aria-label="Orders, newest first" className="flex flex-col gap-3 lg:hidden">
      {orders.map((order) => (
        <li key={order.id} className="rounded-lg border border-line bg-surface p-4 text-sm">
          <div className="flex items-start justify-between gap-4">
            <p className="font-semibold">
              Order <OrderLink order={order} />
            </p>
            <p className="text-base font-semibold tabular-nums">{formatDollars(order.totalCents)}</p>
          </div>
          <p className="mt-0.5 break-words text-quiet">
            {order.buyer} · {order.email}
          </p>
          <p className="mt-0.5 text-quiet">
            <DateText at={order.createdAt} timeZone={order.seller.timeZone} /> ·{' '}
            {order.kind === 'credit' ? PREPAID_CREDIT : goodsText(order)}
            {order.creditCents > 0 && ` · ${creditText(order)}`}
            {namesSeller && ` · ${order.seller.name}`}
          </p>
          <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
            <span className="flex flex-wrap items-center gap-2">
              <OrderState status={order.status} />
              {order.refundedCents > 0 && (
                <span className="text-quiet tabular-nums">{formatDollars(order.refundedCents)} refunded</span>
              )}
            </span>
            <Refund order={order} onAsk={() => onAsk(order)} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function OrderLink({ order }: { order: OrderCard }) {
  return (
    <a
      href={listedOrderPath(order)}
      className="relative underline decoration-line-strong underline-offset-4 after:absolute after:-inset-3.5 hover:decoration-ink"
    >
      {order.id}
    </a>
  );
}

/** The request and its answer; or the button, if something can be refunded. */
function Refund({ order, onAsk }: { order: OrderCard; onAsk: () => void }) {
  const [latest] = order.requests;
  if (latest?.state === 'open') return <Badge tone="accent">Refund requested</Badge>;
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
      {order.lostPass && <span className="max-w-60 text-left text-xs text-pretty">{PASS_LOST_PHOTOS}</span>}
      {latest?.state === 'declined' && (
        <details className="text-left text-xs text-quiet">
          <summary className="min-h-6 cursor-pointer">Refund declined</summary>
          <p className="max-w-60 pt-1 break-words">{latest.note}</p>
        </details>
      )}
      {order.whyNot === null && (
        <Button variant="quiet" size="small" onClick={onAsk}>
          Request a refund<span className="sr-only"> of order {order.id}</span>
        </Button>
      )}
    </span>
  );
}
