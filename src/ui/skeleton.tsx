import { cx } from '#src/ui/cx.ts';

/** Reserves the space of what is loading; give it that size. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={cx('block animate-pulse rounded bg-line', className)} />;
}
