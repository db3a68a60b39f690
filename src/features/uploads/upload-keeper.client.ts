/**
 * Stores a window's uploads in the browser while they are in progress: their state immediately, their files one after another.
 * Without space, uploads still work, and say that they cannot be resumed.
 */
import { KEPT_DAYS, KEEPS_NOTHING, NO_SPACE_TO_STORE } from '#src/features/uploads/upload-tray.contract.ts';
import { answerOf, openBrowserDatabase } from '#src/web/browser-database.ts';
import { DAY_MS } from '#src/shared/dates.ts';

/** The queue's data of an upload; the keeper adds user and window. */
export type UploadFacts = Omit<KeptUpload, 'owner' | 'window' | 'keptAt'>;

export type UploadKeeper = {
  /** Stores a drop. A null file is already stored. */
  add: (uploads: readonly { upload: UploadFacts; file: File | null }[]) => void;
  /** Resolves when it is written; never rejects. */
  change: (upload: UploadFacts) => Promise<void>;
  /** It is uploaded: its file is deleted, and its place in the count stays until it is dropped. */
  finish: (upload: UploadFacts) => void;
  /** Finished, canceled or refused. */
  drop: (id: string) => void;
  /** Why nothing is stored; null while it works. */
  trouble: () => string | null;
};

type Keeping = { owner: number; window: string; onTrouble: (keeper: UploadKeeper) => void };

/** Space that is left to everything else. */
const SPARE_BYTES = 100_000_000;
const REMOVED_AT_ONCE = 50;

function createUploadKeeper(store: UploadStore, { owner, window, onTrouble }: Keeping): UploadKeeper {
  const live = new Set<string>();
  const files: { id: string; file: File }[] = [];
  let trouble: string | null = null;
  let isWriting = false;
  let droppedSoon: string[] | null = null;

  function giveUp(why: string): void {
    trouble = why;
    files.length = 0;
    onTrouble(keeper);
  }

  /** In the order of choosing, as the queue sends them; files that are uploaded before their turn are never written. */
  async function writeFiles(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    for (let next = files.shift(); next; next = files.shift()) {
      if (!live.has(next.id)) continue;
      try {
        if (!(await hasSpaceFor(next.file.size))) giveUp(NO_SPACE_TO_STORE);
        else if (live.has(next.id)) await store.putFile(next.id, next.file);
      } catch (error) {
        // An unreadable file is reported when it is sent.
        if (isFull(error)) giveUp(NO_SPACE_TO_STORE);
      }
    }
    isWriting = false;
  }

  const stored = (upload: UploadFacts): KeptUpload => ({ ...upload, owner, window, keptAt: Date.now() });

  const keeper: UploadKeeper = {
    add(uploads) {
      for (const { upload } of uploads) live.add(upload.id);
      store.put(uploads.map(({ upload }) => stored(upload))).then(
        () => {
          if (trouble !== null) return;
          for (const { upload, file } of uploads) if (file) files.push({ id: upload.id, file });
          void writeFiles();
        },
        (error: unknown) => giveUp(isFull(error) ? NO_SPACE_TO_STORE : KEEPS_NOTHING),
      );
    },
    async change(upload) {
      if (!live.has(upload.id)) return;
      try {
        await store.put([stored(upload)]);
      } catch (error) {
        giveUp(isFull(error) ? NO_SPACE_TO_STORE : KEEPS_NOTHING);
      }
    },
    finish(upload) {
      live.delete(upload.id);
      // If this is lost, the count of the next page is too small by one.
      store.finish({ ...stored(upload), isUp: true }).catch(() => undefined);
    },
    drop(id) {
      live.delete(id);
      if (droppedSoon) return void droppedSoon.push(id);
      droppedSoon = [id];
      queueMicrotask(() => {
        const ids = droppedSoon ?? [];
        droppedSoon = null;
        // What stays behind is found finished by the next window, and deleted then.
        removeInPortions(store, ids).catch(() => undefined);
      });
    },
    trouble: () => trouble,
  };
  return keeper;
}

/** Hundreds at once would block the page for a tenth of a second. */
async function removeInPortions(store: UploadStore, ids: readonly string[]): Promise<void> {
  for (let start = 0; start < ids.length; start += REMOVED_AT_ONCE)
    await store.remove(ids.slice(start, start + REMOVED_AT_ONCE));
}

async function hasSpaceFor(bytes: number): Promise<boolean> {
  const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
  return quota === undefined || usage === undefined || quota - usage > bytes + SPARE_BYTES;
}

function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}

const WINDOW_LOCK = 'sideline-uploads window ';
const ADOPTION_LOCK = 'sideline-uploads adoption';

/** This window's lock among those of the browser, held as long as the window is open. */
let windowId: string | null = null;
async function holdWindow(): Promise<string> {
  if (windowId !== null) return windowId;
  const id = crypto.randomUUID();
  windowId = id;
  await new Promise<void>((held) => {
    void navigator.locks.request(WINDOW_LOCK + id, () => {
      held();
      return new Promise(() => undefined);
    });
  });
  return id;
}

export type Adopted = { upload: KeptUpload; file: File | null };

