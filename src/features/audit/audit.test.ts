/** The audit log: written with the deed, read by those it concerns, changed by nobody. */
import { beforeAll, expect, test } from 'vitest';
import type { AuditPage } from '#src/features/audit/audit.contract.ts';
import { settleNeighbourhood, type Neighbourhood } from '#tests/support/neighbourhood.ts';
import { useTestHouse } from '#tests/support/test-house.ts';

const house = useTestHouse();
let people: Neighbourhood;

const note = (organizationId: number | null, objectId: string) =>
  house.platform.database.write(
    { kind: 'tenants', organizationIds: organizationId === null ? [] : [organizationId] },
    (tx) =>
      house.app.audit.record(tx, {
        actorId: null,
        organizationId,
        action: 'thing.done',
        objectType: 'thing',
        objectId,
        details: { to: 'this' },
        ip: '2001:db8:0:1::/64',
      }),
  );

const read = async (as: string | null, query = '') => {
  const answer = await house.call({
    method: 'GET',
    url: `/api/v1/affiliates/${people.hawks.id}/audit_log${query}`,
    as,
  });
  return { status: answer.statusCode, page: answer.json<AuditPage>() };
};

beforeAll(async () => {
  people = await settleNeighbourhood(house);
  for (const objectId of ['1', '2', '3']) await note(people.hawks.id, objectId);
  await note(people.tides.id, 'of a neighbour');
  await note(null, 'of nobody');
});

test('members, the parent’s members and platform admins read it, the newest first and page by page', async () => {
  for (const token of [people.tokens.owner, people.tokens.parentMember, people.tokens.admin]) {
    const first = await read(token, '?limit=2');
    expect(first.status).toBe(200);
    expect(first.page.entries.map((entry) => entry.object_id)).toEqual(['3', '2']);
    expect(first.page.entries[0]).toMatchObject({ action: 'thing.done', details: { to: 'this' }, actor: null });
    const second = await read(token, `?limit=2&after=${first.page.next}`);
    expect(second.page.entries.map((entry) => entry.object_id)).toEqual(['1']);
    expect(second.page.next).toBeNull();
  }
});

test('it is found by the thing it tells of', async () => {
  const { page } = await read(people.tokens.owner, '?object_type=thing&object_id=2');
  expect(page.entries.map((entry) => entry.object_id)).toEqual(['2']);
});

test('addresses are told to platform admins only', async () => {
  expect((await read(people.tokens.owner)).page.entries[0]?.ip).toBeNull();
  expect((await read(people.tokens.admin)).page.entries[0]?.ip).toBe('2001:db8:0:1::/64');
});

test('it is closed to strangers, neighbours and foreigners, and nonsense is refused', async () => {
  expect((await read(null)).status).toBe(401);
  expect((await read(people.tokens.neighbour)).status).toBe(404);
  expect((await read(people.tokens.foreigner)).status).toBe(404);
  expect((await read(people.tokens.owner, '?after=x')).status).toBe(422);
  expect((await read(people.tokens.owner, '?limit=0')).status).toBe(422);
});

test('a deed that fails leaves no line', async () => {
  const failing = house.platform.database.write({ kind: 'tenants', organizationIds: [people.hawks.id] }, async (tx) => {
    await house.app.audit.record(tx, {
      actorId: null,
      organizationId: people.hawks.id,
      action: 'thing.failed',
      objectType: 'thing',
      objectId: '4',
    });
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect((await read(people.tokens.owner, '?object_id=4')).page.entries).toEqual([]);
});
