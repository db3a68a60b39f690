/** What was bought, by whom, for how much (specification P§2.4), and a button to email it again. */
import { useState } from 'react';
import { cardName } from '#src/features/billing/subscriptions.rules.ts';
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { pricingRow } from '#src/features/order-offers/quoted-offers.rules.ts';
import { closedSentence } from '#src/features/orders/receipt.rules.ts';
import { PAYMENT_UNAVAILABLE } from '#src/shared/card-token.ts';
import { publicDay } from '#src/shared/dates.ts';
import { sumCents, ZERO, fromDollars, dollarText } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { cx } from '#src/ui/cx.ts';
import { ChevronDown, ExternalLink } from '#src/ui/icon.tsx';
import { api } from '#src/web/api-client.ts';
import { PAYMENT_PENDING } from '#src/features/billing/billing.contract.ts';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { Spinner } from '#src/ui/spinner.tsx';
import { GoalBar } from '#src/ui/goal-bar.tsx';

type Row = { name: string; value: string; note?: string | undefined; strong?: boolean };

function rowsOf(order: OrderAnswer): Row[] {
  const card = readCard(order.stripe_token_full);
  return [
    { name: 'Order number', value: String(order.id) },
    { name: 'Date', value: publicDay(new Date(order.created_at), order.organization.time_zone) },
    { name: 'Name', value: `${order.first_name} ${order.last_name}` },
    { name: 'Email', value: order.email_address },
    ...(card ? [{ name: 'Card', value: card }] : []),
    ...(order.organization.tax_id ? [{ name: 'Tax ID', value: order.organization.tax_id }] : []),
    ...(order.credit_sold ? [] : [{ name: 'Photos', value: String(order.order_photo.length) }]),
    ...(order.passes ?? []).map(({ name }) => ({ name: 'Pass', value: name })),
    { name: 'Price', value: dollarText(order.subtotal) },
    { name: 'Additional donation', value: order.additional_donation },
    { name: 'Taxes', value: dollarText(order.tax), note: order.tax_text },
    { name: 'Total price', value: dollarText(order.total), strong: true },
    ...(order.credit ?? []).map(({ last4, amount }) => ({
      name: `Paid with credit ••••${last4}`,
      value: `−${dollarText(amount)}`,
    })),
    ...(card && order.credit
      ? [{ name: 'Charged to the card', value: dollarText(chargedOf(order)), strong: true }]
      : []),
    ...(order.refunded > 0
      ? [
          { name: 'Refunded', value: `−${dollarText(order.refunded)}` },
          {
            name: 'Total paid',
            value: dollarText((fromDollars(order.total) - fromDollars(order.refunded)) / 100),
            strong: true,
          },
        ]
      : []),
  ];
}

/** What the card paid. */
const chargedOf = ({ total, credit = [] }: OrderAnswer) =>
  (fromDollars(total) - sumCents(credit.map(({ amount }) => fromDollars(amount)))) / 100;

