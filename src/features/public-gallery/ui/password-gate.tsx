import { useState, type FormEvent } from 'react';
import { useLocation, useRevalidator } from 'react-router';
import { GALLERY_PASSWORD_REQUIRED, PASSWORD_GATE_TITLE } from '#src/features/galleries/galleries.contract.ts';
import { gatePath } from '#src/features/galleries/gallery-link.rules.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { Lock } from '#src/ui/icon.tsx';
import { ParentLink } from '#src/ui/parent-link.tsx';
import { PasswordField } from '#src/ui/form/password-field.tsx';
import { api, messagesOf } from '#src/web/api-client.ts';

type GateProps = {
  galleryId: number;
  name: string;
  /** The gallery's owner: a link for those without the password. */
  affiliate: { name: string; path: string };
  /** The problem of an unlock link, or of a submit without JavaScript. */
  problem: string | null;
};

/**
 * Asks for the gallery's password; the server stores the proof in a cookie of this browser session. Works without JavaScript,
 * too.
 */
export function PasswordGate({ galleryId, name, affiliate, problem }: GateProps) {
  const [problems, setProblems] = useState<string[]>(problem === null ? [] : [problem]);
  const [isSending, setSending] = useState(false);
  const revalidator = useRevalidator();
  const { pathname, search } = useLocation();
  const isOpening = isSending || revalidator.state !== 'idle';

  async function unlock(password: string): Promise<void> {
    setSending(true);
    const answer = await api('POST /api/v1/galleries/{id}/unlock', { params: { id: galleryId }, body: { password } });
    setSending(false);
    if (!answer.ok) return setProblems(messagesOf(answer));
    setProblems([]);
    await revalidator.revalidate();
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('password') as HTMLInputElement;
    field.focus();
    if (field.value === '') return setProblems([GALLERY_PASSWORD_REQUIRED]);
    field.select();
    void unlock(field.value);
  }

  return (
    <div className="mx-auto w-full max-w-md py-5 sm:py-10">
      <ParentLink to={`/${affiliate.path}`}>{affiliate.name}</ParentLink>
      <Card className="mt-2 p-6 sm:p-8">
        <span
          aria-hidden="true"
          className="grid size-12 place-items-center rounded-full bg-accent-tint text-accent-text"
        >
          <Lock className="size-5" />
        </span>
        <h1 className="mt-4 text-xl">{name}</h1>
        <p className="mt-1 text-quiet">{PASSWORD_GATE_TITLE}</p>
        <form
          noValidate
          method="post"
          action={`/api/v1/galleries/${galleryId}/unlock_form`}
          onSubmit={onSubmit}
          className="mt-6 flex flex-col gap-5"
        >
          <input type="hidden" name="to" value={gatePath(pathname + search, null)} />
          <PasswordField
            label="Password"
            name="password"
            autoComplete="off"
            enterKeyHint="go"
            hint="Your team sent it with the invitation."
            errors={problems}
          />
          <Button type="submit" size="large" busy={isOpening && 'Opening...'}>
            Open gallery
          </Button>
        </form>
        <p aria-live="assertive" className="sr-only">
          {isOpening ? '' : problems.join(' ')}
        </p>
      </Card>
    </div>
  );
}
