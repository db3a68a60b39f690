/** A buyer's program: the calls of checkout over the rig's routes, without a network. */
import { HOST, type CheckoutRig } from '#tests/support/checkout-rig.ts';
import { listCharges } from '#tests/support/sandbox-books.ts';
import type { Cart } from '#tests/support/shop-goods.ts';
import type { TestDatabase } from '#tests/support/test-database.ts';

export const VISA = '4242424242424242';
export const DECLINED = '4000000000000002';

/** The fields that the tests read, whether the call succeeded or failed. */
export type Body = Record<string, unknown> & { error: string; errors: Record<string, string[]>; vanity_id: string };

export function checkoutClient(rig: CheckoutRig, db: TestDatabase) {
  async function post(url: string, payload: object, remoteAddress = '127.0.0.1') {
    const answer = await rig.built.server.inject({
      method: 'POST',
      url,
      headers: { host: HOST },
      payload,
      remoteAddress,
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json<Body>() };
  }

  async function get(url: string, authorization?: string) {
    const headers = { host: HOST, ...(authorization ? { authorization } : {}) };
    const answer = await rig.built.server.inject({ method: 'GET', url, headers });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json<Body>() };
  }

  return {
    post,
    get,
    order: (cart: Cart) => post('/api/v1/orders', cart),
    read: (vanityId: string) => get(`/api/v1/orders/${vanityId}`),

    /** The sandbox's answer for a card, as the page passes it on. */
    async card(number = VISA): Promise<Body & { id: string }> {
      const entry = { number, exp_month: 12, exp_year: 2040, cvc: '123', zip: '55401' };
      const { status, body } = await post('/sandbox/tokens', entry);
      if (status !== 200) throw new Error(body.error);
      return body as Body & { id: string };
    },

    async count(table: string, where = 'true', values: unknown[] = []): Promise<number> {
      const [row] = await db.ownerQuery<{ n: number }>(
        `select count(*)::int as n from ${table} where ${where}`,
        values,
      );
      return row?.n ?? 0;
    },

    /** Successful charges of an order in the provider's own books. */
    async chargesOf(vanityId: string) {
      const charges = await listCharges(db);
      return charges.filter(
        (charge) => charge.status === 'succeeded' && JSON.stringify(charge.metadata).includes(vanityId),
      );
    },
  };
}
