import { useState } from 'react';
import { Link } from 'react-router';
import { clubsFound } from '#src/features/reports/clubs.rules.ts';
import type { Club } from '#src/features/reports/sales-days.rules.ts';
import { counted } from '#src/shared/counted.ts';
import { formatDollars, sumCents } from '#src/shared/money.ts';
import { SearchField } from '#src/ui/form/search-field.tsx';
import { ChevronRight } from '#src/ui/icon.tsx';

/** More are searched by name. */
const SEEN_AT_ONCE = 12;

/** A parent's clubs: each links to its dashboard and shows its sales of the last 30 days. */
export function ClubList({ clubs }: { clubs: readonly Club[] }) {
  const [search, setSearch] = useState('');
  const found = clubsFound(clubs, search);
  return (
    <section aria-labelledby="clubs" className="pt-8">
      <div className="flex flex-wrap items-center justify-between gap-3 pb-4">
        <h2 id="clubs" className="text-lg">
          {counted(clubs.length, 'organization', 'organizations')}
        </h2>
        {clubs.length > SEEN_AT_ONCE && (
          <SearchField
            label="Search organizations by name"
            placeholder="Search by name"
            className="sm:w-72"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onClear={() => setSearch('')}
          />
        )}
      </div>
      <p role="status" className={found.length > 0 ? 'sr-only' : 'text-sm text-quiet'}>
        {search !== '' && `${counted(found.length, 'organization', 'organizations')} found.`}
      </p>
      <Clubs clubs={found} />
    </section>
  );
}

function Clubs({ clubs }: { clubs: readonly Club[] }) {
  if (clubs.length === 0) return null;
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
