/** `DELETE /api/v1/organizations/{domainName}`: who may, what prevents it, what is removed and what stays (rule 26). */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PHOTO_NOT_AVAILABLE } from '#src/features/orders/orders.contract.ts';
import { findReceipt } from '#src/features/orders/receipts.sql.ts';
import * as organizationListSql from '#src/features/office/organization-list.sql.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { cartOf, openShop, type Shop } from '#tests/support/shop-goods.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true, env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let shop: Shop;
let path: string;

beforeAll(async () => {
  people = await settleNeighborhood(server);
});
beforeEach(async () => {
  shop = await openShop(server.data, { priceCents: 400 });
  path = String((await row(shop.sellerId))?.['domain_name']);
});

async function row(id: number): Promise<Record<string, unknown> | undefined> {
  return (await server.data.ownerQuery<Record<string, unknown>>('select * from organizations where id = $1', [id]))[0];
}
const isDeleted = async (id: number) => (await row(id))?.['deleted_at'] !== null;
const remove = (name: string, query = '', as: string | null = people.tokens.admin) =>
  server.call({ method: 'DELETE', url: `/api/v1/organizations/${name}${query}`, as });
const free = (): Promise<unknown> =>
  server.data.ownerQuery('update galleries set price_cents = 0 where id = $1', [shop.galleryId]);
async function card(): Promise<string> {
  const payload = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123', zip: '55401' };
  return (await server.call({ method: 'POST', url: '/sandbox/tokens', payload })).json<{ id: string }>().id;
}
async function buy(price: number) {
  const payload = cartOf(shop, { price, token: price === 0 ? null : await card() });
  return server.call({ method: 'POST', url: '/api/v1/orders', payload });
}

describe('deleting an organization is refused', () => {
  test.each([
    ['a visitor', null, 401],
    ['its owner', 'owner', 403],
    ['its parent’s director', 'parentMember', 403],
    ['a stranger', 'foreigner', 403],
  ] as const)('to %s', async (_who, who, status) => {
    const answer = await remove('hawks', '', who === null ? null : people.tokens[who]);
    expect(answer.statusCode).toBe(status);
    expect(await isDeleted(people.hawks.id)).toBe(false);
  });
});

describe('naming the organization to delete', () => {
  test.each(['nobody', 'a_b', '..', '7', 'a'.repeat(90)])('fails for %s', async (name) => {
    expect((await remove(name)).statusCode).toBe(404);
  });

  test('requires the parent’s id for a name below two parents', async () => {
    await server.data.ownerQuery(
      "insert into organizations (kind, name, domain_name, parent_organization_id) values ('affiliate', 'Twin', $1, $2)",
      [path, people.stranger.id],
    );
    const asked = await remove(path);
    expect([asked.statusCode, asked.json()]).toEqual([
      409,
      {
        error: `More than one organization is called “${path}”. Name its parent with org_id.`,
        errors: {},
        request_id: expect.any(String),
      },
    ]);
    expect((await remove(path, `?org_id=${people.tides.id}`)).statusCode).toBe(404);
    expect((await remove(path, `?org_id=${shop.parentId}`)).statusCode).toBe(204);
    expect(await isDeleted(shop.sellerId)).toBe(true);
    expect((await remove(path)).statusCode).toBe(204);
    expect((await remove(path)).statusCode).toBe(404);
  });

  test('works for a parent by its own name and id', async () => {
    expect((await remove(path)).statusCode).toBe(204);
    const name = String((await row(shop.parentId))?.['domain_name']);
    expect((await remove(name, `?org_id=${shop.parentId}`)).statusCode).toBe(204);
  });

  test('refuses an invalid id with a message', async () => {
    const answer = await remove(path, '?org_id=x');
    expect([answer.statusCode, answer.json<{ errors: unknown }>().errors]).toEqual([422, { org_id: ['Not an id.'] }]);
  });
});

