/** Platform admins see the pages of any organization as themselves, without impersonation. */
import { beforeAll, describe, expect, test } from 'vitest';
import { openGallery, settleAnother, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { openPage, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true });
let people: Neighborhood;
let galleryId: number;

const STRIP = /You are looking at (?:<!-- -->)?(\w+)(?:<!-- -->)? as a platform admin\./;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
});

const open = (path: string, token: string | null, host = 'lakeside') => openPage(server, path, host, token);
const sessions = () =>
  server.data.ownerQuery<{ email: string; count: number }>(
    'select u.email::text, count(*)::integer as count from sessions s join users u on u.id = s.user_id group by u.email order by u.email',
  );

describe('the office', () => {
  const OFFICE = ['/admin/organizations', '/new-org', '/hawks/edit-bulk-users'];
  test.each(OFFICE)('%s is for platform admins', async (path) => {
    expect((await open(path, null)).headers.location).toBe(`/login?redirect=${encodeURIComponent(path)}`);
    for (const who of ['owner', 'parentMember'] as const)
      expect((await open(path, people.tokens[who])).statusCode).toBe(403);
    expect((await open(path, people.tokens.admin)).statusCode).toBe(200);
  });

  test('lists every organization with the amount owed', async () => {
    const { body } = await open('/admin/organizations?search=haw', people.tokens.admin);
    expect(body).toContain('lakeside.sideline.localhost:3000/hawks');
    expect(body).toContain('$0.00');
    expect(body).not.toContain('riverside');
  });

  test('lists accounts with both names, found and sorted by the address', async () => {
    const { body } = await open('/hawks/edit-bulk-users?search=tides&sort=email', people.tokens.admin);
    expect(body).toContain(`/hawks/user/${people.tides.id}/tides/${people.parent.id}/edit`);
    expect(body).not.toContain(`/hawks/user/${people.hawks.id}/`);
  });
});

describe('a platform admin in another organization', () => {
  const pathsOf = ({ hawks, parent }: Neighborhood, id: number) => [
    `/${hawks.path}/dashboard`,
    `/${hawks.path}/report`,
    `/${hawks.path}/settings`,
    `/${hawks.path}/takedowns`,
    `/${hawks.path}/create-gallery`,
    `/${hawks.path}/gallery/${id}/edit`,
    `/${parent.path}/report`,
    `/${parent.path}/settings`,
  ];

  test('can open every page, and sees where they are', async () => {
    for (const path of pathsOf(people, galleryId)) {
      const page = await open(path, people.tokens.admin);
      expect([path, page.statusCode]).toEqual([path, 200]);
      expect(STRIP.exec(page.body)?.[1], path).toBe(path.startsWith('/hawks') ? 'hawks' : 'lakeside');
    }
  });

  test('sees a notice, and its members do not', async () => {
    for (const token of [people.tokens.owner, people.tokens.parentMember])
      expect((await open('/hawks/dashboard', token)).body).not.toMatch(STRIP);
  });

  test('finds the bulk tools in every organization, and no one else does', async () => {
    for (const path of ['hawks', 'lakeside']) {
      const tool = `href="/${path}/bulk-users-csv"`;
      for (const page of [`/${path}/dashboard`, `/${path}/report`, `/${path}/settings`])
        expect((await open(page, people.tokens.admin)).body, page).toContain(tool);
      expect((await open(`/${path}/dashboard`, people.tokens.parentMember)).body).not.toContain(tool);
    }
    expect((await open('/hawks/dashboard', people.tokens.owner)).body).not.toContain('bulk-users-csv');
  });

  test('gets no session of another user, and acts under their own name', async () => {
    const others = await settleAnother(server);
    const { hawks, parent, tokens, emails } = others;
    const id = await openGallery(server, tokens.owner, hawks.id);
    const before = await sessions();
    for (const path of pathsOf(others, id)) await open(path, tokens.admin, parent.path);
    const call = (method: 'PUT' | 'POST', url: string, payload: object = {}) =>
      server.call({ method, url, as: tokens.admin, payload });
    const changed = await call('PUT', `/api/v1/affiliates/${hawks.id}`, { affiliate: { contact_name: 'Rosa' } });
    const renamed = await call('PUT', `/api/v1/galleries/${id}`, { gallery: { name: 'Cup Final 2' } });
    const deleted = await call('POST', `/api/v1/galleries/${id}/inactive`);
    expect([changed, renamed, deleted].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(await sessions()).toEqual(before);
    const current = await server.call({ method: 'GET', url: '/users/current', as: tokens.admin });
    expect(current.json()).toMatchObject([{ email: emails.admin, role_id: 2, organizations: [] }]);
    const lines = await server.data.ownerQuery(
      'select a.action, u.email::text from audit_log a join users u on u.id = a.actor_id where a.organization_id = $1 order by a.id',
      [hawks.id],
    );
    expect(lines).toEqual(
      ['organization.settings_changed', 'gallery.changed', 'gallery.deleted'].map((action) => ({
        action,
        email: emails.admin,
      })),
    );
  });

  test('adds entries to the audit log; an owner’s own work adds none', async () => {
    const id = await openGallery(server, people.tokens.owner, people.hawks.id);
    const lines = await server.data.ownerQuery(
      "select from audit_log where object_type = 'gallery' and object_id = $1",
      [String(id)],
    );
    expect(lines).toEqual([]);
  });
});
