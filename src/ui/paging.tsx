import { Link } from 'react-router';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Button } from '#src/ui/button.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { cx } from '#src/ui/cx.ts';

type OlderLinksProps = {
  label: string;
  /** The rest of the address's query, ending in `&`; empty for nothing. */
  kept: string;
  /** The key after which this page begins; null on the newest. */
  after: string | number | null;
  next: string | number | null;
};

/** Pages of a list whose newest rows come first: back to those, and on to older ones. */
export function OlderLinks({ label, kept, after, next }: OlderLinksProps) {
  if (after === null && next === null) return null;
  const style = buttonStyle({ variant: 'secondary', size: 'small' });
  return (
    <nav aria-label={label} className="flex flex-wrap gap-3 pt-4">
      {after !== null && (
        <Link to={`?${kept}`} className={style}>
          Newest
        </Link>
      )}
      {next !== null && (
        <Link to={`?${kept}after=${next}`} className={style}>
          Older
        </Link>
      )}
    </nav>
  );
}

type ShowMoreProps = {
  failure: string | null;
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => unknown;
  label?: string;
};

/** Below a list that is paged by key: its error, and the button that loads more or tries again. */
export function ShowMore({ failure, hasMore, isLoading, onMore, label = 'Show more' }: ShowMoreProps) {
  return (
    <>
      {failure !== null && (
        <div role="alert">
          <Notice tone="warning">{failure}</Notice>
        </div>
      )}
      {hasMore && (
        <Button
          variant="secondary"
          className="self-center print:hidden"
          busy={isLoading && 'Loading...'}
          onClick={() => void onMore()}
        >
          {failure === null ? label : 'Try again'}
        </Button>
      )}
    </>
  );
}

type TabLinksProps = {
  /** What the tabs select; read aloud. */
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
