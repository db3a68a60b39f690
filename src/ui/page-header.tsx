import type { ReactNode } from 'react';

type PageHeaderProps = {
  title: string;
  /** A line below the title: counts, dates, partners. */
  subtitle?: ReactNode;
  /** A back link, above the title. */
  back?: ReactNode;
  /** The main action of the page. */
  action?: ReactNode;
};

/** Title of a page on the left, its one primary action on the right. */
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
