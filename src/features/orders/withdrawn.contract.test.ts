import { expect, test } from 'vitest';
import { withdrawnText } from '#src/features/orders/withdrawn.contract.ts';

const ASK = ' To ask for your money back, write to the contact at the end of this page, with your order number.';
const ONE = "This photo was withdrawn at a family's wish. It cannot be downloaded.";
const TWO = "2 photos were withdrawn at a family's wish. They cannot be downloaded.";
const paid = { refundable: true } as const;

test.each([
  ['a paid photo', [paid], `${ONE}${ASK}`],
  ['a photo that cost nothing, or was refunded', [{}], ONE],
  ['two, of which one was paid', [{}, paid], `${TWO}${ASK}`],
  ['two that were refunded', [{}, {}], TWO],
])('the buyer of %s is told to ask for money only where some is left to ask for', (_which, lines, text) => {
  expect(withdrawnText(lines)).toBe(text);
});
