import { Link } from 'react-router';
import type { Club } from '#src/features/reports/reports.service.ts';
import { counted } from '#src/shared/counted.ts';
import { formatDollars, sumCents } from '#src/shared/money.ts';
import { ChevronRight } from '#src/ui/icon.tsx';

/** A parent's clubs: each links to its dashboard and shows its sales of the last 30 days. */
export function ClubList({ clubs }: { clubs: readonly Club[] }) {
  return (
    <ul aria-label="Organizations" className="divide-y divide-line rounded-lg border border-line bg-surface">
      {clubs.map(({ id, name, path, sales }) => (
        <li key={id}>
          <Link
            to={`/${path}/dashboard`}
            className="flex min-h-14 items-center gap-4 px-4 py-2 hover:bg-sunken focus-visible:outline-offset-[-3px]"
          >
            <span className="min-w-0 flex-1 font-semibold break-words">{name}</span>
            <span className="text-right text-sm tabular-nums">
              <strong className="block font-bold">
                {formatDollars(sumCents([sales.salesCents, sales.donationsCents]))}
              </strong>
              <span className="text-quiet">{counted(sales.orders, 'order', 'orders')}</span>
            </span>
            <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-quiet" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
