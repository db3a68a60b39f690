import { CONTROL } from '#src/ui/control-style.ts';
import { Field } from '#src/ui/field.tsx';

type HostFieldProps = {
  value: string;
  /** ".example.org" */
  suffix: string;
  errors: readonly string[] | undefined;
  onChange: (value: string) => void;
  onBlur: () => void;
};

/** The host of a new organization before the site's own name, as it will be in the address bar. */
export function HostField({ value, suffix, errors, onChange, onBlur }: HostFieldProps) {
  return (
    <Field label="Domain name" hint="Made from the name. Letters, digits and hyphens." errors={errors}>
      {(control) => (
        <div className="flex">
          <input
            {...control}
            type="text"
            name="domain_name"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={63}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onBlur={onBlur}
            className={`${CONTROL} min-w-0 flex-1 rounded-r-none`}
          />
          <span className="flex max-w-[55%] min-w-0 items-center rounded-r border border-l-0 border-line-strong bg-sunken px-3 text-sm text-quiet">
            <span className="truncate" title={suffix}>
              {suffix}
            </span>
          </span>
        </div>
      )}
    </Field>
  );
}
