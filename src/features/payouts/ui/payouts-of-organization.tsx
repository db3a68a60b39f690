import { Link } from 'react-router';
import { STATUS_WORDS, type MemberPayoutsPage } from '#src/features/payouts/payouts.contract.ts';
import type { Outlook } from '#src/features/payouts/payout-review.rules.ts';
import { PayeeUnknown } from '#src/features/payouts/ui/payee-unknown.tsx';
import { TONES } from '#src/features/payouts/ui/payout-row.tsx';
import { counted } from '#src/shared/counted.ts';
import { formatDollars, dollarText } from '#src/shared/money.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Card } from '#src/ui/card.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { FigureList } from '#src/ui/figure-list.tsx';
import { ShowMore } from '#src/ui/paging.tsx';
import { api } from '#src/web/api-client.ts';
import { useMoreRows } from '#src/web/use-more-rows.ts';

type PayoutsOfOrganizationProps = {
  organizationId: number;
  /** A parent also sees the payouts of organizations below it, by name. */
  isParent: boolean;
  path: string;
  outlook: Outlook;
  first: MemberPayoutsPage;
  timeZone: string;
};

/** What was paid to an organization, what is in progress, and what is not yet due and why. */
export function PayoutsOfOrganization(props: PayoutsOfOrganizationProps) {
  const { organizationId, isParent, path, outlook, first, timeZone } = props;
  const { rows: payouts, more } = useMoreRows(first, 'payouts', (query) =>
    api('GET /api/v1/affiliates/{id}/payouts', { params: { id: organizationId }, query }),
  );

  return (
    <section aria-labelledby="payouts" className="pt-10">
      <h2 id="payouts" className="pb-4 text-lg">
        Payouts
      </h2>
      <Card className="p-5">
        <FigureList
          className="grid-cols-2 lg:grid-cols-4"
          figures={[
            { name: 'Paid', value: formatDollars(outlook.paidCents) },
            { name: 'On the way', value: formatDollars(outlook.onTheWayCents) },
            { name: 'In the next payout', value: formatDollars(outlook.dueCents) },
            { name: 'Not yet due', value: formatDollars(outlook.tooNewCents + outlook.disputedCents) },
          ]}
        />
        <p className="mt-4 border-t border-line pt-4 text-sm text-pretty text-quiet">
          <Explained outlook={outlook} timeZone={timeZone} />
        </p>
        {!isParent && <PaidTo outlook={outlook} path={path} />}
      </Card>
      {payouts.length > 0 && (
        <ul aria-label="Payouts" className="mt-4 rounded-lg border border-line bg-surface text-sm">
          {payouts.map((payout) => (
            <PaidOut key={payout.id} payout={payout} isParent={isParent} timeZone={timeZone} />
          ))}
        </ul>
      )}
      <div className="mt-4 flex flex-col gap-4">
        <ShowMore {...more} label="Show more payouts" />
      </div>
    </section>
  );
}

/** Where payouts go, or that no one has said it yet; nothing for an organization that has sold nothing through us. */
function PaidTo({ outlook, path }: Pick<PayoutsOfOrganizationProps, 'outlook' | 'path'>) {
  const { payee, paidCents, onTheWayCents, dueCents, tooNewCents, disputedCents } = outlook;
  const hasSold = [paidCents, onTheWayCents, dueCents, tooNewCents, disputedCents].some((sum) => sum !== 0);
  if (!hasSold) return null;
  return (
    <p className="mt-2 text-sm text-pretty break-words text-quiet">
      {payee.address === null ? (
        <PayeeUnknown path={path} />
      ) : (
        <>
          Payouts go to {payee.name}, {payee.address}. <Link to={`/${path}/settings#billing`}>Change</Link>
        </>
      )}
    </p>
  );
}

type PaidOutProps = { payout: MemberPayoutsPage['payouts'][number]; isParent: boolean; timeZone: string };

function PaidOut({ payout, isParent, timeZone }: PaidOutProps) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 border-line px-4 py-3 not-first:border-t">
      {/* Large text on a phone: the amount is on a line of its own, whole. */}
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          <DateText at={new Date(payout.decided_at ?? payout.created_at)} timeZone={timeZone} />
          <Badge tone={TONES[payout.status]}>{STATUS_WORDS[payout.status]}</Badge>
          {isParent && <span className="min-w-0 break-words">{payout.organization_name}</span>}
        </p>
        <p className="mt-0.5 text-quiet">
          {counted(payout.order_count, 'order', 'orders')}
          {payout.reference !== null && (
            <>
              , reference <span className="break-words text-ink">{payout.reference}</span>
            </>
          )}
          {payout.status === 'failed' && '; it did not go through, and comes with a later payout'}
          {payout.returned_at !== null && (
            <>
              ; the bank returned it on <DateText at={new Date(payout.returned_at)} timeZone={timeZone} />, and it comes
              with a later payout
            </>
          )}
        </p>
      </div>
      <strong className="ml-auto tabular-nums">{dollarText(payout.amount)}</strong>
    </li>
  );
}

function Explained({ outlook, timeZone }: { outlook: Outlook; timeZone: string }) {
  const { holdDays, nextDueAt, disputedCents, dueCents } = outlook;
  return (
    <>
      {holdDays === 0
        ? 'Sales are due as soon as they are paid.'
        : `Sales are due ${counted(holdDays, 'day', 'days')} after they were paid, so that refunds and disputes can be settled first.`}
      {nextDueAt && (
        <>
          {' '}
          The next are due on <DateText at={nextDueAt} timeZone={timeZone} />.
        </>
      )}
      {disputedCents > 0 && ` ${formatDollars(disputedCents)} is on hold until a dispute is decided.`}
      {dueCents < 0 && ' Refunds and disputes exceed what is due; the difference comes out of your next sales.'}
    </>
  );
}
