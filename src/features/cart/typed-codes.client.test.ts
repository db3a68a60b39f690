// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { hiddenHints } from '#src/features/cart/hidden-hints.client.ts';
import { storeCodes, readCodes } from '#src/features/cart/typed-codes.client.ts';

beforeEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
});

test('codes are kept for this tab and seller until they are removed', () => {
  expect(readCodes(3)).toEqual([]);
  storeCodes(3, ['HAWKS20', '7K3M']);
  expect(readCodes(3)).toEqual(['HAWKS20', '7K3M']);
  expect(readCodes(4)).toEqual([]);
  storeCodes(3, []);
  expect(readCodes(3)).toEqual([]);
});

test('hints of a gallery stay hidden in this browser, also without storage', () => {
  expect(hiddenHints.hide(7)).toContain(7);
  expect(hiddenHints.read()).toContain(7);
  window.localStorage.setItem('hiddenHints', '{"no":"list"}');
  const blocked = vi.spyOn(window.localStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  expect(hiddenHints.hide(8)).toContain(8);
  expect(hiddenHints.read()).toContain(8);
  blocked.mockRestore();
});
