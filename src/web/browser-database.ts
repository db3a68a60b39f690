/** Data that the browser keeps across reloads (IndexedDB). */

/** Rejects if the browser allows no storage (some private windows). @param create its stores, the first time */
export async function openBrowserDatabase(name: string, create: (database: IDBDatabase) => void) {
  const opening = indexedDB.open(name, 1);
  opening.addEventListener('upgradeneeded', () => create(opening.result));
  const database = await answerOf(opening);
  // A newer version of this page in another window may change the schema; until then this window works without it.
  database.addEventListener('versionchange', () => database.close());
  return {
    read: (store: string): IDBObjectStore => database.transaction(store).objectStore(store),
    /** Resolves when all of the work is written; rejects if none of it is. */
    async write(stores: string[], work: (store: (name: string) => IDBObjectStore) => void): Promise<void> {
      const transaction = database.transaction(stores, 'readwrite');
      const done = new Promise<void>((resolve, reject) => {
        transaction.addEventListener('complete', () => resolve());
        transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('aborted')));
      });
      work((store) => transaction.objectStore(store));
      await done;
    },
  };
}

export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('refused')));
  });
}
