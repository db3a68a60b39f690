/** Statements as the calls tell them, in dollars. */
import type { LinesAnswer, StatementAnswer, StatementsAnswer } from '#src/features/statements/statements.contract.ts';
import {
  lineWords,
  type Account,
  type Statement,
  type StatementHead,
  type StatementLine,
  type StatementPlace,
} from '#src/features/statements/statements.rules.ts';
import { toDollars, type Cents } from '#src/shared/money.ts';
import type { CsvCell } from '#src/shared/csv.ts';

export type ListedMonth = StatementHead & {
  openingCents: Cents;
  /** All but payouts. */
  earnedCents: Cents;
  paidOutCents: Cents;
  closingCents: Cents;
};

const place = ({ id, name, path }: StatementPlace) => ({ id, name, domain_name: path });

function presentAccount(account: Account) {
  return {
    opening_balance: toDollars(account.openingCents),
    movements: {
      sales: toDollars(account.salesCents),
      donations: toDollars(account.donationsCents),
      card_fees: toDollars(account.feesCents),
      share: toDollars(account.shareCents),
      refunds: toDollars(account.refundsCents),
      disputes_held: toDollars(account.heldCents),
      disputes_freed: toDollars(account.freedCents),
      payouts: toDollars(account.payoutsCents),
      payouts_returned: toDollars(account.returnedCents),
      settled: toDollars(account.settledCents),
      other: toDollars(account.otherCents),
    },
    closing_balance: toDollars(account.closingCents),
    orders: account.orders,
    tax_collected: toDollars(account.taxCents),
    disputes_lost: toDollars(account.lostCents),
    held_for_disputes: toDollars(account.stillHeldCents),
    own_account: {
      orders: account.own.orders,
      sales: toDollars(account.own.salesCents),
      share: toDollars(account.own.shareCents),
      settled: toDollars(account.own.settledCents),
    },
  };
}

export function presentStatement(statement: Statement): StatementAnswer {
  const { number, month, from, to, closed, organization, account, galleries, sections } = statement;
  return {
    number,
    month,
    from,
    to,
    closed,
    organization: place(organization),
    ...presentAccount(account),
    galleries: galleries.map((part) => ({
      organization_id: part.organizationId,
      gallery_id: part.galleryId,
      name: part.name,
      photos: part.photos,
      sales: toDollars(part.salesCents),
      donations: toDollars(part.donationsCents),
      refunds: toDollars(part.refundsCents),
      card_fees: toDollars(part.feesCents),
      share: toDollars(part.shareCents),
      disputes: toDollars(part.disputesCents),
      net: toDollars(part.netCents),
    })),
    organizations: sections.map((section) => ({ ...place(section), ...presentAccount(section.account) })),
  };
}

export function presentList(
  organization: { id: number; name: string; domainName: string },
  { months, next }: { months: readonly ListedMonth[]; next: string | null },
): StatementsAnswer {
  return {
    organization: { id: organization.id, name: organization.name, domain_name: organization.domainName },
    statements: months.map(({ openingCents, earnedCents, paidOutCents, closingCents, ...head }) => ({
      ...head,
      opening_balance: toDollars(openingCents),
      earned: toDollars(earnedCents),
      paid_out: toDollars(paidOutCents),
      closing_balance: toDollars(closingCents),
    })),
    next,
  };
}

export function presentLine(line: StatementLine): LinesAnswer['lines'][number] {
  return {
    at: line.at.toISOString(),
    kind: line.kind,
    words: lineWords(line),
    organization: place(line.organization),
    order_id: line.orderId,
    sales: toDollars(line.salesCents),
    donations: toDollars(line.donationsCents),
    tax: toDollars(line.taxCents),
    card_fees: toDollars(line.feesCents),
    share: toDollars(line.shareCents),
    refunds: toDollars(line.refundsCents),
    disputes: toDollars(line.disputesCents),
    payouts: toDollars(line.payoutsCents),
    other: toDollars(line.otherCents),
    change: toDollars(line.changeCents),
  };
}

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
