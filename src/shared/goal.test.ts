import { describe, expect, test } from 'vitest';
import { goalPercent } from '#src/shared/goal.ts';
import { cents } from '#src/shared/money.ts';

describe('the goal bar is (sales + donations) / target, from 5 to 100 percent', () => {
  test.each([
    [0, 0, 100_000, 5],
    [0, 1, 100_000, 5],
    [4_900, 0, 100_000, 5],
    [5_000, 0, 100_000, 5],
    [5_100, 0, 100_000, 5.1],
    [30_000, 32_000, 100_000, 62],
    [33_333, 0, 100_000, 33.3],
    [99_990, 0, 100_000, 100],
    [99_900, 0, 100_000, 99.9],
    [100_000, 0, 100_000, 100],
    [90_000, 90_000, 100_000, 100],
    [1, 0, 1, 100],
    [0, 0, 1, 5],
  ])('%d + %d of %d cents is %d %%', (sales, donation, target, expected) => {
    expect(goalPercent({ salesCents: cents(sales), donationCents: cents(donation), targetCents: cents(target) })).toBe(
      expected,
    );
  });

  test.each([null, 0])('a target of %s is not a goal', (target) => {
    expect(
      goalPercent({
        salesCents: cents(500),
        donationCents: cents(0),
        targetCents: target === null ? null : cents(target),
      }),
    ).toBeNull();
  });
});
