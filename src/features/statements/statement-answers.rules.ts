/** Statements for the API, in dollars. */
import * as contract from '#src/features/statements/statements.contract.ts';
import {
  hasOffers,
  lineWords,
  type Account,
  type Statement,
  type StatementHead,
  type StatementLine,
  type Holder,
} from '#src/features/statements/statements.rules.ts';
import { CREDIT_SOLD, CREDIT_USED, OFFERS_SAVED, REDUCTIONS } from '#src/features/reports/money-words.contract.ts';
import type { CsvCell } from '#src/shared/csv.ts';
import { present } from '#src/shared/field-names.ts';
import type { Cents } from '#src/shared/money.ts';

export type ListedMonth = StatementHead & {
  openingCents: Cents;
  /** Everything except payouts. */
  earnedCents: Cents;
  paidOutCents: Cents;
  closingCents: Cents;
};

const place = ({ id, name, path }: Holder) => ({ id, name, domain_name: path });

function presentAccount(account: Account) {
  const answer = present(contract.plainAccount, {
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
  return { ...answer, ...(hasOffers(account) && present(contract.offerAmounts, account)) };
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
  const words = lineWords(line);
  const answer = present(contract.plainLine, { ...line, words, organization, cardFeesCents: line.feesCents });
  return { ...answer, ...(hasOffers(line) && present(contract.offerAmounts, line)) };
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

const OFFER_COLUMNS = {
  [OFFERS_SAVED]: 'offersSavedCents',
  [REDUCTIONS]: 'reductionsCents',
  [CREDIT_SOLD]: 'creditSoldCents',
  [CREDIT_USED]: 'creditUsedCents',
} as const;

const PLACE = ['Date', 'Organization', 'Domain name', 'What', 'Order'];
const HEAD = [...PLACE, ...Object.keys(AMOUNTS), 'Balance', 'Taxes collected'];
/** Followed by columns for offers if the account has any. */
export const statementCsvHead = (account: Account) => [
  ...HEAD,
  ...(hasOffers(account) ? Object.keys(OFFER_COLUMNS) : []),
];

type AmountName = (typeof AMOUNTS)[keyof typeof AMOUNTS] | (typeof OFFER_COLUMNS)[keyof typeof OFFER_COLUMNS];
type Row = {
  day: string;
  organization: Holder;
  words: string;
  balanceCents: Cents;
  line?: StatementLine;
  account: Account;
};

/** A line, or the opening or closing balance. The parts of a line sum to its change; taxes belong to the state. */
export function statementCsvRow({ day, organization, words, balanceCents, line, account }: Row): CsvCell[] {
  const cellsOf = (names: readonly AmountName[]) => names.map((name): CsvCell => (line ? { cents: line[name] } : ''));
  const place = [day, organization.name, organization.path, words, line?.orderId ?? ''];
  const offers = hasOffers(account) ? cellsOf(Object.values(OFFER_COLUMNS)) : [];
  return [
    ...place,
    ...cellsOf(Object.values(AMOUNTS)),
    { cents: balanceCents },
    line ? { cents: line.taxCents } : '',
    ...offers,
  ];
}
