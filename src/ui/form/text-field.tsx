import type { ComponentProps } from 'react';
import { cx } from '#src/ui/cx.ts';
import { CONTROL } from '#src/ui/form/control-style.ts';
import { Field, type FieldProps } from '#src/ui/form/field.tsx';

type TextFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'id' | 'aria-describedby' | 'aria-invalid'>;

/** One line of text. */
export function TextField({ label, hint, errors, isMarked, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} errors={errors} isMarked={isMarked} required={input.required}>
      {(control) => <input type="text" {...input} {...control} className={cx(CONTROL, className)} />}
    </Field>
  );
}
