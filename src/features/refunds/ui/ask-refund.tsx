import type { OrderCard } from '#src/features/refunds/order-lists.rules.ts';
import { refundProblems } from '#src/features/refunds/refund-form.rules.ts';
import { MAX_REASON } from '#src/features/refunds/refunds.contract.ts';
import { typedDollars } from '#src/shared/form-values.ts';
import { cents, formatDollars, toDollars } from '#src/shared/money.ts';
import { FormDialog } from '#src/ui/form-dialog.tsx';
import { MoneyField } from '#src/ui/money-field.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { callApi } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';

/** A member asks; the platform's office decides. */
export function AskRefund({ order, onClose, onAsked }: { order: OrderCard; onClose: () => void; onAsked: () => void }) {
  const left = cents(order.leftCents);
  const form = useForm({ amount: toDollars(left).toFixed(2), reason: '' }, (values) => refundProblems(values, left));

  async function ask(): Promise<void> {
    const asked = await form.send(({ amount, reason }) =>
      callApi('POST', `/api/v1/orders/${order.id}/refund_requests`, { body: { amount: typedDollars(amount), reason } }),
    );
    if (asked) onAsked();
  }

  return (
    <FormDialog
      title="Request a refund"
      action={{ label: 'Request a refund', busy: 'Sending...' }}
      isSending={form.isSending}
      problem={form.errors['form']}
      onSubmit={() => void ask()}
      onClose={onClose}
    >
      <p className="text-quiet">
        Order {order.id} of {order.buyer}: {formatDollars(cents(order.totalCents))} paid, {formatDollars(left)} can be
        refunded. Refunds are taken from your sales; the card fee is not returned.
      </p>
      <MoneyField label="Amount" required {...form.field('amount')} />
      <TextArea
        label="Why"
        hint="We review it before we refund anything. The buyer does not see it."
        required
        data-autofocus=""
        maxLength={MAX_REASON}
        {...form.field('reason')}
      />
    </FormDialog>
  );
}
