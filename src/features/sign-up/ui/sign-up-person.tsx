/** Step 1 of signing up: the person, and the name of the organization. */
import type { ChangeEvent } from 'react';
import { EmailField } from '#src/features/accounts/ui/account-sheet.tsx';
import { passwordHint } from '#src/features/sign-in/passwords.contract.ts';
import type { SignUpValues } from '#src/features/sign-up/sign-up-form.rules.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { PasswordField } from '#src/ui/form/password-field.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { CONTROL } from '#src/ui/form/control-style.ts';
import { Field } from '#src/ui/form/field.tsx';

type TypedName = 'first_name' | 'last_name' | 'email' | 'password' | 'org_name' | 'affiliate_name';

type SignUpPersonProps = {
  values: SignUpValues;
  errors: FieldErrors;
  /** "lakeside.example.org/" */
  prefix: string;
  passwordMin: number;
  onChange: (change: Partial<SignUpValues>) => void;
};

export function SignUpPerson({ values, errors, prefix, passwordMin, onChange }: SignUpPersonProps) {
  const field = (name: TypedName) => ({
    name,
    value: values[name],
    errors: errors[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ [name]: event.target.value }),
  });
  return (
    <div className="flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label="First name" autoComplete="given-name" {...field('first_name')} />
        <TextField label="Last name" autoComplete="family-name" {...field('last_name')} />
      </div>
      <EmailField {...field('email')} />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint={passwordHint(passwordMin)}
        {...field('password')}
      />
      <TextField
        label="Organization name"
        autoComplete="organization"
        hint="Your club, school or team, as families know it."
        {...field('org_name')}
      />
      <PathField prefix={prefix} {...field('affiliate_name')} />
    </div>
  );
}

type PathFieldProps = {
  /** "lakeside.example.org/" */
  prefix: string;
  value: string;
  errors: readonly string[] | undefined;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
};

function PathField({ prefix, value, errors, onChange }: PathFieldProps) {
  return (
    <Field
      label="Your web address (custom domain or path)"
      hint="Where people find your galleries. Letters, digits, dots and hyphens."
      errors={errors}
    >
      {(control) => (
        <div className="flex min-w-0 flex-col sm:flex-row">
          <span className="flex min-w-0 items-center rounded-t border border-b-0 border-line-strong bg-sunken px-3 py-1.5 text-sm text-quiet sm:max-w-[60%] sm:rounded-l sm:rounded-tr-none sm:border-r-0 sm:border-b">
            <span className="min-w-0 wrap-anywhere sm:truncate" title={prefix}>
              {prefix}
            </span>
          </span>
          <input
            {...control}
            type="text"
            name="affiliate_name"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={value}
            onChange={onChange}
            className={`${CONTROL} min-w-0 flex-1 rounded-t-none sm:rounded-tr sm:rounded-l-none`}
          />
        </div>
      )}
    </Field>
  );
}
