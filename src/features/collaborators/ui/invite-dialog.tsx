import { useEffect, useRef, useState, type FormEvent } from 'react';
import { inviteCollaborator } from '#src/features/collaborators/collaborators.client.ts';
import {
  INVITE,
  INVITE_EMAIL_REQUIRED,
  INVITE_REVERT_MS,
  INVITE_SENT,
  INVITING,
} from '#src/features/collaborators/collaborators.contract.ts';
import { INVALID_EMAIL, isEmail } from '#src/shared/validators.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { CircleCheck } from '#src/ui/icon.tsx';
import { TextField } from '#src/ui/text-field.tsx';

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

type State = 'ready' | 'sending' | 'sent';

function InviteForm({ gallery, onInvited }: Pick<InviteDialogProps, 'gallery' | 'onInvited'>) {
  const [email, setEmail] = useState('');
  const [errors, setErrors] = useState<string[]>([]);
  const [state, setState] = useState<State>('ready');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (state !== 'sent') return;
    const timer = setTimeout(() => setState('ready'), INVITE_REVERT_MS);
    return () => clearTimeout(timer);
  }, [state]);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (state !== 'ready') return;
    const address = email.trim();
    const refusal = address === '' ? INVITE_EMAIL_REQUIRED : isEmail(address) ? null : INVALID_EMAIL;
    setErrors(refusal === null ? [] : [refusal]);
    if (refusal !== null) return field.current?.focus();
    setState('sending');
    const answer = await inviteCollaborator(gallery.organization_id, { email: address, gallery_id: gallery.id });
    if (!answer.ok) {
      setErrors(answer.errors['email'] ?? [answer.error]);
      setState('ready');
      return;
    }
    setEmail('');
    setState('sent');
    field.current?.focus();
    onInvited();
  }

  return (
    <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-4 pb-2">
      <p className="text-sm text-quiet">
        They get an email with their own link to “{gallery.name}”. You can end it at any time.
      </p>
      <TextField
        ref={field}
        label="Email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        data-autofocus=""
        maxLength={254}
        value={email}
        errors={errors}
        onChange={(event) => setEmail(event.target.value)}
      />
      <div className="flex justify-end">
        <Button type="submit" busy={state === 'sending' ? INVITING : false} className="min-w-36">
          {state === 'sent' ? (
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
        {state === 'sent' ? INVITE_SENT : ''}
      </p>
    </form>
  );
}
