/**
 * Uploads that this browser keeps (IndexedDB), so that they continue after a reload or a crash. What is known of an upload
 * and its file lie apart: the first changes while the second stays as it is.
 */

export type KeptUpload = {
  id: string;
  /** The signed-in user it belongs to; no one else gets it back. */
  owner: number;
  /** The window that works on it. */
  window: string;
  /** Order of choosing. */
  place: number;
  /** Epoch milliseconds. */
  keptAt: number;
  galleryId: number;
  affiliateId: number;
  upgradePath: string | null;
  /** Absent in what an older version of this page kept. */
  editorPath?: string | null;
  /** Photos of one batch keep capture order among themselves, across reloads too. */
  batch: string;
  name: string;
  size: number;
  type: string;
  lastModified: number;
  /** Its object in the storage, once a form was signed: it may be there whole, and then it is claimed, never sent again. */
  key: string | null;
  /** The owner wants it twice. */
  insists: boolean;
  /** It is up; kept until the others of its run are, so that the count survives a reload. Absent: not yet. */
  isUp?: boolean;
};

export type UploadStore = {
  list: () => Promise<KeptUpload[]>;
  put: (uploads: readonly KeptUpload[]) => Promise<void>;
  putFile: (id: string, file: File) => Promise<void>;
  /** Writes the upload, and lets its file go. */
  finish: (upload: KeptUpload) => Promise<void>;
  /** In the order of `ids`; null for those that were never kept. */
  files: (ids: readonly string[]) => Promise<(File | null)[]>;
  remove: (ids: readonly string[]) => Promise<void>;
};

const NAME = 'sideline-uploads';
const UPLOADS = 'uploads';
const FILES = 'files';

/** Rejects where the browser allows none (some private windows). */
export async function openUploadStore(): Promise<UploadStore> {
  const opening = indexedDB.open(NAME, 1);
  opening.addEventListener('upgradeneeded', () => {
    opening.result.createObjectStore(UPLOADS, { keyPath: 'id' });
    opening.result.createObjectStore(FILES);
  });
  const database = await answerOf(opening);
  // A newer version of this page in another window may change the shape; until then this window works without.
  database.addEventListener('versionchange', () => database.close());

  async function write(names: string[], work: (store: (name: string) => IDBObjectStore) => void): Promise<void> {
    const transaction = database.transaction(names, 'readwrite');
    const done = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('aborted')));
    });
    work((name) => transaction.objectStore(name));
    await done;
  }

  return {
    list: () => answerOf<KeptUpload[]>(database.transaction(UPLOADS).objectStore(UPLOADS).getAll()),
    put: (uploads) =>
      write([UPLOADS], (store) => {
        for (const upload of uploads) store(UPLOADS).put(upload);
      }),
    putFile: (id, file) =>
      write([UPLOADS, FILES], (store) => {
        // One that was finished or cancelled meanwhile leaves no file behind.
        const asked = store(UPLOADS).getKey(id);
        asked.addEventListener('success', () => asked.result !== undefined && store(FILES).put(file, id));
      }),
    finish: (upload) =>
      write([UPLOADS, FILES], (store) => {
        store(UPLOADS).put(upload);
        store(FILES).delete(upload.id);
      }),
    async files(ids) {
      const store = database.transaction(FILES).objectStore(FILES);
      const found = await Promise.all(ids.map((id) => answerOf<File | undefined>(store.get(id))));
      return found.map((file) => file ?? null);
    },
    remove: (ids) =>
      write([UPLOADS, FILES], (store) => {
        for (const id of ids) {
          store(UPLOADS).delete(id);
          store(FILES).delete(id);
        }
      }),
  };
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('refused')));
  });
}
