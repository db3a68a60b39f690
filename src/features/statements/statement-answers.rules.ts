/** Statements as the calls tell them, in dollars. */
import {
  accountAnswer,
  galleryLine,
  lineAnswer,
  listedStatement,
  movements,
  ownAccount,
  statementHead,
  type LinesAnswer,
  type StatementAnswer,
  type StatementsAnswer,
} from '#src/features/statements/statements.contract.ts';
import {
  lineWords,
  type Account,
  type Statement,
  type StatementHead,
  type StatementLine,
  type StatementPlace,
} from '#src/features/statements/statements.rules.ts';
import type { CsvCell } from '#src/shared/csv.ts';
import { present } from '#src/shared/edge-names.ts';
import type { Cents } from '#src/shared/money.ts';

export type ListedMonth = StatementHead & {
  openingCents: Cents;
  /** All but payouts. */
  earnedCents: Cents;
  paidOutCents: Cents;
  closingCents: Cents;
};

const place = ({ id, name, path }: StatementPlace) => ({ id, name, domain_name: path });

function presentAccount(account: Account) {
  return present(accountAnswer, {
    ...account,
    openingBalanceCents: account.openingCents,
    closingBalanceCents: account.closingCents,
    taxCollectedCents: account.taxCents,
    disputesLostCents: account.lostCents,
    heldForDisputesCents: account.stillHeldCents,
    movements: present(movements, {
      ...account,
      cardFeesCents: account.feesCents,
      disputesHeldCents: account.heldCents,
      disputesFreedCents: account.freedCents,
      payoutsReturnedCents: account.returnedCents,
    }),
    ownAccount: present(ownAccount, account.own),
  });
}

export function presentStatement(statement: Statement): StatementAnswer {
  const { organization, account, galleries, sections } = statement;
  return {
    ...present(statementHead, statement),
    organization: place(organization),
    ...presentAccount(account),
    galleries: galleries.map((part) => present(galleryLine, { ...part, cardFeesCents: part.feesCents })),
    organizations: sections.map((section) => ({ ...place(section), ...presentAccount(section.account) })),
  };
}

export function presentList(
  organization: { id: number; name: string; domainName: string },
  { months, next }: { months: readonly ListedMonth[]; next: string | null },
): StatementsAnswer {
  return {
    organization: place({ ...organization, path: organization.domainName }),
    statements: months.map((month) =>
      present(listedStatement, {
        ...month,
        openingBalanceCents: month.openingCents,
        closingBalanceCents: month.closingCents,
      }),
    ),
    next,
  };
}

export function presentLine(line: StatementLine): LinesAnswer['lines'][number] {
  const organization = place(line.organization);
  return present(lineAnswer, { ...line, words: lineWords(line), organization, cardFeesCents: line.feesCents });
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
