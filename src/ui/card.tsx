import type { ComponentProps } from 'react';
import { cx } from '#src/ui/cx.ts';

/** A sheet on the page's background: hairline, no shadow. */
export function Card({ className, ...box }: ComponentProps<'div'>) {
  return <div {...box} className={cx('rounded-lg border border-line bg-surface', className)} />;
}
