import { expect, test } from 'vitest';
import { kindsCutOff, MOST_OF_A_KIND } from '#src/features/reconciliation/difference-texts.rules.ts';

const of = (kind: 'fee_differs' | 'amount_differs', count: number) => Array.from({ length: count }, () => ({ kind }));

test.each([
  ['nothing', [], []],
  ['as many as are told', of('fee_differs', MOST_OF_A_KIND), ['fee_differs']],
  ['one less', of('fee_differs', MOST_OF_A_KIND - 1), []],
  [
    'many of one and few of another',
    [...of('amount_differs', MOST_OF_A_KIND), ...of('fee_differs', 3)],
    ['amount_differs'],
  ],
] as const)('kinds that may be shortened: %s', (_name, found, kinds) => {
  expect(kindsCutOff(found)).toEqual(kinds);
});
