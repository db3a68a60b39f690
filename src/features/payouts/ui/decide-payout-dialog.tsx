import { useState, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import type { OfficePayout } from '#src/features/payouts/payouts.contract.ts';
import { formatDollars, parseDollarNumber, ZERO } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { callApi } from '#src/web/api-client.ts';
import type { Verb } from '#src/features/payouts/ui/payout-row.tsx';

export type DecidingPayout = { payout: OfficePayout; verb: Verb };

const WORDS: Record<
  Verb,
  { title: string; sentence: string; field: string; hint: string; action: string; busy: string }
> = {
  confirm: {
    title: 'Confirm this pay-out?',
    sentence: 'The organization gets an email with the reference. This cannot be undone.',
    field: 'Reference',
    hint: 'Of the bank transfer, or the number of the cheque.',
    action: 'Confirm pay-out',
    busy: 'Confirming...',
  },
  fail: {
    title: 'Mark this pay-out as failed?',
    sentence: 'Its orders are due again and stand in the next review. This cannot be undone.',
    field: 'What went wrong',
    hint: 'Platform administrators read it.',
    action: 'Mark as failed',
    busy: 'Saving...',
  },
  return: {
    title: 'Did the bank return this pay-out?',
    sentence:
      'The money is in our bank again. Its orders are due again and stand in the next review; the organization gets an email. This cannot be undone.',
    field: 'Why it was returned',
    hint: 'The organization reads it, too.',
    action: 'Mark as returned',
    busy: 'Saving...',
  },
};

type DecidePayoutDialogProps = DecidingPayout & {
  onClose: () => void;
  onDecided: (payout: OfficePayout) => void;
};

/** The reference of a transfer that was sent, or why it failed. */
export function DecidePayoutDialog({ payout, verb, onClose, onDecided }: DecidePayoutDialogProps) {
  const stepUp = useStepUp();
  const [text, setText] = useState('');
  const [isSending, setSending] = useState(false);
  const [errors, setErrors] = useState<string[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const words = WORDS[verb];
  const name = verb === 'confirm' ? 'reference' : 'reason';
  const form = `decide-${payout.id}`;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSending(true);
    setErrors([]);
    setProblem(null);
    const answer = await stepUp.send(() =>
      callApi<OfficePayout>('POST', `/api/v1/payouts/${payout.id}/${verb}`, { body: { [name]: text } }),
    );
    setSending(false);
    if (!answer) return;
    if (answer.ok) return onDecided(answer.data);
    const own = answer.errors[name] ?? [];
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
        title={words.title}
        onClose={() => !isSending && onClose()}
        footer={
          <>
            <Button variant="secondary" disabled={isSending} onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              form={form}
              variant={verb === 'confirm' ? 'primary' : 'danger'}
              busy={isSending && words.busy}
            >
              {words.action}
            </Button>
          </>
        }
      >
        <p>
          <strong>{formatDollars(parseDollarNumber(payout.amount) ?? ZERO)}</strong> for{' '}
          <strong>{payout.organization_name}</strong>
        </p>
        <p className="mt-1 text-quiet">{words.sentence}</p>
        <form id={form} noValidate className="mt-4" onSubmit={(event) => void submit(event)}>
          <TextField
            label={words.field}
            hint={words.hint}
            required
            maxLength={verb === 'confirm' ? 100 : 500}
            data-autofocus=""
            autoComplete="off"
            value={text}
            errors={errors}
            onChange={(event) => setText(event.target.value)}
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
