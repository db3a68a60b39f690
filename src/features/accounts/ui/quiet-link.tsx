import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { cx } from '#src/ui/cx.ts';

/** A link beside a form, large enough for a thumb. */
export function QuietLink({ className, ...link }: ComponentProps<typeof Link>) {
  return (
    <Link
      {...link}
      className={cx(
        'inline-flex min-h-11 items-center font-semibold text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink',
        className,
      )}
    />
  );
}
