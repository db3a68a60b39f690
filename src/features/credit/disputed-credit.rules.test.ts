import { describe, expect, test } from 'vitest';
import { keptOf, spendableOf, type DisputedCode } from '#src/features/credit/disputed-credit.rules.ts';

/** $25.00 with a bonus of $5.00, of which nothing is spent. */
const code = (more: Partial<DisputedCode> = {}): DisputedCode => ({
  paidCents: 2500,
  soldBonusCents: 500,
  freeCents: 2500,
  freeBonusCents: 500,
  refundedCents: 0,
  openCents: 0,
  lostCents: 0,
  keptCents: 0,
  keptBonusCents: 0,
  ...more,
});
const none = { cents: 0, bonusCents: 0 };

test.each<[what: string, code: Partial<DisputedCode>, left: [number, number], kept: [number, number]]>([
  ['no dispute', {}, [2500, 500], [0, 0]],
  ['half is disputed', { openCents: 1250 }, [1250, 250], [0, 0]],
  ['all is disputed', { openCents: 2500 }, [0, 0], [0, 0]],
  ['half was lost', { lostCents: 1250 }, [1250, 250], [1250, 250]],
  ['one cent was lost, and one of the bonus with it', { lostCents: 1 }, [2499, 499], [1, 1]],
  ['two disputes, one of them lost', { openCents: 1000, lostCents: 500 }, [1000, 200], [500, 100]],
  ['more is disputed than is left', { freeCents: 855, freeBonusCents: 0, openCents: 1250 }, [0, 0], [0, 0]],
  ['more was lost than is left', { freeCents: 855, freeBonusCents: 0, lostCents: 1250 }, [0, 0], [855, 0]],
  [
    'it is kept once',
    { lostCents: 1250, keptCents: 1250, keptBonusCents: 250, freeCents: 1250, freeBonusCents: 250 },
    [1250, 250],
    [0, 0],
  ],
  [
    'a refund to the code pays first what is still missing',
    { lostCents: 1250, keptCents: 855, freeCents: 1645, freeBonusCents: 500 },
    [1250, 250],
    [395, 250],
  ],
  [
    'the rest was refunded to the card before, so the bonus ends',
    { lostCents: 1500, refundedCents: 1000, freeCents: 1500 },
    [0, 0],
    [1500, 500],
  ],
  [
    'pending orders have reserved all that is left',
    { lostCents: 1250, freeCents: -100, freeBonusCents: 0 },
    [0, 0],
    [0, 0],
  ],
])('%s', (_what, more, [leftCents, leftBonus], [keptCents, keptBonus]) => {
  expect(spendableOf(code(more))).toEqual({ cents: leftCents, bonusCents: leftBonus });
  expect(keptOf(code(more))).toEqual({ cents: keptCents, bonusCents: keptBonus });
});

describe('of any code', () => {
  const cases = [0, 1, 400, 1250, 2499, 2500].flatMap((open) =>
    [0, 1, 1250, 2500 - open].flatMap((lost) =>
      [0, 1, 855, 1250, 2500].map((free) => code({ openCents: open, lostCents: lost, freeCents: free })),
    ),
  );

  test('what is kept and what can be spent is never more than what is left', () => {
    for (const each of cases) {
      const [left, kept] = [spendableOf(each), keptOf(each)];
      expect(left.cents + kept.cents).toBeLessThanOrEqual(each.freeCents);
      expect(left.bonusCents + kept.bonusCents).toBeLessThanOrEqual(each.freeBonusCents);
    }
  });

  test('once it was kept nothing more is, and as much can be spent as before', () => {
    for (const each of cases) {
      const kept = keptOf(each);
      const after = {
        ...each,
        freeCents: each.freeCents - kept.cents,
        freeBonusCents: each.freeBonusCents - kept.bonusCents,
        keptCents: kept.cents,
        keptBonusCents: kept.bonusCents,
      };
      expect(keptOf(after)).toEqual(none);
      expect(spendableOf(after)).toEqual(spendableOf(each));
    }
  });
});
