import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  GALLERY_IS_DELETED,
  GALLERY_NAME_REQUIRED,
  GALLERY_PASSWORD_REQUIRED,
  listedGallery,
  madeGallery,
  pagedGallery,
  PRICE_REQUIRED,
  UPGRADE_FOR_MORE_GALLERIES,
  type GalleryAnswer,
  type ListedGallery,
  type PagedGallery,
} from '#src/features/galleries/galleries.contract.ts';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import {
  addReadyPhoto,
  openGallery,
  settleAnother,
  settleNeighborhood,
  type Neighborhood,
} from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const create = (as: string | null, gallery: object, more: object = {}) =>
  server.call({ method: 'POST', url: '/api/v1/galleries/', as, payload: { gallery, ...more } });
const change = (as: string, id: number, gallery: object) =>
  server.call({ method: 'PUT', url: `/api/v1/galleries/${id}`, as, payload: { gallery } });
const inactivate = (as: string, id: number) =>
  server.call({ method: 'POST', url: `/api/v1/galleries/${id}/inactive`, as });
const full = (as: string | null, id: number) => server.call({ method: 'GET', url: `/api/v1/galleries/${id}/full`, as });
const rowOf = async (id: number) =>
  (await server.data.ownerQuery<Record<string, unknown>>('select * from galleries where id = $1', [id]))[0];

describe('a target that is entered for the first time (rule 59)', () => {
  test.each([
    ['shows the goal', { target_goal: 1500 }, true],
    ['shows no goal where the form says so', { target_goal: 1500, display_goal: false }, false],
    ['of nothing shows none', { target_goal: 0 }, false],
    ['left out shows none', { goal_description: 'New jerseys' }, false],
  ])('%s', async (_what, settings, isShown) => {
    const gallery = { organization_id: people.hawks.id, name: 'Goal', price_per_photo: 4 };
    const made = (await create(people.tokens.owner, { ...gallery, ...settings })).json<GalleryAnswer>();
    expect(made.display_goal).toBe(isShown);
    const { id } = (await create(people.tokens.owner, gallery)).json<GalleryAnswer>();
    const [changed] = (await change(people.tokens.owner, id, settings)).json<GalleryAnswer[]>();
    expect(changed?.display_goal).toBe(isShown);
  });

  test('a second one leaves the switch unchanged', async () => {
    const gallery = { organization_id: people.hawks.id, name: 'Goal', price_per_photo: 4, target_goal: 1500 };
    const { id } = (await create(people.tokens.owner, gallery)).json<GalleryAnswer>();
    await change(people.tokens.owner, id, { display_goal: false });
    const [changed] = (await change(people.tokens.owner, id, { target_goal: 2000 })).json<GalleryAnswer[]>();
    expect(changed).toMatchObject({ target_goal: 2000, display_goal: false });
  });
});

