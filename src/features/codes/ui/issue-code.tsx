import { useId, useState, type FormEvent } from 'react';
import { CODE_CHARACTERS, MAX_USES_NOT_VALID, type IssuedCode } from '#src/features/codes/issued-codes.contract.ts';
import { bareErrors, numberOf } from '#src/features/codes/ui/code-fields.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { ErrorList } from '#src/ui/error-list.tsx';
import { Select } from '#src/ui/select.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { callApi } from '#src/web/api-client.ts';

type IssueCodeProps = {
  /** `today`: in the organization's time zone. */
  takers: readonly { id: number; name: string; today: string }[];
  chosen: number | null;
  onClose: () => void;
  onIssued: (code: IssuedCode) => void;
};

/** Issues one code; says it large, so that it can be copied or read out. */
export function IssueCode({ takers, chosen, onClose, onIssued }: IssueCodeProps) {
  const [values, setValues] = useState({
    organization: String(chosen ?? (takers.length === 1 ? takers[0]?.id : '')),
    code: '',
    uses: '1',
    lastDay: '',
  });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [busy, setBusy] = useState(false);
  const [issued, setIssued] = useState<IssuedCode | null>(null);
  const form = useId();
  const today = takers.find(({ id }) => String(id) === values.organization)?.today;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const answer = await callApi<IssuedCode>('POST', '/api/v1/promo_codes', {
      body: {
        promo_code: {
          organization_id: values.organization,
          code: values.code,
          max_uses: numberOf(values.uses, MAX_USES_NOT_VALID),
          last_day: values.lastDay,
        },
      },
    });
    setBusy(false);
    setAttempt((count) => count + 1);
    setErrors(answer.ok ? {} : bareErrors(answer.errors));
    setFailure(answer.ok || Object.keys(answer.errors).length > 0 ? null : answer.error);
    if (!answer.ok) return;
    setIssued(answer.data);
    onIssued(answer.data);
  }

  const text = (field: keyof typeof values, name: string) => ({
    value: values[field],
    errors: errors[name],
    onChange: (event: { target: { value: string } }) => setValues((now) => ({ ...now, [field]: event.target.value })),
  });

  if (issued) {
    return (
      <Dialog open title="The code was issued" onClose={onClose} footer={<Button onClick={onClose}>Done</Button>}>
        <p className="font-display text-2xl font-bold tracking-wider tabular-nums">{issued.code}</p>
        <p className="mt-1 text-sm text-quiet">
          {`For ${issued.organization.name}, ${issued.max_uses === 1 ? 'once' : `${issued.max_uses.toLocaleString('en-US')} times`}.`}
        </p>
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      title="Issue a promo code"
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={form} busy={busy ? 'Issuing...' : false}>
            Issue
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <ErrorList messages={failure === null ? [] : [failure]} attempt={attempt} heading="Something went wrong." />
        <Select label="Organization" {...text('organization', 'organization_id')}>
          <option value="">Please choose</option>
          {takers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        <TextField
          label="Code"
          maxLength={CODE_CHARACTERS}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          hint="8 letters, digits or hyphens. Leave blank and we’ll choose one."
          {...text('code', 'code')}
        />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField
            label="Maximum uses"
            required
            inputMode="numeric"
            maxLength={6}
            autoComplete="off"
            {...text('uses', 'max_uses')}
          />
          <TextField
            label="Last day"
            type="date"
            min={today}
            hint="Leave blank for no expiration date."
            {...text('lastDay', 'last_day')}
          />
        </div>
      </form>
    </Dialog>
  );
}
