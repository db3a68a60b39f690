import { useEffect, useEffectEvent, useState, type FormEvent } from 'react';
import { useNavigate, useRevalidator, useSearchParams } from 'react-router';
import { GALLERY_PASSWORD_REQUIRED, PASSWORD_GATE_TITLE } from '#src/features/galleries/galleries.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { Lock } from '#src/ui/icon.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { callApi, messagesOf } from '#src/web/api-client.ts';

/** An owner's link carries this instead of the word (decision 1). */
const KEY_PARAMETER = 'key';

/** Asks for the gallery's password; the server keeps the answer in a cookie of this browser session. */
export function PasswordGate({ galleryId, name }: { galleryId: number; name: string }) {
  const [problems, setProblems] = useState<string[]>([]);
  const [isSending, setSending] = useState(false);
  const revalidator = useRevalidator();
  const key = useUnlockLink((given) => void unlock({ key: given }));
  const isOpening = isSending || revalidator.state !== 'idle';

  async function unlock(word: { password: string } | { key: string }): Promise<void> {
    setSending(true);
    const answer = await callApi<{ unlocked: true }>('POST', `/api/v1/galleries/${galleryId}/unlock`, { body: word });
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
    void unlock({ password: field.value });
  }

  return (
    <Card className="mx-auto my-10 w-full max-w-md p-6 sm:my-16 sm:p-8">
      <span aria-hidden="true" className="grid size-12 place-items-center rounded-full bg-accent-tint text-accent-text">
        <Lock className="size-5" />
      </span>
      <h1 className="mt-4 text-xl">{name}</h1>
      <p className="mt-1 text-quiet">{PASSWORD_GATE_TITLE}</p>
      <form noValidate method="post" onSubmit={onSubmit} className="mt-6 flex flex-col gap-5">
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          hint="It came with the invitation from your team."
          errors={problems}
        />
        <Button type="submit" size="large" busy={isOpening ? 'Opening...' : false}>
          Open gallery
        </Button>
      </form>
      <p aria-live="assertive" className="sr-only">
        {isOpening || key !== null ? '' : problems.join(' ')}
      </p>
    </Card>
  );
}

/** Uses the key of an unlock link once and takes it out of the address. Answers the key while it is there. */
function useUnlockLink(use: (key: string) => void): string | null {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const key = search.get(KEY_PARAMETER);
  const open = useEffectEvent((given: string) => {
    const kept = new URLSearchParams(search);
    kept.delete(KEY_PARAMETER);
    use(given);
    void navigate({ search: `?${kept}` }, { replace: true });
  });
  useEffect(() => {
    if (key !== null) open(key);
  }, [key]);
  return key;
}
