/** Stores tags in the browser until the server acknowledges them (IndexedDB): ids and numbers, no names. */
import { KEPT_DAYS } from '#src/features/tagging-desk/tagging-desk.contract.ts';
import { wireChanges, type How, type PhotoChange, type WireChange } from '#src/features/tagging-desk/steps.rules.ts';
import { answerOf, openBrowserDatabase } from '#src/web/browser-database.ts';
import { DAY_MS } from '#src/shared/dates.ts';

/** Tags that are added and removed, or photos that are shown or hidden. */
export type Work = ({ kind: 'tags' } & WireChange) | { kind: 'shown'; photo_ids: number[]; isShown: boolean };

/** Tags first, then what is shown or hidden. */
export function workOf(changes: readonly PhotoChange[], how: How): Work[] {
  const tags = wireChanges(changes, how).map((change): Work => ({ kind: 'tags', ...change }));
  const shown = changes.flatMap(({ photoId, isShown }): Work[] =>
    isShown === undefined ? [] : [{ kind: 'shown', photo_ids: [photoId], isShown }],
  );
  return [...tags, ...shown];
}

export type StoredWork = {
  /** In the order of typing, across all windows of the browser. */
  id: number;
  /** The signed-in user; no one else sends it. */
  owner: number;
  galleryId: number;
  /** Epoch milliseconds. */
  keptAt: number;
  /** The key of the batch in which it was first sent, so that it counts once. Null: not sent yet. */
  batch: string | null;
  work: Work;
};

export type TagStore = {
  add: (work: readonly Omit<StoredWork, 'id'>[]) => Promise<void>;
  /** Of one user, oldest first. */
  list: (owner: number) => Promise<StoredWork[]>;
  put: (work: readonly StoredWork[]) => Promise<void>;
  remove: (ids: readonly number[]) => Promise<void>;
};

/** For browsers that store nothing: lasts as long as the page. */
export function memoryStore(): TagStore {
  const rows = new Map<number, StoredWork>();
  let lastId = 0;
  return {
    async add(work) {
      for (const row of work) rows.set(++lastId, { ...row, id: lastId });
    },
    list: async (owner) => [...rows.values()].filter((row) => row.owner === owner),
    async put(work) {
      for (const row of work) rows.set(row.id, row);
    },
    async remove(ids) {
      for (const id of ids) rows.delete(id);
    },
  };
}

const NAME = 'sideline-tags';
const WORK = 'work';

/** Rejects if the browser allows no storage (some private windows). */
export async function openTagStore(): Promise<TagStore> {
  const { read, write } = await openBrowserDatabase(NAME, (database) => {
    database.createObjectStore(WORK, { keyPath: 'id', autoIncrement: true });
  });
  const writeRows = (work: (rows: IDBObjectStore) => void) => write([WORK], (rows) => work(rows(WORK)));
  const readRows = () => answerOf<StoredWork[]>(read(WORK).getAll());
  const store: TagStore = {
    add: (work) => writeRows((rows) => work.forEach((row) => rows.add(row))),
    put: (work) => writeRows((rows) => work.forEach((row) => rows.put(row))),
    remove: (ids) => writeRows((rows) => ids.forEach((id) => rows.delete(id))),
    async list(owner) {
      return (await readRows()).filter((row) => row.owner === owner);
    },
  };
  const all = await readRows();
  const oldest = Date.now() - KEPT_DAYS * DAY_MS;
  await store.remove(all.filter(({ keptAt }) => keptAt < oldest).map(({ id }) => id));
  return store;
}
