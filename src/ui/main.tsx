import type { ReactNode } from 'react';
import { cx } from '#src/ui/cx.ts';

type MainProps = { edgeToEdge?: boolean; className?: string; children: ReactNode };

/** The content of a page; the target of "Skip to the page". At most 1,240 px wide, unless it goes from edge to edge. */
export function Main({ edgeToEdge = false, className, children }: MainProps) {
  return (
    <main
      id="main"
      tabIndex={-1}
      className={cx('w-full outline-none', !edgeToEdge && 'mx-auto max-w-content px-5', className)}
    >
      {children}
    </main>
  );
}
