import { Link } from 'react-router';
import type { OfficeRow } from '#src/features/office/organization-list.rules.ts';
import { formatCount } from '#src/shared/counted.ts';
import { formatDollars } from '#src/shared/money.ts';
import { cx } from '#src/ui/cx.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import { Trash } from '#src/ui/icon.tsx';

type OrganizationTableProps = { rows: readonly OfficeRow[]; onDelete: (row: OfficeRow) => void };

const HEAD = 'sticky top-0 z-1 bg-surface px-3 py-3 text-left font-semibold';
const LINK = 'font-semibold underline decoration-line-strong underline-offset-4 hover:decoration-ink';
const count = (number: number) => (number > 1_000 ? '1,000+' : formatCount(number));

/** Parents, each before its affiliates. A table on wide screens, a card for each on narrow ones. */
export function OrganizationTable({ rows, onDelete }: OrganizationTableProps) {
  return (
    <>
      <div className="rounded-lg border border-line bg-surface max-lg:hidden">
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">Organizations and their affiliates</caption>
          <thead className="text-quiet">
            <tr>
              <th scope="col" className={cx(HEAD, 'rounded-tl-lg pl-4')}>
                Organization
              </th>
              <th scope="col" className={HEAD}>
                Plan
              </th>
              {['Galleries', 'Orders', 'Owed'].map((name) => (
                <th key={name} scope="col" className={cx(HEAD, 'text-right')}>
                  {name}
                </th>
              ))}
              <th scope="col" className={cx(HEAD, 'rounded-tr-lg pr-4')}>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id} className="border-t border-line">
                <th scope="row" className="max-w-0 w-1/2 px-4 py-2 text-left font-normal">
                  <Name row={row} />
                </th>
                <td className="px-3 py-2 whitespace-nowrap">{row.plan}</td>
                <td className="px-3 py-2 text-right tabular-nums">{count(row.galleries)}</td>
                <td className="px-3 py-2 text-right tabular-nums">{count(row.orders)}</td>
                <td className="px-3 py-2 text-right tabular-nums">{formatDollars(row.owedCents)}</td>
                <td className="py-1 pr-2 pl-3">
                  <Actions row={row} onDelete={onDelete} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul aria-label="Organizations and their affiliates" className="grid grid-cols-1 gap-3 lg:hidden">
        {rows.map((row) => (
          <li key={row.id} className="rounded-lg border border-line bg-surface px-4 pt-3 pb-1">
            <Name row={row} />
            <dl className="mt-3 grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(6.5rem,40%)),1fr))] gap-x-6 gap-y-1 text-sm sm:grid-cols-4">
              {[
                ['Plan', row.plan],
                ['Owed', formatDollars(row.owedCents)],
                ['Galleries', count(row.galleries)],
                ['Orders', count(row.orders)],
              ].map(([name, value]) => (
                <div key={name} className="flex justify-between gap-3">
                  <dt className="text-quiet">{name}</dt>
                  <dd className="tabular-nums">{value}</dd>
                </div>
              ))}
            </dl>
            <Actions row={row} onDelete={onDelete} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Name({ row }: { row: OfficeRow }) {
  return (
    <span className={cx('block min-w-0', row.isChild && 'border-l-2 border-line pl-3 lg:ml-2')}>
      <span className="block truncate font-semibold" title={row.name}>
        {row.label}
      </span>
      <a
        href={row.publicAddress}
        className="inline-flex min-h-6 max-w-full items-center text-xs pointer-coarse:min-h-11 text-quiet underline decoration-line-strong underline-offset-4 hover:text-ink"
      >
        <span className="truncate">{shortAddress(row)}</span>
      </a>
    </span>
  );
}

/** The host of a parent; for an affiliate below it only the path, because the parent above shows the host. */
function shortAddress({ publicAddress, isChild }: OfficeRow): string {
  const { host, pathname } = new URL(publicAddress);
  return isChild ? pathname : host;
}

function Actions({ row, onDelete }: { row: OfficeRow; onDelete: (row: OfficeRow) => void }) {
  const link = cx(LINK, 'inline-flex min-h-11 items-center px-2');
  return (
    <div className="flex items-center justify-end gap-1 text-sm max-lg:-mx-2 max-lg:mt-1 max-lg:justify-start">
      {row.editPath !== null && (
        <Link to={row.editPath} className={link}>
          Edit<span className="sr-only"> {row.label}</span>
        </Link>
      )}
      <a href={row.dashboardAddress} className={link}>
        {row.isChild ? 'Dashboard' : 'Reports'}
        <span className="sr-only"> of {row.label}</span>
      </a>
      <span className="size-11 max-lg:ml-auto">
        {!row.isRoot && (
          <IconButton label={`Delete ${row.label}`} onClick={() => onDelete(row)} className="text-danger!">
            <Trash aria-hidden="true" />
          </IconButton>
        )}
      </span>
    </div>
  );
}
