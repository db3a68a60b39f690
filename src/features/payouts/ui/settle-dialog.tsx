import { useState, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import { asDollars, type SettlementAnswer } from '#src/features/payouts/payouts.contract.ts';
import type { Held } from '#src/features/payouts/review.rules.ts';
import { cents, formatDollars } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { callApi } from '#src/web/api-client.ts';

type SettleDialogProps = { debt: Held; onClose: () => void; onSettled: () => void };

/** An organisation has paid by invoice what it owes. */
export function SettleDialog({ debt, onClose, onSettled }: SettleDialogProps) {
  const stepUp = useStepUp();
  const [reference, setReference] = useState('');
  const [isSending, setSending] = useState(false);
  const [errors, setErrors] = useState<string[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const form = `settle-${debt.organizationId}`;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSending(true);
    setErrors([]);
    setProblem(null);
    const body = { organization_id: debt.organizationId, amount: asDollars(debt.owesCents), reference };
    const answer = await stepUp.send(() => callApi<SettlementAnswer>('POST', '/api/v1/payouts/settlements', { body }));
    setSending(false);
    if (!answer) return;
    if (answer.ok) return onSettled();
    const own = answer.errors['reference'] ?? [];
    flushSync(() => setErrors(own));
    // The button that had the focus rested while it was sent.
    document.getElementById(form)?.querySelector('input')?.focus();
    setProblem(own.length === 0 ? answer.error : null);
  }

  return (
    <>
      <Dialog
        open
        role="alertdialog"
        title="Was this paid by invoice?"
        onClose={() => !isSending && onClose()}
        footer={
          <>
            <Button variant="secondary" disabled={isSending} onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" form={form} busy={isSending && 'Saving...'}>
              Mark as paid
            </Button>
          </>
        }
      >
        <p>
          <strong>{formatDollars(cents(debt.owesCents))}</strong> from <strong>{debt.name}</strong>
        </p>
        <p className="mt-1 text-quiet">
          Mark it once the money is in our bank. The organization’s statement shows it. This cannot be undone.
        </p>
        <form id={form} noValidate className="mt-4" onSubmit={(event) => void submit(event)}>
          <TextField
            label="Reference"
            hint="The number of the invoice, or the reference of its payment."
            required
            maxLength={100}
            data-autofocus=""
            autoComplete="off"
            value={reference}
            errors={errors}
            onChange={(event) => setReference(event.target.value)}
          />
        </form>
        <p role="alert" className="mt-3 text-sm font-semibold text-danger empty:hidden">
          {problem}
        </p>
      </Dialog>
      <ConfirmPassword open={stepUp.asks} onDone={stepUp.onDone} />
    </>
  );
}
