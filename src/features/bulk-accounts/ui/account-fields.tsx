/** One account of many: its organization, its user, and their consent. */
import type { ChangeEvent } from 'react';
import { passwordHint } from '#src/features/sign-in/passwords.contract.ts';
import { FIELD_LABELS, type AccountForm, type AccountValues } from '#src/features/bulk-accounts/bulk-accounts.rules.ts';
import { OrganizationPicker } from '#src/features/organization-picker/ui/organization-picker.tsx';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Card } from '#src/ui/card.tsx';
import { Checkbox } from '#src/ui/form/checkbox.tsx';
import { IconButton } from '#src/ui/icon-button.tsx';
import { X } from '#src/ui/icon.tsx';
import { PasswordField } from '#src/ui/form/password-field.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';

type AccountFieldsProps = {
  form: AccountForm;
  /** From 1. */
  place: number;
  errors: FieldErrors;
  passwordMin: number;
  /** Null if it is the only one. */
  onRemove: (() => void) | null;
  onChange: (change: Partial<AccountValues>) => void;
};

type TextName = 'newOrgName' | 'customPath' | 'firstName' | 'lastName' | 'email' | 'password' | 'zip';

export function AccountFields({ form, place, errors, passwordMin, onRemove, onChange }: AccountFieldsProps) {
  const text = (name: TextName) => ({
    name,
    label: FIELD_LABELS[name],
    required: true,
    value: form[name],
    errors: errors[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ [name]: event.target.value }),
  });
  const title = `Account ${place}`;
  return (
    <Card role="group" aria-label={title} id={`account-${form.key}`} className="p-5">
      <Head title={title} name={form.newOrgName} onRemove={onRemove} />
      <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2 xl:grid-cols-6">
        <div className="sm:col-span-2 xl:col-span-2">
          <OrganizationPicker
            label={FIELD_LABELS.parent}
            of="parents"
            required
            value={form.parent}
            errors={errors['parent']}
            onChange={(parent) => onChange({ parent })}
          />
        </div>
        <div className="xl:col-span-2">
          <TextField maxLength={200} autoComplete="off" {...text('newOrgName')} />
        </div>
        <div className="xl:col-span-2">
          <TextField
            maxLength={63}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...text('customPath')}
            hint={<span className="break-all">{addressOf(form)}</span>}
          />
        </div>
        <div className="xl:col-span-1">
          <TextField maxLength={100} autoComplete="off" {...text('firstName')} />
        </div>
        <div className="xl:col-span-1">
          <TextField maxLength={100} autoComplete="off" {...text('lastName')} />
        </div>
        <div className="xl:col-span-2">
          <TextField type="email" spellCheck={false} autoComplete="off" {...text('email')} />
        </div>
        <div className="xl:col-span-1">
          <PasswordField autoComplete="new-password" hint={passwordHint(passwordMin)} {...text('password')} />
        </div>
        <div className="xl:col-span-1">
          <TextField inputMode="numeric" maxLength={10} autoComplete="off" {...text('zip')} />
        </div>
      </div>
      <div className="mt-2">
        <Checkbox
          label="They agree to the Terms of Service"
          checked={form.agreeToTerms}
          errors={errors['agreeToTerms']}
          onChange={(event) => onChange({ agreeToTerms: event.target.checked })}
        />
      </div>
    </Card>
  );
}

type HeadProps = { title: string; name: string; onRemove: (() => void) | null };

function Head({ title, name, onRemove }: HeadProps) {
  return (
    <header className="mb-4 flex min-h-11 items-center justify-between gap-3 border-b border-line pb-2">
      <h2 className="min-w-0 truncate text-base">
        {title}
        {name.trim() !== '' && <span className="font-normal text-quiet"> · {name}</span>}
      </h2>
      {onRemove && (
        <IconButton label={`Remove ${title}`} onClick={onRemove}>
          <X aria-hidden="true" />
        </IconButton>
      )}
    </header>
  );
}

/** The address of its galleries. */
function addressOf({ parent, customPath }: AccountForm): string {
  return `${parent === null ? '…' : new URL(parent.site).host}/${customPath.trim().toLowerCase()}`;
}
