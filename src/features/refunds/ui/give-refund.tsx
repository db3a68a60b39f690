import { useState } from 'react';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import type { OrderCard } from '#src/features/refunds/order-lists.rules.ts';
import { refundProblems } from '#src/features/refunds/refund-form.rules.ts';
import { newRefundKey, sendRefund } from '#src/features/refunds/refund.client.ts';
import { MAX_REASON } from '#src/features/refunds/refunds.contract.ts';
import { burdenOf } from '#src/features/refunds/refunds.rules.ts';
import { typedDollars } from '#src/shared/form-values.ts';
import { cents, formatDollars, parseDollarText, toDollars, type Cents } from '#src/shared/money.ts';
import { FormDialog } from '#src/ui/form-dialog.tsx';
import { MoneyField } from '#src/ui/money-field.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { useForm } from '#src/web/use-form.ts';

type GiveRefundProps = {
  order: OrderCard;
  onClose: () => void;
  /** The sentence that the office is told. */
  onGiven: (message: string) => void;
};

/** How much, why, and who bears it; then the password, when it was typed too long ago. */
export function GiveRefund({ order, onClose, onGiven }: GiveRefundProps) {
  const request = order.requests.find(({ state }) => state === 'open');
  const left = cents(order.leftCents);
  const asked = request?.amount ?? toDollars(left);
  const form = useForm({ amount: asked.toFixed(2), reason: request?.reason ?? '' }, (values) =>
    refundProblems(values, left),
  );
  // One dialog is one refund, however often it is sent.
  const [key] = useState(newRefundKey);
  const stepUp = useStepUp();
  const amount = parseDollarText(form.values.amount);

  async function give(): Promise<void> {
    const given = await form.send((values) =>
      stepUp.send(() => sendRefund(order.id, { amount: typedDollars(values.amount), reason: values.reason, key })),
    );
    if (given) onGiven(given.data.message);
  }

  return (
    <>
      <FormDialog
        title={`Refund order ${order.id}`}
        action={{
          label: amount === null || amount > left ? 'Refund' : `Refund ${formatDollars(amount)}`,
          busy: 'Refunding...',
        }}
        isSending={form.isSending}
        problem={form.errors['form']}
        onSubmit={() => void give()}
        onClose={onClose}
      >
        <p className="text-quiet">
          {order.buyer} paid {formatDollars(cents(order.totalCents))}. {formatDollars(left)} of it can be refunded.
        </p>
        <MoneyField label="Amount" required data-autofocus="" {...form.field('amount')} />
        <TextArea
          label="Why"
          hint="For the office and the audit log. The buyer does not see it."
          required
          maxLength={MAX_REASON}
          {...form.field('reason')}
        />
        {amount !== null && amount > 0 && amount <= left && <WhoBearsIt order={order} amount={amount} />}
      </FormDialog>
      <ConfirmPassword open={stepUp.asks} onDone={stepUp.onDone} />
    </>
  );
}

function WhoBearsIt({ order, amount }: { order: OrderCard; amount: Cents }) {
  const { organizationCents, platformCents, taxCents } = burdenOf(order, amount);
  const isWhole = amount === order.leftCents;
  const rows = [
    { name: `${order.seller.name}, with the card fee`, value: organizationCents },
    { name: 'Sideline’s share', value: platformCents },
    ...(order.taxCents > 0 ? [{ name: 'Taxes', value: taxCents }] : []),
  ];
  return (
    <div className="rounded border border-line bg-sunken p-3.5 text-sm">
      <h3 className="font-semibold">Who bears it</h3>
      <dl className="mt-1.5 flex flex-col gap-1 tabular-nums">
        {rows.map(({ name, value }) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-quiet">{name}</dt>
            <dd>{formatDollars(value)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-quiet">
        {isWhole
          ? 'This refunds the whole order, and its downloads close.'
          : 'The buyer keeps the photos: the downloads stay open.'}
        {order.processor === 'custom' && ' It is refunded through the organization’s own card account.'}
      </p>
    </div>
  );
}
