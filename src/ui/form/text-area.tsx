import type { ComponentProps } from 'react';
import { cx } from '#src/ui/cx.ts';
import { CONTROL } from '#src/ui/form/control-style.ts';
import { Field, type FieldProps } from '#src/ui/form/field.tsx';

type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, 'id' | 'aria-describedby' | 'aria-invalid'>;

/** Several lines of text; grows with them if the browser supports it. */
export function TextArea({ label, hint, errors, className, ...area }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} errors={errors} required={area.required}>
      {(control) => (
        <textarea rows={3} {...area} {...control} className={cx(CONTROL, 'field-sizing-content min-h-24', className)} />
      )}
    </Field>
  );
}
