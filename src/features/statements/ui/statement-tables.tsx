import { Link } from 'react-router';
import { DONATIONS, SALES, YOU_GET } from '#src/features/reports/money-words.contract.ts';
import type { GalleryPart, Statement } from '#src/features/statements/statements.rules.ts';
import { FiguresTable, type FiguresRow } from '#src/features/reports/ui/figures-table.tsx';
import { formatDollars, sumCents } from '#src/shared/money.ts';

const LINK = 'underline decoration-line-strong underline-offset-4 hover:decoration-ink';

/** A parent's sections: each organization's account, leading to its own statement. */
export function SectionsTable({ statement }: { statement: Statement }) {
  const { sections, account, month } = statement;
  const cellsOf = (each: Statement['account']) => [
    formatDollars(each.openingCents),
    formatDollars(sumCents([each.salesCents, each.donationsCents])),
    formatDollars(sumCents([each.feesCents, each.shareCents])),
    formatDollars(sumCents([each.refundsCents, each.heldCents, each.freedCents, each.otherCents])),
    formatDollars(sumCents([each.payoutsCents, each.returnedCents])),
    formatDollars(each.closingCents),
  ];
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
          cells: cellsOf(section.account),
        })),
        { key: 'all', name: 'All', cells: cellsOf(account), isBold: true },
      ]}
    />
  );
}

/** More no one reads on a page; the files have them all. */
const MOST_GALLERIES = 200;

/** What each gallery brought in the month; of a parent with the organization's name below. */
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
    cells: [
      part.photos.toLocaleString('en-US'),
      formatDollars(part.salesCents),
      formatDollars(part.donationsCents),
      formatDollars(sumCents([part.refundsCents, part.disputesCents])),
      formatDollars(sumCents([part.feesCents, part.shareCents])),
      formatDollars(part.netCents),
    ],
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
          {(galleries.length - MOST_GALLERIES).toLocaleString('en-US')} more galleries are in the PDF.
        </p>
      )}
    </>
  );
}
