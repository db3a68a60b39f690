import { describe, expect, test } from 'vitest';
import { ENTERPRISE_PLAN, FREE_PLAN, PLANS, PREMIUM_PLAN } from '#src/features/tenancy/plans.rules.ts';
import { COMPARED_FEATURES, planLines } from '#src/features/marketing/plan-words.rules.ts';

describe('the texts of a plan', () => {
  test.each([
    [
      FREE_PLAN,
      ['1 active gallery', 'Up to 500 photos per gallery', 'Keep 80% of donations and photo sales, less card fees'],
    ],
    [
      PREMIUM_PLAN,
      ['Unlimited galleries', 'Unlimited photos', 'Keep 80% of donations and photo sales, less card fees'],
    ],
    [
      ENTERPRISE_PLAN,
      ['Unlimited galleries', 'Unlimited photos', 'Keep up to 100% of donations and photo sales, less card fees'],
    ],
  ])('$id', (plan, lines) => {
    expect(planLines(plan)).toEqual(lines);
  });

  test('compare every plan in every line', () => {
    const features = COMPARED_FEATURES.flatMap((group) => group.features);
    expect(features.length).toBeGreaterThan(8);
    for (const { name, of } of features) for (const { id } of PLANS) expect(of[id], `${name}, ${id}`).toBeDefined();
    expect(features.find(({ name }) => name === 'Photos per gallery')?.of).toEqual({
      free: '500',
      premium: 'Unlimited',
      enterprise: 'Unlimited',
    });
  });
});
