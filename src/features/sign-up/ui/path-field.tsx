/** The path of a new organization behind the address of its parent, as it will be in the address bar. */
import type { ChangeEvent } from 'react';
import { CONTROL } from '#src/ui/control-style.ts';
import { Field } from '#src/ui/field.tsx';

type PathFieldProps = {
  /** "lakeside.example.org/" */
  prefix: string;
  value: string;
  errors: readonly string[] | undefined;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
};

export function PathField({ prefix, value, errors, onChange }: PathFieldProps) {
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
