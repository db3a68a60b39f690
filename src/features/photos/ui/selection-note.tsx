import type { ReactNode } from 'react';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import type { ToastAction } from '#src/ui/toast.ts';

/** What was done a moment ago, and what undoes it. */
type Note = { news: string; back: ToastAction | null };
export const NO_NOTE: Note = { news: '', back: null };

/** What is chosen, and below it what was done with it. */
export function SelectionNote({ news, back, className, children }: Note & { className?: string; children: ReactNode }) {
  return (
    <>
      <p role="status" className={cx('grow text-sm font-semibold tabular-nums', className)}>
        {children}
        {news !== '' && <span className="block text-xs font-normal text-success">{news}</span>}
      </p>
      {back && (
        <Button variant="quiet" size="small" onClick={back.act}>
          {back.label}
        </Button>
      )}
    </>
  );
}
