/** Payouts as the calls answer them, and as the bank reads them. */
import {
  asDollars,
  type MemberPayout,
  type OfficePayout,
  type PayoutLinesPage,
  type PayoutStatus,
} from '#src/features/payouts/payouts.contract.ts';
import { needsSecondPerson, transferText } from '#src/features/payouts/payouts.rules.ts';
import { CSV_MARK, csvLine } from '#src/shared/csv.ts';
import { cents } from '#src/shared/money.ts';

export type PayoutFacts = {
  id: number;
  organizationId: number;
  organizationName: string;
  amountCents: number;
  status: PayoutStatus;
  reference: string | null;
  failureReason: string | null;
  orderCount: number;
  salesFrom: Date | null;
  salesTo: Date | null;
  createdAt: Date;
  decidedAt: Date | null;
  returnedAt: Date | null;
  createdBy: number | null;
  createdByName: string | null;
  approvedBy: number | null;
  approvedByName: string | null;
  returnedBy: number | null;
  returnedByName: string | null;
};

const momentOf = (moment: Date | null) => moment?.toISOString() ?? null;
const personOf = (id: number | null, name: string | null) => (id === null ? null : { id, name: name ?? '' });

/** The whitelist for members. */
export function presentForMember(row: PayoutFacts): MemberPayout {
  return {
    id: row.id,
    organization_id: row.organizationId,
    organization_name: row.organizationName,
    amount: asDollars(row.amountCents),
    status: row.returnedAt === null ? row.status : 'returned',
    reference: row.reference,
    order_count: row.orderCount,
    sales_from: momentOf(row.salesFrom),
    sales_to: momentOf(row.salesTo),
    created_at: row.createdAt.toISOString(),
    decided_at: momentOf(row.decidedAt),
    returned_at: momentOf(row.returnedAt),
  };
}

export function presentForOffice(row: PayoutFacts, thresholdCents: number | null): OfficePayout {
  return {
    ...presentForMember(row),
    failure_reason: row.failureReason,
    created_by: personOf(row.createdBy, row.createdByName),
    approved_by: personOf(row.approvedBy, row.approvedByName),
    returned_by: personOf(row.returnedBy, row.returnedByName),
    needs_second_person: needsSecondPerson(row.amountCents, thresholdCents),
  };
}

export function presentLine(line: {
  orderId: number;
  vanityId: string;
  paidAt: Date | null;
  amountCents: number;
  kind: 'sale' | 'carry';
}): PayoutLinesPage['lines'][number] {
  return {
    order_id: line.orderId,
    vanity_id: line.vanityId,
    paid_at: momentOf(line.paidAt),
    amount: asDollars(line.amountCents),
    kind: line.kind,
  };
}

const BANK_HEAD = ['Payee', 'Amount', 'Currency', 'Reference'] as const;

/** A file for the bank, one line per transfer, page by page: however many there are, all of them are in it. */
export async function* bankFile(
  pages: AsyncIterable<readonly Pick<PayoutFacts, 'id' | 'organizationName' | 'amountCents'>[]>,
): AsyncGenerator<string> {
  yield CSV_MARK + csvLine(BANK_HEAD);
  for await (const payouts of pages)
    yield payouts
      .map(({ id, organizationName, amountCents }) =>
        csvLine([organizationName, { cents: cents(amountCents) }, 'USD', transferText(id)]),
      )
      .join('');
}
