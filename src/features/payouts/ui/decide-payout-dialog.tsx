import type { OfficePayout } from '#src/features/payouts/payouts.contract.ts';
import { OneTextDialog } from '#src/features/payouts/ui/one-text-dialog.tsx';
import type { Verb } from '#src/features/payouts/ui/payout-row.tsx';
import { formatDollars, parseDollarNumber, ZERO } from '#src/shared/money.ts';
import { callApi } from '#src/web/api-client.ts';

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
    hint: 'Platform administrators read it.',
    action: 'Mark as failed',
    busy: 'Saving...',
  },
  return: {
    title: 'Did the bank return this payout?',
    sentence:
      'The money is back in our bank. Its orders are due again and appear in the next review; the organization gets an email. This cannot be undone.',
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
  const words = WORDS[verb];
  const isConfirmed = verb === 'confirm';
  const name = isConfirmed ? 'reference' : 'reason';
  return (
    <OneTextDialog<OfficePayout>
      title={words.title}
      sentence={words.sentence}
      field={{ name, label: words.field, hint: words.hint, maxLength: isConfirmed ? 100 : 500 }}
      action={{ label: words.action, busy: words.busy, variant: isConfirmed ? 'primary' : 'danger' }}
      send={(text) => callApi('POST', `/api/v1/payouts/${payout.id}/${verb}`, { body: { [name]: text } })}
      onClose={onClose}
      onDone={onDecided}
    >
      <strong>{formatDollars(parseDollarNumber(payout.amount) ?? ZERO)}</strong> for{' '}
      <strong>{payout.organization_name}</strong>
    </OneTextDialog>
  );
}
