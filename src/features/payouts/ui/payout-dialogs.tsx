import { useRef, useState, type ReactNode } from 'react';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import { FormDialog } from '#src/ui/confirm-dialog.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { api, type ApiResult } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';
import type { ConfirmManyAnswer, OfficePayout, SettlementAnswer } from '#src/features/payouts/payouts.contract.ts';
import type { Verb } from '#src/features/payouts/ui/payout-row.tsx';
import { counted, formatCount } from '#src/shared/counted.ts';
import { formatDollars, fromDollars, toDollars, dollarText } from '#src/shared/money.ts';
import { toggled } from '#src/shared/toggled.ts';
import type { Held } from '#src/features/payouts/payout-review.rules.ts';

type OneTextDialogProps<T> = {
  title: string;
  /** What the action does, below what it is done to. */
  sentence: string;
  /** `name` is the field's name in the API: its problems are shown below it. */
  field: { name: string; label: string; hint: string; maxLength: number };
  action: { label: string; busy: string; variant: 'primary' | 'danger' };
  send: (text: string) => Promise<ApiResult<T>>;
  onClose: () => void;
  onDone: (answer: T) => void;
  /** What the action is about, in one line. */
  children: ReactNode;
  /** Below the field. */
  choice?: ReactNode;
};

/** Asks for the one text that an action of the office needs, and for the password if it was not typed recently. */
function OneTextDialog<T>(props: OneTextDialogProps<T>) {
  const { title, sentence, field, action, send, onClose, onDone, children, choice } = props;
  const stepUp = useStepUp();
  const form = useForm<Record<string, string>>({ [field.name]: '' });
  const input = useRef<HTMLInputElement>(null);
  const { [field.name]: own = [], ...others } = form.errors;

  async function submit(): Promise<void> {
    const answer = await form.send((values) => stepUp.send(() => send(values[field.name] ?? '')));
    if (answer) return onDone(answer.data);
    // The button that had the focus was disabled while it was sent.
    input.current?.focus();
  }

  return (
    <>
      <FormDialog
        role="alertdialog"
        title={title}
        action={action}
        isSending={form.isSending}
        problem={own.length > 0 ? [] : Object.values(others).flat()}
        onSubmit={() => void submit()}
        onClose={onClose}
      >
        <div>
          <p>{children}</p>
          <p className="mt-1 text-quiet">{sentence}</p>
        </div>
        <TextField
          ref={input}
          label={field.label}
          hint={field.hint}
          required
          maxLength={field.maxLength}
          data-autofocus=""
          autoComplete="off"
          {...form.field(field.name)}
        />
        {choice}
      </FormDialog>
      <ConfirmPassword open={stepUp.needsPassword} onDone={stepUp.onDone} />
    </>
  );
}

export type DecidingPayout = { payout: OfficePayout; verb: Verb };

const WORDS: Record<
  Verb,
  { title: string; sentence: string; field: string; hint: string; action: string; busy: string }
> = {
  confirm: {
    title: 'Confirm this payout?',
    sentence: 'The organization gets an email with the reference. This cannot be undone.',
    field: 'Reference',
    hint: 'Of the bank transfer, or the number of the check.',
    action: 'Confirm payout',
    busy: 'Confirming...',
  },
  fail: {
    title: 'Mark this payout as failed?',
    sentence: 'Its orders are due again and appear in the next review. This cannot be undone.',
    field: 'What went wrong',
    hint: 'Platform administrators see it.',
    action: 'Mark as failed',
    busy: 'Saving...',
  },
  return: {
    title: 'Did the bank return this payout?',
    sentence:
      'The money is back in our bank. Its orders are due again and appear in the next review; the organization gets an email. This cannot be undone.',
    field: 'Why it was returned',
    hint: 'The organization sees it, too.',
    action: 'Mark as returned',
    busy: 'Saving...',
  },
};

type DecidePayoutDialogProps = DecidingPayout & {
  onClose: () => void;
  onDecided: (payout: OfficePayout) => void;
};

function decide(id: number, verb: Verb, text: string): Promise<ApiResult<OfficePayout>> {
  return verb === 'confirm'
    ? api('POST /api/v1/payouts/{id}/confirm', { params: { id }, body: { reference: text } })
    : api(`POST /api/v1/payouts/{id}/${verb}`, { params: { id }, body: { reason: text } });
}

