import { useEffect, useRef, useState, type FormEvent } from 'react';
import { inviteCollaborator } from '#src/features/collaborators/collaborators.client.ts';
import {
  INVITE,
  INVITE_EMAIL_REQUIRED,
  INVITE_REVERT_MS,
  INVITE_SENT,
  INVITING,
} from '#src/features/collaborators/collaborators.contract.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { INVALID_EMAIL, isEmail } from '#src/shared/validators.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { CircleCheck } from '#src/ui/icon.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { useForm } from '#src/web/use-form.ts';

type InviteDialogProps = {
  open: boolean;
  gallery: { id: number; name: string; organization_id: number };
  onClose: () => void;
  onInvited: () => void;
};

/** One address after the other: the field is empty again once an invite is sent. */
export function InviteDialog({ open, gallery, onClose, onInvited }: InviteDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Invite someone">
      <InviteForm gallery={gallery} onInvited={onInvited} />
    </Dialog>
  );
}

/** What is wrong with the address before it is sent. */
function problemsOf({ email }: { email: string }): FieldErrors {
  const address = email.trim();
  if (address === '') return { email: [INVITE_EMAIL_REQUIRED] };
  return isEmail(address) ? {} : { email: [INVALID_EMAIL] };
}

function InviteForm({ gallery, onInvited }: Pick<InviteDialogProps, 'gallery' | 'onInvited'>) {
  const form = useForm({ email: '' }, problemsOf);
  const [wasSent, setWasSent] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!wasSent) return;
    const timer = setTimeout(() => setWasSent(false), INVITE_REVERT_MS);
    return () => clearTimeout(timer);
  }, [wasSent]);

  async function invite(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (wasSent) return;
    if (Object.keys(problemsOf(form.values)).length > 0) field.current?.focus();
    const sent = await form.send(({ email }) =>
      inviteCollaborator(gallery.organization_id, { email: email.trim(), gallery_id: gallery.id }),
    );
    if (!sent) return;
    form.setValues({ email: '' });
    setWasSent(true);
    field.current?.focus();
    onInvited();
  }

  return (
    <form noValidate onSubmit={(event) => void invite(event)} className="flex flex-col gap-4 pb-2">
      <p className="text-sm text-quiet">
        They get an email with their own link to “{gallery.name}”. You can end it at any time.
      </p>
      <TextField
        ref={field}
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        data-autofocus=""
        maxLength={254}
        {...form.field('email')}
        errors={Object.values(form.errors).flat()}
      />
      <div className="flex justify-end">
        <Button type="submit" busy={form.isSending && INVITING} className="min-w-36">
          {wasSent ? (
            <>
              <CircleCheck aria-hidden="true" />
              {INVITE_SENT}
            </>
          ) : (
            INVITE
          )}
        </Button>
      </div>
      <p role="status" className="sr-only">
        {wasSent ? INVITE_SENT : ''}
      </p>
    </form>
  );
}
