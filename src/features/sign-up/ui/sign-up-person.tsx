/** Step 1 of signing up: who you are, and what your organization is called. */
import type { ChangeEvent } from 'react';
import { passwordHint } from '#src/features/sign-in/passwords.contract.ts';
import type { SignUpValues } from '#src/features/sign-up/sign-up-form.rules.ts';
import { PathField } from '#src/features/sign-up/ui/path-field.tsx';
import type { FieldErrors } from '#src/shared/problem.ts';
import { PasswordField } from '#src/ui/password-field.tsx';
import { TextField } from '#src/ui/text-field.tsx';

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
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...field('email')}
      />
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