export function OrderReceipt({ order }: { order: OrderAnswer }) {
  const isPaid = order.status !== 'pending' && order.status !== 'failed';
  return (
    <Card className="p-5 sm:p-6">
      {/* Large text on a phone: no word is broken. */}
      <h2 className="text-[length:min(var(--text-lg),9vw)]">{isPaid ? 'Order Confirmation' : 'Your order'}</h2>
      <p className="mt-1 text-sm wrap-anywhere text-quiet">
        Order {order.id} of {order.organization.name}, for {order.first_name} {order.last_name}.
      </p>
      {order.pricing && <HowPriceIsMade lines={order.pricing} />}
      <details className="group mt-3">
        <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center justify-between gap-x-4 border-y border-line text-sm font-semibold [&::-webkit-details-marker]:hidden">
          <span className="inline-flex items-center gap-1.5">
            {isPaid ? 'Receipt' : 'Details'}
            <ChevronDown aria-hidden="true" className="size-5 text-quiet transition-transform group-open:rotate-180" />
          </span>
          <span className="tabular-nums group-open:hidden">
            {dollarText(order.total)}
            {order.refunded > 0 && `, ${dollarText(order.refunded)} refunded`}
          </span>
        </summary>
        <dl className="mt-3 flex flex-col gap-2.5 text-sm">
          {rowsOf(order).map(({ name, value, note, strong = false }, index) => (
            <div
              key={index}
              className={
                strong
                  ? 'mt-1 flex flex-wrap justify-between gap-x-6 border-t border-line pt-3 text-base font-bold'
                  : 'flex flex-wrap justify-between gap-x-6'
              }
            >
              <dt className={cx(!strong && 'min-w-0 text-quiet', note && 'flex-1 basis-40')}>
                {name}
                {note && <span className="block text-xs wrap-anywhere">{note}</span>}
              </dt>
              <dd className="min-w-0 wrap-anywhere tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {isPaid && order.vanity_id !== null && <SendAgain vanityId={order.vanity_id} />}
    </Card>
  );
}

function HowPriceIsMade({ lines }: { lines: NonNullable<OrderAnswer['pricing']> }) {
  return (
    <div className="mt-4 text-sm">
      <h3 className="font-semibold">How your price is made</h3>
      <ul className="mt-2 flex flex-col gap-2">
        {lines.map(pricingRow).map(({ name, value }, index) => (
          <li key={index} className="flex flex-wrap justify-between gap-x-6">
            <span className="min-w-0 flex-1 basis-40 wrap-anywhere">{name}</span>
            <span className="ml-auto tabular-nums">{value}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function SendAgain({ vanityId }: { vanityId: string }) {
  const [outcome, setOutcome] = useState<{ isProblem: boolean; sentence: string } | null>(null);
  const [isSending, setIsSending] = useState(false);

  async function send(): Promise<void> {
    setIsSending(true);
    const answer = await api('POST /api/v1/orders/{id}/receipt', { params: { id: vanityId } });
    setIsSending(false);
    setOutcome(
      answer.ok ? { isProblem: false, sentence: answer.data.message } : { isProblem: true, sentence: answer.error },
    );
  }

  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button variant="secondary" size="small" busy={isSending && 'Sending...'} onClick={() => void send()}>
        Send the receipt again
      </Button>
      <p role="status" className={outcome?.isProblem ? 'text-sm font-semibold text-danger' : 'text-sm text-quiet'}>
        {outcome?.sentence}
      </p>
    </div>
  );
}

/** "Visa ending in 4242" of the receipt's card text; null for free orders. */
function readCard(text: string | null): string | null {
  if (text === null) return null;
  const { card } = JSON.parse(text) as { card?: { brand?: string; last4?: string } };
  return card?.brand ? cardName({ brand: card.brand, last4: card.last4 ?? '' }) : null;
}

/** The status of an order, unless it is simply "paid". */
export function OrderStatusNote({ order, sellerPath }: { order: OrderAnswer; sellerPath: string }) {
  return (
    <div role="status" className="[&:not(:empty)]:mb-6">
      {order.status === 'pending' && (
        <Notice icon={<Spinner />}>
          <p>
            <strong>{PAYMENT_PENDING}</strong> This page updates on its own, and you won’t be charged twice. You can
            also close it: we’ll email your receipt to {order.email_address} when the payment goes through. If it does
            not, you are not charged.
          </p>
          <noscript>
            <p className="mt-2">Please reload this page in a minute.</p>
          </noscript>
        </Notice>
      )}
      {order.status === 'failed' && (
        <Notice tone="warning">
          <p>
            <strong>{order.error ?? 'The payment was not completed.'}</strong>
            {order.error !== PAYMENT_UNAVAILABLE && ' You were not charged.'} Your cart is kept in the browser that you
            ordered with.
          </p>
          <LinkButton to={`/${sellerPath}/checkout`} size="small" className="mt-3">
            Back to the checkout
          </LinkButton>
        </Notice>
      )}
      {(order.status === 'refunded' || order.status === 'disputed') && (
        <Notice>{closedSentence(order, order.credit_sold !== undefined)}</Notice>
      )}
      {order.status === 'partially_refunded' && (
        <Notice>
          {dollarText(order.refunded)} of this order was refunded.{' '}
          {order.credit_sold ? leftOnCode(order.credit_sold) : 'You can download your remaining photos below.'}
        </Notice>
      )}
    </div>
  );
}

/** Nothing for members, who do not see what is left. */
function leftOnCode({ left, last4 }: NonNullable<OrderAnswer['credit_sold']>): string {
  if (left === undefined) return '';
  return left === 0 ? `Code ••••${last4} is empty.` : `${dollarText(left)} is left on code ••••${last4}.`;
}

/** More than this would be too many. */
const AT_MOST = 3;

/** The goals that an order supported, and their progress. */
export function HelpedGoals({ goals }: { goals: OrderAnswer['goals'] }) {
  if (goals.length === 0) return null;
  const cards = goals.slice(0, AT_MOST).map((goal) => (
    <Card key={goal.gallery_id} className="flex flex-col gap-3 p-5">
      <h2 className="text-lg text-pretty">
        You brought {goal.recipient || `the goal of ${goal.name}`} to {dollarText(goal.raised)}
      </h2>
      <GoalBar salesCents={fromDollars(goal.raised)} donationCents={ZERO} targetCents={fromDollars(goal.target)} />
      <p className="text-sm text-quiet">{dollarText(goal.brought)} of it is yours. Thank you!</p>
    </Card>
  ));
  return <div className="flex flex-col gap-5">{cards}</div>;
}

type PrintPartner = { name: string; address: string };

/** The printers that the operator has agreed with (`PRINT_PARTNERS`). The links contain nothing about the order (threat 77). */
export function PartnerList({ partners }: { partners: readonly PrintPartner[] }) {
  return (
    <Card className="p-5">
      <h2 className="text-base font-bold">Our Partners</h2>
      <p className="mt-1 text-sm text-quiet">Your photos look good on paper, too.</p>
      <ul className="mt-3 flex flex-col gap-3 text-sm">
        {partners.map(({ name, address }) => (
          <li key={address}>
            <a
              href={address}
              rel="noreferrer noopener"
              target="_blank"
              className="inline-flex min-h-11 items-center gap-1.5 font-semibold underline decoration-line-strong underline-offset-4 pointer-fine:min-h-6"
            >
              {name}
              <ExternalLink aria-hidden="true" className="size-4 text-quiet" />
            </a>
            <p className="text-quiet">{new URL(address).hostname.replace(/^www\./, '')}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
