/**
 * Triggers record each change of what visitors see in the transaction that makes it. A revision is computed from these records,
 * and a cached value is valid while its revision is the same: other processes need no notification, and hidden things are
 * hidden immediately (decision record 0056).
 */
import { LRUCache } from 'lru-cache';
import type { FoundRevision } from '#src/features/tenancy/revisions.rules.ts';
import { findRevisions, compactChanges, compactLongLists, type Subject } from '#src/features/tenancy/revisions.sql.ts';
import { batchLoader } from '#src/platform/db/batch-loader.ts';
import { PUBLIC, type Database, type Reader, type Scope } from '#src/platform/db/db.ts';

/** A value, its subjects, and its size in memory. `subjects` is null if it must not be cached. */
export type Made<Value> = { value: Value; subjects: readonly Subject[] | null; bytes: number };

/** Makes a value. `shared`: its subjects of the last time, if everyone may get this value; null: only this caller. */
type Make<Value> = (shared: readonly Subject[] | null) => Promise<Made<Value>>;

/** The cached or newly made value of a key. `found`: the revisions of its subjects, if the caller has just read them. */
type CachedRead<Value> = (key: string, make: Make<Value>, found?: readonly FoundRevision[]) => Promise<Value>;

/** `until`: by the process's own clock, in milliseconds. */
type Entry<Value> = Made<Value> & { subjects: readonly Subject[]; revision: string | null; until: number };

const COMPACTING: Scope = { kind: 'system', why: 'records of changes belong to no organization and contain no data' };
/** A revision computed from more rows is compacted into one row. */
const MOST_CHANGES = 200;
const COMPACTED_AT_A_TIME = 100;
const ENTRY_BYTES = 300;
/** Half of a statement's cost is waking the database, so waiting a little for more callers pays off. */
const WAIT_MS = 4;
/** Values that services cache themselves (the count of found photos, for half a minute) get at most twice as old. */
const CACHED_MS = 30_000;
/**
 * Midnight in every time zone is at the end of a quarter of an hour: cached values end there, because offers may end with the
 * day.
 */
const QUARTER_MS = 15 * 60_000;

/** How long a value made now is cached, by the process's own clock. */
const cachedUntil = () => performance.now() + Math.min(CACHED_MS, QUARTER_MS - (Date.now() % QUARTER_MS));

export type Revisions = ReturnType<typeof createRevisions>;

