/** Table of this room: tax_rates. */
import type { TaxRate } from '#src/features/orders/tax.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';

export async function listTaxRates(db: Reader, organizationId: number): Promise<TaxRate[]> {
  const rows = await db
    .selectFrom('tax_rates')
    .select(['state', 'zip_prefix', 'rate_ppm', 'jurisdiction'])
    .where('organization_id', '=', organizationId)
    .execute();
  return rows.map((row) => ({
    state: row.state,
    zipPrefix: row.zip_prefix,
    ratePpm: row.rate_ppm,
    jurisdiction: row.jurisdiction,
  }));
}
