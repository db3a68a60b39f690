/**
 * The outbox of tags: the browser stores them before they are sent, and until they are acknowledged. One batch is sent
 * at a time, so that later changes arrive later, including undo. All windows of a browser send from one store.
 */
import {
  BATCH_AFTER_MS,
  BATCH_CHANGES,
  BATCH_PHOTOS,
  BATCH_TAGS,
  KEEPS_NO_TAGS,
  LONGEST_WAIT_MS,
  SIGN_IN_AGAIN,
} from '#src/features/tagging-desk/tagging-desk.contract.ts';
import type { SeenPhotos } from '#src/features/tagging-desk/steps.rules.ts';
import { memoryStore, type StoredWork, type TagStore, type Work } from '#src/features/tagging-desk/tag-store.client.ts';
import { createListeners } from '#src/shared/listeners.ts';
import { randomKey } from '#src/shared/random-key.ts';

export type Batch = { galleryId: number; clientKey: string; work: readonly Work[] };

export type Sent =
  | ({ is: 'saved'; refused: readonly { photoId: number; error: string }[] } & SeenPhotos)
  /** To be tried again. */
  | { is: 'unreachable'; afterMs: number | null }
  | { is: 'signed out' }
  /** Will never be accepted. */
  | { is: 'refused'; error: string };

export type OutboxState = {
  /** Unacknowledged changes. */
  waiting: number;
  isOffline: boolean;
  /** What the user should know; null if all is well. */
  trouble: string | null;
};

export type Answered = { batch: Batch; sent: Extract<Sent, { is: 'saved' | 'refused' }> };
type Options = {
  owner: number;
  send: (batch: Batch) => Promise<Sent>;
  /** Null if the browser stores nothing. */
  store: Promise<TagStore | null>;
  /** Runs the work in only one window at a time. */
  alone?: (work: () => Promise<void>) => Promise<void>;
  newKey?: () => string;
};

export class TagOutbox {
  readonly #owner: number;
  readonly #send: Options['send'];
  readonly #alone: (work: () => Promise<void>) => Promise<void>;
  readonly #newKey: () => string;
  readonly #changes = createListeners();
  readonly #answers = createListeners<[answered: Answered]>();
  #store: TagStore = memoryStore();
  #state: OutboxState = { waiting: 0, isOffline: false, trouble: null };
  /** Changes that are counted but not stored yet; they are stored one after another. */
  #unwritten = 0;
  #written = 0;
  #writing: Promise<void>;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #dueAt = 0;
  #isSending = false;
  #isStopped = false;
  #failures = 0;
  /** Epoch milliseconds; set when the server did not answer. */
  #notBefore = 0;
  /** Sends without waiting for more changes. */
  #isUrgent = false;
  /** How many changes of a refused batch are still sent one by one, so that only the wrong ones are refused. */
  #single = 0;

