import { expect, test, vi } from 'vitest';
import { createRevisions, type Made } from '#src/features/tenancy/revisions.service.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
let organizations = 1_000_000;

/** A new organization, and its recorded changes. */
function openBooks() {
  const organizationId = ++organizations;
  const revisions = createRevisions({ database: db.database });
  const note = (galleryId = 0, times = 1) =>
    db.ownerQuery('insert into page_changes (organization_id, gallery_id) select $1, $2 from generate_series(1, $3)', [
      organizationId,
      galleryId,
      times,
    ]);
  const subjects = [{ organizationId, galleryId: 0 }];
  const count = async () =>
    (await db.ownerQuery('select from page_changes where organization_id = $1', [organizationId])).length;
  return { organizationId, revisions, note, subjects, count };
}

test('a revision stays the same until a change is recorded, and is never an earlier one', async () => {
  const { revisions, note, subjects } = openBooks();
  const seen = new Set<string>();
  for (let changes = 0; changes < 5; changes++) {
    const revision = await revisions.revisionOf(subjects);
    expect(await revisions.revisionOf(subjects)).toBe(revision);
    expect(seen.has(revision)).toBe(false);
    seen.add(revision);
    await note();
  }
});

test('a gallery, the organization itself, and all its galleries are separate subjects', async () => {
  const { organizationId, revisions, note } = openBooks();
  const read = () =>
    Promise.all([0, 7, 8, null].map((galleryId) => revisions.revisionOf([{ organizationId, galleryId }])));
  const before = await read();
  await note(7);
  const after = await read();
  expect(after.map((revision, at) => revision !== before[at])).toEqual([false, true, false, true]);
});

test('many records are compacted into one, which counts as a change, too', async () => {
  const { organizationId, revisions, note, subjects, count } = openBooks();
  await note(7, 150);
  await note(0, 201);
  const before = await revisions.revisionOf(subjects);
  await expect.poll(count).toBe(1);
  expect(await revisions.revisionOf(subjects)).not.toBe(before);
  expect(await revisions.revisionOf([{ organizationId, galleryId: 7 }])).not.toBe('');
});

test('many records without a reader are compacted at night', async () => {
  const { revisions, note, subjects, count } = openBooks();
  const few = openBooks();
  await note(7, 201);
  await few.note(7, 200);
  const before = await db.ownerQuery<{ ids: string }>('select max(id)::text as ids from page_changes');
  expect(await revisions.sweep()).toBe(1);
  expect([await count(), await few.count()]).toEqual([1, 200]);
  const after = await db.ownerQuery<{ ids: string }>('select max(id)::text as ids from page_changes');
  expect(after, 'a change of its own').not.toEqual(before);
  expect(await revisions.revisionOf(subjects)).not.toBe('0');
  expect(await revisions.sweep()).toBe(0);
});

test('a value is made once to learn its subjects, once to be cached, and again after a change', async () => {
  const { revisions, note, subjects } = openBooks();
  const cache = revisions.createCache<number>(10_000);
  let made = 0;
  const get = () => cache('page', async (): Promise<Made<number>> => ({ value: ++made, subjects, bytes: 10 }));
  expect([await get(), await get(), await get(), await get()]).toEqual([1, 2, 2, 2]);
  await note();
  expect([await get(), await get()]).toEqual([3, 3]);
});

test('a caller who has read the revisions need not wait for them, and many records are compacted all the same', async () => {
  const { revisions, note, subjects, count } = openBooks();
  const cache = revisions.createCache<number>(10_000);
  let made = 0;
  const get = (revision: string) =>
    cache('page', async (): Promise<Made<number>> => ({ value: ++made, subjects, bytes: 10 }), [
      { revision, changes: 201 },
    ]);
  await note(0, 201);
  expect([await get('1'), await get('1'), await get('1'), await get('2')]).toEqual([1, 2, 2, 3]);
  await expect.poll(count).toBe(1);
});

test('a change while a value is made is not missed', async () => {
  const { revisions, note, subjects } = openBooks();
  const cache = revisions.createCache<string>(10_000);
  let truth = 'old';
  const change = async () => {
    truth = 'new';
    await note();
  };
  let meanwhile = async () => {};
  const get = () =>
    cache('page', async () => {
      const value = truth;
      await meanwhile();
      return { value, subjects, bytes: 10 };
    });
  await get();
  meanwhile = change;
  expect(await get()).toBe('old');
  meanwhile = async () => {};
  expect([await get(), await get()]).toEqual(['new', 'new']);
});

test('simultaneous callers wait for one new value after a change', async () => {
  const { revisions, subjects } = openBooks();
  const cache = revisions.createCache<number>(10_000);
  let made = 0;
  const get = () => cache('page', async () => ({ value: ++made, subjects, bytes: 10 }));
  await get();
  expect(await Promise.all([get(), get(), get()])).toEqual([2, 2, 2]);
});

test('simultaneous callers wait for one new value after half a minute', async () => {
  const { revisions, subjects } = openBooks();
  const cache = revisions.createCache<number>(10_000);
  let made = 0;
  const get = () => cache('page', async () => ({ value: ++made, subjects, bytes: 10 }));
  expect([await get(), await get(), await get()]).toEqual([1, 2, 2]);
  const now = performance.now();
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now + 30_001);
  try {
    expect(await Promise.all([get(), get(), get()])).toEqual([3, 3, 3]);
  } finally {
    later.mockRestore();
  }
});

test('cached values end at midnight in every time zone: with the quarter of an hour', async () => {
  const { revisions, subjects } = openBooks();
  const cache = revisions.createCache<number>(10_000);
  let made = 0;
  const get = () => cache('page', async () => ({ value: ++made, subjects, bytes: 10 }));
  const [day, now] = [vi.spyOn(Date, 'now'), performance.now()];
  // Ten seconds before midnight in Kathmandu.
  day.mockImplementation(() => Date.UTC(2026, 9, 11, 18, 14, 50));
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    expect([await get(), await get(), await get()]).toEqual([1, 2, 2]);
    later.mockImplementation(() => now + 9_999);
    expect(await get()).toBe(2);
    later.mockImplementation(() => now + 10_000);
    expect(await get()).toBe(3);
  } finally {
    later.mockRestore();
    day.mockRestore();
  }
});

test('what must not be cached is made for each caller', async () => {
  const { revisions, subjects } = openBooks();
  const cache = revisions.createCache<number>(10_000);
  let made = 0;
  let mayBeKept = true;
  const get = () => cache('page', async () => ({ value: ++made, subjects: mayBeKept ? subjects : null, bytes: 10 }));
  await get();
  mayBeKept = false;
  const values = await Promise.all([get(), get(), get()]);
  expect(new Set(values).size).toBe(3);
  expect(await get()).not.toBe(await get());
});

test('a value with other subjects than the last time is not validated by the old ones', async () => {
  const { revisions, note, subjects } = openBooks();
  const others = openBooks();
  const cache = revisions.createCache<number>(10_000);
  let made = 0;
  const get = (own = subjects) => cache('page', async () => ({ value: ++made, subjects: own, bytes: 10 }));
  await get();
  await get(others.subjects);
  await others.note();
  await note();
  expect([await get(others.subjects), await get(others.subjects)]).toEqual([3, 3]);
});
