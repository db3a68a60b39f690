import type { ComponentProps } from 'react';
import { buttonStyle, type ButtonSize, type ButtonVariant } from '#src/ui/button-style.ts';
import { Spinner } from '#src/ui/spinner.tsx';

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /**
   * Its label while its work is in progress ("Submitting..."); a click or Enter does nothing meanwhile. It keeps the focus
   * (decision record 0160).
   */
  busy?: string | false;
};

/** Performs an action. Its label is a verb. */
export function Button({
  variant = 'primary',
  size = 'normal',
  busy = false,
  className,
  children,
  type = 'button',
  onClick,
  ...button
}: ButtonProps) {
  const isBusy = busy !== false || undefined;
  return (
    <button
      {...button}
      type={type}
      aria-disabled={isBusy}
      aria-busy={isBusy}
      // Enter in a field clicks the form's submit button, too: preventing it prevents a second submit.
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={buttonStyle({ variant, size, className })}
    >
      {isBusy ? (
        <>
          <Spinner />
          <span aria-live="polite">{busy}</span>
        </>
      ) : (
        children
      )}
    </button>
  );
}
