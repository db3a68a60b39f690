import { useId, type ComponentProps, type ReactNode } from 'react';
import { WHOLE_LINE } from '#src/ui/form/control-style.ts';
import { cx } from '#src/ui/cx.ts';

type SwitchProps = Omit<ComponentProps<'input'>, 'id' | 'type' | 'role' | 'className'> & {
  label: ReactNode;
  hint?: ReactNode;
};

/** Something that is on or off: a checkbox with the role and looks of a switch. */
export function Switch({ label, hint, ...input }: SwitchProps) {
  const id = useId();
  return (
    <div className="relative flex min-h-11 items-start justify-between gap-4 py-2">
      <div className="flex flex-col gap-0.5">
        <label htmlFor={id} className={cx(WHOLE_LINE, 'text-sm font-semibold')}>
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-xs text-quiet">
            {hint}
          </p>
        )}
      </div>
      <input
        {...input}
        type="checkbox"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a native checkbox announces its state itself
        role="switch"
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="relative z-1 mt-[calc(0.6875rem-11px)] h-7 w-12 shrink-0 cursor-pointer appearance-none rounded-full border border-line-strong bg-sunken transition-colors before:absolute before:top-[3px] before:left-[3px] before:size-5 before:rounded-full before:bg-line-strong before:transition-transform checked:border-accent-text checked:bg-accent-text checked:before:translate-x-5 checked:before:bg-paper disabled:opacity-60"
      />
    </div>
  );
}
