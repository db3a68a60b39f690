/**
 * Tax by our own table: each parent organization has its rates. They change a few times a
 * year and are asked for with every order, so they are remembered for a few seconds; the order
 * freezes what it was given.
 */
import { taxByTable, type TaxFor, type TaxRate } from '#src/features/taxes/tax.rules.ts';
import * as taxSql from '#src/features/taxes/tax.sql.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database } from '#src/platform/db/db.ts';

const REMEMBER_MS = 5_000;
const REMEMBER_AT_MOST = 1_000;

export function createTaxTable(deps: { database: Database; clock: Clock }): TaxFor {
  const remembered = new Map<number, { rates: TaxRate[]; untilMs: number }>();

  async function ratesOf(organizationId: number): Promise<TaxRate[]> {
    const nowMs = deps.clock.now().getTime();
    const known = remembered.get(organizationId);
    if (known && known.untilMs > nowMs) return known.rates;
    const rates = await deps.database.read({ kind: 'public' }, (db) => taxSql.listTaxRates(db, organizationId));
    if (remembered.size >= REMEMBER_AT_MOST) remembered.clear();
    remembered.set(organizationId, { rates, untilMs: nowMs + REMEMBER_MS });
    return rates;
  }

  return async (order) => taxByTable(order, await ratesOf(order.parentOrganizationId));
}
