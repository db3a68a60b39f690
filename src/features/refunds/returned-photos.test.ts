/** Refunds of photos: the amount is computed, and their downloads close when it is given. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import * as words from '#src/features/refunds/refunds.contract.ts';
import { buyPhotos, openSale, type ForSale } from '#tests/support/bought-photos.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let sale: ForSale;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  sale = await openSale(server, people.tokens.owner, people.hawks.id, { photos: 3, priceDollars: 4, name: 'Final' });
  // 8.25 % for buyers in Minneapolis.
  await server.data.ownerQuery(
    "insert into tax_rates (organization_id, state, zip_prefix, rate_ppm, jurisdiction) values ($1, 'MN', '554', 82500, 'Minneapolis')",
    [people.parent.id],
  );
});

/** Three photos at $4.00, tax of $0.99 and a donation of $5.00: $17.99. */
const buy = () => buyPhotos(server, [sale], { donation: '$5.00', taxDollars: 0.99 });

async function send(url: string, payload: object, as: string | null = people.tokens.admin) {
  const answer = await server.call({ method: 'POST', url: `/api/v1/orders/${url}`, as, payload });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
}
const quote = (order: string, photos: readonly number[], as?: string | null) =>
  send(`${order}/refund_quote`, { photos }, as);
const give = (order: string, body: object) =>
  send(`${order}/refunds`, { reason: 'A blurred one', refund_key: randomUUID(), ...body });
const photo = (place: number) => sale.photoIds[place] ?? 0;

/** The photos whose downloads are available. */
async function openOf(order: string): Promise<number[]> {
  const answer = await server.call({ method: 'GET', url: `/api/v1/orders/${order}` });
  const { order_photo: lines } = answer.json<{
    order_photo: { order_key: string | null; photo: { id: number } }[];
  }>();
  return lines.filter((line) => line.order_key !== null).map((line) => line.photo.id);
}

describe('photos of an order', () => {
  test('are refunded one after another with what was paid for them and its tax, and their downloads close', async () => {
    const order = await buy();
    expect(await quote(order, [photo(0)])).toEqual({ status: 200, body: { amount: 4.33, text: null } });
    const first = await give(order, { photos: [photo(0)] });
    expect([first.status, first.body]).toMatchObject([
      201,
      { refunded: 4.33, message: '$4.33 was refunded.', refund: { amount: 4.33, photos: [photo(0)], state: 'given' } },
    ]);
    expect(await openOf(order)).toEqual([photo(1), photo(2)]);
    await give(order, { photos: [photo(1)] });
    const last = await give(order, { photos: [photo(2)] });
    // The donation stays.
    expect(last.body['refunded']).toBe(12.99);
    expect(await openOf(order)).toEqual([]);
    const rest = await give(order, {});
    expect(rest.body['refunded']).toBe(17.99);
  });

  test('are refunded with another amount if the office types one', async () => {
    const order = await buy();
    const given = await give(order, { photos: [photo(0)], amount: 10 });
    expect(given.body['refunded']).toBe(10);
    // Earlier refunds already exceed the cost of the first two.
    expect(await quote(order, [photo(1)])).toMatchObject({ status: 409, body: { error: words.NOTHING_GOES_BACK } });
    expect(await quote(order, [photo(1), photo(2)])).toMatchObject({ status: 200, body: { amount: 2.99 } });
  });

  test('are named in an email to the buyer, whose other downloads stay available', async () => {
    const order = await buy();
    await give(order, { photos: [photo(0)] });
    const [mail] = await server.data.ownerQuery<{ body_text: string }>(
      "select body_text from mail_outbox where dedupe_key like 'refund-%' order by id desc limit 1",
    );
    expect(mail?.body_text).toContain('The downloads of what was refunded are closed. You keep everything else.');
  });

  test('sent twice with one key are refunded once; others with it are a conflict', async () => {
    const order = await buy();
    const refund = { photos: [photo(0)], refund_key: randomUUID() };
    const answers = await Promise.all([give(order, refund), give(order, refund), give(order, refund)]);
    expect(answers.map(({ status, body }) => [status < 203, body['refunded']])).toEqual(
      Array(3).fill([true, expect.any(Number)]),
    );
    expect((await give(order, refund)).body['refunded']).toBe(4.33);
    expect(await give(order, { ...refund, photos: [photo(1)] })).toMatchObject({
      status: 409,
      body: { error: words.REFUND_KEY_TAKEN },
    });
    const two = { photos: [photo(1), photo(2)], refund_key: randomUUID() };
    expect((await give(order, two)).status).toBeLessThan(203);
    expect(await give(order, { ...two, photos: [photo(1)] })).toMatchObject({
      status: 409,
      body: { error: words.REFUND_KEY_TAKEN },
    });
  });

  test('that are not in the order, or were refunded before, are refused', async () => {
    const order = await buy();
    await give(order, { photos: [photo(0)] });
    expect(await give(order, { photos: [photo(0), photo(1)] })).toMatchObject({
      status: 422,
      body: { errors: { photos: [words.REFUNDED_BEFORE] } },
    });
    expect(await quote(order, [1])).toMatchObject({ status: 422, body: { errors: { photos: [words.NOT_IN_ORDER] } } });
    expect(await give(order, { passes: [1] })).toMatchObject({
      status: 422,
      body: { errors: { passes: [words.NOT_IN_ORDER] } },
    });
    expect((await give(order, { photos: ['x'] })).status).toBe(422);
  });

  test('can be requested by members, with their amount', async () => {
    const order = await buy();
    const reason = 'Not my child';
    const asked = await send(`${order}/refund_requests`, { photos: [photo(1)], reason }, people.tokens.owner);
    expect([asked.status, asked.body]).toMatchObject([201, { amount: 4.33, photos: [photo(1)] }]);
    expect(await openOf(order)).toHaveLength(3);
  });

  test.each([
    ['a visitor', () => null, 401],
    ['another organization', () => people.tokens.foreigner, 404],
  ])('are not quoted to a %s', async (_who, as, status) => {
    expect((await quote(await buy(), [photo(0)], as())).status).toBe(status);
  });
});
