/** Platform admins reconcile orders; the log records who did it, and nothing else of an order can be changed that way. */
import { beforeAll, describe, expect, test } from 'vitest';
import { errorSavingOrder } from '#src/features/admin-reports/admin-report.contract.ts';
import { buyPhotos, openSale, type ForSale } from '#tests/support/bought-photos.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { sellPhotos } from '#tests/support/sold-orders.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let sale: ForSale;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  const { hawks, tokens } = people;
  sale = await openSale(server, tokens.owner, hawks.id);
});

async function sell(): Promise<number> {
  const vanityId = await buyPhotos(server, [sale], { donation: '$5.00' });
  const [order] = await server.data.ownerQuery<{ id: number }>('select id from orders where vanity_id = $1', [
    vanityId,
  ]);
  return order?.id ?? 0;
}

const put = (id: number | string, payload: unknown, as: string | null = people.tokens.admin) =>
  server.call({ method: 'PUT', url: `/api/v1/orders/${id}`, as, payload: payload as object });
const mark = (id: number | string, reconciled: unknown, as?: string | null) => put(id, { order: { reconciled } }, as);
const kept = async (orderId: number) =>
  server.data.ownerQuery<{ at: Date | null; email: string | null }>(
    'select o.reconciled_at as at, u.email::text from orders o left join users u on u.id = o.reconciled_by where o.id = $1',
    [orderId],
  );
const actions = async (orderId: number) =>
  (
    await server.data.ownerQuery<{ action: string }>(
      "select action from audit_log where object_type = 'order' and object_id = $1 order by id",
      [String(orderId)],
    )
  ).map(({ action }) => action);

describe('reconciling an order', () => {
  test('is done and undone by a platform admin, and returns the row', async () => {
    const orderId = await sell();
    const set = await mark(orderId, true);
    expect(set.statusCode, set.body).toBe(200);
    expect(set.json()).toMatchObject({ id: orderId, subtotal: 4, total: 9, reconciled: true, status: 'paid' });
    const [first] = await kept(orderId);
    expect(first).toEqual({ at: expect.any(Date), email: 'admin@people.test' });

    expect((await mark(orderId, true)).json()).toMatchObject({ reconciled_at: first?.at?.toISOString() });
    expect(await actions(orderId)).toEqual(['order.reconciled']);

    expect((await mark(orderId, false)).json()).toMatchObject({ reconciled: false, reconciled_at: null });
    expect(await kept(orderId)).toEqual([{ at: null, email: null }]);
    expect(await actions(orderId)).toEqual(['order.reconciled', 'order.reconciliation_undone']);
  });

  test('six times at once happens once', async () => {
    const orderId = await sell();
    const answers = await Promise.all(Array.from({ length: 6 }, () => mark(orderId, true)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 6 }, () => 200));
    expect(await actions(orderId)).toEqual(['order.reconciled']);
  });

  test('moves no money', async () => {
    const orderId = await sell();
    const [books] = await server.data.ownerQuery<{ count: number }>('select count(*)::int as count from ledger_txs');
    await mark(orderId, true);
    await mark(orderId, false);
    await mark(orderId, true);
    expect(await server.data.ownerQuery('select count(*)::int as count from ledger_txs')).toEqual([books]);
  });

  test('is for platform admins only, and reveals no order to others', async () => {
    const orderId = await sell();
    await mark(orderId, true);
    expect((await mark(orderId, true, null)).statusCode).toBe(401);
    for (const as of [people.tokens.owner, people.tokens.parentMember, people.tokens.foreigner]) {
      const [own, unknown] = [await mark(orderId, false, as), await mark(999_999, false, as)];
      expect([own.statusCode, unknown.statusCode]).toEqual([404, 404]);
      expect(own.json<{ error: string }>().error).toBe(unknown.json<{ error: string }>().error);
    }
    expect((await kept(orderId))[0]?.at).not.toBeNull();
  });

  test.each([
    ['another field', { order: { total: 0 } }],
    ['another field beside it', { order: { reconciled: true, status: 'paid' } }],
    ['a word', { order: { reconciled: 'yes' } }],
    ['a number', { order: { reconciled: 1 } }],
    ['nothing', { order: { reconciled: null } }],
    ['no value', { order: {} }],
    ['no order', {}],
    ['more than an order', { order: { reconciled: true }, ids: [1] }],
  ])('with %s is refused', async (_what, payload) => {
    const { id } = await sellPhotos(server, people.hawks.id, []);
    expect((await put(id, payload)).statusCode).toBe(422);
  });

  test('requires a paid order', async () => {
    const { id: pendingId } = await sellPhotos(server, people.hawks.id, [], { status: 'pending' });
    for (const id of [pendingId, 999_999, 'abc', 0]) expect((await mark(id, true)).statusCode).toBe(404);
  });

  test('fails with the specification’s words', () => {
    expect(errorSavingOrder(12)).toBe('Error Saving Order #12');
  });
});
