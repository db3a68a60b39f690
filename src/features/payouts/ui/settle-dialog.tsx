import { asDollars, type SettlementAnswer } from '#src/features/payouts/payouts.contract.ts';
import type { Held } from '#src/features/payouts/ready-list.rules.ts';
import { OneTextDialog } from '#src/features/payouts/ui/one-text-dialog.tsx';
import { cents, formatDollars } from '#src/shared/money.ts';
import { callApi } from '#src/web/api-client.ts';

type SettleDialogProps = { debt: Held; onClose: () => void; onSettled: () => void };

/** An organization has paid by invoice what it owes. */
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
        callApi('POST', '/api/v1/payouts/settlements', {
          body: { organization_id: debt.organizationId, amount: asDollars(debt.owesCents), reference },
        })
      }
      onClose={onClose}
      onDone={onSettled}
    >
      <strong>{formatDollars(cents(debt.owesCents))}</strong> from <strong>{debt.name}</strong>
    </OneTextDialog>
  );
}
