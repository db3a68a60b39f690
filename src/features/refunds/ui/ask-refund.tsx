import { useState } from 'react';
import type { OrderCard } from '#src/features/refunds/order-lists.rules.ts';
import { AMOUNT_NOT_VALID, moreThanLeft, REASON_REQUIRED } from '#src/features/refunds/refunds.contract.ts';
import { SayWhy } from '#src/features/refunds/ui/say-why.tsx';
import { cents, formatDollars, parseDollarText, toDollars } from '#src/shared/money.ts';
import { MoneyField } from '#src/ui/money-field.tsx';
import { callApi } from '#src/web/api-client.ts';

/** A member asks; the platform's office decides. */
export function AskRefund({ order, onClose, onAsked }: { order: OrderCard; onClose: () => void; onAsked: () => void }) {
  const left = cents(order.leftCents);
  const [text, setText] = useState(toDollars(left).toFixed(2));
  const amount = parseDollarText(text);
  return (
    <SayWhy
      title="Request a refund"
      label="Why"
      hint="We review it before we refund anything. The buyer does not see it."
      missing={REASON_REQUIRED}
      field="reason"
      action="Request a refund"
      busy="Sending..."
      onClose={onClose}
      onDone={onAsked}
      send={async (reason) => {
        if (amount === null || amount === 0) return { amount: [AMOUNT_NOT_VALID] };
        if (amount > left) return { amount: [moreThanLeft(formatDollars(left))] };
        const body = { amount: toDollars(amount), reason };
        return callApi('POST', `/api/v1/orders/${order.id}/refund_requests`, { body });
      }}
      fields={(errors) => (
        <MoneyField
          label="Amount"
          required
          value={text}
          errors={errors['amount'] ?? []}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    >
      <p className="text-quiet">
        Order {order.id} of {order.buyer}: {formatDollars(cents(order.totalCents))} paid, {formatDollars(left)} can be
        refunded. Refunds are taken from your sales; the card fee is not returned.
      </p>
    </SayWhy>
  );
}
