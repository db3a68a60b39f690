import { Link } from 'react-router';
import { DONATIONS, SALES, YOU_GET } from '#src/features/reports/money-words.contract.ts';
import { countFigure } from '#src/features/reports/ui/chart-of-sales.tsx';
import {
  earnedOf,
  paidOutOf,
  type Account,
  type GalleryPart,
  type Statement,
} from '#src/features/statements/statements.rules.ts';
import { FiguresTable, type FiguresRow } from '#src/features/reports/ui/figures-table.tsx';
import { formatCount } from '#src/shared/counted.ts';
import { formatDollars } from '#src/shared/money.ts';
import { accountCells, galleryCells, notesOf, shownMovements } from '#src/features/statements/statement-print.rules.ts';
import { Card } from '#src/ui/card.tsx';
import { FigureList } from '#src/ui/figure-list.tsx';

const LINK = 'underline decoration-line-strong underline-offset-4 hover:decoration-ink';

/** A parent's sections: each organization's account, with a link to its own statement. */
export function SectionsTable({ statement }: { statement: Statement }) {
  const { sections, account, month } = statement;
  return (
    <FiguresTable
      caption="By organization"
      head="Organization"
      columns={['Opening', 'Sales, donations', 'Fees and share', 'Refunds, disputes', 'Payouts', 'Closing']}
      rows={[
        ...sections.map((section): FiguresRow => ({
          key: String(section.id),
          name:
            section.id === statement.organization.id ? (
              section.name
            ) : (
              <Link to={`/${section.path}/statements/${month}`} className={LINK}>
                {section.name}
              </Link>
            ),
          cells: accountCells(section.account),
        })),
        { key: 'all', name: 'All', cells: accountCells(account), isBold: true },
      ]}
    />
  );
}

/** No one reads more on a page; the files have all of them. */
const MOST_GALLERIES = 200;

/** What each gallery brought in the month; for a parent with the organization's name below. */
export function GalleriesTable({ statement }: { statement: Statement }) {
  const { galleries, sections } = statement;
  const names = new Map(sections.map(({ id, name }) => [id, name]));
  const rowOf = (part: GalleryPart): FiguresRow => ({
    key: `${part.organizationId} ${part.galleryId}`,
    name: (
      <>
        {part.name || 'No gallery'}
        {names.has(part.organizationId) && (
          <span className="block text-xs font-normal text-quiet">{names.get(part.organizationId)}</span>
        )}
      </>
    ),
    cells: galleryCells(part),
  });
  return (
    <>
      <FiguresTable
        caption="By gallery"
        head="Gallery"
        columns={['Photos', SALES, DONATIONS, 'Refunds, disputes', 'Fees and share', YOU_GET]}
        rows={galleries.slice(0, MOST_GALLERIES).map(rowOf)}
      />
      {galleries.length > MOST_GALLERIES && (
        <p className="pt-3 text-sm text-quiet">
          {formatCount(galleries.length - MOST_GALLERIES)} more galleries are in the PDF.
        </p>
      )}
    </>
  );
}

const ROW = 'flex items-baseline justify-between gap-4';

/** From the opening to the closing balance, and next to it what is not part of it. */
export function StatementSummary({ account }: { account: Account }) {
  const notes = notesOf(account);
  return (
    <Card className="grid gap-x-12 gap-y-6 p-5 sm:p-6 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)] print:block print:border-0 print:p-0">
      <div className="text-sm tabular-nums [&_dd]:text-nowrap">
        <dl className="pb-2.5 font-bold">
          <div className={ROW}>
            <dt>Opening balance</dt>
            <dd>{formatDollars(account.openingCents)}</dd>
          </div>
        </dl>
        <dl className="border-y border-line py-1.5">
          {shownMovements(account).map(({ words, amount }) => (
            <div key={words} className={`${ROW} py-1`}>
              <dt>{words}</dt>
              <dd>{amount}</dd>
            </div>
          ))}
        </dl>
        <dl className="pt-2.5">
          <div className={ROW}>
            <dt className="font-bold">Closing balance</dt>
            <dd className="font-display text-lg font-bold">{formatDollars(account.closingCents)}</dd>
          </div>
        </dl>
      </div>
      <div className="border-line max-lg:border-t max-lg:pt-5 lg:border-l lg:pl-8 print:border-0 print:pt-4">
        <FigureList
          className="grid-cols-2 sm:grid-cols-3"
          figures={[
            { name: YOU_GET, value: formatDollars(earnedOf(account)) },
            { name: 'Paid out', value: formatDollars(0 - paidOutOf(account)) },
            countFigure('Order', account.orders),
          ]}
        />
        {notes.length > 0 && (
          <>
            <h2 className="pt-6 pb-3 text-sm font-semibold text-quiet">Not in the balance</h2>
            <dl className="grid gap-4 text-sm">
              {notes.map(({ words, amount, why }) => (
                <div key={words} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4">
                  <dt>{words}</dt>
                  <dd className="font-semibold tabular-nums">{amount}</dd>
                  <dd className="col-span-2 text-quiet">{why}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </div>
    </Card>
  );
}
