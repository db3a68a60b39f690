import { expect, test } from 'vitest';
import { problem } from '#src/shared/problem.ts';
import { outcomeOfOrder, outcomeOfRefusal } from './checkout-outcomes.rules.ts';

const placed = { vanity_id: 'abc', status: 'paid', total: 12.5 } as const;

test.each([
  ['paid', placed],
  ['free', { ...placed, total: 0 }],
  ['confirming', { ...placed, status: 'pending' }],
  ['bank asks', { ...placed, status: 'pending', requires_action: { client_secret: 's' } }],
] as const)('an order is counted as %s', (outcome, order) => {
  expect(outcomeOfOrder(order)).toBe(outcome);
});

test.each([
  ['declined', problem('card_refused', 'Your card was declined.')],
  ['price changed', problem('conflict', 'Prices changed.')],
  ['invalid', problem('invalid', 'No.')],
  ['too many', problem('too_many', 'Slow down.')],
  ['failed', problem('unavailable', 'The database does not answer.')],
  ['failed', new Error('a bug')],
] as const)('a refusal is counted as %s', (outcome, error) => {
  expect(outcomeOfRefusal(error)).toBe(outcome);
});