export function createRevisions({ database }: { database: Database }) {
  const compacting = new Set<number>();

  function compact(organizationId: number): void {
    if (compacting.has(organizationId)) return;
    compacting.add(organizationId);
    database
      .write(COMPACTING, (tx) => compactChanges(tx, organizationId))
      // The next reader tries again; until then reading is slower, but correct.
      .catch(() => undefined)
      .finally(() => compacting.delete(organizationId));
  }

  function compactIfLong({ organizationId }: Subject, found: FoundRevision | undefined): void {
    if ((found?.changes ?? 0) > MOST_CHANGES) compact(organizationId);
  }

  /** One statement for all simultaneous callers, as fresh as if each had read alone. */
  const revisionOf = batchLoader(
    async (lists: readonly (readonly Subject[])[]) => {
      const subjects = new Map(lists.flat().map((subject) => [writeSubject(subject), subject]));
      const found = await database.read(PUBLIC, (db) => findRevisions(db, [...subjects.values()]));
      const revisions = new Map([...subjects].map(([text], at) => [text, found[at]?.revision ?? '']));
      for (const [at, subject] of [...subjects.values()].entries()) compactIfLong(subject, found[at]);
      return lists.map((list) => list.map((subject) => revisions.get(writeSubject(subject))).join());
    },
    { waitMs: WAIT_MS },
  );

  /**
   * The replica has all changes of these subjects; if the value turns out to have other subjects, it is made from the primary.
   */
  async function makeWithReplica<Value>(subjects: readonly Subject[], revision: string, make: Make<Value>) {
    const made = await database.withReplica(
      (db) => hasRevision(db, subjects, revision),
      () => make(subjects),
    );
    const isProven = made.subjects !== null && sameSubjects(made.subjects, subjects);
    return isProven || database.replicaFigures() === null ? made : make(subjects);
  }

  /**
   * Values that are cached while their subjects stay the same, at most `maxBytes` of them. The first time only the subjects are
   * stored; the second time, after reading the revision, the value is cached. `withReplica`: it may be made from the replica
   * if that has the same revision, and so every change until it was read.
   */
  function createCache<Value>(maxBytes: number, { withReplica = false } = {}): CachedRead<Value> {
    const entries = new LRUCache<string, Entry<Value>>({
      maxSize: maxBytes,
      maxEntrySize: Math.floor(maxBytes / 8),
      sizeCalculation: ({ bytes }, key) => bytes + key.length + ENTRY_BYTES,
    });
    const underWay = new Map<string, Promise<Made<Value>>>();

    async function makeAgain(key: string, known: Entry<Value>, revision: string, make: Make<Value>) {
      // A value that was started before midnight may have the previous day.
      const until = cachedUntil();
      const made = withReplica ? await makeWithReplica(known.subjects, revision, make) : await make(known.subjects);
      if (made.subjects === null) entries.delete(key);
      else
        entries.set(
          key,
          sameSubjects(made.subjects, known.subjects)
            ? { ...made, subjects: made.subjects, revision, until }
            : notCachedYet(made.subjects),
        );
      return made;
    }

    /** The cached or newly made value of a key; one that must not be cached is made for each caller. */
    return async (key, make, found) => {
      const known = entries.get(key);
      if (!known) {
        const made = await make(null);
        if (made.subjects !== null) entries.set(key, notCachedYet(made.subjects));
        return made.value;
      }
      const revision = found ? writeRevisions(found) : await revisionOf(known.subjects);
      for (const [at, subject] of known.subjects.entries()) compactIfLong(subject, found?.[at]);
      if (known.revision === revision && performance.now() < known.until) return known.value;
      const flight = `${revision} ${key}`;
      const others = underWay.get(flight);
      if (others) {
        const made = await others;
        return made.subjects === null ? (await make(null)).value : made.value;
      }
      const own = makeAgain(key, known, revision, make);
      underWay.set(flight, own);
      try {
        return (await own).value;
      } finally {
        underWay.delete(flight);
      }
    };
  }

  return { revisionOf, createCache, sweep: () => compactUnread(database) };
}

/** Nightly: compacts records that no reader has compacted. Returns how many organizations had many changes. */
async function compactUnread(database: Pick<Database, 'write'>): Promise<number> {
  let compacted = 0;
  for (;;) {
    const count = await database.write(COMPACTING, (tx) =>
      compactLongLists(tx, { moreThan: MOST_CHANGES, limit: COMPACTED_AT_A_TIME }),
    );
    compacted += count;
    if (count < COMPACTED_AT_A_TIME) return compacted;
  }
}

/** Whether a copy of the database has the same changes. */
async function hasRevision(db: Reader, subjects: readonly Subject[], revision: string): Promise<boolean> {
  const found = await findRevisions(db, subjects);
  return writeRevisions(found) === revision;
}

const writeRevisions = (found: readonly FoundRevision[]): string => found.map(({ revision }) => revision).join();

const notCachedYet = <Value>(subjects: readonly Subject[]): Entry<Value> => ({
  subjects,
  revision: null,
  until: 0,
  value: undefined as Value,
  bytes: 0,
});

const writeSubject = ({ organizationId, galleryId }: Subject): string => `${organizationId} ${galleryId ?? ''}`;

const sameSubjects = (some: readonly Subject[], others: readonly Subject[]): boolean =>
  some.map(writeSubject).join() === others.map(writeSubject).join();
