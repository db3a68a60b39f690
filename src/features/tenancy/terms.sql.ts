/** Of this module's table `organizations`: what the platform agreed with an organization. */
import type { Reader, Writer } from '#src/platform/db/db.ts';

const COLUMNS = [
  'id',
  'name',
  'free_tier',
  'share_bps',
  'takes_promo_codes',
  'reports_buyer_columns',
  'shown_on_home_page',
] as const;

export async function findTerms(db: Reader, id: number) {
  return db
    .selectFrom('organizations')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}
export type TermsRow = NonNullable<Awaited<ReturnType<typeof findTerms>>>;

export type TermsColumns = Partial<
  Pick<TermsRow, 'free_tier' | 'share_bps' | 'takes_promo_codes' | 'reports_buyer_columns' | 'shown_on_home_page'>
>;

/** Absent ones stay. */
export async function updateTerms(tx: Writer, id: number, columns: TermsColumns): Promise<void> {
  if (Object.keys(columns).length > 0)
    await tx.updateTable('organizations').set(columns).where('id', '=', id).execute();
}