describe('an owner creates a gallery', () => {
  test('and gets all of it, with its contribute key', async () => {
    const answer = await create(
      people.tokens.owner,
      { organization_id: people.hawks.id, name: '  Spring Cup ', price_per_photo: 4.5, target_goal: 1200 },
      { photos: [] },
    );
    expect(answer.statusCode).toBe(201);
    const made = madeGallery.parse(answer.json());
    expect(made).toMatchObject({
      name: 'Spring Cup',
      price_per_photo: 4.5,
      target_goal: 1200,
      photos_by: 'hawks',
      active: true,
      display_watermark: true,
      gallery_photo: [],
    });
    expect(made.contribute_key).toMatch(/^[\w-]{22}$/);
    expect(made.id).toBeGreaterThan(2 ** 40);
    const stored = await server.data.ownerQuery('select key_encrypted from contribute_keys where gallery_id = $1', [
      made.id,
    ]);
    expect(JSON.stringify(stored)).not.toContain(made.contribute_key);
  });

  test('and sees every problem', async () => {
    const answer = await create(people.tokens.owner, {
      organization_id: people.hawks.id,
      name: ' ',
      price_per_photo: null,
      password_required: true,
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      errors: {
        name: [GALLERY_NAME_REQUIRED],
        price_per_photo: [PRICE_REQUIRED],
        password: [GALLERY_PASSWORD_REQUIRED],
      },
    });
  });

  test('but not without a session, and not in another club', async () => {
    const gallery = { organization_id: people.hawks.id, name: 'X', price_per_photo: 1 };
    expect((await create(null, gallery)).statusCode).toBe(401);
    expect((await create(people.tokens.neighbor, gallery)).statusCode).toBe(404);
    expect((await create(people.tokens.foreigner, gallery)).statusCode).toBe(404);
    expect((await create(people.tokens.parentMember, gallery)).statusCode).toBe(201);
    expect((await create(people.tokens.owner, { ...gallery, organization_id: 999_999 })).statusCode).toBe(404);
  });

  test('but on the free plan only one, even with twenty simultaneous requests', async () => {
    const { tides, tokens } = await settleAnother(server);
    const gallery = { organization_id: tides.id, name: 'Meet', price_per_photo: 2 };
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(tokens.neighbor, gallery)));
    expect(answers.filter((answer) => answer.statusCode === 201)).toHaveLength(1);
    const refused = answers.filter((answer) => answer.statusCode === 403);
    expect(refused).toHaveLength(19);
    expect(refused[0]?.json()).toMatchObject({ error: UPGRADE_FOR_MORE_GALLERIES });
    const rows = await server.data.ownerQuery<{ count: number }>(
      'select count(*) as count from galleries where organization_id = $1 and active',
      [tides.id],
    );
    expect(rows[0]?.count).toBe(1);
  });
});

describe('an owner changes a gallery', () => {
  let id: number;
  beforeEach(async () => {
    id = await openGallery(server, people.tokens.owner, people.hawks.id, {
      password_required: true,
      password: 'goalkeeper',
    });
  });

  test('only in the fields sent, and in none of the server’s own (threat 14)', async () => {
    const before = await rowOf(id);
    const answer = await change(people.tokens.owner, id, {
      id: 5,
      organization_id: people.tides.id,
      contribute_key: 'mine',
      sales_rev: 99,
      created_at: 'now',
      photo_count: 7,
      price_per_photo: 2.5,
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json<GalleryAnswer[]>()).toHaveLength(1);
    const after = await rowOf(id);
    expect({ ...after, price_cents: null, updated_at: null }).toEqual({
      ...before,
      price_cents: null,
      updated_at: null,
    });
    expect(after?.['price_cents']).toBe(250);
  });

  test('and keeps the password when it is sent blank or the same, and raises its version when it is new', async () => {
    for (const changes of [
      { password: '' },
      { password: null, password_required: true },
      { password: 'goalkeeper', password_required: true },
    ])
      expect((await change(people.tokens.owner, id, changes)).json<GalleryAnswer[]>()[0]?.password).toBe('goalkeeper');
    expect((await rowOf(id))?.['password_version']).toBe(1);
    expect((await change(people.tokens.owner, id, { password: 'corner' })).json<GalleryAnswer[]>()[0]?.password).toBe(
      'corner',
    );
    expect((await rowOf(id))?.['password_version']).toBe(2);
    expect(String((await rowOf(id))?.['password_encrypted'])).not.toContain('corner');
  });

  test('and sees that its password is blank, together with all other errors', async () => {
    const answer = await change(people.tokens.owner, id, { name: '', password_required: true, password: ' ' });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      errors: { name: [GALLERY_NAME_REQUIRED], password: [GALLERY_PASSWORD_REQUIRED] },
    });
  });

  test('and must send a password where one is required and none is stored', async () => {
    const open = await openGallery(server, people.tokens.owner, people.hawks.id);
    const answer = await change(people.tokens.owner, open, { password_required: true, password: '' });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      error: GALLERY_PASSWORD_REQUIRED,
      errors: { password: [GALLERY_PASSWORD_REQUIRED] },
    });
    expect((await rowOf(open))?.['password_required']).toBe(false);
  });

  test('but not as another organization, nor with unknown fields beside the gallery', async () => {
    expect((await change(people.tokens.neighbor, id, { name: 'Stolen' })).statusCode).toBe(404);
    expect(
      (
        await server.call({
          method: 'PUT',
          url: `/api/v1/galleries/${id}`,
          as: people.tokens.owner,
          payload: { gallery: {}, admin: true },
        })
      ).statusCode,
    ).toBe(422);
    expect(
      (
        await server.call({
          method: 'PUT',
          url: `/api/v1/galleries/${id}`,
          as: people.tokens.owner,
          payload: '{"gallery":',
          headers: { 'content-type': 'application/json' },
        })
      ).statusCode,
    ).toBe(400);
  });
});

