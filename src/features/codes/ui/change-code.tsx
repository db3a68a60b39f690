import { useId, useState, type FormEvent } from 'react';
import { MAX_USES_NOT_VALID, type IssuedCode } from '#src/features/codes/issued-codes.contract.ts';
import { bareErrors, numberOf } from '#src/features/codes/ui/code-fields.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { ErrorList } from '#src/ui/error-list.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { callApi } from '#src/web/api-client.ts';

type ChangeCodeProps = {
  code: IssuedCode;
  /** At the organization; null where it is not known. */
  today: string | null;
  onClose: () => void;
  onChanged: (code: IssuedCode) => void;
};

/** How often and until when a code is taken; only what was changed goes out. */
export function ChangeCode({ code, today, onClose, onChanged }: ChangeCodeProps) {
  const start = { uses: String(code.max_uses), lastDay: code.last_day ?? '' };
  const [values, setValues] = useState(start);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [busy, setBusy] = useState(false);
  const form = useId();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const answer = await callApi<IssuedCode>('PUT', `/api/v1/promo_codes/${code.id}`, {
      body: {
        promo_code: {
          ...(values.uses === start.uses ? {} : { max_uses: numberOf(values.uses, MAX_USES_NOT_VALID) }),
          ...(values.lastDay === start.lastDay ? {} : { last_day: values.lastDay }),
        },
      },
    });
    setBusy(false);
    setAttempt((count) => count + 1);
    if (answer.ok) return onChanged(answer.data);
    setErrors(bareErrors(answer.errors));
    setFailure(Object.keys(answer.errors).length > 0 ? null : answer.error);
  }

  return (
    <Dialog
      open
      title={`Change ${code.code}`}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={form} busy={busy ? 'Saving...' : false}>
            Save
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <ErrorList messages={failure === null ? [] : [failure]} attempt={attempt} heading="Something went wrong." />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField
            label="Maximum uses"
            required
            inputMode="numeric"
            maxLength={6}
            autoComplete="off"
            hint={`Used ${code.uses.toLocaleString('en-US')} so far.`}
            value={values.uses}
            errors={errors['max_uses']}
            onChange={(event) => setValues((now) => ({ ...now, uses: event.target.value }))}
          />
          <TextField
            label="Last day"
            type="date"
            {...(today === null ? {} : { min: today })}
            hint="Leave blank for no expiration date."
            value={values.lastDay}
            errors={errors['last_day']}
            onChange={(event) => setValues((now) => ({ ...now, lastDay: event.target.value }))}
          />
        </div>
      </form>
    </Dialog>
  );
}
