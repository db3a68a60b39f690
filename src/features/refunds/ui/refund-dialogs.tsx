/** Sends refunds from the browser, each with its own key. */
import { useState } from 'react';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import { refundProblems, burdenOf, keyAsUuid, type OrderCard } from '#src/features/refunds/refunds.rules.ts';
import { MAX_REASON, NOTE_REQUIRED } from '#src/features/refunds/refunds.contract.ts';
import { NOTHING_CHOSEN, ReturnedPhotos, type Chosen } from '#src/features/refunds/ui/returned-photos.tsx';
import { typedDollars } from '#src/shared/form-values.ts';
import { cents, formatDollars, parseDollarText, toDollars, type Cents } from '#src/shared/money.ts';
import { randomKey } from '#src/shared/random-key.ts';
import { FormDialog } from '#src/ui/confirm-dialog.tsx';
import { MoneyField } from '#src/ui/form/money-field.tsx';
import { TextArea } from '#src/ui/form/text-area.tsx';
import { useForm } from '#src/web/use-form.ts';
import { api } from '#src/web/api-client.ts';

type GiveRefundProps = {
  order: OrderCard;
  onClose: () => void;
  /** The message for the office. */
  onGiven: (message: string) => void;
};

/** Amount, reason, and who bears it; then the password, if it was not typed recently. */
export function GiveRefund({ order, onClose, onGiven }: GiveRefundProps) {
  const request = order.requests.find(({ state }) => state === 'open');
  const left = cents(order.leftCents);
  const proposed = request?.amount ?? toDollars(left);
  const form = useForm({ amount: proposed.toFixed(2), reason: request?.reason ?? '' }, (values) =>
    refundProblems(values, left),
  );
  // One dialog is one refund, however often it is sent.
  const [key] = useState(() => keyAsUuid(randomKey()));
  const stepUp = useStepUp();
  const amount = parseDollarText(form.values.amount);
  const { chosen, choose } = useChosen({ photos: request?.photos ?? [], passes: request?.passes ?? [] }, () =>
    form.set({ amount: toDollars(left).toFixed(2) }),
  );

  async function give(): Promise<void> {
    const given = await form.send((values) =>
      stepUp.send(() =>
        sendRefund(order.id, { amount: typedDollars(values.amount), reason: values.reason, key, ...chosen }),
      ),
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
          {order.buyer} paid {formatDollars(order.totalCents)}. {formatDollars(left)} of it can be refunded.
        </p>
        <MoneyField label="Amount" required data-autofocus="" {...form.field('amount')} />
        <ReturnedPhotos
          order={order}
          chosen={chosen}
          onChoose={choose}
          onQuoted={(quote) => form.set({ amount: quote.amount.toFixed(2) })}
        />
        <TextArea
          label="Why"
          hint="For the office and the audit log. The buyer does not see it."
          required
          maxLength={MAX_REASON}
          {...form.field('reason')}
        />
        {amount !== null && amount > 0 && amount <= left && (
          <WhoBearsIt order={order} amount={amount} closes={isAny(chosen)} />
        )}
      </FormDialog>
      <ConfirmPassword open={stepUp.needsPassword} onDone={stepUp.onDone} />
    </>
  );
}

/** Photos and passes to refund; `onNone` when the last one was removed: then everything is refunded, as at first. */
function useChosen(start: Chosen, onNone: () => void) {
  const [chosen, setChosen] = useState(start);
  const choose = (next: Chosen): void => {
    setChosen(next);
    if (!isAny(next)) onNone();
  };
  return { chosen, choose };
}

const isAny = ({ photos, passes }: Chosen) => photos.length + passes.length > 0;

/** `closes`: photos or passes are chosen, and their downloads close. */
function WhoBearsIt({ order, amount, closes }: { order: OrderCard; amount: Cents; closes: boolean }) {
  const { organizationCents, platformCents, taxCents } = burdenOf(order, amount);
  const isWhole = amount === order.leftCents;
  const rows = [
    { name: `${order.seller.name}, with the card fee`, value: organizationCents },
    { name: 'Sideline’s share', value: platformCents },
    ...(order.taxCents > 0 ? [{ name: 'Taxes', value: taxCents }] : []),
  ];
  return (
    <div className="rounded border border-line bg-sunken p-3.5 text-sm">
      <h3 className="font-semibold">Who pays for it</h3>
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
          : closes
            ? 'The downloads of what you chose close; the others stay open.'
            : 'The buyer keeps the photos: the downloads stay open.'}
        {order.processor === 'custom' && ' It is refunded through the organization’s own card account.'}
      </p>
    </div>
  );
}

type DeclineRefundProps = { requestId: number; onClose: () => void; onDeclined: () => void };

/** Asks for the reason, for the person who requested the refund. */
export function DeclineRefund({ requestId, onClose, onDeclined }: DeclineRefundProps) {
  const form = useForm({ note: '' }, ({ note }) => (note.trim() === '' ? { note: [NOTE_REQUIRED] } : {}));

  async function decline(): Promise<void> {
    const declined = await form.send((body) =>
      api('PUT /api/v1/refund_requests/{id}/decline', { params: { id: requestId }, body }),
    );
    if (declined) onDeclined();
  }

  return (
    <FormDialog
      title="Decline the refund"
      action={{ label: 'Decline', busy: 'Declining...' }}
      isSending={form.isSending}
      problem={form.errors['form']}
      onSubmit={() => void decline()}
      onClose={onClose}
    >
      <TextArea
        label="Why"
        hint="It is included in the email to the person who requested it."
        required
        data-autofocus=""
        maxLength={MAX_REASON}
        {...form.field('note')}
      />
    </FormDialog>
  );
}

/** A member requests a refund; a platform admin decides. */
export function AskRefund({ order, onClose, onAsked }: { order: OrderCard; onClose: () => void; onAsked: () => void }) {
  const left = cents(order.leftCents);
  const form = useForm({ amount: toDollars(left).toFixed(2), reason: '' }, (values) => refundProblems(values, left));
  const { chosen, choose } = useChosen(NOTHING_CHOSEN, () => form.set({ amount: toDollars(left).toFixed(2) }));

  async function submit(): Promise<void> {
    const sent = await form.send(({ amount, reason }) =>
      api('POST /api/v1/orders/{id}/refund_requests', {
        params: { id: order.id },
        body: { amount: typedDollars(amount), reason, ...(isAny(chosen) ? chosen : {}) },
      }),
    );
    if (sent) onAsked();
  }

  return (
    <FormDialog
      title="Request a refund"
      action={{ label: 'Request a refund', busy: 'Sending...' }}
      isSending={form.isSending}
      problem={form.errors['form']}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p className="text-quiet">
        Order {order.id} of {order.buyer}: {formatDollars(order.totalCents)} paid, {formatDollars(left)} can be
        refunded. Refunds are taken from your sales; the card fee is not returned.
      </p>
      <MoneyField label="Amount" required {...form.field('amount')} />
      <ReturnedPhotos
        order={order}
        chosen={chosen}
        onChoose={choose}
        onQuoted={(quote) => form.set({ amount: quote.amount.toFixed(2) })}
      />
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

type SentRefund = { amount: number | null; reason: string; key: string; photos?: number[]; passes?: number[] };

function sendRefund(orderId: number, { key, ...refund }: SentRefund) {
  const body = { ...refund, refund_key: key };
  return api('POST /api/v1/orders/{id}/refunds', { params: { id: orderId }, body });
}
