import { useState } from 'react';
import { PASS_LOST_PHOTOS } from '#src/features/order-offers/sold-passes.contract.ts';
import { pricingRow } from '#src/features/order-offers/quoted-offers.rules.ts';
import { REQUEST_DECLINED, type RefundAnswer } from '#src/features/refunds/refunds.contract.ts';
import type { LineOfCard, OfficeCard } from '#src/features/refunds/refund-lists.service.ts';
import { DeclineRefund, GiveRefund } from '#src/features/refunds/ui/refund-dialogs.tsx';
import { counted } from '#src/shared/counted.ts';
import { formatDollars, dollarText } from '#src/shared/money.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { ExternalLink } from '#src/ui/icon.tsx';
import { listedOrderPath, ORDER_STATES, PREPAID_CREDIT, type OrderCard } from '#src/features/refunds/refunds.rules.ts';

/** One order with its requests and refunds, and buttons to decide. */
export function OfficeOrder({ order, onDone }: { order: OfficeCard; onDone: (message: string) => void }) {
  const [dialog, setDialog] = useState<'give' | 'decline' | null>(null);
  const request = order.requests.find(({ state }) => state === 'open');
  const done = (message: string) => {
    setDialog(null);
    onDone(message);
  };
  return (
    <Card className="grid gap-x-10 gap-y-5 p-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex min-w-0 flex-col gap-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="text-base font-semibold">Order {order.id}</h3>
          <OrderState status={order.status} />
          {order.processor === 'custom' && <Badge>Own card account</Badge>}
        </div>
        <p className="text-sm break-words text-quiet">
          {order.buyer}, {order.email} · <DateText at={order.createdAt} timeZone={order.seller.timeZone} /> ·{' '}
          {order.seller.name}
        </p>
        {request && (
          <blockquote className="border-l-2 border-accent-text pl-3.5">
            <p className="text-sm text-quiet">
              {request.asked_by ?? 'A member'} requests{' '}
              {request.amount === null ? 'all that is left' : dollarText(request.amount)}:
            </p>
            <p className="break-words whitespace-pre-line">{request.reason}</p>
          </blockquote>
        )}
        {order.lines.length > 0 && <Lines lines={order.lines} />}
        {order.soldPasses.length > 0 && <Passes order={order} />}
        {order.pricing.length > 0 && <PriceMade order={order} />}
        <div className="mt-auto flex flex-wrap items-center gap-3 pt-1">
          {order.whyNot === null && <Button onClick={() => setDialog('give')}>Refund…</Button>}
          {request && (
            <Button variant="secondary" onClick={() => setDialog('decline')}>
              Decline…
            </Button>
          )}
          <a
            href={listedOrderPath(order)}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-11 items-center gap-1.5 text-sm font-semibold"
          >
            Open the order
            <ExternalLink aria-hidden="true" className="size-4" />
            <span className="sr-only">in a new tab</span>
          </a>
        </div>
        {order.whyNot !== null && <p className="text-sm text-quiet">{order.whyNot}</p>}
      </div>
      <Money order={order} />
      {dialog === 'give' && <GiveRefund order={order} onClose={() => setDialog(null)} onGiven={done} />}
      {dialog === 'decline' && request && (
        <DeclineRefund
          requestId={request.id}
          onClose={() => setDialog(null)}
          onDeclined={() => done(REQUEST_DECLINED)}
        />
      )}
    </Card>
  );
}

function Line({ value, children }: { value: string; children: React.ReactNode }) {
  return (
    <li className="flex justify-between gap-4 py-1">
      <span className="min-w-0 break-words">{children}</span>
      <span className="tabular-nums">{value}</span>
    </li>
  );
}

