// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from 'vitest';

const CARD = { takeToken: async () => ({ token: { id: 'tok_1' } }) as never, askBank: async () => null };
const PLACED = { vanity_id: 'abc', status: 'paid', total: 25 };

/** A page that was loaded anew. */
async function loadPage() {
  vi.resetModules();
  const { sendCreditOrder } = await import('#src/features/credit-shop/ui/send-credit-order.ts');
  return (seller: number) => sendCreditOrder({ order: { org_id: seller }, ...CARD });
}

test('credit whose answer was lost is paid once, also after a reload; the next one, and another seller’s, is another order', async () => {
  const keys: string[] = [];
  let isOnline = false;
  vi.stubGlobal('fetch', async (path: string, { body = '' }: { body?: string }) => {
    if (path === '/api/v1/credit_orders') keys.push((JSON.parse(body) as { checkout_key: string }).checkout_key);
    if (!isOnline) throw new TypeError('no network');
    return Response.json(PLACED, { status: 201 });
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    sessionStorage.clear();
  });
  const first = await loadPage();
  expect(await first(1)).toMatchObject({ kind: 'refused' });
  isOnline = true;
  const second = await loadPage();
  expect(await second(2)).toMatchObject({ kind: 'ordered' });
  expect(await second(1)).toEqual({ kind: 'ordered', vanityId: 'abc', before: false });
  expect(await second(1)).toMatchObject({ kind: 'ordered' });
  const third = await loadPage();
  await third(1);
  const [lost, elsewhere, again, ...later] = keys;
  expect(again).toBe(lost);
  expect(new Set([lost, elsewhere, ...later]).size).toBe(4);
});