describe('a deleted gallery', () => {
  test('is gone for everyone but its members, who can only read it; deleting it again changes nothing', async () => {
    const id = await openGallery(server, people.tokens.owner, people.hawks.id, { name: 'Old Season' });
    await addReadyPhoto(server, { id, organizationId: people.hawks.id });
    expect((await inactivate(people.tokens.neighbor, id)).statusCode).toBe(404);
    for (let time = 0; time < 2; time++) {
      const answer = await inactivate(people.tokens.owner, id);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject([{ id, active: false }]);
    }
    expect((await full(null, id)).statusCode).toBe(404);
    expect((await full(people.tokens.neighbor, id)).statusCode).toBe(404);
    expect((await full(people.tokens.owner, id)).json()).toMatchObject([
      { active: false, gallery_photo: [{ name: 'Photo' }] },
    ]);
    for (const answer of [
      await change(people.tokens.owner, id, { active: true }),
      await change(people.tokens.owner, id, { name: 'Back' }),
    ]) {
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toMatchObject({ error: GALLERY_IS_DELETED });
    }
  });

  test('is restored by a platform admin, within the plan', async () => {
    const { tides, tokens } = await settleAnother(server);
    const id = await openGallery(server, tokens.neighbor, tides.id);
    await inactivate(tokens.neighbor, id);
    expect((await change(tokens.admin, id, { active: true })).json()).toMatchObject([{ active: true }]);
    const [second] = await server.data.ownerQuery<{ id: number }>(
      "insert into galleries (organization_id, name, price_cents, active) values ($1, 'Second', 200, false) returning id",
      [tides.id],
    );
    const answer = await change(tokens.admin, second?.id ?? 0, { active: true });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ error: UPGRADE_FOR_MORE_GALLERIES });
    expect((await rowOf(second?.id ?? 0))?.['active']).toBe(false);
  });
});

