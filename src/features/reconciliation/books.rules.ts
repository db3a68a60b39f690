/** The ledger as files for an auditor: debits and credits instead of signs, and the books' own words. */
import { csvChunks, CSV_MARK, csvLine, type CsvCell } from '#src/shared/csv.ts';
import { addDays, type DayRange } from '#src/shared/day-range.ts';
import { cents } from '#src/shared/money.ts';

/** An entry with its posting; + debit, - credit. */
export type BookEntry = {
  txId: number;
  at: Date;
  kind: string;
  sourceType: string;
  sourceId: string;
  account: string;
  organizationId: number | null;
  organizationName: string | null;
  orderId: number | null;
  amountCents: number;
};

export type BookAccount = {
  account: string;
  organizationId: number | null;
  organizationName: string | null;
  openingCents: number;
  debitCents: number;
  creditCents: number;
};

const spaced = (name: string) => name.replaceAll('_', ' ');
const amount = (value: number): CsvCell => ({ cents: cents(value) });
const ownerCells = ({ organizationId, organizationName }: Pick<BookEntry, 'organizationId' | 'organizationName'>) =>
  organizationId === null ? ['', 'Sideline'] : [organizationId, organizationName ?? ''];

const JOURNAL = [
  'Posting',
  'Time',
  'Event',
  'Source',
  'Account',
  'Organization ID',
  'Organization',
  'Order',
  'Debit',
  'Credit',
] as const;

/** One line for each entry. */
export const journalFile = (pages: AsyncIterable<readonly BookEntry[]>) => csvChunks(JOURNAL, pages, journalCells);

function journalCells(entry: BookEntry): CsvCell[] {
  const { txId, at, kind, sourceType, sourceId, account, orderId, amountCents } = entry;
  return [
    txId,
    at.toISOString(),
    spaced(kind),
    `${spaced(sourceType)} ${sourceId}`,
    spaced(account),
    ...ownerCells(entry),
    orderId ?? '',
    amountCents > 0 ? amount(amountCents) : '',
    amountCents < 0 ? amount(-amountCents) : '',
  ];
}

const BALANCES = ['Account', 'Organization ID', 'Organization', 'Opening', 'Debit', 'Credit', 'Closing'] as const;

/** One line for each account, and their sum: its opening and closing are zero, and its debits equal its credits. */
export function balanceFile(accounts: readonly BookAccount[]): string[] {
  const total = { openingCents: 0, debitCents: 0, creditCents: 0 };
  const lines = accounts.map((each) => {
    total.openingCents += each.openingCents;
    total.debitCents += each.debitCents;
    total.creditCents += each.creditCents;
    return csvLine([spaced(each.account), ...ownerCells(each), ...sumCells(each)]);
  });
  return [CSV_MARK + csvLine(BALANCES), ...lines, csvLine(['Total', '', '', ...sumCells(total)])];
}

type Sums = Pick<BookAccount, 'openingCents' | 'debitCents' | 'creditCents'>;
const sumCells = ({ openingCents, debitCents, creditCents }: Sums): CsvCell[] =>
  [openingCents, debitCents, creditCents, openingCents + debitCents - creditCents].map(amount);

/** The month before that of `today`. */
export function monthBefore(today: string): DayRange {
  const to = addDays(`${today.slice(0, 8)}01`, -1);
  return { from: `${to.slice(0, 8)}01`, to };
}
