import { sql, type RawBuilder } from 'kysely';

/**
 * The part of an `amount` that falls on row `p`, of a `whole` that is divided among rows in their order: `p.upto` is
 * the sum of the weights up to this row, `p.weight` its own. The parts sum to the amount, cent by cent.
 */
export function portion(amount: RawBuilder<unknown>, whole: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`coalesce(p.upto * ${amount} / nullif(${whole}, 0) - (p.upto - p.weight) * ${amount} / nullif(${whole}, 0), 0)`;
}
