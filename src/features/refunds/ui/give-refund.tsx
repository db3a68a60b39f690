import { useId, useState } from 'react';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import type { OrderCard } from '#src/features/refunds/order-lists.rules.ts';
import { asksForPassword, newRefundKey, sendRefund } from '#src/features/refunds/refund.client.ts';
import { AMOUNT_NOT_VALID, MAX_REASON, moreThanLeft, REASON_REQUIRED } from '#src/features/refunds/refunds.contract.ts';
import { burdenOf } from '#src/features/refunds/refunds.rules.ts';
import { cents, formatDollars, parseDollarText, toDollars, type Cents } from '#src/shared/money.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { MoneyField } from '#src/ui/money-field.tsx';
import { TextArea } from '#src/ui/text-area.tsx';

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
  const [text, setText] = useState(asked.toFixed(2));
  const [reason, setReason] = useState(request?.reason ?? '');
  // One dialog is one refund, however often it is sent.
  const [key] = useState(newRefundKey);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);
  const [asksPassword, setAsksPassword] = useState(false);
  const form = useId();
  const amount = parseDollarText(text);

  function problems(): FieldErrors {
    return {
      ...(amount === null || amount === 0 ? { amount: [AMOUNT_NOT_VALID] } : {}),
      ...(amount !== null && amount > left ? { amount: [moreThanLeft(formatDollars(left))] } : {}),
      ...(reason.trim() === '' ? { reason: [REASON_REQUIRED] } : {}),
    };
  }

  async function send(): Promise<void> {
    const found = problems();
    setErrors(found);
    setProblem('');
    if (amount === null || Object.keys(found).length > 0) return;
    setSending(true);
    const answer = await sendRefund(order.id, { amount: toDollars(amount), reason, key });
    setSending(false);
    if (answer.ok) return onGiven(answer.data.message);
    if (asksForPassword(answer)) return setAsksPassword(true);
    setErrors(answer.errors);
    if (Object.keys(answer.errors).length === 0) setProblem(answer.error);
  }

  if (asksPassword)
    return (
      <ConfirmPassword
        open
        onDone={(confirmed) => {
          setAsksPassword(false);
          if (confirmed) void send();
        }}
      />
    );
  return (
    <Dialog
      open
      title={`Refund order ${order.id}`}
      onClose={() => !isSending && onClose()}
      footer={
        <>
          <Button variant="secondary" disabled={isSending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={form} busy={isSending && 'Giving back...'}>
            {amount === null || amount > left ? 'Give back' : `Give back ${formatDollars(amount)}`}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p className="text-quiet">
          {order.buyer} paid {formatDollars(cents(order.totalCents))}. {formatDollars(left)} of it can be given back.
        </p>
        <MoneyField
          label="Amount"
          required
          data-autofocus=""
          value={text}
          errors={errors['amount'] ?? []}
          onChange={(event) => setText(event.target.value)}
        />
        <TextArea
          label="Why"
          hint="For the office and the audit log. The buyer does not see it."
          required
          maxLength={MAX_REASON}
          value={reason}
          errors={errors['reason'] ?? []}
          onChange={(event) => setReason(event.target.value)}
        />
        {amount !== null && amount > 0 && amount <= left && <WhoBearsIt order={order} amount={amount} />}
        <p role="alert" className="text-sm font-semibold text-danger empty:hidden">
          {problem}
        </p>
      </form>
    </Dialog>
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
