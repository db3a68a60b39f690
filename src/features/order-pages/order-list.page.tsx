/** `/:affiliate/orders`: who bought what of an organization, and where a member asks for a refund (rule 24). */
import { useNavigation, useRevalidator, useSearchParams } from 'react-router';
import { SearchForm } from '#src/ui/search-form.tsx';
import { SEARCH_MAX } from '#src/features/refunds/refunds.rules.ts';
import { ORDERS_TITLE, REQUEST_SENT } from '#src/features/refunds/refunds.contract.ts';
import { OrdersTable } from '#src/features/order-pages/ui/orders-table.tsx';
import { readId } from '#src/shared/read-id.ts';
import { cx } from '#src/ui/cx.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Search } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { BackLink } from '#src/ui/back-link.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { showToast } from '#src/ui/toast.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { workingMeta, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/order-list.page.ts';
import { OlderLinks } from '#src/ui/older-links.tsx';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const organization = context.get(affiliateContext);
  const search = (url.searchParams.get('search') ?? '').trim().slice(0, SEARCH_MAX);
  const after = readId(url.searchParams.get('after') ?? '');
  const page = await app.refundLists.ofOrganization(caller, organization, { search, after });
  const isParent = organization.parentOrganizationId === null;
  return { name: organization.name, path: organization.domainName, isParent, search, after, ...page };
}

export const meta = workingMeta(ORDERS_TITLE);

export default function OrderListPage({ loaderData }: Route.ComponentProps) {
  const { name, path, isParent, search, after, orders, next } = loaderData;
  const [, setParams] = useSearchParams();
  const { revalidate } = useRevalidator();
  const isLoading = useNavigation().location?.pathname === `/${path}/orders`;
  const kept = search === '' ? '' : `search=${encodeURIComponent(search)}&`;
  return (
    <Main className="pb-12">
      <PageHeader title={ORDERS_TITLE} subtitle={name} back={<BackLink to={`/${path}/report`}>Reports</BackLink>} />
      <SearchForm
        label="Search orders"
        placeholder="Name, email or order number"
        value={search}
        onSearch={(text) => setParams(text === '' ? {} : { search: text }, { preventScrollReset: true })}
      />
      <div aria-busy={isLoading} className={cx('pt-6 transition-opacity', isLoading && 'opacity-60')}>
        {orders.length === 0 ? (
          <Nothing search={search} path={path} />
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
      <OlderLinks label="Pages of orders" kept={kept} after={after} next={next} />
    </Main>
  );
}

function Nothing({ search, path }: { search: string; path: string }) {
  if (search !== '')
    return (
      <EmptyState icon={<Search />} title="No order was found">
        No orders match “{search}”.
      </EmptyState>
    );
  return (
    <EmptyState title="No orders yet" action={<LinkButton to={`/${path}/dashboard`}>Share a gallery</LinkButton>}>
      Every order is listed here as soon as someone buys.
    </EmptyState>
  );
}
