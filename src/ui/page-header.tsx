import type { ReactNode } from 'react';

type PageHeaderProps = {
  title: string;
  /** A line below: counts, dates, partners. */
  subtitle?: ReactNode;
  /** A way back, above the title. */
  back?: ReactNode;
  /** The one thing to do here. */
  action?: ReactNode;
};

/** Title of a page at the left, its one primary action at the right. */
export function PageHeader({ title, subtitle, back, action }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4 pt-6 pb-5">
      <div className="min-w-0">
        {back && <div className="mb-1">{back}</div>}
        <h1 className="text-xl sm:text-2xl">{title}</h1>
        {subtitle && <div className="mt-1 text-sm text-quiet">{subtitle}</div>}
      </div>
      {action}
    </header>
  );
}
