/** The state of a promo code. */
import { expect, test } from 'vitest';
import { stateOfCode, type CodeFacts } from '#src/features/codes/issued-codes.rules.ts';
import { randomCode } from '#src/shared/random-key.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const FRESH: CodeFacts = { uses: 0, maxUses: 2, expiresAt: null, endedAt: null, isAccepted: true };

test.each<[Partial<CodeFacts>, string]>([
  [{}, 'active'],
  [{ uses: 1 }, 'active'],
  [{ uses: 2 }, 'used_up'],
  [{ expiresAt: new Date('2026-11-21T12:00:01Z') }, 'active'],
  [{ expiresAt: NOW }, 'expired'],
  [{ endedAt: NOW, expiresAt: NOW, uses: 2 }, 'ended'],
  [{ isAccepted: false }, 'off'],
  [{ isAccepted: false, uses: 2 }, 'used_up'],
])('%j is %s', (facts, state) => {
  expect(stateOfCode({ ...FRESH, ...facts }, NOW)).toBe(state);
});

test('a generated code has no characters that are confused with others', () => {
  for (let first = 0; first < 30; first++)
    expect(randomCode(8, (below) => (first + below - 30) % 30)).toMatch(/^[A-HJKMNP-TV-Z2-9]{8}$/);
});
