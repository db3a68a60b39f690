import type { ComponentProps } from 'react';
import { buttonStyle, type ButtonSize, type ButtonVariant } from '#src/ui/button-style.ts';
import { Spinner } from '#src/ui/spinner.tsx';

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Its label while its work is in progress ("Submitting..."); it cannot be clicked meanwhile. */
  busy?: string | false;
};

/** Performs an action. Its label is a verb. */
export function Button({
  variant = 'primary',
  size = 'normal',
  busy = false,
  className,
  disabled,
  children,
  type = 'button',
  ...button
}: ButtonProps) {
  return (
    <button
      {...button}
      type={type}
      disabled={disabled === true || busy !== false}
      aria-busy={busy !== false || undefined}
      className={buttonStyle({ variant, size, className })}
    >
      {busy === false ? (
        children
      ) : (
        <>
          <Spinner />
          <span aria-live="polite">{busy}</span>
        </>
      )}
    </button>
  );
}
