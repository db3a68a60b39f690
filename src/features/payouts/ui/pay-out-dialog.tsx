import { useState, useEffect, useRef } from 'react';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import type { PayOutAnswer } from '#src/features/payouts/payouts.contract.ts';
import type { Ready } from '#src/features/payouts/payout-review.rules.ts';
import { counted, formatCount } from '#src/shared/counted.ts';
import { formatDollars, toDollars, fromDollars, dollarText } from '#src/shared/money.ts';
import { randomKey } from '#src/shared/random-key.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { api, messagesOf } from '#src/web/api-client.ts';
import { Notice } from '#src/ui/notice.tsx';

type PayOutDialogProps = {
  chosen: readonly Ready[];
  reviewedAt: string;
  onClose: () => void;
  /** Also called when nothing was paid out, because everything had changed. */
  onPaid: (answer: PayOutAnswer) => void;
};

const NAMED = 5;

/**
 * Says how much will be paid out, and asks for the password if it was not typed recently. One request, however often it is
 * sent.
 */
export function PayOutDialog({ chosen, reviewedAt, onClose, onPaid }: PayOutDialogProps) {
  const stepUp = useStepUp();
  const [key] = useState(randomKey);
  const [isSending, setSending] = useState(false);
  const [problems, setProblems] = useState<string[]>([]);
  const sum = chosen.reduce((total, one) => total + one.amount, 0);
  const orders = chosen.reduce((total, one) => total + one.orders, 0);
  const more = chosen.length - NAMED;

  async function payOut(): Promise<void> {
    setSending(true);
    setProblems([]);
    const organizations = chosen.map((one) => ({ id: one.organizationId, amount: toDollars(one.amount) }));
    const answer = await stepUp.send(() =>
      api('POST /api/v1/payouts', {
        body: { reviewed_at: reviewedAt, organizations },
        headers: { 'idempotency-key': key },
      }),
    );
    setSending(false);
    if (!answer) return;
    if (answer.ok) return onPaid(answer.data);
    if (answer.status === 409 && Array.isArray(answer.body['results']))
      return onPaid({ payouts: [], results: answer.body['results'] as PayOutAnswer['results'] });
    setProblems(messagesOf(answer));
  }

  return (
    <>
      <Dialog
        open
        role="alertdialog"
        title={`Pay out ${formatDollars(sum)}?`}
        onClose={() => !isSending && onClose()}
        footer={
          <>
            <Button variant="secondary" disabled={isSending} onClick={onClose}>
              Cancel
            </Button>
            <Button data-autofocus="" busy={isSending && 'Paying out...'} onClick={() => void payOut()}>
              Pay out
            </Button>
          </>
        }
      >
        <p className="text-quiet">
          {counted(orders, 'order', 'orders')} of{' '}
          {chosen.length === 1 ? 'one organization' : `${formatCount(chosen.length)} organizations`}. Each payout then
          waits for the reference of its transfer.
        </p>
        <ul className="mt-4 text-sm tabular-nums">
          {chosen.slice(0, NAMED).map((one) => (
            <li key={one.organizationId} className="flex flex-wrap gap-x-4 border-t border-line py-2">
              <span className="min-w-0 flex-1 basis-20 break-words">{one.name}</span>
              <strong className="ml-auto whitespace-nowrap">{formatDollars(one.amount)}</strong>
            </li>
          ))}
          {more > 0 && <li className="border-t border-line py-2 text-quiet">and {formatCount(more)} more</li>}
        </ul>
        <p role="alert" className="mt-3 text-sm font-semibold text-danger empty:hidden">
          {problems.join(' ')}
        </p>
      </Dialog>
      <ConfirmPassword open={stepUp.needsPassword} onDone={stepUp.onDone} />
    </>
  );
}

type PayOutResultProps = {
  result: PayOutAnswer;
  /** Names of organizations in the review that was used. */
  names: ReadonlyMap<number, string>;
  onClose: () => void;
};

const SHOWN = 10;

/** The result: how much was paid out, and which organizations were skipped because their amount has changed. */
export function PayOutResult({ result, names, onClose }: PayOutResultProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [result]);
  const { payouts, results } = result;
  const nameOf = (id: number) => names.get(id) ?? `Organization ${id}`;
  const left = results.filter((one) => one.result !== 'paid_out');
  const sum = payouts.reduce((total, one) => total + fromDollars(one.amount), 0);
  return (
    <div className="pt-6">
      <Notice tone={left.length === 0 ? 'success' : 'warning'}>
        <h2 ref={heading} tabIndex={-1} className="font-sans text-sm font-bold outline-none">
          {payouts.length === 0
            ? 'Nothing was paid out'
            : `${formatDollars(sum)} is on the way in ${payouts.length === 1 ? 'one payout' : `${formatCount(payouts.length)} payouts`}`}
        </h2>
        {payouts.length > 0 && (
          <>
            <ul className="mt-1 list-disc pl-5 tabular-nums">
              {payouts.slice(0, SHOWN).map((one) => (
                <li key={one.id}>
                  {nameOf(one.organization_id)}: {dollarText(one.amount)}
                </li>
              ))}
              {payouts.length > SHOWN && <li>and {formatCount(payouts.length - SHOWN)} more</li>}
            </ul>
            <p className="mt-1">Send the transfers, then confirm each below by its reference.</p>
          </>
        )}
        {left.length > 0 && (
          <>
            <p className="mt-1">These have changed since you looked and were not paid out. Please review them again:</p>
            <ul className="mt-1 list-disc pl-5">
              {left.slice(0, SHOWN).map((one) => (
                <li key={one.organization_id}>
                  {nameOf(one.organization_id)}:{' '}
                  {one.result === 'changed' ? `now ${dollarText(one.amount)}` : 'nothing is due now'}
                </li>
              ))}
              {left.length > SHOWN && <li>and {formatCount(left.length - SHOWN)} more</li>}
            </ul>
          </>
        )}
        <Button variant="quiet" size="small" className="mt-2 -ml-3" onClick={onClose}>
          Close
        </Button>
      </Notice>
    </div>
  );
}