describe('an organization is kept when', () => {
  const refusal = async (name = path) => {
    const answer = await remove(name);
    expect(answer.statusCode).toBe(409);
    return answer.json<{ error: string }>().error;
  };

  test('it is the main one', async () => {
    expect(await refusal('www')).toContain('The main organization cannot be deleted.');
  });

  test('it has affiliates', async () => {
    expect(await refusal('lakeside')).toBe('It has affiliates. Delete those first.');
    expect(await isDeleted(people.parent.id)).toBe(false);
  });

  test('it is owed money', async () => {
    expect((await buy(4)).statusCode).toBe(201);
    expect(await refusal()).toMatch(
      /^It is owed \$9\.\d\d\. Pay it out first\.$|^It is owed \$\d+\.\d\d\. Pay it out first\.$/,
    );
  });

  test('an order is being paid', async () => {
    await free();
    expect((await buy(0)).statusCode).toBe(201);
    await server.data.ownerQuery("update orders set status = 'pending', paid_at = null where organization_id = $1", [
      shop.sellerId,
    ]);
    expect(await refusal()).toBe('An order is being paid right now. Please try again in a few minutes.');
  });
});

describe('after deleting an organization', () => {
  test('its pages, galleries and logins end; its path is free; the action is in the audit log', async () => {
    const person = await server.app.accounts.createUser({
      email: `boss@${path}.test`,
      firstName: 'Bo',
      lastName: 'Berg',
      password: TEST_PASSWORD,
      roleId: 1,
      administers: [shop.sellerId],
    });
    const both = await server.app.accounts.createUser({
      email: `both@${path}.test`,
      firstName: 'Bo',
      lastName: 'Berg',
      password: TEST_PASSWORD,
      roleId: 1,
      administers: [shop.sellerId, shop.parentId],
    });
    const [only, other] = [await server.signIn(`boss@${path}.test`), await server.signIn(`both@${path}.test`)];
    const gallery = () => server.call({ method: 'GET', url: `/api/v1/galleries/${shop.galleryId}/full`, as: other });
    const photo = () =>
      server.call({
        method: 'GET',
        url: `/api/v1/galleries/${shop.galleryId}/gallery_photos/${shop.photoIds[0]}?size=640`,
      });
    expect((await gallery()).statusCode).toBe(200);
    expect((await remove(path)).statusCode).toBe(204);

    expect((await gallery()).statusCode).toBe(404);
    expect((await photo()).statusCode).toBe(404);
    const affiliate = await server.call({ method: 'GET', url: `/api/v1/affiliates/${path}?org_id=${shop.parentId}` });
    expect(affiliate.statusCode).toBe(404);
    expect((await server.call({ method: 'GET', url: `/api/v1/organizations/by_id/${shop.sellerId}` })).statusCode).toBe(
      404,
    );
    expect((await server.call({ method: 'GET', url: '/users/current', as: only })).statusCode).toBe(401);
    const current = await server.call({ method: 'GET', url: '/users/current', as: other });
    expect(current.json<{ organizations: unknown[] }[]>()[0]?.organizations).toHaveLength(1);
    expect([person, both].every((id) => id > 0)).toBe(true);
    const [line] = await server.data.ownerQuery<Record<string, unknown>>(
      "select a.*, u.email from audit_log a join users u on u.id = a.actor_id where a.object_id = $1 and a.action = 'organization.deleted'",
      [String(shop.sellerId)],
    );
    expect(line).toMatchObject({ email: 'admin@people.test', details: { domain_name: path, signed_out: 1 } });
    await server.app.organizations.create({
      kind: 'affiliate',
      name: 'The next ones',
      domainName: path,
      parentOrganizationId: shop.parentId,
      contactName: null,
      contactEmail: null,
      freeTier: true,
    });
  });

  test('buyers keep their receipt', async () => {
    await free();
    const { vanity_id } = (await buy(0)).json<{ vanity_id: string }>();
    expect((await remove(path)).statusCode).toBe(204);
    const receipt = await server.call({ method: 'GET', url: `/api/v1/orders/${vanity_id}` });
    expect(receipt.statusCode).toBe(200);
    const [line] = receipt.json<{ order_photo: { order_key: string }[] }>().order_photo;
    expect(line?.order_key).toEqual(expect.any(String));
    expect(await server.app.orders.paidLine(line?.order_key ?? '')).not.toBeNull();
  });

  test('the page of an order is at its old address, also if someone else has the path, and on the main host', async () => {
    await free();
    const { vanity_id } = (await buy(0)).json<{ vanity_id: string }>();
    const parent = String((await row(shop.parentId))?.['domain_name']);
    const open = async (host: string, page = `/${path}/order/${vanity_id}`) =>
      server.call({ method: 'GET', url: page, headers: { host: `${host}.sideline.localhost:3000` } });
    expect((await open(parent)).statusCode).toBe(200);
    expect((await remove(path)).statusCode).toBe(204);
    expect((await open(parent, `/${path}`)).statusCode).toBe(404);
    for (const page of [await open(parent), await open('www')]) {
      expect(page.statusCode).toBe(200);
      expect(page.body).toContain('Order Confirmation');
    }
    await server.app.organizations.create({
      kind: 'affiliate',
      name: 'The next ones',
      domainName: path,
      parentOrganizationId: shop.parentId,
      contactName: null,
      contactEmail: null,
      freeTier: true,
    });
    expect((await open(parent)).statusCode).toBe(200);
    expect((await open(parent, `/${path}/order/${'A'.repeat(22)}`)).statusCode).toBe(404);
  });

  test('emails lead to the main host if the parent is deleted, too', async () => {
    await free();
    const { vanity_id } = (await buy(0)).json<{ vanity_id: string }>();
    const link = () =>
      server.platform.database.read({ kind: 'system', why: 'test' }, (db) =>
        findReceipt(db, { vanityId: vanity_id }).then((receipt) => receipt?.seller.hostLabel),
      );
    const parent = String((await row(shop.parentId))?.['domain_name']);
    expect((await remove(path)).statusCode).toBe(204);
    expect(await link()).toBe(parent);
    expect((await remove(parent)).statusCode).toBe(204);
    expect(await link()).toBe('www');
  });

  test('nothing more is sold', async () => {
    expect((await remove(path)).statusCode).toBe(204);
    const answer = await buy(4);
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([422, PHOTO_NOT_AVAILABLE]);
  });
});

