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
