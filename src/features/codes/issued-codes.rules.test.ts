/** The state of a promo code. */
import { expect, test } from 'vitest';
import { madeUpCode, stateOfCode, type CodeFacts } from '#src/features/codes/issued-codes.rules.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const FRESH: CodeFacts = { uses: 0, maxUses: 2, expiresAt: null, endedAt: null, isTaken: true };

test.each<[Partial<CodeFacts>, string]>([
  [{}, 'active'],
  [{ uses: 1 }, 'active'],
  [{ uses: 2 }, 'used_up'],
  [{ expiresAt: new Date('2026-11-21T12:00:01Z') }, 'active'],
  [{ expiresAt: NOW }, 'expired'],
  [{ endedAt: NOW, expiresAt: NOW, uses: 2 }, 'ended'],
  [{ isTaken: false }, 'off'],
  [{ isTaken: false, uses: 2 }, 'used_up'],
])('%j is %s', (facts, state) => {
  expect(stateOfCode({ ...FRESH, ...facts }, NOW)).toBe(state);
});

test('a generated code has no characters that are confused with others', () => {
  for (let first = 0; first < 31; first++)
    expect(madeUpCode((below) => (first + below - 31) % 31)).toMatch(/^[A-HJKMNP-Z2-9]{8}$/);
});
