/** What was bought, by whom, for how much (specification P§2.4), and the same by mail again. */
import { useState } from 'react';
import type { MailAnswer } from '#src/features/orders/orders.contract.ts';
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { cardWords } from '#src/features/orders/receipt.rules.ts';
import { publicDay } from '#src/shared/dates.ts';
import { formatDollars, parseDollarNumber, ZERO } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { ChevronDown } from '#src/ui/icon.tsx';
import { callApi } from '#src/web/api-client.ts';

const shown = (dollars: number) => formatDollars(parseDollarNumber(dollars) ?? ZERO);
/** Sums of dollars are made in cents: 0.1 + 0.2 is no amount. */
const inCents = (dollars: number) => Math.round(dollars * 100);

type Row = { name: string; value: string; strong?: boolean };

function rowsOf(order: OrderAnswer): Row[] {
  const card = readCard(order.stripe_token_full);
  return [
    { name: 'Order number', value: String(order.id) },
    { name: 'Date', value: publicDay(new Date(order.created_at)) },
    { name: 'Name', value: `${order.first_name} ${order.last_name}` },
    { name: 'Email', value: order.email_address },
    ...(card ? [{ name: 'Card', value: card }] : []),
    ...(order.organization.tax_id ? [{ name: 'Tax ID', value: order.organization.tax_id }] : []),
    { name: 'Photos', value: String(order.order_photo.length) },
    { name: 'Price', value: shown(order.subtotal) },
    { name: 'Additional donation', value: order.additional_donation },
    { name: 'Taxes', value: shown(order.tax) },
    { name: 'Total price', value: shown(order.total), strong: true },
    ...(order.refunded > 0
      ? [
          { name: 'Refunded', value: `-${shown(order.refunded)}` },
          {
            name: 'Total paid',
            value: shown((inCents(order.total) - inCents(order.refunded)) / 100),
            strong: true,
          },
        ]
      : []),
  ];
}

export function OrderReceipt({ order }: { order: OrderAnswer }) {
  const isPaid = order.status !== 'pending' && order.status !== 'failed';
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="text-lg">{isPaid ? 'Order Confirmation' : 'Your order'}</h2>
      <p className="mt-1 text-sm break-words text-quiet">
        Order {order.id} of {order.organization.name}, for {order.first_name} {order.last_name}.
      </p>
      <details className="group mt-3">
        <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center justify-between gap-x-4 border-y border-line text-sm font-semibold [&::-webkit-details-marker]:hidden">
          <span className="inline-flex items-center gap-1.5">
            {isPaid ? 'Receipt' : 'Details'}
            <ChevronDown aria-hidden="true" className="size-5 text-quiet transition-transform group-open:rotate-180" />
          </span>
          <span className="tabular-nums group-open:hidden">
            {shown(order.total)}
            {order.refunded > 0 && `, ${shown(order.refunded)} refunded`}
          </span>
        </summary>
        <dl className="mt-3 flex flex-col gap-2.5 text-sm">
          {rowsOf(order).map(({ name, value, strong = false }) => (
            <div
              key={name}
              className={
                strong
                  ? 'mt-1 flex flex-wrap justify-between gap-x-6 border-t border-line pt-3 text-base font-bold'
                  : 'flex flex-wrap justify-between gap-x-6'
              }
            >
              <dt className={strong ? '' : 'text-quiet'}>{name}</dt>
              <dd className="min-w-0 break-words tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {isPaid && <SendAgain vanityId={order.vanity_id} />}
    </Card>
  );
}

function SendAgain({ vanityId }: { vanityId: string }) {
  const [said, setSaid] = useState<{ isProblem: boolean; sentence: string } | null>(null);
  const [isSending, setIsSending] = useState(false);

  async function send(): Promise<void> {
    setIsSending(true);
    const answer = await callApi<MailAnswer>('POST', `/api/v1/orders/${vanityId}/receipt`, { body: {} });
    setIsSending(false);
    setSaid(
      answer.ok ? { isProblem: false, sentence: answer.data.message } : { isProblem: true, sentence: answer.error },
    );
  }

  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button variant="secondary" size="small" busy={isSending && 'Sending...'} onClick={() => void send()}>
        Send the receipt again
      </Button>
      <p role="status" className={said?.isProblem ? 'text-sm font-semibold text-danger' : 'text-sm text-quiet'}>
        {said?.sentence}
      </p>
    </div>
  );
}

/** "Visa ending in 4242" of the receipt's card text; null for free orders. */
function readCard(text: string | null): string | null {
  if (text === null) return null;
  const { card } = JSON.parse(text) as { card?: { brand?: string; last4?: string } };
  return card?.brand ? cardWords({ brand: card.brand, last4: card.last4 ?? '' }) : null;
}
