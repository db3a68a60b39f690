/**
 * The contents of a printed statement: its tables as text, and the widths of their columns (points; together 516, US letter
 * less its margins).
 */
import { CREDIT_SOLD, CREDIT_USED, OFFERS_SAVED, REDUCTIONS } from '#src/features/reports/money-words.contract.ts';
import * as rules from '#src/features/statements/statements.rules.ts';
import { counted, formatCount } from '#src/shared/counted.ts';
import { machineDay } from '#src/shared/dates.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { cents, formatDollars, sumCents, type Cents } from '#src/shared/money.ts';

export type PrintColumn = { head: string; width: number; right: boolean };
export type PrintRow = {
  cells: string[];
  /** The first cell's text if our fonts lack too many of its letters. */
  otherwise?: string;
  bold?: boolean;
  /** Above it stands a line. */
  ruled?: boolean;
};
export type PrintTable = { title: string; columns: PrintColumn[]; rows: PrintRow[] };

const left = (head: string, width: number): PrintColumn => ({ head, width, right: false });
const right = (head: string, width: number): PrintColumn => ({ head, width, right: true });

/** Shown although it is zero, because people look for it. */
const ALWAYS: readonly string[] = [
  'salesCents',
  'donationsCents',
  'feesCents',
  'shareCents',
  'refundsCents',
  'payoutsCents',
];

/** The movements of an account in a statement, in its order. */
export function shownMovements(account: rules.Account): { words: string; amount: string }[] {
  return rules.MOVEMENTS.filter((name) => ALWAYS.includes(name) || account[name] !== 0).map((name) => ({
    words: rules.MOVEMENT_WORDS[name],
    amount: formatDollars(account[name]),
  }));
}

export type Note = { words: string; amount: string; why: string };

const note = (words: string, amountCents: Cents, why: string, isShown = amountCents !== 0): Note[] =>
  isShown ? [{ words, amount: formatDollars(amountCents), why }] : [];

/** What is shown beside the balance and is not part of it. */
export function notesOf(account: rules.Account): Note[] {
  const { own } = account;
  const invoices = own.settledCents === 0 ? '' : ` Paid by invoice: ${formatDollars(own.settledCents)}.`;
  const saved =
    own.savedCents === 0
      ? ''
      : ` Before that, offers, early birds and codes took off ${formatDollars(own.savedCents)}.`;
  return [
    ...note(
      OFFERS_SAVED,
      account.offersSavedCents,
      'How much more the same photos would have cost one by one. Not included in sales.',
    ),
    ...note(REDUCTIONS, account.reductionsCents, 'Taken off by early birds and codes. Not included in sales.'),
    ...note(
      CREDIT_SOLD,
      account.creditSoldCents,
      'Held for those who bought it: not a sale, and not in the balance, until it is used. Its card fees are above.',
    ),
    ...note(CREDIT_USED, account.creditUsedCents, 'The part of sales, donations and taxes that was paid with credit.'),
    ...note('Taxes collected', account.taxCents, 'Held for the states, never part of the balance.'),
    ...note('Held at the end of the month', account.stillHeldCents, 'Until the buyer’s bank decides.'),
    ...note('Lost in disputes', account.lostCents, 'Part of the held amount, now lost.'),
    ...note(
      `Through your own card account (${counted(own.orders, 'order', 'orders')})`,
      own.salesCents,
      `Paid to you directly and never owed by Sideline. Sideline’s share of it: ${formatDollars(own.shareCents)}.${invoices}${saved}`,
      own.orders !== 0 || own.shareCents !== 0 || own.settledCents !== 0,
    ),
  ];
}

/** What a gallery brought: photos, sales, donations, refunds and disputes, fees and share, and the rest. */
export const galleryCells = (part: rules.GalleryPart): string[] => [
  formatCount(part.photos),
  formatDollars(part.salesCents),
  formatDollars(part.donationsCents),
  formatDollars(sumCents([part.refundsCents, part.disputesCents])),
  formatDollars(sumCents([part.feesCents, part.shareCents])),
  formatDollars(part.netCents),
];

