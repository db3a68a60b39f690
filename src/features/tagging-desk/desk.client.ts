/** The tagging desk in the browser: the outbox of this window, its calls, and a session for the screen. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { AUTH_KEY, LOGGED_IN_AGAIN, LOGOUTS } from '#src/features/accounts/auth-state.client.ts';
import { DeskSession, type DeskState } from '#src/features/tagging-desk/desk-session.client.ts';
import { toDeskPhoto } from '#src/features/tagging-desk/desk-answers.rules.ts';
import type { DeskRoster } from '#src/features/tagging-desk/desk-model.rules.ts';
import type { DeskPage } from '#src/features/tagging-desk/photo-pages.client.ts';
import { hiddenWords } from '#src/features/tagging-desk/hidden-words.rules.ts';
import {
  TagOutbox,
  type Answered,
  type Batch,
  type OutboxState,
  type Sent,
} from '#src/features/tagging-desk/tag-outbox.client.ts';
import { openTagStore } from '#src/features/tagging-desk/tag-store.client.ts';
import { RUN_PHOTOS } from '#src/features/tagging/tagging.contract.ts';
import type { TaggingPage } from '#src/features/tagging/tagging.contract.ts';
import { api, type ApiResult } from '#src/web/api-client.ts';
import { createListeners } from '#src/shared/listeners.ts';

const SENDING = 'sideline-tags sending';
const ANSWER_WITHIN_MS = 20_000;
const PAGE_PHOTOS = 100;

let current: { owner: number; outbox: TagOutbox } | null = null;
const stateListeners = createListeners();
const answerListeners = createListeners<[answered: Answered]>();

/** The only outbox of this window. It continues when its user leaves the desk, and stops when they log out. */
function outboxOf(owner: number): TagOutbox {
  if (current?.owner === owner && !current.outbox.isStopped) return current.outbox;
  const isFirst = current === null;
  current?.outbox.stop();
  const store = openTagStore().catch(() => null);
  const outbox = new TagOutbox({ owner, send: sendBatch, store, alone });
  outbox.watch(stateListeners.emit);
  outbox.watchAnswers(answerListeners.emit);
  current = { owner, outbox };
  if (isFirst) listen();
  return outbox;
}

function listen(): void {
  const stop = () => current?.outbox.stop();
  window.addEventListener('online', () => current?.outbox.tryNow());
  window.addEventListener(LOGGED_IN_AGAIN, () => current?.outbox.tryNow());
  window.addEventListener('offline', () => current?.outbox.offline());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') current?.outbox.tryNow();
  });
  window.addEventListener('beforeunload', (event) => {
    if ((current?.outbox.state().waiting ?? 0) > 0) event.preventDefault();
  });
  // Someone logged in or out, perhaps in another tab: ask the server who it is.
  window.addEventListener('storage', (event) => {
    if (event.key === AUTH_KEY) stop();
  });
  new BroadcastChannel(LOGOUTS).addEventListener('message', stop);
}

/** Only one window of the browser sends at a time. Pages without TLS have no locks. */
async function alone(work: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request(SENDING, work);
  else await work();
}

async function sendBatch({ galleryId: id, clientKey, work }: Batch): Promise<Sent> {
  const how = { signal: AbortSignal.timeout(ANSWER_WITHIN_MS), inBackground: true } as const;
  const [first] = work;
  try {
    if (first?.kind === 'shown') {
      const ids = work.flatMap(({ photo_ids: photos }) => photos);
      const body = { ids, photo: { show_in_gallery: first.isShown } };
      const answer = await api('PUT /api/v1/galleries/{id}/gallery_photos', { params: { id }, body, ...how });
      return settled(answer, () => NO_OUTCOME);
    }
    const changes = work.flatMap((one) => (one.kind === 'tags' ? [withoutKind(one)] : []));
    const body = { changes, client_key: clientKey };
    const answer = await api('PUT /api/v1/galleries/{id}/tags', { params: { id }, body, ...how });
    return settled(answer, ({ hidden, held, shown, refused }) => ({
      hidden,
      held,
      shown,
      refused: refused.map(({ photo_id: photoId, error }) => ({ photoId, error })),
    }));
  } catch {
    return { is: 'unreachable', afterMs: null };
  }
}

