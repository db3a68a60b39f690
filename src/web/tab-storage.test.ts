import { afterEach, expect, test, vi } from 'vitest';
import { forgetDrafts, storeInTab, readFromTab } from '#src/web/tab-storage.ts';

/** As in a browser: stored items are own properties. */
function storage(): object {
  const kept: Record<string, string> = {};
  const calls = {
    getItem: (name: string) => kept[name] ?? null,
    setItem: (name: string, text: string) => void (kept[name] = text),
    removeItem: (name: string) => void delete kept[name],
  };
  return new Proxy(kept, {
    get: (target, name) => Reflect.get(calls, name) ?? Reflect.get(target, name),
  });
}

afterEach(() => vi.unstubAllGlobals());

test('a logout deletes every draft of the tab, and nothing else', () => {
  vi.stubGlobal('window', { sessionStorage: storage() });
  for (const name of ['sideline-bulk-accounts', 'sideline-bulk-galleries', 'another']) storeInTab(name, name);
  forgetDrafts();
  const left = ['sideline-bulk-accounts', 'sideline-bulk-galleries', 'another'].map(readFromTab);
  expect(left).toEqual([null, null, 'another']);
});

test('a browser without storage causes no failure', () => {
  vi.stubGlobal('window', {
    get sessionStorage(): never {
      throw new Error('blocked');
    },
  });
  expect(() => forgetDrafts()).not.toThrow();
});
