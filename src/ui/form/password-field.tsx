import { useEffect, useRef, useState, type ComponentProps } from 'react';
import { cx } from '#src/ui/cx.ts';
import { CONTROL } from '#src/ui/form/control-style.ts';
import { Field, type FieldProps } from '#src/ui/form/field.tsx';
import { Eye, EyeOff } from '#src/ui/icon.tsx';

type PasswordFieldProps = FieldProps &
  Omit<ComponentProps<'input'>, 'id' | 'type' | 'aria-describedby' | 'aria-invalid'> & {
    /** The label of the button at its end, for screen readers. */
    showLabel?: string;
  };

/**
 * A password, with a button that shows what was typed. It is hidden again when its form is sent, so that browsers keep
 * no readable copy. Without JavaScript there is no button, only the field.
 */
export function PasswordField({
  label,
  hint,
  errors,
  className,
  showLabel = 'Show password',
  ...input
}: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const form = button.current?.form;
    const hide = () => setShown(false);
    form?.addEventListener('submit', hide);
    return () => form?.removeEventListener('submit', hide);
  }, []);
  return (
    <Field label={label} hint={hint} errors={errors} required={input.required}>
      {(control) => (
        <div className="relative">
          <input
            autoCapitalize="none"
            spellCheck={false}
            {...input}
            {...control}
            type={isShown ? 'text' : 'password'}
            className={cx(CONTROL, 'pr-12 noscript:pr-3 [&::-ms-reveal]:hidden', className)}
          />
          {/* The name is text and not an aria-label: a search for the field by its label finds only the field. */}
          <button
            ref={button}
            type="button"
            aria-pressed={isShown}
            aria-controls={control.id}
            title={showLabel}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded text-quiet hover:text-ink noscript:hidden [&_svg]:size-5"
          >
            {isShown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
            <span className="sr-only">{showLabel}</span>
          </button>
        </div>
      )}
    </Field>
  );
}
