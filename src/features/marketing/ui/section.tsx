import type { ReactNode } from 'react';
import { cx } from '#src/ui/cx.ts';

type SectionProps = {
  id: string;
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  className?: string;
};

/** A chapter of a marketing page, as wide as the page; its name stands in its address. */
export function Section({ id, title, lead, children, className }: SectionProps) {
  return (
    <section aria-labelledby={id} className={cx('py-12 sm:py-16', className)}>
      <div className="mx-auto max-w-content px-5">
        <h2 id={id} className="scroll-mt-6 text-xl sm:text-2xl">
          {title}
        </h2>
        {lead && <p className="mt-2 max-w-2xl text-pretty text-quiet">{lead}</p>}
        <div className="mt-7">{children}</div>
      </div>
    </section>
  );
}