  constructor({ owner, send, store, alone = (work) => work(), newKey = randomKey }: Options) {
    this.#owner = owner;
    this.#send = send;
    this.#alone = alone;
    this.#newKey = newKey;
    this.#writing = store.then((found) => {
      if (found) this.#store = found;
      else this.#update({ trouble: KEEPS_NO_TAGS });
    });
    // Sends what a closed window left behind.
    this.#schedule(0);
  }

  readonly watch = this.#changes.watch;
  /** Called with each batch that the server accepted or refused. */
  readonly watchAnswers = this.#answers.watch;
  readonly state = (): OutboxState => this.#state;

  add(galleryId: number, work: readonly Work[]): void {
    if (work.length === 0) return;
    const keptAt = Date.now();
    const rows = work.map((one) => ({ owner: this.#owner, galleryId, keptAt, batch: null, work: one }));
    this.#unwritten += rows.length;
    this.#writing = this.#writing.then(() => this.#write(rows));

    this.#update({});
    this.#schedule(this.#waiting() >= BATCH_CHANGES ? 0 : BATCH_AFTER_MS);
  }

  /** Called when the network or the session may be back, or when the page may close soon. */
  tryNow = (): void => {
    this.#failures = 0;
    this.#notBefore = 0;
    this.#isUrgent = true;
    this.#schedule(0);
  };

  /** Someone logged in or out: nothing is sent for another user. Stored changes stay for their owner. */
  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The browser reports that it is offline; occasional tries continue, because it may be wrong. */
  offline = (): void => {
    if (this.#waiting() > 0) this.#update({ isOffline: true });
  };

  async #write(rows: readonly Omit<StoredWork, 'id'>[]): Promise<void> {
    try {
      await this.#store.add(rows);
    } catch {
      await this.#storeInMemory(() => this.#store.add(rows));
    }
    this.#unwritten -= rows.length;
    this.#written += rows.length;
  }

  /** The browser's store failed, for example because it is full: stores changes in memory while the page is open. */
  async #storeInMemory(again: () => Promise<void>): Promise<void> {
    const left = await this.#store.list(this.#owner).catch(() => []);
    this.#store = memoryStore();
    await this.#store.put(left);
    this.#update({ trouble: KEEPS_NO_TAGS });
    await again();
  }

  #waiting(): number {
    return this.#written + this.#unwritten;
  }

  #update(change: Partial<OutboxState>): void {
    this.#state = { ...this.#state, ...change, waiting: this.#waiting() };
    this.#changes.emit();
  }

  #schedule(afterMs: number): void {
    if (this.#isStopped) return;
    const dueAt = Math.max(Date.now() + afterMs, this.#notBefore);
    if (this.#timer !== null && this.#dueAt <= dueAt) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        void this.#drain();
      },
      Math.max(0, dueAt - Date.now()),
    );
  }

  async #drain(): Promise<void> {
    // The running loop sends the rest.
    if (this.#isSending) return this.#schedule(BATCH_AFTER_MS);
    this.#isSending = true;
    let goesOn = true;
    try {
      while (goesOn) {
        await this.#writing;
        await this.#alone(async () => {
          goesOn = !this.#isStopped && (await this.#sendNext());
        });
      }
    } catch {
      // The browser's store does not respond.
      this.#fail(null);
    } finally {
      this.#isSending = false;
    }
  }

  /** True while there is more to send now. */
  async #sendNext(): Promise<boolean> {
    const rows = await this.#store.list(this.#owner);
    this.#written = rows.length;
    const [first] = rows;
    if (!first) {
      this.#isUrgent = false;
      this.#update({ isOffline: false });
      return false;
    }
    const waitMs = first.keptAt + BATCH_AFTER_MS - Date.now();
    if (waitMs > 0 && waitMs <= BATCH_AFTER_MS && rows.length < BATCH_CHANGES && !this.#isUrgent) {
      this.#update({});
      this.#schedule(waitMs);
      return false;
    }
    const batch = this.#nextBatch(rows, first);
    const clientKey = first.batch ?? this.#newKey();
    const sent = { galleryId: first.galleryId, clientKey, work: batch.map(({ work }) => work) };
    // Stored first: if the window dies now, the same batch is sent again with the same key.
    await this.#store.put(batch.map((row) => ({ ...row, batch: clientKey })));
    return this.#settle(batch, sent, await this.#send(sent));
  }

  /** The oldest changes that can be sent together: an earlier batch, or the same gallery and kind. */
  #nextBatch(rows: readonly StoredWork[], first: StoredWork): StoredWork[] {
    const most = this.#single > 0 ? 1 : BATCH_CHANGES;
    const batch: StoredWork[] = [];
    let photos = 0;
    let tags = 0;
    for (const row of rows) {
      photos += row.work.photo_ids.length;
      tags += tagsOf(row.work);
      const fits = row.galleryId === first.galleryId && row.batch === first.batch && isSameKind(row.work, first.work);
      if (!fits || batch.length >= most || ((photos > BATCH_PHOTOS || tags > BATCH_TAGS) && batch.length > 0)) break;
      batch.push(row);
    }
    return batch;
  }

  async #settle(rows: readonly StoredWork[], batch: Batch, sent: Sent): Promise<boolean> {
    if (sent.is === 'unreachable') return this.#fail(sent.afterMs, { isOffline: true });
    if (sent.is === 'signed out') return this.#fail(LONGEST_WAIT_MS, { trouble: SIGN_IN_AGAIN });
    this.#failures = 0;
    if (sent.is === 'refused' && rows.length > 1) {
      this.#single = rows.length;
      // The key belongs to the whole batch.
      await this.#store.put(rows.map((row) => ({ ...row, batch: null })));
      return true;
    }
    this.#single = Math.max(0, this.#single - 1);
    await this.#store.remove(rows.map(({ id }) => id));
    this.#written = Math.max(0, this.#written - rows.length);
    this.#update({ isOffline: false, ...(this.#state.trouble === SIGN_IN_AGAIN ? { trouble: null } : {}) });
    this.#answers.emit({ batch, sent });
    return true;
  }

  /** Tries again, after longer pauses each time. */
  #fail(afterMs: number | null, change: Partial<OutboxState> = {}): false {
    const wait = afterMs ?? Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** Math.min(this.#failures, 5));
    this.#failures += 1;
    this.#notBefore = Date.now() + wait;
    this.#update(change);
    this.#schedule(wait);
    return false;
  }
}

/** Changes of the same kind are sent together: tags, or visibility. */
function isSameKind(one: Work, first: Work): boolean {
  if (one.kind === 'shown') return first.kind === 'shown' && one.isShown === first.isShown;
  return first.kind === 'tags';
}

function tagsOf(work: Work): number {
  return work.kind === 'tags' ? work.photo_ids.length * (work.add.length + work.remove.length) : 0;
}