describe('deleting an organization during a purchase', () => {
  test.each([1, 2, 3, 4])('keeps the order or deletes the seller, and never both (%i)', async () => {
    const [order, deletion] = await Promise.all([buy(4), remove(path)]);
    expect([
      [201, 409],
      [422, 204],
    ]).toContainEqual([order.statusCode, deletion.statusCode]);
    expect(await isDeleted(shop.sellerId)).toBe(deletion.statusCode === 204);
  });

  test.each([1, 2, 3, 4])('keeps or refuses a free order with a message (%i)', async () => {
    await free();
    const [order, deletion] = await Promise.all([buy(0), remove(path)]);
    expect(deletion.statusCode).toBe(204);
    if (order.statusCode === 201) {
      const { vanity_id } = order.json<{ vanity_id: string }>();
      expect((await server.call({ method: 'GET', url: `/api/v1/orders/${vanity_id}` })).statusCode).toBe(200);
    } else expect([order.statusCode, order.json<{ error: string }>().error]).toEqual([422, PHOTO_NOT_AVAILABLE]);
  });

  test('refuses an order whose seller was deleted after it was priced', async () => {
    // The seller is deleted by a transaction that ends only after the order is waiting for it.
    const payload = cartOf(shop, { price: 4, token: await card() });
    const order = await server.platform.database.write({ kind: 'system', why: 'test' }, async (tx) => {
      await organizationListSql.lockForDeletion(tx, shop.sellerId);
      await organizationListSql.markDeleted(tx, shop.sellerId);
      const placing = server.call({ method: 'POST', url: '/api/v1/orders', payload });
      await expect
        .poll(async () => (await server.data.ownerQuery('select from pg_locks where not granted')).length)
        .toBeGreaterThan(0);
      return { placing };
    });
    const answer = await order.placing;
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([422, PHOTO_NOT_AVAILABLE]);
  });
});

test('an affiliate that is created while its parent is deleted is created or refused, and never below a deleted parent', async () => {
  expect((await remove(path)).statusCode).toBe(204);
  const parent = String((await row(shop.parentId))?.['domain_name']);
  const make = server.app.organizations
    .create({
      kind: 'affiliate',
      name: 'Late',
      domainName: 'late',
      parentOrganizationId: shop.parentId,
      contactName: null,
      contactEmail: null,
      freeTier: true,
    })
    .then(
      () => 'made',
      (error: { code: string }) => error.code,
    );
  const [made, deletion] = await Promise.all([make, remove(parent)]);
  expect([
    ['made', 409],
    ['not_found', 204],
  ]).toContainEqual([made, deletion.statusCode]);
});
