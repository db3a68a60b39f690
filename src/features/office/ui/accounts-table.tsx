import type { MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { ACCOUNT_HEADINGS, DELETE_ACCOUNT } from '#src/features/office/organization-list.contract.ts';
import {
  listAddress,
  sortedBy,
  sortOf,
  type AccountParams,
  type ShownAccount,
  type AccountColumn,
} from '#src/features/office/organization-list.rules.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { cx } from '#src/ui/cx.ts';
import { ChevronDown } from '#src/ui/icon.tsx';

type AccountsTableProps = {
  path: string;
  params: AccountParams;
  rows: readonly ShownAccount[];
  onDelete: (row: ShownAccount) => void;
};

const CELL = 'px-3 py-2.5 align-middle';

/** Sorted by its headings; a click anywhere on a row opens it, its first link does so for keyboards. Cards on narrow screens. */
export function AccountsTable({ path, params, rows, onDelete }: AccountsTableProps) {
  return (
    <>
      <div className="rounded-lg border border-line bg-surface max-lg:hidden">
        <table className="w-full table-fixed border-collapse text-sm">
          <caption className="sr-only">Accounts; click a heading to sort</caption>
          <colgroup>
            <col className="w-20" />
            <col className="w-[30%]" />
            <col className="w-[15%]" />
            <col className="w-[15%]" />
            <col />
            <col className="w-28" />
          </colgroup>
          <thead className="text-left text-quiet">
            <tr>
              {ACCOUNT_HEADINGS.map(([column, label]) => (
                <th
                  key={column}
                  scope="col"
                  aria-sort={sortOf(params, column)}
                  className="sticky top-0 z-1 bg-surface px-1 py-1 font-semibold first:rounded-tl-lg"
                >
                  <SortLink path={path} params={params} column={column} label={label} />
                </th>
              ))}
              <th scope="col" className="sticky top-0 z-1 rounded-tr-lg bg-surface px-3 py-1 font-semibold">
                Action
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.id} row={row} onDelete={onDelete} />
            ))}
          </tbody>
        </table>
      </div>
      <div className="lg:hidden">
        <div role="group" aria-label="Sort by" className="-mx-1 mb-2 flex flex-wrap items-center text-sm">
          {ACCOUNT_HEADINGS.map(([column, label]) => (
            <SortLink key={column} path={path} params={params} column={column} label={label} />
          ))}
        </div>
        <ul aria-label="Accounts" className="grid grid-cols-1 gap-3">
          {rows.map((row) => (
            <AccountCard key={row.id} row={row} onDelete={onDelete} />
          ))}
        </ul>
      </div>
    </>
  );
}

type SortLinkProps = {
  path: string;
  params: AccountParams;
  column: AccountColumn;
  label: string;
};

function SortLink({ path, params, column, label }: SortLinkProps) {
  const sort = sortOf(params, column);
  return (
    <Link
      to={listAddress(path, sortedBy(params, column))}
      replace
      preventScrollReset
      className={cx(
        'inline-flex min-h-11 items-center gap-1 rounded px-2 font-semibold no-underline hover:bg-sunken',
        sort === undefined ? 'text-quiet' : 'text-ink',
      )}
    >
      {label}
      <ChevronDown
        aria-hidden="true"
        className={cx(
          'size-4 shrink-0',
          sort === undefined && 'opacity-0 max-lg:hidden',
          sort === 'ascending' && 'rotate-180',
        )}
      />
      <span className="sr-only">{sort === undefined ? ', sort' : `, sorted ${sort}`}</span>
    </Link>
  );
}

function Row({ row, onDelete }: { row: ShownAccount; onDelete: (row: ShownAccount) => void }) {
  const navigate = useNavigate();
  function open(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    // Links and buttons have their own actions; selecting text is not a click.
    if (target.closest('a, button') || window.getSelection()?.isCollapsed === false) return;
    void navigate(row.editPath);
  }
  return (
    <tr onClick={open} className="cursor-pointer border-t border-line hover:bg-sunken">
      <td className={cx(CELL, 'tabular-nums')}>{row.id}</td>
      <th scope="row" className={cx(CELL, 'text-left font-normal')}>
        <NameLink row={row} />
      </th>
      <td className={cx(CELL, 'truncate')} title={row.first}>
        {row.first}
      </td>
      <td className={cx(CELL, 'truncate')} title={row.last}>
        {row.last}
      </td>
      <td className={cx(CELL, 'truncate')} title={row.email}>
        {row.email}
      </td>
      <td className="px-1 py-1">
        <DeleteButton row={row} onDelete={onDelete} />
      </td>
    </tr>
  );
}

function AccountCard({ row, onDelete }: { row: ShownAccount; onDelete: (row: ShownAccount) => void }) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-3 rounded-lg border border-line bg-surface p-4">
      <div className="min-w-[min(100%,9rem)] flex-1 text-sm">
        <NameLink row={row} />
        <p className="mt-1 break-words">
          {row.first} {row.last}
        </p>
        <p className="break-all text-quiet">{row.email}</p>
        <p className="text-quiet tabular-nums">ID {row.id}</p>
      </div>
      <DeleteButton row={row} onDelete={onDelete} />
    </li>
  );
}

function NameLink({ row }: { row: ShownAccount }) {
  return (
    <Link
      to={row.editPath}
      title={row.name}
      className="flex min-h-11 min-w-0 flex-col justify-center no-underline pointer-fine:min-h-9"
    >
      <span className="truncate font-semibold underline decoration-line-strong underline-offset-4">{row.label}</span>
      {row.parentName !== null && <span className="truncate text-xs text-quiet">{row.parentName}</span>}
    </Link>
  );
}

function DeleteButton({ row, onDelete }: { row: ShownAccount; onDelete: (row: ShownAccount) => void }) {
  return (
    <button
      type="button"
      onClick={() => onDelete(row)}
      className={buttonStyle({ variant: 'quiet', size: 'small', className: 'text-danger' })}
    >
      {DELETE_ACCOUNT}
      <span className="sr-only"> {row.label}</span>
    </button>
  );
}
