/** `/admin/pay-outs`: what is due to whom, what is held and why, and all payouts (specification A§7, rule 25). */
import { useState } from 'react';
import { useRevalidator, useSearchParams } from 'react-router';
import { PAYOUTS_TITLE, SEARCH_MAX, type PayOutAnswer } from '#src/features/payouts/payouts.contract.ts';
import { HeldList } from '#src/features/payouts/ui/held-list.tsx';
import { PayOutResult } from '#src/features/payouts/ui/pay-out-dialog.tsx';
import { PayoutList } from '#src/features/payouts/ui/payout-list.tsx';
import { ReadyList } from '#src/features/payouts/ui/ready-list.tsx';
import { counted } from '#src/shared/counted.ts';
import { formatDollars } from '#src/shared/money.ts';
import { Card } from '#src/ui/card.tsx';
import { FigureList } from '#src/ui/figure-list.tsx';
import { SearchForm } from '#src/ui/form/search-form.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { TabLinks } from '#src/ui/paging.tsx';
import { requestContext } from '#src/web/app-context.ts';
import { requirePlatformAdmin, requireUser } from '#src/web/guards.ts';
import { unlistedPage, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/payouts.page.ts';

export const handle = WORKING_PAGE;

export async function loader({ context }: Route.LoaderArgs) {
  requirePlatformAdmin(context);
  const { app, caller, url } = context.get(requestContext);
  const status = url.searchParams.get('status') === 'open' ? 'open' : 'all';
  const search = (url.searchParams.get('search') ?? '').trim().slice(0, SEARCH_MAX);
  const [review, payouts] = await Promise.all([
    app.payouts.review(caller, search),
    app.payouts.list(caller, { status, search }),
  ]);
  return { review, payouts, status, search, viewerId: requireUser(context).userId } as const;
}

export const meta = () => unlistedPage(`${PAYOUTS_TITLE} · Sideline`);

/** The list with this search and these payouts. */
const tab = (search: string, status?: 'open') =>
  `/admin/pay-outs?${new URLSearchParams({ ...(status && { status }), ...(search !== '' && { search }) })}`;

/** The result of a click, with the names in the review that was used. */
type Result = { answer: PayOutAnswer; names: ReadonlyMap<number, string> };

export default function PayOutsPage({ loaderData }: Route.ComponentProps) {
  const { review, payouts, status, search, viewerId } = loaderData;
  const { revalidate } = useRevalidator();
  const [result, setResult] = useState<Result | null>(null);
  // What was paid stays in the list until new figures are loaded; until then it cannot be paid again.
  const [spentReview, setSpentReview] = useState<string | null>(null);
  const { readySums, heldSums, onTheWay } = review;
  const newest = payouts.payouts[0];

  return (
    <Main className="pb-12">
      <PageHeader title={PAYOUTS_TITLE} subtitle="Money on its way to organizations" />
      <Card className="mt-6 p-5">
        <FigureList
          className="grid-cols-2 sm:grid-cols-3"
          figures={[
            {
              name: 'Ready',
              value: formatDollars(readySums.amount),
              note: counted(readySums.organizations, 'organization', 'organizations'),
            },
            {
              name: 'Held',
              value: formatDollars(heldSums.amount),
              note: counted(heldSums.organizations, 'organization', 'organizations'),
            },
            {
              name: 'On the way',
              value: formatDollars(onTheWay.cents),
              note: counted(onTheWay.payouts, 'payout', 'payouts'),
            },
          ]}
        />
      </Card>
      <Search search={search} status={status} />
      {result && <PayOutResult result={result.answer} names={result.names} onClose={() => setResult(null)} />}
      <ReadyList
        key={review.reviewedAt}
        review={review}
        search={search}
        isSpent={spentReview === review.reviewedAt}
        onPaid={(answer) => {
          setSpentReview(review.reviewedAt);
          setResult({ answer, names: new Map(review.ready.map((one) => [one.organizationId, one.name])) });
          void revalidate();
        }}
      />
      <HeldList review={review} onSettled={() => void revalidate()} />
      <section aria-labelledby="made" className="pt-10">
        <h2 id="made" className="pb-2 text-lg">
          Payouts made
        </h2>
        <TabLinks
          label="Payouts made"
          tabs={[
            { label: 'All', to: tab(search), current: status === 'all' },
            {
              label: 'On the way',
              to: tab(search, 'open'),
              current: status === 'open',
              ...(onTheWay.payouts > 0 ? { count: onTheWay.payouts } : {}),
            },
          ]}
        />
        <PayoutList
          key={`${status} ${search} ${newest?.id ?? 0}`}
          status={status}
          search={search}
          openCount={onTheWay.payouts}
          first={payouts}
          viewerId={viewerId}
          onDecided={() => void revalidate()}
        />
      </section>
    </Main>
  );
}

/** Narrows all three lists; the figures above stay those of all. */
function Search({ search, status }: Pick<Route.ComponentProps['loaderData'], 'search' | 'status'>) {
  const [, setParams] = useSearchParams();
  const kept: Record<string, string> = status === 'open' ? { status } : {};
  return (
    <div className="pt-6">
      <SearchForm
        label="Search payouts"
        placeholder="Organization, reference or number"
        value={search}
        kept={kept}
        onSearch={(text) => setParams(text === '' ? kept : { ...kept, search: text }, { preventScrollReset: true })}
      />
    </div>
  );
}
