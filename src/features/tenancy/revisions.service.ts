/**
 * The database notes each change of what visitors see in the transaction that makes it. From these notes follows a
 * revision, and what was made at a revision is true while the revision is the same: nothing is told to other processes, and
 * what was hidden is hidden at once (decision record 0056).
 */
import { LRUCache } from 'lru-cache';
import { findRevisions, joinChanges, joinLongLists, type Subject } from '#src/features/tenancy/revisions.sql.ts';
import { batchLoader } from '#src/platform/db/batch-loader.ts';
import type { Database, Reader, Scope } from '#src/platform/db/db.ts';

/** Something made, of what, and how much memory it takes. `of` is null where it must not be kept. */
export type Made<Value> = { value: Value; of: readonly Subject[] | null; bytes: number };

/** Makes a value. `shared`: what it was made of the last time, where it may be given to everyone who asks now and later; null: to this one. */
export type Make<Value> = (shared: readonly Subject[] | null) => Promise<Made<Value>>;

/** The value of a key, kept or made. */
export type Keeper<Value> = (key: string, make: Make<Value>) => Promise<Value>;

/** `until`: of the process's own clock, in milliseconds. */
type Entry<Value> = Made<Value> & { of: readonly Subject[]; revision: string | null; until: number };

const PUBLIC: Scope = { kind: 'public' };
const JOINING: Scope = { kind: 'system', why: 'notes of changes belong to no one and tell nothing' };
/** A revision that is made of more rows is made one row again. */
const MOST_CHANGES = 200;
const JOINED_AT_A_TIME = 100;
const ENTRY_BYTES = 300;
/** Half of what a statement costs is waking the database: it pays to gather a little longer than a line takes to notice. */
const WAIT_MS = 4;
/** What services remember of their own (how many photos a search finds, for half a minute) gets no older than twice that. */
const KEPT_MS = 30_000;
/** In every time zone midnight is at the end of a quarter of an hour: what is kept ends there, because offers may end with the day. */
const QUARTER_MS = 15 * 60_000;

/** Until when what is made now is kept, by the process's own clock. */
const keptUntil = () => performance.now() + Math.min(KEPT_MS, QUARTER_MS - (Date.now() % QUARTER_MS));

export type Revisions = ReturnType<typeof createRevisions>;

export function createRevisions({ database }: { database: Database }) {
  const joining = new Set<number>();

  function join(organizationId: number): void {
    if (joining.has(organizationId)) return;
    joining.add(organizationId);
    database
      .write(JOINING, (tx) => joinChanges(tx, organizationId))
      // The next reader tries again; until then reading is slower, and right.
      .catch(() => undefined)
      .finally(() => joining.delete(organizationId));
  }

  /** One text for all of these together, as fresh as if each had been read alone. One statement for all who ask at about the same time. */
  const revisionOf = batchLoader(
    async (asked: readonly (readonly Subject[])[]) => {
      const subjects = new Map(asked.flat().map((subject) => [writeSubject(subject), subject]));
      const found = await database.read(PUBLIC, (db) => findRevisions(db, [...subjects.values()]));
      const revisions = new Map([...subjects].map(([text], at) => [text, found[at]?.revision ?? '']));
      for (const [at, { organizationId }] of [...subjects.values()].entries())
        if ((found[at]?.changes ?? 0) > MOST_CHANGES) join(organizationId);
      return asked.map((list) => list.map((subject) => revisions.get(writeSubject(subject))).join());
    },
    { waitMs: WAIT_MS },
  );

  /** The replica has all that was noted of these subjects; should the value turn out to be made of others, it is made of the primary. */
  async function makeBesideReplica<Value>(of: readonly Subject[], revision: string, make: Make<Value>) {
    const made = await database.besideReplica(
      (db) => hasRevision(db, of, revision),
      () => make(of),
    );
    const isProven = made.of !== null && sameSubjects(made.of, of);
    return isProven || database.replicaFigures() === null ? made : make(of);
  }

  /**
   * Values that are kept while what they are made of stays the same, at most `maxBytes` of them. What was made once is only
   * noted with its subjects; made a second time, after its revision was read, it is kept. `besideReplica`: it may be made of
   * what the replica has, where that has this revision, too, and so everything that was changed until it was read.
   */
  function keep<Value>(maxBytes: number, { besideReplica = false } = {}): Keeper<Value> {
    const entries = new LRUCache<string, Entry<Value>>({
      maxSize: maxBytes,
      maxEntrySize: Math.floor(maxBytes / 8),
      sizeCalculation: ({ bytes }, key) => bytes + key.length + ENTRY_BYTES,
    });
    const underWay = new Map<string, Promise<Made<Value>>>();

    async function makeAgain(key: string, known: Entry<Value>, revision: string, make: Make<Value>) {
      // What is begun before midnight may say the day before.
      const until = keptUntil();
      const made = besideReplica ? await makeBesideReplica(known.of, revision, make) : await make(known.of);
      if (made.of === null) entries.delete(key);
      else
        entries.set(key, sameSubjects(made.of, known.of) ? { ...made, of: made.of, revision, until } : unmade(made.of));
      return made;
    }

    /** The value of a key, kept or made; one that turns out not to be for keeping is made for each who asks. */
    return async (key, make) => {
      const known = entries.get(key);
      if (!known) {
        const made = await make(null);
        if (made.of !== null) entries.set(key, unmade(made.of));
        return made.value;
      }
      const revision = await revisionOf(known.of);
      if (known.revision === revision && performance.now() < known.until) return known.value;
      const flight = `${revision} ${key}`;
      const others = underWay.get(flight);
      if (others) {
        const made = await others;
        return made.of === null ? (await make(null)).value : made.value;
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

  return { revisionOf, keep, sweep: () => joinUnread(database) };
}

/** Nightly: what no one reads is joined by no reader. Returns how many organizations had many changes. */
async function joinUnread(database: Pick<Database, 'write'>): Promise<number> {
  let joined = 0;
  for (;;) {
    const count = await database.write(JOINING, (tx) =>
      joinLongLists(tx, { moreThan: MOST_CHANGES, limit: JOINED_AT_A_TIME }),
    );
    joined += count;
    if (count < JOINED_AT_A_TIME) return joined;
  }
}

/** Whether a copy of the database has noted the same changes. */
async function hasRevision(db: Reader, subjects: readonly Subject[], revision: string): Promise<boolean> {
  const found = await findRevisions(db, subjects);
  return found.map((each) => each.revision).join() === revision;
}

const unmade = <Value>(of: readonly Subject[]): Entry<Value> => ({
  of,
  revision: null,
  until: 0,
  value: undefined as Value,
  bytes: 0,
});

const writeSubject = ({ organizationId, galleryId }: Subject): string => `${organizationId} ${galleryId ?? ''}`;

const sameSubjects = (some: readonly Subject[], others: readonly Subject[]): boolean =>
  some.map(writeSubject).join() === others.map(writeSubject).join();