describe('galleries in lists', () => {
  let ids: Record<'open' | 'private' | 'locked' | 'empty', number>;
  beforeAll(async () => {
    const open = (fields: Record<string, unknown>) =>
      openGallery(server, people.tokens.foreigner, people.stranger.id, fields);
    ids = {
      open: await open({ name: 'Été 100% Final' }),
      private: await open({ name: 'Board', is_private: true }),
      locked: await open({ name: 'Portraits', password_required: true, password: 'x1' }),
      empty: await open({ name: 'Empty' }),
    };
    for (const id of [ids.open, ids.private, ids.locked])
      for (let count = 0; count < 7; count++)
        await addReadyPhoto(
          server,
          { id, organizationId: people.stranger.id },
          { name: `P${count}`, shown: count !== 6 },
        );
  });

  async function listed(
    as: string | null,
    options: Parameters<typeof server.app.galleryLists.listForOrganization>[2] = {},
  ) {
    const actor = await server.app.accounts.actorOf(as);
    const caller = { actor, visitorId: null, unlocks: new Map<number, string>(), ip: '203.0.113.1' };
    return server.app.galleryLists.listForOrganization(
      caller,
      { organizationId: people.stranger.id, parentOrganizationId: null },
      options,
    );
  }

  test('shown to visitors are active, listed and have public photos; locked ones have no picture', async () => {
    const { galleries, total, next } = await listed(null);
    expect(galleries.map((gallery) => gallery.id)).toEqual([ids.locked, ids.open]);
    expect(total).toBe(2);
    expect(next).toBeNull();
    const [locked, open] = galleries.map((gallery) => listedGallery.parse(gallery));
    expect(locked).toMatchObject({ preview: [], password: null, contribute_key: null, photo_count: 6 });
    expect(open?.preview).toHaveLength(5);
    expect(JSON.stringify(galleries)).not.toContain('P6');
  });

  test('shown to members are all active ones, with private fields', async () => {
    const { galleries } = await listed(people.tokens.foreigner);
    expect(new Set(galleries.map((gallery) => gallery.id))).toEqual(new Set(Object.values(ids)));
    const locked = galleries.find((gallery) => gallery.id === ids.locked);
    expect(locked).toMatchObject({ password: 'x1', photo_count: 7 });
    expect(locked?.contribute_key).toMatch(/^[\w-]{22}$/);
    expect(await listed(people.tokens.foreigner, { asVisitor: true })).toEqual(await listed(null));
  });

  test('come in pages without gaps or repetition', async () => {
    const seen: number[] = [];
    for (let after: string | null = null; ;) {
      const page: { galleries: ListedGallery[]; next: string | null } = await listed(people.tokens.foreigner, {
        after,
        limit: 1,
      });
      seen.push(...page.galleries.map((gallery) => gallery.id));
      after = page.next;
      if (after === null) break;
    }
    expect(seen).toEqual((await listed(people.tokens.foreigner)).galleries.map((gallery) => gallery.id));
    await expect(listed(null, { after: 'x' })).rejects.toMatchObject({ code: 'invalid' });
  });

  test.each([
    ['ete', 1],
    ['FINAL', 1],
    ['100%', 1],
    ['%', 1],
    ['_', 0],
    ['\\', 0],
    ['(.*)', 0],
    ["'; drop table galleries; --", 0],
    ['x'.repeat(10_000), 0],
  ])('are searched literally for %j', async (search, count) => {
    expect((await listed(null, { search })).galleries).toHaveLength(count);
  });

  test('carry all photos as JSON text for members, and for no one else (threat 13)', async () => {
    const page = (as: string | null, query: string) =>
      server.call({ method: 'GET', url: `/api/v1/affiliates/${people.stranger.id}/galleries${query}`, as });
    const answer = await page(people.tokens.foreigner, '?page=1&perPage=10');
    expect(answer.statusCode).toBe(200);
    const galleries = answer.json<PagedGallery[]>().map((gallery) => pagedGallery.parse(gallery));
    expect(galleries).toHaveLength(4);
    const photos = JSON.parse(
      galleries.find((gallery) => gallery.id === ids.open)?.gallery_photo ?? '',
    ) as PhotoAnswer[];
    expect(photos.map((photo) => photo.sequence_index)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect((await page(people.tokens.foreigner, '?page=2')).json()).toEqual([]);
    expect((await page(people.tokens.foreigner, '?page=1000000000&perPage=10000')).json()).toEqual([]);
    for (const query of ['?page=0', '?page=-1', '?page=abc', '?perPage=0'])
      expect((await page(people.tokens.foreigner, query)).statusCode, query).toBe(422);
    expect((await page(people.tokens.owner, '')).statusCode).toBe(404);
    expect((await page(null, '')).statusCode).toBe(401);
  });
});

test('ids cannot be enumerated: a user who tries thousands near their own finds nothing (threat 6)', async () => {
  const own = await openGallery(server, people.tokens.owner, people.hawks.id, { is_private: true });
  for (let step = 1; step <= 60; step++) expect((await full(null, own + step)).statusCode).toBe(404);
  for (const id of ['abc', '-1', '0', '1.5', '1e3', '01', '9223372036854775808', '9'.repeat(150), '..%2f..']) {
    expect((await server.call({ method: 'GET', url: `/api/v1/galleries/${id}/full` })).statusCode, id).toBe(404);
  }
});
