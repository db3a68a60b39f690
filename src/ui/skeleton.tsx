import { cx } from '#src/ui/cx.ts';

/** Holds the place of what is coming; give it the size of that. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={cx('block animate-pulse rounded bg-line', className)} />;
}
