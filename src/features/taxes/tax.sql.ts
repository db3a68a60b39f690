/** Table of this module: tax_rates. */
import { sql } from 'kysely';
import type { TaxRate } from '#src/features/taxes/tax.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export async function listTaxRates(db: Reader, organizationId: number): Promise<TaxRate[]> {
  return db
    .selectFrom('tax_rates')
    .select(['state', 'zip_prefix as zipPrefix', 'rate_ppm as ratePpm', 'jurisdiction'])
    .where('organization_id', '=', organizationId)
    .orderBy('state')
    .orderBy('zip_prefix')
    .execute();
}

/** Simultaneous changes of one table wait for each other, so that its limit holds. */
export async function lockTaxTable(tx: Writer, organizationId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('tax_rates'), ${organizationId % 2_147_483_647}::int)`.execute(tx);
}

export async function countTaxRates(db: Reader, organizationId: number): Promise<number> {
  const row = await db
    .selectFrom('tax_rates')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** The rate of exactly this place; null without one. */
export async function findTaxRate(
  db: Reader,
  organizationId: number,
  { state, zipPrefix }: Pick<TaxRate, 'state' | 'zipPrefix'>,
): Promise<Pick<TaxRate, 'ratePpm' | 'jurisdiction'> | null> {
  const row = await db
    .selectFrom('tax_rates')
    .select(['rate_ppm as ratePpm', 'jurisdiction'])
    .where('organization_id', '=', organizationId)
    .where('state', '=', state)
    .where('zip_prefix', '=', zipPrefix)
    .executeTakeFirst();
  return row ?? null;
}

/** Sets the rate of a state and zip. */
export async function putTaxRate(tx: Writer, organizationId: number, rate: TaxRate): Promise<void> {
  await tx
    .insertInto('tax_rates')
    .values({
      organization_id: organizationId,
      state: rate.state,
      zip_prefix: rate.zipPrefix,
      rate_ppm: rate.ratePpm,
      jurisdiction: rate.jurisdiction,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'state', 'zip_prefix']).doUpdateSet({
        rate_ppm: sql<number>`excluded.rate_ppm`,
        jurisdiction: sql<string>`excluded.jurisdiction`,
      }),
    )
    .execute();
}

export async function deleteTaxRate(
  tx: Writer,
  organizationId: number,
  { state, zipPrefix }: Pick<TaxRate, 'state' | 'zipPrefix'>,
): Promise<void> {
  await tx
    .deleteFrom('tax_rates')
    .where('organization_id', '=', organizationId)
    .where('state', '=', state)
    .where('zip_prefix', '=', zipPrefix)
    .execute();
}
