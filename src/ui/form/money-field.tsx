import type { ComponentProps } from 'react';
import { cx } from '#src/ui/cx.ts';
import { CONTROL } from '#src/ui/form/control-style.ts';
import { Field, type FieldProps } from '#src/ui/form/field.tsx';

type MoneyFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'id' | 'type' | 'aria-describedby' | 'aria-invalid'>;

/** Dollars as text, for `parseDollarText`: a number field would round, and change its value on scrolling. */
export function MoneyField({ label, hint, errors, className, ...input }: MoneyFieldProps) {
  return (
    <Field label={label} hint={hint} errors={errors} required={input.required}>
      {(control) => (
        <span className="relative block">
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-quiet"
          >
            $
          </span>
          <input
            autoComplete="off"
            placeholder="0.00"
            {...input}
            {...control}
            type="text"
            inputMode="decimal"
            className={cx(CONTROL, 'pl-[calc(0.95em+12px)] tabular-nums', className)}
          />
        </span>
      )}
    </Field>
  );
}
