import { cx } from '#src/ui/cx.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'normal' | 'small' | 'large';

const BASE =
  'inline-flex items-center justify-center gap-2 rounded text-center font-semibold no-underline transition-colors duration-150 select-none [&_svg]:size-[1.15em] [&_svg]:shrink-0';
const SIZE: Record<ButtonSize, string> = {
  // 44 px on touch screens; with a mouse less is enough.
  small: 'min-h-11 px-3 py-1.5 text-sm pointer-fine:min-h-9',
  normal: 'min-h-11 px-4 py-2 text-sm',
  large: 'min-h-13 px-6 py-3 text-base',
};
const VARIANT: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
  secondary: 'border border-line-strong bg-surface text-ink hover:border-ink',
  quiet: 'text-ink underline decoration-line-strong underline-offset-4 hover:bg-sunken hover:decoration-ink',
  danger: 'border border-danger bg-surface text-danger hover:bg-danger-tint',
};

type ButtonLook = { variant?: ButtonVariant; size?: ButtonSize; className?: string | undefined };

/** The look that buttons and links share. */
export function buttonStyle({ variant = 'primary', size = 'normal', className }: ButtonLook): string {
  return cx(BASE, SIZE[size], VARIANT[variant], 'aria-disabled:opacity-60 disabled:opacity-60', className);
}
