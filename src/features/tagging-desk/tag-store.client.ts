/** Stores tags in the browser until the server acknowledges them (IndexedDB): ids and numbers, no names. */
import { KEPT_DAYS } from '#src/features/tagging-desk/tagging-desk.contract.ts';
import { wireChanges, type How, type PhotoChange, type WireChange } from '#src/features/tagging-desk/steps.rules.ts';

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

export type KeptWork = {
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
  add: (work: readonly Omit<KeptWork, 'id'>[]) => Promise<void>;
  /** Of one user, oldest first. */
  list: (owner: number) => Promise<KeptWork[]>;
  put: (work: readonly KeptWork[]) => Promise<void>;
  remove: (ids: readonly number[]) => Promise<void>;
};

/** For browsers that store nothing: lasts as long as the page. */
export function memoryStore(): TagStore {
  const rows = new Map<number, KeptWork>();
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
  const opening = indexedDB.open(NAME, 1);
  opening.addEventListener('upgradeneeded', () => {
    opening.result.createObjectStore(WORK, { keyPath: 'id', autoIncrement: true });
  });
  const database = await answerOf(opening);
  // A newer version of this page in another window may change the schema.
  database.addEventListener('versionchange', () => database.close());

  function write(work: (store: IDBObjectStore) => void): Promise<void> {
    const transaction = database.transaction(WORK, 'readwrite');
    const done = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('aborted')));
    });
    work(transaction.objectStore(WORK));
    return done;
  }

  const store: TagStore = {
    add: (work) => write((rows) => work.forEach((row) => rows.add(row))),
    put: (work) => write((rows) => work.forEach((row) => rows.put(row))),
    remove: (ids) => write((rows) => ids.forEach((id) => rows.delete(id))),
    async list(owner) {
      const rows = await answerOf<KeptWork[]>(database.transaction(WORK).objectStore(WORK).getAll());
      return rows.filter((row) => row.owner === owner);
    },
  };
  const all = await answerOf<KeptWork[]>(database.transaction(WORK).objectStore(WORK).getAll());
  const oldest = Date.now() - KEPT_DAYS * 86_400_000;
  await store.remove(all.filter(({ keptAt }) => keptAt < oldest).map(({ id }) => id));
  return store;
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('refused')));
  });
}
