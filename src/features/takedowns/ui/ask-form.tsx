import { useEffect, useRef, type FormEvent } from 'react';
import { useLocation } from 'react-router';
import {
  CONTACT_REQUIRED,
  FORGET_AFTER_DAYS,
  GUARDIAN_LABEL,
  MAX_CONTACT,
  MAX_REASON,
  REASON_REQUIRED,
  type TakedownRequest,
  type TakedownThanks,
} from '#src/features/takedowns/takedowns.contract.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { hasVisibleText, INVALID_EMAIL, isEmail } from '#src/shared/validators.ts';
import { Button } from '#src/ui/button.tsx';
import { Checkbox } from '#src/ui/checkbox.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { callApi } from '#src/web/api-client.ts';
import { useFocusOnError } from '#src/web/use-focus-on-error.ts';
import { useForm } from '#src/web/use-form.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Card } from '#src/ui/card.tsx';
import { CircleCheck } from '#src/ui/icon.tsx';

const BLANK: TakedownRequest = { reason: '', contact: '', guardian: false };

type AskFormProps = {
  photo: { id: number; galleryId: number };
  /** What a try without a script met. */
  problem: string | null;
  onAsked: () => void;
};

/** Three questions. Without a script it is a plain form, and the browser checks what is required. */
export function AskForm({ photo, problem, onAsked }: AskFormProps) {
  const { errors, attempt, isSending, set, send } = useForm<TakedownRequest>(BLANK, problemsOf);
  const { reason, contact, ...others } = errors;
  const failure = attempt === 0 ? problem : (Object.values(others).flat()[0] ?? null);
  const form = useRef<HTMLFormElement>(null);
  const { pathname } = useLocation();
  // Without a script the browser asks for what is missing; with one the form says all of it at once, in our words.
  useEffect(() => {
    if (form.current) form.current.noValidate = true;
  }, []);
  const address = `/api/v1/galleries/${photo.galleryId}/gallery_photos/${photo.id}/takedown`;
  useFocusOnError(form, attempt);

  async function ask(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const body = readRequest(event.currentTarget);
    const asked = await send(() => callApi<TakedownThanks>('POST', address, { body }), body);
    if (asked) onAsked();
  }

  return (
    <form
      ref={form}
      method="post"
      action={`${address}_form`}
      onInput={(event) => set(readRequest(event.currentTarget))}
      onSubmit={(event) => void ask(event)}
      className="mt-5 flex flex-col gap-5"
    >
      <input type="hidden" name="to" value={pathname} />
      <TextArea
        label="Why should it be hidden?"
        name="reason"
        required
        maxLength={MAX_REASON}
        hint="Say who is in the picture, so that we can find it, and what concerns you."
        errors={reason}
      />
      <TextField
        label="Your email address"
        name="contact"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={MAX_CONTACT}
        hint={`For the reply. Only the people who decide see it, and it is removed ${FORGET_AFTER_DAYS} days after the decision.`}
        errors={contact}
      />
      <Checkbox label={GUARDIAN_LABEL} name="guardian" />
      <div role="alert" className="empty:hidden">
        {failure !== null && <Notice tone="warning">{failure}</Notice>}
      </div>
      <Button type="submit" size="large" busy={isSending && 'Sending...'}>
        Send request
      </Button>
    </form>
  );
}

function readRequest(form: HTMLFormElement): TakedownRequest {
  const given = new FormData(form);
  return {
    reason: String(given.get('reason') ?? ''),
    contact: String(given.get('contact') ?? ''),
    guardian: given.has('guardian'),
  };
}

function problemsOf({ reason, contact }: TakedownRequest): FieldErrors {
  return {
    ...(hasVisibleText(reason) ? {} : { reason: [REASON_REQUIRED] }),
    ...(!hasVisibleText(contact)
      ? { contact: [CONTACT_REQUIRED] }
      : isEmail(contact.trim())
        ? {}
        : { contact: [INVALID_EMAIL] }),
  };
}

/** The request is on its way. A plain link leads back, so that the gallery is read anew without the photo. */
export function Asked({
  message,
  galleryTo,
  takesFocus,
}: {
  message: string;
  galleryTo: string;
  /** The form that had it is gone. */
  takesFocus: boolean;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <Card className="mt-2 flex flex-col items-start gap-4 p-6 sm:p-8">
      <span aria-hidden="true" className="grid size-12 place-items-center rounded-full bg-success-tint text-success">
        <CircleCheck className="size-6" />
      </span>
      <h1 ref={heading} tabIndex={-1} className="text-xl outline-none">
        We have your request
      </h1>
      <p role="status" className="text-pretty text-quiet">
        {message}
      </p>
      <a href={galleryTo} className={buttonStyle({ variant: 'secondary' })}>
        Back to the gallery
      </a>
    </Card>
  );
}
