import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();

describe('the second wall', () => {
  it('works', async () => {
    expect(
      await db.database.read({ kind: 'public' }, (d) => d.selectFrom('organizations').select(['id', 'name']).execute()),
    ).toEqual([{ id: 1, name: 'Sideline' }]);
    expect(
      await db.database.read({ kind: 'public' }, (d) => d.selectFrom('organization_private').selectAll().execute()),
    ).toEqual([]);
    expect(
      await db.database.read({ kind: 'tenants', organizationIds: [1] }, (d) =>
        d.selectFrom('organization_private').select('organization_id').execute(),
      ),
    ).toEqual([{ organization_id: 1 }]);
    await expect(
      db.database.read({ kind: 'system', why: 'test' }, (d) => sql`delete from users`.execute(d)),
    ).rejects.toMatchObject({ code: '25006' });
  });
});
