/** `/admin/pay-outs`: what is due to whom, what is held and why, and all payouts (specification A§7, rule 25). */
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { PAYOUTS_TITLE, type PayOutAnswer } from '#src/features/payouts/payouts.contract.ts';
import { HeldList } from '#src/features/payouts/ui/held-list.tsx';
import { PayOutResult } from '#src/features/payouts/ui/pay-out-dialog.tsx';
import { PayoutList } from '#src/features/payouts/ui/payout-list.tsx';
import { ReadyList } from '#src/features/payouts/ui/ready-list.tsx';
import { counted } from '#src/shared/counted.ts';
import { formatDollars } from '#src/shared/money.ts';
import { Card } from '#src/ui/card.tsx';
import { FigureList } from '#src/ui/figure-list.tsx';
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
  const [review, payouts] = await Promise.all([app.payouts.review(caller), app.payouts.list(caller, { status })]);
  return { review, payouts, status, viewerId: requireUser(context).userId } as const;
}

export const meta = () => unlistedPage(`${PAYOUTS_TITLE} · Sideline`);

/** The result of a click, with the names in the review that was used. */
type Result = { answer: PayOutAnswer; names: ReadonlyMap<number, string> };

export default function PayOutsPage({ loaderData }: Route.ComponentProps) {
  const { review, payouts, status, viewerId } = loaderData;
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
      {result && <PayOutResult result={result.answer} names={result.names} onClose={() => setResult(null)} />}
      <ReadyList
        key={review.reviewedAt}
        review={review}
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
            { label: 'All', to: '/admin/pay-outs', current: status === 'all' },
            {
              label: 'On the way',
              to: '/admin/pay-outs?status=open',
              current: status === 'open',
              ...(onTheWay.payouts > 0 ? { count: onTheWay.payouts } : {}),
            },
          ]}
        />
        <PayoutList
          key={`${status} ${newest?.id ?? 0}`}
          status={status}
          first={payouts}
          viewerId={viewerId}
          onDecided={() => void revalidate()}
        />
      </section>
    </Main>
  );
}
