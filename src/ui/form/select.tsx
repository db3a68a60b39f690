import type { ComponentProps } from 'react';
import { cx } from '#src/ui/cx.ts';
import { CONTROL } from '#src/ui/form/control-style.ts';
import { Field, type FieldProps } from '#src/ui/form/field.tsx';
import { ChevronDown } from '#src/ui/icon.tsx';

type SelectProps = FieldProps & Omit<ComponentProps<'select'>, 'id' | 'aria-describedby' | 'aria-invalid'>;

/** A choice of a few options; the browser's own list, which works best on phones. Options are children. */
export function Select({ label, hint, errors, className, ...select }: SelectProps) {
  return (
    <Field label={label} hint={hint} errors={errors}>
      {(control) => (
        <span className="relative block">
          <select {...select} {...control} className={cx(CONTROL, 'appearance-none pr-10', className)} />
          <ChevronDown
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-3 my-auto size-5 text-quiet"
          />
        </span>
      )}
    </Field>
  );
}
