import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paidWithCredit, type UsableCode } from '#src/features/credit/credit.rules.ts';
import { bestPrice, type CouponTerms } from '#src/features/offers/best-price.rules.ts';
import { missingCents, takeLessOff } from '#src/features/order-offers/least-charge.rules.ts';
import { cents, portionHalfUp } from '#src/shared/money.ts';
import { anyCart, hawksQuestion, photosAt } from '#tests/support/price-sheets.ts';

const MINIMUM = 50;
const coupon = (kind: CouponTerms['kind'], value: number): CouponTerms => ({
  id: 5,
  code: 'NEARLY',
  kind,
  value,
  minimumCents: 0,
  galleryIds: null,
  sheetIds: null,
});
const plain = (question: ReturnType<typeof hawksQuestion>) => {
  const full = bestPrice(question);
  return { best: full, full, credit: [] as UsableCode[], bonuses: [] as number[], bonusCents: 0 };
};
const terms = (taxRatePpm = 0, donationCents = 0) => ({ taxRatePpm, donationCents, minimumCents: MINIMUM });

describe('the minimum card charge', () => {
  test.each<[what: string, dollars: number[], code: CouponTerms, ppm: number, donation: number, paid: number[]]>([
    ['a percentage that leaves four cents', [4], coupon('percent', 9_900), 0, 0, [50]],
    ['an amount that leaves one cent of two photos', [4, 4], coupon('amount', 799), 0, 0, [25, 25]],
    ['a free photo beside a cheap one', [4, 0.3], coupon('photos', 1), 0, 0, [20, 30]],
    ['with its tax: $0.46 and four cents', [4], coupon('percent', 9_900), 82_500, 0, [46]],
    ['with a donation, which counts', [4], coupon('percent', 9_900), 0, 20, [30]],
    ['a donation alone, the photo being free', [4], coupon('photos', 1), 0, 20, [30]],
  ])('%s', (_what, dollars, code, ppm, donation, paid) => {
    const price = plain(hawksQuestion(photosAt(...dollars), { coupon: code }));
    const missing = missingCents(price.best.subtotalCents, terms(ppm, donation));
    expect(takeLessOff(price, missing)?.best.lines.map(({ priceCents }) => priceCents)).toEqual(paid);
  });

  test('raises the price of a pass, and not that of its photos', () => {
    const question = hawksQuestion(photosAt(4, 4), { coupon: coupon('percent', 9_900) });
    const passes = question.passes.map((pass) => ({ ...pass, inCart: true }));
    const price = plain({ ...question, passes });
    expect(price.best.subtotalCents).toBe(40);
    expect(takeLessOff(price, 10)?.best).toMatchObject({
      subtotalCents: 50,
      offers: [{ paidCents: 50 }],
      lines: [{ priceCents: 0 }, { priceCents: 0 }],
    });
  });

  test('reduces the bonus of credit before the code', () => {
    const full = bestPrice(hawksQuestion(photosAt(4)));
    const credit = [{ id: 1, organizationId: 1, last4: '7K3M', cents: 0, bonusCents: 380, isHeld: true }];
    const price = takeLessOff({ best: full, full, credit, bonuses: [380], bonusCents: 380 }, 30);
    expect(price).toMatchObject({ bonusCents: 350, bonuses: [350], best: { subtotalCents: 50 } });
  });

  test('cannot be reached by photos that cost too little without any reduction', () => {
    expect(takeLessOff(plain(hawksQuestion(photosAt(0.3))), 20)).toBeNull();
    // A code that takes six cents off: even without it the photos cost too little.
    expect(takeLessOff(plain(hawksQuestion(photosAt(0.3), { coupon: coupon('percent', 2_000) })), 26)).toBeNull();
  });

  test('any cart with any code, tax, donation and credit is charged nothing, or enough, and no more than necessary', () => {
    const anyCode = fc.oneof(
      fc.integer({ min: 8_000, max: 10_000 }).map((value) => coupon('percent', value)),
      fc.integer({ min: 1, max: 3_000 }).map((value) => coupon('amount', value)),
      fc.integer({ min: 1, max: 6 }).map((value) => coupon('photos', value)),
    );
    const amounts = fc.record({
      taxRatePpm: fc.constantFrom(0, 60_000, 82_500),
      donationCents: fc.constantFrom(0, 0, 20, 49, 500),
      creditCents: fc.constantFrom(0, 0, 10, 49, 400, 1_620),
    });
    fc.assert(
      fc.property(anyCart(5), anyCode, amounts, (cart, code, { taxRatePpm, donationCents, creditCents }) => {
        const credit = [
          { id: 1, organizationId: 1, last4: '7K3M', cents: creditCents, bonusCents: 0, isHeld: true },
        ] satisfies UsableCode[];
        const price = { ...plain({ ...cart, coupon: code }), credit, bonuses: [0] };
        const totalOf = (subtotal: number) =>
          cents(subtotal + portionHalfUp(cents(subtotal), taxRatePpm, 1_000_000) + donationCents);
        const charge = (subtotal: number) => paidWithCredit(price, totalOf(subtotal), MINIMUM).chargeCents;
        const before = charge(price.best.subtotalCents);
        if (before === 0 || before >= MINIMUM) return;
        const missing = missingCents(price.best.subtotalCents, { taxRatePpm, donationCents, minimumCents: MINIMUM });
        const after = takeLessOff(price, missing);
        const { lines, offers } = price.best;
        const passes = offers.filter(({ kind }) => kind.endsWith('_pass'));
        const covered = new Set(passes.flatMap(({ photoIds }) => photoIds));
        const takenOff =
          lines.reduce((sum, line) => sum + (covered.has(line.photoId) ? 0 : line.singleCents - line.priceCents), 0) +
          passes.reduce((sum, pass) => sum + pass.priceCents - pass.paidCents, 0);
        // Searches cent by cent for the first subtotal that can be charged.
        let least = price.best.subtotalCents;
        while (charge(least) > 0 && charge(least) < MINIMUM) least += 1;
        if (least - price.best.subtotalCents > takenOff) expect(after).toBeNull();
        else {
          expect(after?.best.subtotalCents).toBe(least);
          const paid = [
            ...(after?.best.lines ?? []).map(({ priceCents }) => priceCents),
            ...(after?.best.offers ?? []).map(({ paidCents }) => paidCents),
          ];
          expect(paid.reduce((sum, each) => sum + each, 0)).toBe(least);
          expect(after?.best.lines.every((line) => line.priceCents <= line.singleCents)).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
