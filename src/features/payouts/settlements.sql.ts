/** Table of this module: settlements, the debts that organizations have paid by invoice. */
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type SettlementRow = { id: number; organizationId: number; amountCents: number; reference: string };

const SETTLEMENT = [
  'id',
  'organization_id as organizationId',
  'share_cents as shareCents',
  'debt_cents as debtCents',
  'reference',
] as const;

/** What was booked under this reference. */
export async function findSettlement(
  db: Reader,
  organizationId: number,
  reference: string,
): Promise<SettlementRow | null> {
  const row = await db
    .selectFrom('settlements')
    .select(SETTLEMENT)
    .where('organization_id', '=', organizationId)
    .where('reference', '=', reference)
    .executeTakeFirst();
  return row ? { ...row, amountCents: row.shareCents + row.debtCents } : null;
}

export async function insertSettlement(
  tx: Writer,
  settlement: {
    organizationId: number;
    shareCents: number;
    debtCents: number;
    reference: string;
    createdBy: number;
    at: Date;
  },
): Promise<number> {
  const row = await tx
    .insertInto('settlements')
    .values({
      organization_id: settlement.organizationId,
      share_cents: settlement.shareCents,
      debt_cents: settlement.debtCents,
      reference: settlement.reference,
      created_by: settlement.createdBy,
      created_at: settlement.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}