/** The reference of a sent transfer, or why it failed. */
export function DecidePayoutDialog({ payout, verb, onClose, onDecided }: DecidePayoutDialogProps) {
  const words = WORDS[verb];
  const isConfirmed = verb === 'confirm';
  const name = isConfirmed ? 'reference' : 'reason';
  return (
    <OneTextDialog<OfficePayout>
      title={words.title}
      sentence={words.sentence}
      field={{ name, label: words.field, hint: words.hint, maxLength: isConfirmed ? 100 : 500 }}
      action={{ label: words.action, busy: words.busy, variant: isConfirmed ? 'primary' : 'danger' }}
      send={(text) => decide(payout.id, verb, text)}
      onClose={onClose}
      onDone={onDecided}
    >
      <strong>{dollarText(payout.amount)}</strong> for <strong>{payout.organization_name}</strong>
    </OneTextDialog>
  );
}

type ConfirmManyDialogProps = {
  /** All that this viewer may confirm. */
  payouts: readonly OfficePayout[];
  onClose: () => void;
  onDone: (answer: ConfirmManyAnswer) => void;
};

/** Payouts that the bank has sent together: all are selected at first, and one reference is for all. */
export function ConfirmManyDialog({ payouts, onClose, onDone }: ConfirmManyDialogProps) {
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set());
  const chosen = payouts.filter(({ id }) => !leftOut.has(id));
  const sum = chosen.reduce((total, { amount }) => total + fromDollars(amount), 0);
  return (
    <OneTextDialog<ConfirmManyAnswer>
      title="Confirm these payouts?"
      sentence="Each organization gets an email with the reference. This cannot be undone."
      field={{
        name: 'reference',
        label: 'Reference',
        hint: 'Of the bank’s batch. It is for all of them.',
        maxLength: 100,
      }}
      action={{
        label: `Confirm ${counted(chosen.length, 'payout', 'payouts')}`,
        busy: 'Confirming...',
        variant: 'primary',
      }}
      send={(reference) =>
        api('POST /api/v1/payouts/confirm', { body: { ids: chosen.map(({ id }) => id), reference } })
      }
      onClose={onClose}
      onDone={onDone}
      choice={
        <fieldset>
          <legend className="text-sm text-quiet">Deselect those that have not arrived.</legend>
          <ul className="mt-2 max-h-60 overflow-y-auto rounded-md border border-line text-sm tabular-nums">
            {payouts.map(({ id, organization_name, amount }) => (
              <li key={id} className="border-line px-3 not-first:border-t">
                <label className="flex min-h-11 flex-wrap items-center gap-x-3">
                  <input
                    type="checkbox"
                    checked={!leftOut.has(id)}
                    onChange={() => setLeftOut(toggled(leftOut, id))}
                    className="size-5.5 shrink-0 accent-accent-text"
                  />
                  <span className="min-w-0 flex-1 basis-12 break-words">
                    {organization_name} <span className="text-quiet whitespace-nowrap">Payout {id}</span>
                  </span>
                  <span className="ml-auto whitespace-nowrap">{dollarText(amount)}</span>
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
      }
    >
      <strong>{formatDollars(sum)}</strong> in <strong>{formatCount(chosen.length)}</strong> of{' '}
      {counted(payouts.length, 'payout', 'payouts')}
    </OneTextDialog>
  );
}

type SettleDialogProps = { debt: Held; onClose: () => void; onSettled: () => void };

/** An organization has paid its debt by invoice. */
export function SettleDialog({ debt, onClose, onSettled }: SettleDialogProps) {
  return (
    <OneTextDialog<SettlementAnswer>
      title="Was this paid by invoice?"
      sentence="Mark it once the money is in our bank. It appears on the organization’s statement. This cannot be undone."
      field={{
        name: 'reference',
        label: 'Reference',
        hint: 'The number of the invoice, or the reference of its payment.',
        maxLength: 100,
      }}
      action={{ label: 'Mark as paid', busy: 'Saving...', variant: 'primary' }}
      send={(reference) =>
        api('POST /api/v1/payouts/settlements', {
          body: { organization_id: debt.organizationId, amount: toDollars(debt.owesCents), reference },
        })
      }
      onClose={onClose}
      onDone={onSettled}
    >
      <strong>{formatDollars(debt.owesCents)}</strong> from <strong>{debt.name}</strong>
    </OneTextDialog>
  );
}