/** An account on one line: opening, sold, fees and share, refunds and disputes, payouts and paid invoices, closing. */
export const accountCells = (account: rules.Account): string[] => [
  formatDollars(account.openingCents),
  formatDollars(sumCents([account.salesCents, account.donationsCents])),
  formatDollars(sumCents([account.feesCents, account.shareCents])),
  formatDollars(sumCents([account.refundsCents, account.heldCents, account.freedCents, account.otherCents])),
  formatDollars(rules.paidOutOf(account)),
  formatDollars(account.closingCents),
];

function galleryTable({ galleries, sections, organization }: rules.Statement): PrintTable {
  const row = (part: rules.GalleryPart): PrintRow => ({
    otherwise: part.galleryId === null ? 'No gallery' : `Gallery ${part.galleryId}`,
    cells: [part.name || 'No gallery', ...galleryCells(part)],
  });
  const rows = organization.isParent
    ? sections.flatMap(({ id, name }) => {
        const own = galleries.filter(({ organizationId }) => organizationId === id);
        return own.length === 0
          ? []
          : [{ cells: [name], otherwise: `Organization ${id}`, bold: true, ruled: true }, ...own.map(row)];
      })
    : galleries.map(row);
  return {
    title: 'By gallery',
    columns: [
      left('Gallery', 162),
      right('Photos', 42),
      right('Sales', 62),
      right('Donations', 62),
      right('Refunds, disputes', 62),
      right('Fees and share', 62),
      right('You get', 64),
    ],
    rows,
  };
}

function sectionTable({ sections, account }: rules.Statement): PrintTable {
  return {
    title: 'By organization',
    columns: [
      left('Organization', 144),
      right('Opening', 62),
      right('Sales, donations', 62),
      right('Fees and share', 62),
      right('Refunds, other', 62),
      right('Payouts', 62),
      right('Closing', 62),
    ],
    rows: [
      ...sections.map(({ id, name, account: each }) => ({
        cells: [name, ...accountCells(each)],
        otherwise: `Organization ${id}`,
      })),
      { cells: ['All', ...accountCells(account)], bold: true, ruled: true },
    ],
  };
}

function lineTable({ account, organization, from, to }: rules.Statement, lines: readonly rules.StatementLine[]) {
  let balance = account.openingCents;
  const dayOf = dayWriter(organization.timeZone);
  const rows = lines.map((line): PrintRow => {
    balance = cents(balance + line.changeCents);
    return {
      cells: [
        dayOf(line.at),
        rules.lineWords(line),
        line.orderId === null ? '' : String(line.orderId),
        line.salesCents + line.donationsCents === 0
          ? ''
          : formatDollars(sumCents([line.salesCents, line.donationsCents])),
        line.feesCents === 0 ? '' : formatDollars(line.feesCents),
        line.shareCents === 0 ? '' : formatDollars(line.shareCents),
        formatDollars(line.changeCents),
        formatDollars(balance),
      ],
    };
  });
  return {
    title: 'Line by line',
    columns: [
      left('Date', 56),
      left('What', 128),
      left('Order', 52),
      right('Sold', 54),
      right('Card fee', 48),
      right('Share', 54),
      right('Change', 60),
      right('Balance', 64),
    ],
    rows: [
      {
        cells: [shownDay(from), 'Opening balance', '', '', '', '', '', formatDollars(account.openingCents)],
        bold: true,
      },
      ...rows,
      {
        cells: [shownDay(to), 'Closing balance', '', '', '', '', '', formatDollars(account.closingCents)],
        bold: true,
        ruled: true,
      },
    ],
  };
}

/**
 * Days as reports show them. All times of a quarter of an hour are on the same day in every time zone, and computing a day is
 * slow.
 */
function dayWriter(timeZone: string): (at: Date) => string {
  const known = new Map<number, string>();
  return (at) => {
    const quarter = Math.floor(at.getTime() / 900_000);
    const day = known.get(quarter) ?? shownDay(machineDay(at, timeZone));
    known.set(quarter, day);
    return day;
  };
}

/** The tables after the summary. A parent's lines are on the statements of the organizations below it. */
export function tablesOf(statement: rules.Statement, lines: readonly rules.StatementLine[]): PrintTable[] {
  const galleries = galleryTable(statement);
  return [
    ...(statement.organization.isParent ? [sectionTable(statement)] : []),
    ...(galleries.rows.length === 0 ? [] : [galleries]),
    ...(statement.organization.isParent ? [] : [lineTable(statement, lines)]),
  ];
}
