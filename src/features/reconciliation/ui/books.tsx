import { useState } from 'react';
import type { DayRange } from '#src/shared/day-range.ts';
import { DAYS_NOT_IN_ORDER } from '#src/shared/day-filter.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { TextField } from '#src/ui/form/text-field.tsx';
import { Download } from '#src/ui/icon.tsx';

const FILES = [
  ['journal', 'Journal', 'every entry, in the order of time'],
  ['balances', 'Balances', 'what each account had before and after'],
] as const;

/** The ledger as files, of chosen days. */
export function Books({ days }: { days: DayRange }) {
  const [{ from, to }, setDays] = useState(days);
  const isInOrder = from === '' || to === '' || from <= to;
  return (
    <section className="pt-10">
      <h2 className="text-lg">Books</h2>
      <p className="pt-1 text-sm text-quiet">
        For an auditor: our double-entry books as CSV. Without days, all of them.
      </p>
      <div className="grid max-w-md grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-3 pt-4">
        <TextField
          label="From"
          type="date"
          value={from}
          onChange={(event) => setDays({ from: event.target.value, to })}
        />
        <TextField
          label="To"
          type="date"
          value={to}
          errors={isInOrder ? [] : [DAYS_NOT_IN_ORDER]}
          onChange={(event) => setDays({ from, to: event.target.value })}
        />
      </div>
      <ul className="flex flex-col gap-2 pt-4 text-sm">
        {FILES.map(([file, name, words]) => (
          <li key={file} className="flex flex-col items-start gap-1 sm:flex-row sm:items-center sm:gap-3">
            <a
              {...(isInOrder && { href: `/api/v1/books/${file}.csv?${new URLSearchParams({ from, to })}` })}
              download
              aria-disabled={!isInOrder || undefined}
              className={buttonStyle({ variant: 'secondary', size: 'small' })}
            >
              <Download aria-hidden="true" />
              {name}
            </a>
            <span className="text-quiet">{words}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
