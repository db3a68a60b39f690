import type { ComponentProps, ReactNode } from 'react';
import { cx } from '#src/ui/cx.ts';

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & {
  /** The accessible name. */
  label: string;
  children: ReactNode;
};

/** A button that shows only an icon; 44 px square. */
export function IconButton({ label, className, type = 'button', children, ...button }: IconButtonProps) {
  return (
    <button
      {...button}
      type={type}
      aria-label={label}
      title={label}
      className={cx(
        'inline-grid size-11 shrink-0 place-items-center rounded text-ink transition-colors hover:bg-sunken disabled:opacity-60 [&_svg]:size-5',
        className,
      )}
    >
      {children}
    </button>
  );
}
