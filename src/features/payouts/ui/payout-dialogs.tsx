import { useRef, type ReactNode } from 'react';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import { FormDialog } from '#src/ui/confirm-dialog.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { api, type ApiResult } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';
import type { OfficePayout, SettlementAnswer } from '#src/features/payouts/payouts.contract.ts';
import type { Verb } from '#src/features/payouts/ui/payout-row.tsx';
import { formatDollars, toDollars, dollarText } from '#src/shared/money.ts';
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
};

/** Asks for the one text that an action of the office needs, and for the password if it was not typed recently. */
function OneTextDialog<T>({ title, sentence, field, action, send, onClose, onDone, children }: OneTextDialogProps<T>) {
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
