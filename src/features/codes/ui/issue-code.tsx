import { useState } from 'react';
import { CODE_CHARACTERS, MAX_USES_NOT_VALID, type IssuedCode } from '#src/features/codes/issued-codes.contract.ts';
import { CodeDialog, numberOf } from '#src/features/codes/ui/code-dialog.tsx';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { Select } from '#src/ui/select.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { callApi } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';

type IssueCodeProps = {
  /** `today`: in the organization's time zone. */
  takers: readonly { id: number; name: string; today: string }[];
  chosen: number | null;
  onClose: () => void;
  onIssued: (code: IssuedCode) => void;
};

/** Issues one code; says it large, so that it can be copied or read out. */
export function IssueCode({ takers, chosen, onClose, onIssued }: IssueCodeProps) {
  const form = useForm({
    organization_id: String(chosen ?? (takers.length === 1 ? takers[0]?.id : '')),
    code: '',
    max_uses: '1',
    last_day: '',
  });
  const [issued, setIssued] = useState<IssuedCode | null>(null);

  async function submit(): Promise<void> {
    const answer = await form.send((values) =>
      callApi<IssuedCode>('POST', '/api/v1/promo_codes', {
        body: { promo_code: { ...values, max_uses: numberOf(values.max_uses, MAX_USES_NOT_VALID) } },
      }),
    );
    if (!answer) return;
    setIssued(answer.data);
    onIssued(answer.data);
  }

  if (issued) return <Issued code={issued} onClose={onClose} />;
  return (
    <CodeDialog
      title="Issue a promo code"
      form={form}
      action={{ label: 'Issue', busy: 'Issuing...' }}
      today={takers.find(({ id }) => String(id) === form.values.organization_id)?.today}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Select label="Organization" {...form.field('organization_id')}>
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
        {...form.field('code')}
      />
    </CodeDialog>
  );
}

function Issued({ code, onClose }: { code: IssuedCode; onClose: () => void }) {
  return (
    <Dialog open title="The code was issued" onClose={onClose} footer={<Button onClick={onClose}>Done</Button>}>
      <p className="font-display text-2xl font-bold tracking-wider tabular-nums">{code.code}</p>
      <p className="mt-1 text-sm text-quiet">
        {`For ${code.organization.name}, ${code.max_uses === 1 ? 'once' : `${code.max_uses.toLocaleString('en-US')} times`}.`}
      </p>
    </Dialog>
  );
}
