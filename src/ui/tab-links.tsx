import { Link } from 'react-router';
import { cx } from '#src/ui/cx.ts';

type TabLinksProps = {
  /** What the tabs divide; read aloud. */
  label: string;
  tabs: readonly { label: string; to: string; current: boolean; count?: number }[];
};

/** Areas of one page, each with its own address. */
export function TabLinks({ label, tabs }: TabLinksProps) {
  return (
    <nav aria-label={label} className="-mx-5 flex gap-1 overflow-x-auto border-b border-line px-5">
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          preventScrollReset
          aria-current={tab.current ? 'page' : undefined}
          className={cx(
            '-mb-px inline-flex min-h-11 shrink-0 items-center gap-2 border-b-2 px-3 text-sm font-semibold no-underline',
            tab.current ? 'border-accent-text text-ink' : 'border-transparent text-quiet hover:text-ink',
          )}
        >
          {tab.label}
          {tab.count !== undefined && (
            <span className="rounded-full bg-sunken px-2 text-xs tabular-nums">{tab.count}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}
