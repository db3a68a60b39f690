import { MAX_REASON, NOTE_REQUIRED } from '#src/features/refunds/refunds.contract.ts';
import { FormDialog } from '#src/ui/form-dialog.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { callApi } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';

type DeclineRefundProps = { requestId: number; onClose: () => void; onDeclined: () => void };

/** Says why, to the person who asked. */
export function DeclineRefund({ requestId, onClose, onDeclined }: DeclineRefundProps) {
  const form = useForm({ note: '' }, ({ note }) => (note.trim() === '' ? { note: [NOTE_REQUIRED] } : {}));

  async function decline(): Promise<void> {
    const declined = await form.send((body) =>
      callApi('PUT', `/api/v1/refund_requests/${requestId}/decline`, { body }),
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
        hint="It is included in the email to the person who asked."
        required
        data-autofocus=""
        maxLength={MAX_REASON}
        {...form.field('note')}
      />
    </FormDialog>
  );
}