function Lines({ lines }: { lines: readonly LineOfCard[] }) {
  return (
    <details className="text-sm">
      <summary className="min-h-11 cursor-pointer py-2.5 font-semibold pointer-fine:min-h-0 pointer-fine:py-1">
        {counted(lines.length, 'photo', 'photos')}
      </summary>
      <ul className="mt-1 max-h-60 overflow-y-auto">
        {lines.map((line) => (
          <Line key={line.id} value={formatDollars(line.priceCents)}>
            {line.name} <span className="text-quiet">in {line.gallery}</span>
            {line.isRevoked && <span className="text-quiet"> · download closed</span>}
          </Line>
        ))}
      </ul>
    </details>
  );
}

function Passes({ order }: { order: OfficeCard }) {
  return (
    <section aria-label="Passes" className="text-sm">
      <ul>
        {order.soldPasses.map((pass) => (
          <Line key={pass.id} value={formatDollars(pass.priceCents)}>
            {pass.name}
            {pass.isRevoked && <span className="text-quiet"> · closed</span>}
          </Line>
        ))}
      </ul>
      {order.lostPass && <p className="pt-1 text-quiet">{PASS_LOST_PHOTOS}</p>}
    </section>
  );
}

/** The lines of the receipt: they sum to what was paid for photos and passes. */
function PriceMade({ order }: { order: OfficeCard }) {
  return (
    <details className="text-sm">
      <summary className="min-h-11 cursor-pointer py-2.5 font-semibold pointer-fine:min-h-0 pointer-fine:py-1">
        How the price was made
      </summary>
      <ul className="mt-1">
        {order.pricing.map(pricingRow).map(({ name, value }) => (
          <Line key={name} value={value}>
            {name}
          </Line>
        ))}
      </ul>
    </details>
  );
}

function Money({ order }: { order: OfficeCard }) {
  const goods = order.kind === 'credit' ? PREPAID_CREDIT : order.soldPasses.length > 0 ? 'Photos and passes' : 'Photos';
  const rows = [
    { name: goods, value: order.subtotalCents },
    ...(order.donationCents > 0 ? [{ name: 'Donation', value: order.donationCents }] : []),
    ...(order.taxCents > 0 ? [{ name: 'Taxes', value: order.taxCents }] : []),
  ];
  return (
    <dl className="flex flex-col gap-1.5 self-start text-sm tabular-nums lg:border-l lg:border-line lg:pl-10">
      {rows.map((row) => (
        <Row key={row.name} name={row.name} value={formatDollars(row.value)} />
      ))}
      <Row name="Paid" value={formatDollars(order.totalCents)} isStrong />
      {order.creditCents > 0 && (
        <Row name={`Of it ${PREPAID_CREDIT.toLowerCase()}`} value={formatDollars(order.creditCents)} />
      )}
      {order.refunds.map((refund) => (
        <Row
          key={refund.id}
          name={<RefundName refund={refund} timeZone={order.seller.timeZone} />}
          value={signed(refund)}
        />
      ))}
      <Row name="Can be refunded" value={formatDollars(order.leftCents)} isStrong />
    </dl>
  );
}

function Row({ name, value, isStrong = false }: { name: React.ReactNode; value: string; isStrong?: boolean }) {
  return (
    <div
      className={
        isStrong ? 'flex justify-between gap-4 border-t border-line pt-1.5 font-semibold' : 'flex justify-between gap-4'
      }
    >
      <dt className={isStrong ? '' : 'min-w-0 text-quiet'}>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

const signed = ({ amount, state }: RefundAnswer) => (state === 'refused' ? 'refused' : `-${dollarText(amount)}`);

function RefundName({ refund, timeZone }: { refund: RefundAnswer; timeZone: string }) {
  return (
    <>
      {refund.state === 'pending' ? 'Being refunded' : 'Refund'}{' '}
      <DateText at={new Date(refund.created_at)} timeZone={timeZone} />
    </>
  );
}

const TONES = {
  pending: 'neutral',
  failed: 'neutral',
  paid: 'success',
  partially_refunded: 'warning',
  refunded: 'neutral',
  disputed: 'danger',
} as const;

export function OrderState({ status }: Pick<OrderCard, 'status'>) {
  return <Badge tone={TONES[status]}>{ORDER_STATES[status]}</Badge>;
}
