import type { LinesAnswer } from '#src/features/statements/statements.contract.ts';
import { machineDay } from '#src/shared/dates.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { dollarText } from '#src/shared/money.ts';
import { ShowMore } from '#src/ui/paging.tsx';
import { api } from '#src/web/api-client.ts';
import { useMoreRows } from '#src/web/use-more-rows.ts';

type StatementLinesProps = {
  organizationId: number;
  month: string;
  first: LinesAnswer;
  timeZone: string;
  /** For a parent: names the organization of each line. */
  namesOrganization: boolean;
};

/** Every posting of the month, a page at a time. */
export function StatementLines({ organizationId: id, month, first, timeZone, namesOrganization }: StatementLinesProps) {
  const { rows: lines, more } = useMoreRows(first, 'lines', (query) =>
    api('GET /api/v1/affiliates/{id}/statements/{month}/lines', { params: { id, month }, query }),
  );

  return (
    <div className="flex flex-col gap-5">
      <ol aria-label="Line by line" className="rounded-lg border border-line bg-surface text-sm print:border-0">
        {lines.map((line, index) => (
          <li
            key={`${line.at} ${index}`}
            className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-line px-4 py-2.5 not-first:border-t sm:grid-cols-[7rem_minmax(0,1fr)_auto] print:break-inside-avoid print:px-1 print:py-1"
          >
            <time dateTime={line.at} className="text-quiet tabular-nums max-sm:text-xs">
              {shownDay(machineDay(new Date(line.at), timeZone))}
            </time>
            <span className="min-w-0 max-sm:order-3 max-sm:col-span-2">
              <span className="font-semibold">{line.words}</span>
              {line.order_id !== null && <span className="text-quiet tabular-nums"> · Order {line.order_id}</span>}
              {namesOrganization && <span className="break-words text-quiet"> · {line.organization.name}</span>}
              <span className="block text-xs text-quiet tabular-nums">{partsOf(line)}</span>
            </span>
            <span className="text-right font-bold text-nowrap tabular-nums">{dollarText(line.change)}</span>
          </li>
        ))}
      </ol>
      <ShowMore {...more} />
    </div>
  );
}

const PARTS = [
  ['Sales', 'sales'],
  ['Donation', 'donations'],
  ['Card fee', 'card_fees'],
  ['Share', 'share'],
  ['Refund', 'refunds'],
  ['Tax', 'tax'],
] as const;

/** "Sales $8.00 · Card fee -$0.53 · Share -$1.60": the parts of a change, if there are several. */
function partsOf(line: LinesAnswer['lines'][number]): string {
  const parts = PARTS.filter(([, name]) => line[name] !== 0);
  return parts.length < 2 ? '' : parts.map(([words, name]) => `${words} ${dollarText(line[name])}`).join(' · ');
}
