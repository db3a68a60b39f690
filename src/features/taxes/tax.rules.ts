/**
 * Sales tax (rule 17): on the subtotal, never on donations. Rates are in a table of each parent organization by state or zip
 * prefix; a place without a rate is not taxed (bad input 101).
 */
import { stateOfZip } from '#src/features/taxes/zip-states.rules.ts';
import { portionHalfUp, ZERO, type Cents } from '#src/shared/money.ts';

/** `state` is a two-letter code or '', `zipPrefix` one to five digits or ''; both empty means everywhere. */
export type TaxRate = { state: string; zipPrefix: string; ratePpm: number; jurisdiction: string };

/** Stored with the order, with its reason. `ratePpm` is in millionths. */
export type Tax = { taxCents: Cents; ratePpm: number; reason: string };

type TaxableOrder = {
  /** Whose table applies: the parent of the seller, or the seller itself without a parent. */
  parentOrganizationId: number;
  zip: string | null;
  subtotalCents: Cents;
};

/** Finds the tax of an order. This table is one implementation; a tax service would be another. */
export type TaxFor = (order: TaxableOrder) => Promise<Tax>;

/** What a buyer reads next to a tax: "Minnesota sales tax, 6.875%". */
export const taxWords = ({ reason, ratePpm }: Pick<Tax, 'reason' | 'ratePpm'>): string =>
  `${reason}, ${ratePpm / 10_000}%`;

export const NO_TAX: Tax = { taxCents: ZERO, ratePpm: 0, reason: 'no tax' };

/** Applies the rate of the longest matching zip prefix, else of the state, else of everywhere; rounded half up per order. */
export function taxByTable(order: Pick<TaxableOrder, 'zip' | 'subtotalCents'>, rates: readonly TaxRate[]): Tax {
  if (order.subtotalCents === 0) return NO_TAX;
  const zip = order.zip?.slice(0, 5) ?? '';
  const state = stateOfZip(zip);
  const [rate] = rates
    .filter((each) => zip.startsWith(each.zipPrefix) && (each.state === '' || each.state.toUpperCase() === state))
    .toSorted((a, b) => b.zipPrefix.length - a.zipPrefix.length || b.state.length - a.state.length);
  if (!rate) return NO_TAX;
  return {
    taxCents: portionHalfUp(order.subtotalCents, rate.ratePpm, 1_000_000),
    ratePpm: rate.ratePpm,
    reason: rate.jurisdiction,
  };
}
