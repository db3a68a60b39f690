import { useId, type ComponentProps, type ReactNode } from 'react';
import { BOX, WHOLE_LINE } from '#src/ui/form/control-style.ts';
import { cx } from '#src/ui/cx.ts';
import { CircleAlert } from '#src/ui/icon.tsx';

type CheckboxProps = Omit<ComponentProps<'input'>, 'id' | 'type' | 'className'> & {
  label: ReactNode;
  hint?: ReactNode;
  errors?: readonly string[] | undefined;
};

/** Yes or no, with a question as its label; the whole line can be clicked. */
export function Checkbox({ label, hint, errors = [], ...input }: CheckboxProps) {
  const id = useId();
  const describedBy = [hint ? `${id}-hint` : '', errors.length > 0 ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className="relative flex min-h-11 items-start gap-3 py-2.5">
      <input
        {...input}
        type="checkbox"
        id={id}
        aria-describedby={describedBy || undefined}
        aria-invalid={errors.length > 0 || input['aria-invalid']}
        className={cx('relative z-1', BOX)}
      />
      <div className="flex flex-col gap-0.5">
        <label htmlFor={id} className={cx(WHOLE_LINE, 'text-sm font-semibold')}>
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-xs text-quiet">
            {hint}
          </p>
        )}
        {errors.length > 0 && (
          <p id={`${id}-error`} className="flex items-start gap-1.5 text-xs font-semibold text-danger">
            <CircleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
            {errors.join(' ')}
          </p>
        )}
      </div>
    </div>
  );
}
