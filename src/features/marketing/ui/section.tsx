import type { ReactNode } from 'react';
import { cx } from '#src/ui/cx.ts';

type SectionProps = {
  id: string;
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** On wide screens the title is beside the content instead of above it. */
  beside?: boolean;
  className?: string;
};

/** A chapter of a marketing page, as wide as the page; its name is in its address. */
export function Section({ id, title, lead, children, beside = false, className }: SectionProps) {
  return (
    <section aria-labelledby={id} className={cx('py-12 sm:py-16', className)}>
      <div
        className={cx(
          'mx-auto max-w-content px-5',
          beside && 'gap-x-12 lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]',
        )}
      >
        <div>
          <h2 id={id} className="scroll-mt-6 text-xl sm:text-2xl">
            {title}
          </h2>
          {lead && <p className="mt-2 max-w-2xl text-pretty text-quiet">{lead}</p>}
        </div>
        <div className={cx('mt-7', beside && 'lg:mt-0')}>{children}</div>
      </div>
    </section>
  );
}
