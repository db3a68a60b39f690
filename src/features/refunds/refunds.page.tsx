/** `/admin/refunds`: requested refunds, a search for orders, and all past refunds (rule 24). */
import { useNavigation, useRevalidator, useSearchParams } from 'react-router';
import { counted } from '#src/shared/counted.ts';
import { SearchForm } from '#src/ui/form/search-form.tsx';
import { REFUNDS_TITLE } from '#src/features/refunds/refunds.contract.ts';
import { OfficeOrder } from '#src/features/refunds/ui/office-order.tsx';
import { PastRefunds } from '#src/features/refunds/ui/past-refunds.tsx';
import type { OfficeCard } from '#src/features/refunds/refund-lists.service.ts';
import { readId } from '#src/shared/read-id.ts';
import { cx } from '#src/ui/cx.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { CircleCheck, Search } from '#src/ui/icon.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { showToast } from '#src/ui/toast.ts';
import { requestContext } from '#src/web/app-context.ts';
import { platformAdminsOnly } from '#src/web/guards.ts';
import { unlistedPage, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/refunds.page.ts';
import { OlderLinks } from '#src/ui/paging.tsx';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [platformAdminsOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const search = (url.searchParams.get('search') ?? '').trim();
  const after = readId(url.searchParams.get('after') ?? '');
  return { search, after, overview: await app.refundLists.overview(caller, search, after) };
}

export const meta = () => unlistedPage(`${REFUNDS_TITLE} · Sideline`);

export default function RefundsPage({ loaderData }: Route.ComponentProps) {
  const { search, after, overview } = loaderData;
  const [, setParams] = useSearchParams();
  const { revalidate } = useRevalidator();
  const isLoading = useNavigation().location?.pathname === '/admin/refunds';

  const { open: requested } = overview;
  const which = overview.hasFoundRequests ? 'Other requests' : 'Requests';

  function done(message: string): void {
    showToast(message);
    void revalidate();
  }

  return (
    <Main className="pb-12">
      <PageHeader
        title={REFUNDS_TITLE}
        subtitle="Refunds go to the card that paid; what credit paid goes back to its code first. The organization pays its part and the card fee."
      />
      <div className="pt-6">
        <SearchForm
          label="Find an order"
          placeholder="Order number, link, email or payment ID"
          value={search}
          onSearch={(text) => setParams(text === '' ? {} : { search: text }, { preventScrollReset: true })}
        />
      </div>
      <div aria-busy={isLoading} className={cx('transition-opacity', isLoading && 'opacity-60')}>
        {overview.found && (
          <Section title={`${counted(overview.found.length, 'order', 'orders')} for “${search}”`}>
            {overview.found.length === 0 ? (
              <EmptyState icon={<Search />} title="No such order" level={3}>
                Orders are found by their number, by the last part of their link, by the buyer’s whole email address, or
                by the card company’s ID of a payment, refund or dispute.
              </EmptyState>
            ) : (
              <Orders orders={overview.found} onDone={done} />
            )}
          </Section>
        )}
        <Section title={requested.length === 0 ? which : `${which} (${requested.length})`}>
          {requested.length === 0 ? (
            <EmptyState
              icon={<CircleCheck />}
              title={`No ${which === 'Requests' ? 'open' : 'other open'} requests`}
              level={3}
            >
              Organizations request refunds in their list of orders. Their requests appear here.
            </EmptyState>
          ) : (
            <Orders orders={requested} onDone={done} />
          )}
        </Section>
        <Section title="Refunds so far">
          {overview.past.length === 0 ? (
            <p className="text-quiet">No refunds yet.</p>
          ) : (
            <PastRefunds refunds={overview.past} />
          )}
          <OlderLinks
            label="Pages of refunds"
            kept={search === '' ? '' : `search=${encodeURIComponent(search)}&`}
            after={after}
            next={overview.next}
          />
        </Section>
      </div>
    </Main>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="pt-8">
      <h2 className="pb-4 text-lg">{title}</h2>
      {children}
    </section>
  );
}

function Orders({ orders, onDone }: { orders: readonly OfficeCard[]; onDone: (message: string) => void }) {
  return (
    <ul className="flex flex-col gap-4">
      {orders.map((order) => (
        <li key={order.id}>
          <OfficeOrder order={order} onDone={onDone} />
        </li>
      ))}
    </ul>
  );
}
