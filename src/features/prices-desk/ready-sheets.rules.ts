/** Three ready-made price sheets, based on the price of a photo. */
import type { SheetStart } from '#src/features/prices-desk/price-sheet-form.rules.ts';

export const READY_SHEETS = ['simple', 'bundles', 'passes'] as const;
export type ReadySheet = (typeof READY_SHEETS)[number];

export const READY_WORDS: Record<ReadySheet, { name: string; hint: string }> = {
  simple: { name: 'Simple', hint: 'One bundle. A good first step.' },
  bundles: { name: 'Bundles', hint: 'A small bundle, and a large one for families who want more.' },
  passes: { name: 'Bundles and passes', hint: 'The bundles, and the whole gallery for one price.' },
};

/** For organizations whose photos cost nothing. */
const USUAL_CENTS = 400;

/** To half a dollar, and at least $0.50. */
const rounded = (amountCents: number) => Math.max(50, Math.round(amountCents / 50) * 50) / 100;

/** At $4 a photo: 3 for $10, 5 for $15, and the whole gallery for $40. */
export function readySheet(which: ReadySheet, singleCents: number): SheetStart {
  const single = singleCents > 0 ? singleCents : USUAL_CENTS;
  const small = { kind: 'bundle' as const, photos: 3, price: rounded(single * 2.5) };
  const large = { kind: 'bundle' as const, photos: 5, price: rounded(single * 3.75) };
  const pass = { kind: 'gallery_pass' as const, price: rounded(single * 10) };
  const offers = { simple: [small], bundles: [small, large], passes: [small, large, pass] }[which];
  return {
    name: READY_WORDS[which].name,
    offers,
    own_prices_take_part: false,
    early_bird: null,
    shared_with_children: false,
  };
}
