/** A statement as a file for spreadsheets: one row per line of the books, with the balance after it. */
import { lineWords, type StatementLine, type StatementPlace } from '#src/features/statements/statements.rules.ts';
import type { CsvCell } from '#src/shared/csv.ts';
import type { Cents } from '#src/shared/money.ts';

const HEAD = [
  'Date',
  'Organization',
  'Domain name',
  'What',
  'Order',
  'Sales',
  'Donations',
  'Card fees',
  'Platform share',
  'Refunds',
  'Disputes',
  'Payouts',
  'Other',
  'Change',
  'Balance',
  'Taxes collected',
] as const;

export const statementCsvHead = (): readonly string[] => HEAD;

type Row = { day: string; balanceCents: Cents } & (
  | { words: string; organization: StatementPlace; line?: undefined }
  | { line: StatementLine }
);

/** A line, or the balance at the beginning or the end. The parts of a line are its change; taxes are no one's but the state's. */
export function statementCsvRow(row: Row): CsvCell[] {
  const { day, balanceCents, line } = row;
  if (!line) {
    const { words, organization } = row;
    return [
      day,
      organization.name,
      organization.path,
      words,
      ...Array.from({ length: 10 }, () => ''),
      { cents: balanceCents },
      '',
    ];
  }
  const { organization } = line;
  const amounts = [
    line.salesCents,
    line.donationsCents,
    line.feesCents,
    line.shareCents,
    line.refundsCents,
    line.disputesCents,
    line.payoutsCents,
    line.otherCents,
    line.changeCents,
    balanceCents,
    line.taxCents,
  ].map((amount) => ({ cents: amount }));
  return [day, organization.name, organization.path, lineWords(line), line.orderId ?? '', ...amounts];
}
