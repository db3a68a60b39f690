import { useRef, useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { CODE_REQUIRED } from '#src/features/families/families.contract.ts';
import { familyPath } from '#src/features/families/families.rules.ts';
import { CODE_LABEL, OPEN_LABEL } from '#src/features/family-page/family-page.contract.ts';
import { typedCode } from '#src/features/family-page/family-page.rules.ts';
import { hasVisibleText } from '#src/shared/validators.ts';
import { Button } from '#src/ui/button.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { api } from '#src/web/api-client.ts';
import { useFocusOnError } from '#src/web/use-focus-on-error.ts';
import { useForm } from '#src/web/use-form.ts';

type CodeFormProps = {
  affiliate: string;
  /** The problem of a scanned QR code. */
  problem: string | null;
};

/** One field, which adds capitals and the hyphen automatically. The whole address of a card may be pasted, too. */
export function CodeForm({ affiliate, problem }: CodeFormProps) {
  const { values, errors, attempt, isSending, set, send } = useForm({ code: '' }, ({ code }) =>
    hasVisibleText(code) ? {} : { code: [CODE_REQUIRED] },
  );
  const [isOpening, setOpening] = useState(false);
  const navigate = useNavigate();
  const shown = Object.values(errors).flat();
  const form = useRef<HTMLFormElement>(null);
  useFocusOnError(form, attempt);

  async function open(event: FormEvent): Promise<void> {
    event.preventDefault();
    const answer = await send((body) => api('POST /api/v1/family', { body }));
    if (!answer) return;
    setOpening(true);
    await navigate(`${familyPath(affiliate)}?child=${answer.data.child.id}`, { replace: true });
  }

  return (
    <form
      ref={form}
      method="dialog"
      noValidate
      onSubmit={(event) => void open(event)}
      className="mt-6 flex flex-col gap-5"
    >
      <TextField
        label={CODE_LABEL}
        name="code"
        value={values.code}
        onChange={(event) => set({ code: typedCode(event.target.value) })}
        placeholder="K7M3P-9QX2T"
        autoCapitalize="characters"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        className="font-display text-lg tracking-wider"
        errors={attempt === 0 && problem !== null ? [problem] : shown}
      />
      <Button type="submit" size="large" busy={(isSending || isOpening) && 'Opening...'}>
        {OPEN_LABEL}
      </Button>
      <noscript>
        <p className="text-sm">Please turn on JavaScript to open a card.</p>
      </noscript>
    </form>
  );
}