function withoutKind<T extends { kind: string }>({ kind: _kind, ...change }: T): Omit<T, 'kind'> {
  return change;
}

type Outcome = Omit<Extract<Sent, { is: 'saved' }>, 'is'>;
const NO_OUTCOME: Outcome = { hidden: [], held: [], shown: [], refused: [] };

function settled<T>(answer: ApiResult<T>, outcome: (data: T) => Outcome): Sent {
  if (answer.ok) return { is: 'saved', ...outcome(answer.data) };
  const { status, error, retryAfterSeconds } = answer;
  if (status === 401) return { is: 'signed out' };
  const isPassing = status === 0 || status === 408 || status === 429 || status >= 500;
  if (!isPassing) return { is: 'refused', error };
  return {
    is: 'unreachable',
    afterMs: status === 429 && retryAfterSeconds !== null ? retryAfterSeconds * 1_000 : null,
  };
}

async function loadPage(galleryId: number, after: string | null): Promise<DeskPage | null> {
  const query = { ...(after === null ? {} : { after }), limit: PAGE_PHOTOS };
  const answer = await api('GET /api/v1/galleries/{id}/tagging', { params: { id: galleryId }, query });
  return answer.ok ? { photos: answer.data.photos.map(toDeskPhoto), next: answer.data.next } : null;
}

export type DeskStart = { userId: number; galleryId: number; roster: DeskRoster; first: TaggingPage };
export type Desk = {
  session: DeskSession;
  state: DeskState;
  outbox: OutboxState;
  /** Takes the next photos that no one is tagging. */
  take: () => Promise<void>;
};

const NOTHING_YET: OutboxState = { waiting: 0, isOffline: false, trouble: null };

const sendingState = (): OutboxState => current?.outbox.state() ?? NOTHING_YET;

/** Shows on the photos what the server refused, hid and showed. */
function showAnswer(session: DeskSession, roster: DeskRoster, { batch, sent }: Answered): void {
  session.unsent.answered(batch.work);
  if (sent.is === 'refused') {
    const ids = batch.work.flatMap(({ photo_ids: photos }) => photos);
    return session.takeBack(new Set(ids), sent.error);
  }
  const [refused] = sent.refused;
  if (refused) session.takeBack(new Set(sent.refused.map(({ photoId }) => photoId)), refused.error);
  session.seen(sent, hiddenWords(session.state().photos, sent.hidden, roster));
}

/** The session at the tagging desk, for the screen. */
export function useDesk({ userId, galleryId, roster, first }: DeskStart): Desk {
  const [session] = useState(
    () =>
      new DeskSession({
        galleryId,
        roster,
        first: { ...first, photos: first.photos.map(toDeskPhoto) },
        load: (after) => loadPage(galleryId, after),
        send: (gallery, work) => outboxOf(userId).add(gallery, work),
      }),
  );
  useEffect(() => session.start(), [session]);
  useEffect(() => {
    const stop = answerListeners.watch(
      (answered) => answered.batch.galleryId === galleryId && showAnswer(session, roster, answered),
    );
    // Sends what a closed window left behind.
    outboxOf(userId);
    return stop;
  }, [userId, galleryId, roster, session]);
  const state = useSyncExternalStore(session.watch, session.state, session.state);
  const outbox = useSyncExternalStore(stateListeners.watch, sendingState, () => NOTHING_YET);

  async function take(): Promise<void> {
    const body = { count: RUN_PHOTOS };
    const answer = await api('POST /api/v1/galleries/{id}/tagging/take', { params: { id: galleryId }, body });
    if (!answer.ok) return session.remark(answer.error);
    await session.reload(answer.data.photo_ids);
  }
  return { session, state, outbox, take };
}
