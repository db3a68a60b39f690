/** Statements as the calls tell them, in dollars. */
import * as contract from '#src/features/statements/statements.contract.ts';
import {
  lineWords,
  type Account,
  type Statement,
  type StatementHead,
  type StatementLine,
  type StatementPlace,
} from '#src/features/statements/statements.rules.ts';
import type { CsvCell } from '#src/shared/csv.ts';
import { present } from '#src/shared/field-names.ts';
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
  return present(contract.accountAnswer, {
    ...account,
    openingBalanceCents: account.openingCents,
    closingBalanceCents: account.closingCents,
    taxCollectedCents: account.taxCents,
    disputesLostCents: account.lostCents,
    heldForDisputesCents: account.stillHeldCents,
    movements: present(contract.movements, {
      ...account,
      cardFeesCents: account.feesCents,
      disputesHeldCents: account.heldCents,
      disputesFreedCents: account.freedCents,
      payoutsReturnedCents: account.returnedCents,
    }),
    ownAccount: present(contract.ownAccount, account.own),
  });
}

export function presentStatement(statement: Statement): contract.StatementAnswer {
  const { organization, account, galleries, sections } = statement;
  return {
    ...present(contract.statementHead, statement),
    organization: place(organization),
    ...presentAccount(account),
    galleries: galleries.map((part) => present(contract.galleryLine, { ...part, cardFeesCents: part.feesCents })),
    organizations: sections.map((section) => ({ ...place(section), ...presentAccount(section.account) })),
  };
}

export function presentList(
  organization: { id: number; name: string; domainName: string },
  { months, next }: { months: readonly ListedMonth[]; next: string | null },
): contract.StatementsAnswer {
  return {
    organization: place({ ...organization, path: organization.domainName }),
    statements: months.map((month) =>
      present(contract.listedStatement, {
        ...month,
        openingBalanceCents: month.openingCents,
        closingBalanceCents: month.closingCents,
      }),
    ),
    next,
  };
}

export function presentLine(line: StatementLine): contract.LinesAnswer['lines'][number] {
  const organization = place(line.organization);
  return present(contract.lineAnswer, { ...line, words: lineWords(line), organization, cardFeesCents: line.feesCents });
}

const AMOUNTS = {
  Sales: 'salesCents',
  Donations: 'donationsCents',
  'Card fees': 'feesCents',
  'Platform share': 'shareCents',
  Refunds: 'refundsCents',
  Disputes: 'disputesCents',
  Payouts: 'payoutsCents',
  Other: 'otherCents',
  Change: 'changeCents',
} as const satisfies Record<string, keyof StatementLine>;

const PLACE = ['Date', 'Organization', 'Domain name', 'What', 'Order'];
export const STATEMENT_CSV_HEAD = [...PLACE, ...Object.keys(AMOUNTS), 'Balance', 'Taxes collected'];

type Row = { day: string; organization: StatementPlace; words: string; balanceCents: Cents; line?: StatementLine };

/** A line, or the balance at the beginning or the end. The parts of a line are its change; taxes are no one's but the state's. */
export function statementCsvRow({ day, organization, words, balanceCents, line }: Row): CsvCell[] {
  const amounts = Object.values(AMOUNTS).map((name) => (line ? { cents: line[name] } : ''));
  const place = [day, organization.name, organization.path, words, line?.orderId ?? ''];
  return [...place, ...amounts, { cents: balanceCents }, line ? { cents: line.taxCents } : ''];
}
