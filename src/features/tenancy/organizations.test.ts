/** Organizations over HTTP: public facts and nothing else (rules 7, 33, 34, 49). */
import { beforeAll, describe, expect, test } from 'vitest';
import { affiliateAnswer } from '#src/features/settings/affiliates.contract.ts';
import { publicOrganization } from '#src/features/tenancy/organizations.contract.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;

beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const get = (url: string, as: string | null = null) => server.call({ method: 'GET', url, as });

describe('an organization', () => {
  test('is found by host label and by id, with public facts only', async () => {
    const byLabel = await get('/api/v1/organizations/LAKESIDE');
    const byId = await get(`/api/v1/organizations/by_id/${people.parent.id}`);
    expect(byLabel.json()).toEqual(byId.json());
    const [answer] = byLabel.json() as Record<string, unknown>[];
    expect(publicOrganization.safeParse(answer).success).toBe(true);
    expect(Object.keys(answer ?? {})).toEqual(
      expect.not.arrayContaining(['tax_id', 'billing_name', 'stripe_sk', 'share_bps']),
    );
    expect(answer).toMatchObject({
      contact_email: 'lakeside@clubs.test',
      primary_color: '#0099CC',
      secondary_color: '#FFFFFF',
      default_photo_price: 2,
    });
  });

  test('of a child does not show its contact address', async () => {
    const answer = await get(`/api/v1/organizations/${people.hawks.id}`);
    expect(answer.json()).toMatchObject([{ kind: 'affiliate', contact_email: null }]);
  });

  test('1627 is the main organization', async () => {
    expect((await get('/api/v1/organizations/by_id/1627')).json()).toMatchObject([
      { id: 1, kind: 'root', domain_name: 'www' },
    ]);
    expect((await get('/api/v1/organizations/1627')).json()).toMatchObject([{ id: 1 }]);
  });

  test.each(['nobody', '999999', '0', '-1', '1.5', `${'9'.repeat(30)}`])('%s is not found', async (id) => {
    const answer = await get(`/api/v1/organizations/${id}`);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ error: 'This organization cannot be found.', errors: {} });
  });

  test('is listed for search boxes with name, address and logo', async () => {
    const list = (await get('/api/v1/organizations?for_search=true')).json() as Record<string, unknown>[];
    expect(list.find((one) => one['domain_name'] === 'hawks')).toEqual({
      id: people.hawks.id,
      name: 'hawks',
      domain_name: 'hawks',
      logo_url: null,
    });
  });
});

describe('an affiliate with its galleries', () => {
  test('shows visitors public galleries, and members all active ones', async () => {
    const open = await openGallery(server, people.tokens.owner, people.hawks.id, { name: 'Open' });
    await addReadyPhoto(server, { id: open, organizationId: people.hawks.id });
    await openGallery(server, people.tokens.owner, people.hawks.id, { name: 'Empty' });
    const hidden = await openGallery(server, people.tokens.owner, people.hawks.id, {
      name: 'Private',
      is_private: true,
    });
    await addReadyPhoto(server, { id: hidden, organizationId: people.hawks.id });
    const url = `/api/v1/affiliates/hawks?org_id=${people.parent.id}`;
    const forVisitor = (await get(url)).json() as { galleries: { name: string }[] }[];
    const forOwner = (await get(url, people.tokens.owner)).json() as { galleries: { name: string }[] }[];
    const forNeighbor = (await get(url, people.tokens.neighbor)).json() as { galleries: { name: string }[] }[];
    expect(affiliateAnswer.safeParse(forVisitor[0]).success).toBe(true);
    expect(forVisitor[0]?.galleries.map((gallery) => gallery.name)).toEqual(['Open']);
    expect(forNeighbor[0]?.galleries.map((gallery) => gallery.name)).toEqual(['Open']);
    expect(forOwner[0]?.galleries.map((gallery) => gallery.name).toSorted()).toEqual(['Empty', 'Open', 'Private']);
  });

  test.each(['nobody', 'api', 'x'.repeat(64), '%00'])('%s is not found', async (path) => {
    expect([400, 404]).toContain((await get(`/api/v1/affiliates/${path}?org_id=${people.parent.id}`)).statusCode);
  });
});
