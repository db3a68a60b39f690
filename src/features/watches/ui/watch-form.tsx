/** "Tell me when there is one": asks for an address; no email follows without a click in the first one. */
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { EMAIL_REQUIRED, TELL_ME, WATCH_HINT, YOUR_EMAIL } from '#src/features/watches/watches.contract.ts';
import { hasVisibleText, INVALID_EMAIL, isEmail } from '#src/shared/validators.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { api } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';

/** A child that is open in this browser, or a number of a team that everyone may search. */
export type WatchTarget = { child: number } | { team_id: number; number: string };

export function WatchForm({ target }: { target: WatchTarget }) {
  const { errors, field, isSending, send } = useForm({ email: '' }, problemsOf);
  const [message, setMessage] = useState<string | null>(null);
  const answered = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone.
  useEffect(() => answered.current?.focus(), [message]);
  const { email: _own, ...others } = errors;
  const failure = Object.values(others).flat()[0];

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const answer = await send(({ email }) => api('POST /api/v1/watches', { body: { email: email.trim(), ...target } }));
    if (answer) setMessage(answer.data.message);
  }

  if (message !== null)
    return (
      <div ref={answered} role="status" tabIndex={-1} className="outline-none">
        <Notice tone="success">{message}</Notice>
      </div>
    );
  return (
    <form method="dialog" noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <TextField
        type="email"
        spellCheck={false}
        label={YOUR_EMAIL}
        autoComplete="email"
        hint={WATCH_HINT}
        {...field('email')}
      />
      {failure !== undefined && (
        <div role="alert">
          <Notice tone="warning">{failure}</Notice>
        </div>
      )}
      <Button type="submit" busy={isSending && 'Sending...'}>
        {TELL_ME}
      </Button>
    </form>
  );
}

function problemsOf({ email }: { email: string }): FieldErrors {
  if (!hasVisibleText(email)) return { email: [EMAIL_REQUIRED] };
  return isEmail(email.trim()) ? {} : { email: [INVALID_EMAIL] };
}