/**
 * Opens what this browser stores for a user. Uploads of closed windows are passed to `onAdopted`, now and when another window
 * closes; those of other users and very old ones are deleted. False if nothing can be stored (no IndexedDB or no locks, on
 * pages without TLS).
 */
export async function openKeeping(
  owner: number,
  {
    onAdopted,
    onTrouble,
  }: { onAdopted: (keeper: UploadKeeper, adopted: Adopted[]) => void; onTrouble: Keeping['onTrouble'] },
): Promise<boolean> {
  if (typeof indexedDB === 'undefined' || !('locks' in navigator)) return false;
  try {
    const [store, window] = await Promise.all([openUploadStore(), holdWindow()]);
    const keeper = createUploadKeeper(store, { owner, window, onTrouble });
    const takeOver = async () => {
      const { adopted, elsewhere } = await navigator.locks.request(ADOPTION_LOCK, () =>
        adopt(store, { owner, window }),
      );
      onAdopted(keeper, adopted);
      return elsewhere;
    };
    // The lock of a working window becomes free when it closes; a reloaded page may close a moment later.
    for (const other of await takeOver())
      void navigator.locks.request(WINDOW_LOCK + other, () => void takeOver().catch(() => undefined));
    return true;
  } catch {
    return false;
  }
}

/** Two windows never adopt the same uploads: this runs under a lock, and the new window is written before it ends. */
async function adopt(store: UploadStore, { owner, window }: Omit<Keeping, 'onTrouble'>) {
  const { held = [] } = await navigator.locks.query();
  const living = new Set(held.map(({ name }) => name));
  const all = await store.list();
  const oldest = Date.now() - KEPT_DAYS * DAY_MS;
  const isMine = (upload: KeptUpload) => upload.owner === owner && upload.keptAt > oldest;
  await store.remove(all.filter((upload) => !isMine(upload)).map(({ id }) => id));
  const others = all.filter((upload) => isMine(upload) && upload.window !== window);
  const isWorkedOn = (upload: KeptUpload) => living.has(WINDOW_LOCK + upload.window);
  const found = others.filter((upload) => !isWorkedOn(upload)).toSorted((one, other) => one.place - other.place);
  await store.put(found.map((upload) => ({ ...upload, window })));
  const files = await store.files(found.map(({ id }) => id));
  return {
    adopted: found.map((upload, index) => ({ upload, file: files[index] ?? null })),
    elsewhere: new Set(others.filter(isWorkedOn).map((upload) => upload.window)),
  };
}

/** At logout nothing of anyone's photos stays on this computer. */
export async function forgetStored(): Promise<void> {
  if (typeof indexedDB === 'undefined') return;
  try {
    const store = await openUploadStore();
    await store.remove((await store.list()).map(({ id }) => id));
  } catch {
    // Nothing is stored if nothing can be opened.
  }
}

/**
 * An upload that this browser stores (IndexedDB), so that it continues after a reload or a crash. Its file is stored
 * separately, because it does not change with this state.
 */
type KeptUpload = {
  id: string;
  /** The signed-in user it belongs to; no one else gets it. */
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
  /** Absent in data of an older version of this page. */
  editorPath?: string | null;
  /** Photos of one batch stay in capture order, also after a reload. */
  batch: string;
  name: string;
  size: number;
  type: string;
  lastModified: number;
  /** Its object in the storage, once a form was signed: it may be stored completely, and then it is claimed, never sent again. */
  key: string | null;
  /** The owner wants it twice. */
  insists: boolean;
  /** It is uploaded; kept until the rest of its run is, so that the count survives a reload. Absent: not yet. */
  isUp?: boolean;
};

type UploadStore = {
  list: () => Promise<KeptUpload[]>;
  put: (uploads: readonly KeptUpload[]) => Promise<void>;
  putFile: (id: string, file: File) => Promise<void>;
  /** Writes the upload, and deletes its file. */
  finish: (upload: KeptUpload) => Promise<void>;
  /** In the order of `ids`; null for files that were never stored. */
  files: (ids: readonly string[]) => Promise<(File | null)[]>;
  remove: (ids: readonly string[]) => Promise<void>;
};

const NAME = 'sideline-uploads';
const UPLOADS = 'uploads';
const FILES = 'files';

/** Rejects if the browser allows no storage (some private windows). */
async function openUploadStore(): Promise<UploadStore> {
  const { read, write } = await openBrowserDatabase(NAME, (database) => {
    database.createObjectStore(UPLOADS, { keyPath: 'id' });
    database.createObjectStore(FILES);
  });
  return {
    list: () => answerOf<KeptUpload[]>(read(UPLOADS).getAll()),
    put: (uploads) =>
      write([UPLOADS], (store) => {
        for (const upload of uploads) store(UPLOADS).put(upload);
      }),
    putFile: (id, file) =>
      write([UPLOADS, FILES], (store) => {
        // An upload that was finished or canceled meanwhile leaves no file.
        const found = store(UPLOADS).getKey(id);
        found.addEventListener('success', () => found.result !== undefined && store(FILES).put(file, id));
      }),
    finish: (upload) =>
      write([UPLOADS, FILES], (store) => {
        store(UPLOADS).put(upload);
        store(FILES).delete(upload.id);
      }),
    async files(ids) {
      const store = read(FILES);
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
