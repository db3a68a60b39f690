import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { buttonStyle, type ButtonSize, type ButtonVariant } from '#src/ui/button-style.ts';

type LinkButtonProps = ComponentProps<typeof Link> & { variant?: ButtonVariant; size?: ButtonSize };

/** A link that looks like a button. */
export function LinkButton({ variant = 'primary', size = 'normal', className, ...link }: LinkButtonProps) {
  return <Link {...link} className={buttonStyle({ variant, size, className })} />;
}
