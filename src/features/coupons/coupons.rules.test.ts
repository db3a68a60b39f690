import { expect, test } from 'vitest';
import { asMadeUp, makeUpCode, refusalInCart } from '#src/features/coupons/coupons.rules.ts';
import { tidyCode } from '#src/features/coupons/coupons.contract.ts';

test('a generated code can be read aloud and typed without mistakes', () => {
  for (let start = 0; start < 32; start++) {
    let turn = start;
    const code = makeUpCode((below) => turn++ % below);
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    const typed = code.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l');
    expect(asMadeUp(tidyCode(typed) ?? '')).toBe(code);
  }
});

test('a code is refused in a cart that is too small or of other galleries, and not where the early bird is better', () => {
  expect(refusalInCart('below minimum', { minimumCents: 2000 })).toBe('This code is for orders of $20.00 or more.');
  expect(refusalInCart('not for these', { minimumCents: 0 })).toBe('This code is not for these galleries.');
  expect(refusalInCart('early bird is better', { minimumCents: 0 })).toBeNull();
  expect(refusalInCart('saves nothing', { minimumCents: 0 })).toBeNull();
  expect(refusalInCart('used', { minimumCents: 0 })).toBeNull();
});
