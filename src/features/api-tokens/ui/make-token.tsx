import { useId } from 'react';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import {
  MAX_NAME,
  SCOPE_WORDS,
  SCOPES_REQUIRED,
  type MadeToken,
} from '#src/features/api-tokens/api-tokens.contract.ts';
import { TOKEN_SCOPES, type TokenScope } from '#src/features/tenancy/token-scopes.contract.ts';
import { FormDialog } from '#src/ui/confirm-dialog.tsx';
import { Checkbox } from '#src/ui/form/checkbox.tsx';
import { Select } from '#src/ui/form/select.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { api } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';

/** Days until a token expires; empty means never. */
const ENDS = [
  ['30', 'After 30 days'],
  ['90', 'After 90 days'],
  ['365', 'After a year'],
  ['', 'Never'],
] as const;

type MakeTokenProps = {
  organizationId: number;
  onClose: () => void;
  onMade: (made: MadeToken) => void;
};

/** Name, scopes and end of a new token, after asking for the password if needed. */
export function MakeToken({ organizationId, onClose, onMade }: MakeTokenProps) {
  const form = useForm({ name: '', scopes: [] as TokenScope[], days: '365' });
  const { needsPassword, onDone, send } = useStepUp();
  const id = useId();
  const { scopes } = form.values;

  async function submit(): Promise<void> {
    const made = await form.send(({ days, ...rest }) =>
      send(() =>
        api('POST /api/v1/affiliates/{id}/api_tokens', {
          params: { id: organizationId },
          body: { ...rest, expires_in_days: days === '' ? null : Number(days) },
        }),
      ),
    );
    if (made) onMade(made.data);
  }

  const choose = (scope: TokenScope, isChosen: boolean) =>
    form.set({ scopes: TOKEN_SCOPES.filter((each) => (each === scope ? isChosen : scopes.includes(each))) });
  const problems = form.errors['scopes'] ?? [];
  return (
    <>
      <FormDialog
        title="Create an API token"
        action={{ label: 'Create token', busy: 'Creating...' }}
        isSending={form.isSending}
        onSubmit={() => void submit()}
        onClose={onClose}
        problem={form.errors['form']}
      >
        <TextField
          label="Which program is it for?"
          placeholder="Uploader on the club’s laptop"
          maxLength={MAX_NAME}
          autoComplete="off"
          data-autofocus=""
          {...form.field('name')}
        />
        <fieldset aria-describedby={problems.length > 0 ? `${id}-problem` : undefined}>
          <legend className="text-sm font-semibold">What may it do?</legend>
          {TOKEN_SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              {...SCOPE_WORDS[scope]}
              checked={scopes.includes(scope)}
              aria-invalid={problems.length > 0 || undefined}
              onChange={(event) => choose(scope, event.target.checked)}
            />
          ))}
          <p id={`${id}-problem`} role="alert" className="text-xs font-semibold text-danger empty:hidden">
            {problems.length > 0 && SCOPES_REQUIRED}
          </p>
        </fieldset>
        <Select label="When does it expire?" {...form.field('days')}>
          {ENDS.map(([days, words]) => (
            <option key={days} value={days}>
              {words}
            </option>
          ))}
        </Select>
      </FormDialog>
      <ConfirmPassword open={needsPassword} onDone={onDone} />
    </>
  );
}
