/** Where an order is, as long as there is more to say than "paid". */
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { PAYMENT_PENDING } from '#src/features/billing/billing.contract.ts';
import { closedSentence } from '#src/features/orders/receipt.rules.ts';
import { formatDollars, parseDollarNumber, ZERO } from '#src/shared/money.ts';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { Spinner } from '#src/ui/spinner.tsx';

export function OrderStatusNote({ order, sellerPath }: { order: OrderAnswer; sellerPath: string }) {
  return (
    <div role="status" className="[&:not(:empty)]:mb-6">
      {order.status === 'pending' && (
        <Notice icon={<Spinner />}>
          <p>
            <strong>{PAYMENT_PENDING}</strong> This page updates on its own, and you won’t be charged twice. You can
            also close it: we’ll email your receipt to {order.email_address}.
          </p>
          <noscript>
            <p className="mt-2">Please reload this page in a minute.</p>
          </noscript>
        </Notice>
      )}
      {order.status === 'failed' && (
        <Notice tone="warning">
          <p>
            <strong>{order.error ?? 'The payment was not completed.'}</strong> You were not charged. Your cart is kept
            in the browser that you ordered with.
          </p>
          <LinkButton to={`/${sellerPath}/checkout`} size="small" className="mt-3">
            Back to the checkout
          </LinkButton>
        </Notice>
      )}
      {(order.status === 'refunded' || order.status === 'disputed') && <Notice>{closedSentence(order)}</Notice>}
      {order.status === 'partially_refunded' && (
        <Notice>
          {formatDollars(parseDollarNumber(order.refunded) ?? ZERO)} of this order was refunded. You can download your
          remaining photos below.
        </Notice>
      )}
    </div>
  );
}
