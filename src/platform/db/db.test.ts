import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Scope, scopeText } from '#src/platform/db/db.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const PUBLIC: Scope = { kind: 'public' };
const SYSTEM: Scope = { kind: 'system', why: 'test' };
const ofTenant = (...organizationIds: number[]): Scope => ({ kind: 'tenants', organizationIds });

describe('row-level security', () => {
  let hawks: number;
  let tides: number;
  let hawksGallery: number;
  let tidesGallery: number;

  beforeAll(async () => {
    const organizations = await db.ownerQuery<{ id: number }>(
      `insert into organizations (kind, name, domain_name, parent_organization_id)
       values ('affiliate', 'Hawks', 'hawks', 1), ('affiliate', 'Tides', 'tides', 1) returning id`,
    );
    [hawks, tides] = organizations.map(({ id }) => id) as [number, number];
    await db.ownerQuery('insert into organization_private (organization_id, tax_id) values ($1, $2), ($3, $4)', [
      hawks,
      'hawks-tax',
      tides,
      'tides-tax',
    ]);
    [hawksGallery, tidesGallery] = (await Promise.all([galleryOf(hawks), galleryOf(tides)])) as [number, number];
    for (const [organization, gallery] of [
      [hawks, hawksGallery],
      [tides, tidesGallery],
    ]) {
      for (const [name, status, isShown, removedAt] of [
        ['shown', 'ready', true, null],
        ['hidden', 'ready', false, null],
        ['processing', 'processing', true, null],
        ['removed', 'ready', true, new Date()],
      ]) {
        await db.ownerQuery(
          `insert into photos (gallery_id, organization_id, name, status, show_in_gallery, removed_at, order_key,
                               width, height, thumbhash, original_key, original_sha256, original_bytes)
           values ($1, $2, $3, $4, $5, $6, 'a0', 10, 10, '\\x00', 'originals/x', 'x', 1)`,
          [gallery, organization, name, status, isShown, removedAt],
        );
      }
    }
  });

  async function galleryOf(organization: number): Promise<number | undefined> {
    const rows = await db.ownerQuery<{ id: number }>(
      "insert into galleries (organization_id, name, price_cents) values ($1, 'Cup', 400) returning id",
      [organization],
    );
    return rows[0]?.id;
  }

  async function photosSeenBy(scope: Scope): Promise<string[]> {
    const rows = await db.database.read(scope, (reader) =>
      reader
        .selectFrom('photos')
        .innerJoin('organizations', 'organizations.id', 'photos.organization_id')
        .select(['photos.name', 'organizations.name as organization'])
        .execute(),
    );
    return rows.map((row) => `${row.organization} ${row.name}`).toSorted();
  }

  it('shows visitors public photos only', async () => {
    expect(await photosSeenBy(PUBLIC)).toEqual(['Hawks shown', 'Tides shown']);
    expect(await photosSeenBy(ofTenant())).toEqual(['Hawks shown', 'Tides shown']);
  });

  it('shows a tenant all of its own photos and only the public ones of others', async () => {
    expect(await photosSeenBy(ofTenant(hawks))).toEqual([
      'Hawks hidden',
      'Hawks processing',
      'Hawks removed',
      'Hawks shown',
      'Tides shown',
    ]);
  });

  it('shows the system everything', async () => {
    expect(await photosSeenBy(SYSTEM)).toHaveLength(8);
    expect(await photosSeenBy(ofTenant(hawks, tides))).toHaveLength(8);
  });

  it.each([
    'organization_private',
    'contribute_keys',
    'gallery_contributors',
    'uploads',
    'orders',
    'order_photos',
    'payment_attempts',
  ] as const)('shows visitors nothing of %s', async (table) => {
    const count = sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`;
    expect((await db.database.read(PUBLIC, (reader) => count.execute(reader))).rows).toEqual([{ rows: 0 }]);
  });

  it('shows a tenant its own private row and not the one of another', async () => {
    const rows = await db.database.read(ofTenant(hawks), (reader) =>
      reader.selectFrom('organization_private').select('tax_id').execute(),
    );
    expect(rows).toEqual([{ tax_id: 'hawks-tax' }]);
  });

  it("keeps another tenant's rows unchanged, visible or not", async () => {
    const changed = await db.database.write(ofTenant(hawks), (tx) =>
      tx.updateTable('photos').set({ name: 'mine now' }).where('gallery_id', '=', tidesGallery).executeTakeFirst(),
    );
    expect(changed.numUpdatedRows).toBe(0n);
    const own = await db.database.write(ofTenant(hawks), (tx) =>
      tx.updateTable('photos').set({ problem: null }).where('gallery_id', '=', hawksGallery).executeTakeFirst(),
    );
    expect(own.numUpdatedRows).toBe(4n);
  });

  it.each([
    ['a neighbor', () => ofTenant(hawks)],
    ['a stranger', () => PUBLIC],
  ])('lets %s insert nothing', async (_who, scope) => {
    const insert = db.database.write(scope(), (tx) =>
      tx.insertInto('galleries').values({ organization_id: tides, name: 'Theirs', price_cents: 0 }).execute(),
    );
    await expect(insert).rejects.toMatchObject({ code: '42501' });
  });

  it('does not let a tenant move a row to another tenant', async () => {
    const gift = db.database.write(ofTenant(hawks), (tx) =>
      tx.updateTable('galleries').set({ organization_id: tides }).where('id', '=', hawksGallery).execute(),
    );
    await expect(gift).rejects.toMatchObject({ code: '42501' });
  });

  it('forgets a scope when its transaction ends', async () => {
    const single = await openDatabase({ url: db.appUrl, applicationName: 'single', maxConnections: 1 });
    try {
      const count = () =>
        single.read(PUBLIC, (reader) => reader.selectFrom('organization_private').selectAll().execute());
      await single.read(SYSTEM, (reader) => reader.selectFrom('organization_private').selectAll().execute());
      expect(await count()).toEqual([]);
      await expect(single.write(SYSTEM, (tx) => sql`select 1 / 0`.execute(tx))).rejects.toMatchObject({
        code: '22012',
      });
      expect(await count()).toEqual([]);
    } finally {
      await single.close();
    }
  });

  it.each([
    'create table mine (id int)',
    'alter table photos disable row level security',
    'drop policy photos_scope on photos',
    'set role sideline_owner',
    "insert into schema_migrations (name, checksum) values ('x', 'x')",
    'truncate photo_likes',
    "copy organizations to program 'cat'",
    "select pg_read_file('postgresql.conf')",
  ])('does not let the app role run: %s', async (statement) => {
    await expect(db.database.write(SYSTEM, (tx) => sql.raw(statement).execute(tx))).rejects.toMatchObject({
      code: expect.stringMatching(/^(42501|42P01)$/) as string,
    });
  });

  it.each([
    ['the owner of the tables', () => db.ownerUrl],
    ['a superuser', () => db.superUrl],
  ])('refuses to open as %s, because no policy would apply', async (_who, url) => {
    await expect(openDatabase({ url: url(), applicationName: 'test' })).rejects.toThrow(
      'is not bound by row-level security',
    );
  });

  it('opens for a user with more rights, who assumes the app role', async () => {
    const opened = await openDatabase({ url: db.superUrl, role: 'sideline_app', applicationName: 'test' });
    try {
      expect(
        await opened.read(PUBLIC, (reader) => reader.selectFrom('organization_private').selectAll().execute()),
      ).toEqual([]);
    } finally {
      await opened.close();
    }
  });
});

describe('scopeText', () => {
  it.each([
    [PUBLIC, ''],
    [SYSTEM, '*'],
    [ofTenant(12, 15), '12,15'],
    [ofTenant(), ''],
  ])('of %j is "%s"', (scope, text) => expect(scopeText(scope)).toBe(text));

  it.each([[0], [-1], [1.5], [Number.NaN], [2 ** 53], ['1' as unknown as number], ["*'; drop" as unknown as number]])(
    'refuses %s for an id',
    (id) => expect(() => scopeText(ofTenant(id))).toThrow(RangeError),
  );
});

describe('reading and writing', () => {
  it('returns bigints and counts as numbers, and refuses one that a number cannot hold', async () => {
    const ask = (text: string) =>
      db.database.read(PUBLIC, (reader) => sql.raw<{ n: unknown }>(`select ${text} as n`).execute(reader));
    expect((await ask('9007199254740991::bigint')).rows).toEqual([{ n: Number.MAX_SAFE_INTEGER }]);
    expect((await ask('array[1, null, 3]::bigint[]')).rows).toEqual([{ n: [1, null, 3] }]);
    expect((await ask("date '2026-02-28'")).rows).toEqual([{ n: '2026-02-28' }]);
    expect((await ask("'Ab'::citext")).rows).toEqual([{ n: 'Ab' }]);
    await expect(ask('9007199254740992::bigint')).rejects.toThrow(RangeError);
  });

  it('never writes inside a read', async () => {
    const sneaky = db.database.read(SYSTEM, (reader) => sql`delete from users`.execute(reader));
    await expect(sneaky).rejects.toMatchObject({ code: '25006' });
  });

  it('keeps nothing of a write that fails at its end', async () => {
    const note = (id: string) =>
      db.database.write(SYSTEM, async (tx) => {
        await tx.insertInto('audit_log').values({ action: id, object_type: 't', object_id: '1' }).execute();
        if (id === 'bad') throw new Error('changed my mind');
      });
    await note('good');
    await expect(note('bad')).rejects.toThrow('changed my mind');
    expect(await db.ownerQuery("select action from audit_log where action in ('good', 'bad')")).toEqual([
      { action: 'good' },
    ]);
  });

  it('rejects when an error inside was caught, because nothing was committed', async () => {
    const swallowed = db.database.write(SYSTEM, async (tx) => {
      await sql`select 1 / 0`.execute(tx).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('rolled back');
  });

  it('sends statements of a transaction together when they start together', async () => {
    const answers = await db.database.write(SYSTEM, (tx) =>
      Promise.all([1, 2, 3].map((n) => sql<{ n: number }>`select ${n}::int as n`.execute(tx))),
    );
    expect(answers.map(({ rows }) => rows[0]?.n)).toEqual([1, 2, 3]);
  });

  it('receives notices from another process', async () => {
    const other = await openDatabase({ url: db.appUrl, applicationName: 'other' });
    try {
      const heard: string[] = [];
      const stop = await db.database.listen('test channel', (payload) => heard.push(payload));
      await other.notify('test channel', 'first');
      await expect.poll(() => heard).toEqual(['first']);
      await stop();
      await other.notify('test channel', 'second');
      await other.notify('test channel', 'third');
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(heard).toEqual(['first']);
    } finally {
      await other.close();
    }
  });
});

describe('the tables of the ledger', () => {
  async function post(amounts: number[]): Promise<void> {
    await db.database.write(SYSTEM, async (tx) => {
      const posting = await tx
        .insertInto('ledger_txs')
        .values({ kind: 'test', source_type: 'test', source_id: crypto.randomUUID() })
        .returning('id')
        .executeTakeFirstOrThrow();
      const account = await tx
        .insertInto('ledger_accounts')
        .values({ kind: 'bank', organization_id: null })
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'kind', 'currency']).doUpdateSet({ kind: 'bank' }),
        )
        .returning('id')
        .executeTakeFirstOrThrow();
      for (const amount of amounts) {
        await tx
          .insertInto('ledger_entries')
          .values({ tx_id: posting.id, account_id: account.id, amount_cents: amount })
          .execute();
      }
    });
  }

  it('accept a posting that balances', async () => {
    await expect(post([450, -450])).resolves.toBeUndefined();
    await expect(post([100, -60, -40])).resolves.toBeUndefined();
  });

  it.each([
    ['that does not balance', [450, -449]],
    ['with one entry', [450]],
    ['without entries', []],
    ['with an entry of nothing', [450, -450, 0]],
  ])('refuse a posting %s', async (_what, amounts) => {
    await expect(post(amounts)).rejects.toMatchObject({ code: '23514' });
  });

  it.each([
    'update ledger_entries set amount_cents = 1',
    'delete from ledger_txs',
    'truncate ledger_entries',
    'delete from audit_log',
  ])('are append-only: %s', async (statement) => {
    await expect(db.database.write(SYSTEM, (tx) => sql.raw(statement).execute(tx))).rejects.toMatchObject({
      code: '42501',
    });
    await expect(db.ownerQuery(statement)).rejects.toMatchObject({ code: '42501' });
  });
});
