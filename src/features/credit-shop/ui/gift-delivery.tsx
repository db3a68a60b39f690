/** Whether a gift's email was sent and arrived, and another address for one that did not. */
import { useState } from 'react';
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { Button } from '#src/ui/button.tsx';
import { FormDialog } from '#src/ui/confirm-dialog.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';

type Gift = NonNullable<NonNullable<OrderAnswer['credit_sold']>['gift']>;
type GiftDeliveryProps = {
  gift: Gift;
  vanityId: string | null;
  isDisputed: boolean;
  /** In the seller's zone. */
  today: string;
  onReaddressed: () => void;
};

export function GiftDelivery({ gift, vanityId, isDisputed, today, onReaddressed }: GiftDeliveryProps) {
  const [isChanging, setChanging] = useState(false);
  const { email, returned, opened } = gift;
  const mayChange = vanityId !== null && email !== null && !opened && !isDisputed;
  return (
    <>
      <div className="flex flex-col items-center gap-1 text-center text-sm text-quiet print:hidden">
        {returned ? (
          <Notice tone="warning">{`We could not deliver the email to ${whom(gift)}. Please check the address, or print the card.`}</Notice>
        ) : (
          <p className="text-pretty wrap-anywhere">{wayOf(gift, isDisputed, today)}</p>
        )}
        {mayChange && (
          <Button variant="quiet" size="small" onClick={() => setChanging(true)}>
            Change the address
          </Button>
        )}
      </div>
      {/* Outside the part above, whose text is centered and small. */}
      {isChanging && vanityId !== null && (
        <ChangeAddress
          gift={gift}
          vanityId={vanityId}
          onClose={() => setChanging(false)}
          onChanged={(message) => {
            setChanging(false);
            showToast(message, 'success');
            onReaddressed();
          }}
        />
      )}
    </>
  );
}

const whom = ({ name, email }: Gift) => (email === null ? name : `${name} (${email})`);

function wayOf(gift: Gift, isDisputed: boolean, today: string): string {
  const { name, sent, send_on: day } = gift;
  if (name === '') return sent ? 'We sent it by email.' : 'The recipient’s address was deleted. Please print the card.';
  if (gift.opened) return `${name} has opened it.`;
  if (isDisputed && !sent) return 'We don’t email it while its payment is disputed. Please print the card.';
  if (sent) return `We emailed it to ${whom(gift)}.`;
  return day <= today
    ? `We are emailing it to ${whom(gift)} now.`
    : `We’ll email it to ${whom(gift)} on ${shownDay(day)}.`;
}

type ChangeAddressProps = {
  gift: Gift;
  vanityId: string;
  onClose: () => void;
  onChanged: (message: string) => void;
};

function ChangeAddress({ gift, vanityId, onClose, onChanged }: ChangeAddressProps) {
  const form = useForm({ email: gift.email ?? '' });
  async function change(): Promise<void> {
    const changed = await form.send((body) => api('PUT /api/v1/orders/{id}/gift', { params: { id: vanityId }, body }));
    if (changed) onChanged(changed.data.message);
  }
  return (
    <FormDialog
      title="Change the address"
      action={{ label: 'Send it there', busy: 'Sending...' }}
      isSending={form.isSending}
      onSubmit={() => void change()}
      onClose={onClose}
      problem={form.errors['form']}
    >
      {gift.sent && (
        <p className="text-sm text-pretty text-quiet">
          An email that has reached the old address has the same code, and can still be used.
        </p>
      )}
      <TextField
        type="email"
        spellCheck={false}
        label={`${gift.name}’s email`}
        autoComplete="off"
        maxLength={254}
        data-autofocus=""
        {...form.field('email')}
      />
    </FormDialog>
  );
}
