/**
 * Sends a contribution: every photo is uploaded by the same queue as an owner's, with the invite's key. One call submits
 * them with the sender's name, or several if the page is hidden meanwhile. The key is removed from the address bar, and
 * restored when the page is reloaded (rule 8).
 */
import * as words from '#src/features/contributors/contributors.contract.ts';
import {
  forgetOldSent,
  noteAnswered,
  noteArrived,
  noteUnanswered,
  unansweredOf,
} from '#src/features/contributors/sent-photos.client.ts';
import { storeFile } from '#src/features/uploads/send-photo.client.ts';
import { UploadQueue } from '#src/features/uploads/upload-queue.client.ts';
import { keepAwake } from '#src/features/uploads/uploads.client.ts';
import { MAX_CLAIMS_AT_ONCE } from '#src/features/uploads/uploads.contract.ts';
import { api, messagesOf, type ApiResult } from '#src/web/api-client.ts';
import { useLoadedPages, useRepeated } from '#src/web/use-load.ts';
import { storeInTab, readFromTab } from '#src/web/tab-storage.ts';
import { randomKey } from '#src/shared/random-key.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';

type Invite = { key: string; galleryId: number; affiliateId: number };

type Refusal = { messages: string[]; /** Trying again may help. */ mayRetry: boolean };
export type HandedOver = { accepted: number } | Refusal;

/** Photos of one call with their keys in the storage. */
type Submission = readonly (readonly [File, string])[];
const filesOf = (some: Submission) => some.map(([file]) => file);

export type Contribution = {
  queue: UploadQueue;
  /** @param before submissions of an earlier contribution without a response: of the same files, sent again unchanged */
  start: (files: readonly File[], before?: readonly Submission[]) => void;
  /** Photos in the storage for which no answer says that they were submitted. */
  storedCount: () => number;
  /** Submits what is stored; may be called again after a refusal. */
  handOver: () => Promise<HandedOver>;
  /** Whether an answer says that it was submitted. */
  hasArrived: (file: File) => boolean;
  /** Submissions that may have arrived. */
  unanswered: () => readonly Submission[];
  /** Closing the window asks for confirmation until this is called. */
  end: () => void;
};

const TRIES = 4;
const CONFLICT = 409;
/** Browsers send 64 kB at most while they close a page; a photo takes up to 170 bytes. */
const MAX_SENT_WHILE_CLOSING = 300;
/** An hour has 60 submissions for all who share an address, and each of these is sent again. */
const MAX_UNANSWERED = 2;
/** The page waits that long by itself; after a longer time someone tries again. */
const LONGEST_WAIT_SECONDS = 15;

/**
 * What the page does while photos are uploaded. Another app, a locked screen or a closed tab may be its end: what is stored
 * is submitted then. Returns a function that stops it.
 */
function followPage(queue: UploadQueue, submitStored: () => void): () => void {
  const letSleep = keepAwake(queue);
  const watch = new AbortController();
  const { signal } = watch;
  window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
  window.addEventListener('online', () => queue.tryAgain(), { signal });
  window.addEventListener('offline', () => queue.offline(), { signal });
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'hidden') submitStored();
    },
    { signal },
  );
  return () => {
    letSleep();
    watch.abort();
  };
}

/** "Added already" after a lost response means that the first call worked. Returns why it was refused, else null. */
async function submit(body: words.ContributionBody, isAgain: boolean): Promise<Refusal | null> {
  for (let attempt = 1; ; attempt++) {
    const answer = await api('POST /api/v1/contributor', { body });
    if (answer.ok || (answer.status === CONFLICT && (isAgain || attempt > 1))) return null;
    const isPassing = answer.status === 0 || answer.status === 429 || answer.status >= 500;
    if (!isPassing) return { messages: messagesOf(answer), mayRetry: false };
    const waitSeconds = answer.retryAfterSeconds ?? 2 ** attempt;
    if (attempt === TRIES || waitSeconds > LONGEST_WAIT_SECONDS)
      return { messages: [words.CONTRIBUTION_NOT_SUBMITTED, answer.error], mayRetry: true };
    await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1_000));
  }
}

/**
 * Sends again what an earlier page sent without a response; "added already" means that it had arrived. Without an answer
 * the next page asks again. Returns how many photos have arrived by that. What is too old is forgotten instead.
 */
export async function settleUnanswered({ key, galleryId }: Target): Promise<number> {
  forgetOldSent();
  let count = 0;
  for (const some of unansweredOf(galleryId)) {
    const refusal = await submit({ ...some.body, contributeKey: key }, true);
    if (refusal?.mayRetry) continue;
    noteAnswered(galleryId, some, refusal === null);
    if (refusal === null) count += some.marks.length;
  }
  return count;
}

export function createContribution(invite: Invite, person: words.Contributor): Contribution {
  const stored = new Map<File, string>();
  const batch = randomKey();
  let accepted = 0;
  let isHandingOver = false;
  /** Submitted without a response: they may have arrived. They are sent again unchanged, whatever was stored since. */
  const unanswered: Submission[] = [];
  const arrived = new Set<File>();
  const bodyOf = (some: Submission) => ({
    contributeKey: invite.key,
    photos: some.map(([file, key]) => ({ key, name: file.name })),
    batch,
    ...person,
  });
  const queue = new UploadQueue(async ({ file }, progress) => {
    if (file === null) throw new Error('contributions are not kept after their page is closed');
    const keyBefore = new Map(unanswered.flat()).get(file);
    if (keyBefore !== undefined) {
      stored.set(file, keyBefore);
      return { delivered: true, photo: null };
    }
    const sent = await storeFile(
      file,
      { query: { gallery_id: invite.galleryId }, body: { contributeKey: invite.key } },
      progress,
    );
    if (!('storedKey' in sent)) return sent;
    stored.set(file, sent.storedKey);
    return { delivered: true, photo: null };
  });
  /** By a request that outlives the page, and whose response no one reads. */
  const submitStored = () => {
    if (isHandingOver || unanswered.length >= MAX_UNANSWERED) return;
    const submitted = new Map(unanswered.flat());
    const some = [...stored].filter(([file]) => !submitted.has(file)).slice(0, MAX_SENT_WHILE_CLOSING);
    if (some.length === 0) return;
    const body = bodyOf(some);
    const sent = new Blob([JSON.stringify(body)], { type: 'application/json' });
    if (!navigator.sendBeacon('/api/v1/contributor', sent)) return;
    unanswered.push(some);
    noteUnanswered(invite.galleryId, filesOf(some), body);
  };
  const end = followPage(queue, submitStored);

  return {
    queue,
    start(files, before = []) {
      const chosen = new Set(files);
      const again = before.map((some) => some.filter(([file]) => chosen.has(file)));
      unanswered.push(...again.filter((some) => some.length > 0));
      queue.add({ galleryId: invite.galleryId, affiliateId: invite.affiliateId, files });
    },
    storedCount: () => stored.size,
    async handOver() {
      isHandingOver = true;
      try {
        while (stored.size > 0) {
          const before = unanswered.shift();
          const some = before ?? [...stored].slice(0, MAX_CLAIMS_AT_ONCE);
          const refusal = await submit(bodyOf(some), before !== undefined);
          if (refusal?.mayRetry) unanswered.unshift(some);
          if (refusal !== null) return refusal;
          accepted += some.length;
          noteArrived(invite.galleryId, filesOf(some));
          for (const [file] of some) {
            arrived.add(file);
            stored.delete(file);
          }
        }
        return { accepted };
      } finally {
        isHandingOver = false;
      }
    },
    hasArrived: (file) => arrived.has(file),
    unanswered: () => unanswered,
    end,
  };
}

/** What a key allows, with the key. */
export type OpenInvite = words.InviteFacts & { key: string };

/** Null while a tab looks for it; "missing" if the tab stores none, because it was opened from a bookmark or the history. */
export type FoundInvite = OpenInvite | 'missing' | null;

/** Stored for this tab only; without storage the page works until it is closed. */
const nameOf = (galleryId: number) => `sideline:invite:${galleryId}`;

/**
 * The invite of the page, or the one that this tab stores for the gallery; an invalid one redirects to the home page.
 * @param hidden the same address without its key
 */
export function useInvite(given: OpenInvite | null, kept: number | null, hidden: string): FoundInvite {
  const [found, setFound] = useState<FoundInvite>(null);
  const navigate = useNavigate();
  const hideKey = useEffectEvent(({ gallery, key }: OpenInvite) => {
    storeInTab(nameOf(gallery.id), key);
    void navigate(hidden, { replace: true, preventScrollReset: true });
  });
  const goHome = useEffectEvent(() => void navigate('/', { replace: true }));
  useEffect(() => {
    if (given) hideKey(given);
  }, [given]);
  useEffect(() => {
    if (kept === null) return;
    let isGone = false;
    void reopen(kept).then((invite) => {
      if (isGone) return;
      if (invite) setFound(invite);
      else goHome();
    });
    return () => {
      isGone = true;
    };
  }, [kept]);
  return given ?? found;
}

async function reopen(galleryId: number): Promise<FoundInvite> {
  const key = readFromTab(nameOf(galleryId));
  if (key === null) return 'missing';
  const answer = await api('GET /api/v1/check-key', { query: { contributeKey: key } });
  return answer.ok && answer.data.gallery.id === galleryId ? { ...answer.data, key } : null;
}

/** Photos are ready within seconds; after that the page stops polling. */
const POLL_EVERY_MS = 3_000;
const LOOKS = 40;

type Target = { galleryId: number; key: string };

/** The personal key is sent as a header, so that it is in no address. */
const headersOf = ({ key }: Target) => ({ 'x-contribute-key': key });

export function withdrawPhoto(invite: Target, photoId: number): Promise<ApiResult<words.WithdrawnAnswer>> {
  return api('DELETE /api/v1/contributor/photos/{photoId}', {
    params: { photoId },
    query: { gallery_id: invite.galleryId },
    headers: headersOf(invite),
  });
}

export function sendNumbers(invite: Target, photoId: number, numbers: string[]): Promise<ApiResult<words.OwnNumbers>> {
  return api('PUT /api/v1/contributor/photos/{photoId}/numbers', {
    params: { photoId },
    query: { gallery_id: invite.galleryId },
    headers: headersOf(invite),
    body: { numbers },
  });
}

export type OwnPhotos = {
  photos: readonly words.OwnPhoto[];
  state: 'loading' | 'there' | 'failed';
  problem: string | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  more: () => void;
  refresh: () => void;
};

/** @param sent increases when something new was sent */
export function useOwnPhotos(invite: Target, sent: number): OwnPhotos {
  const { pages, problem, loads, isLoading, refresh, ...list } = useLoadedPages<words.OwnPhotosPage>(
    `${invite.galleryId} ${invite.key} ${sent}`,
    (after, signal) => read(invite, after, signal),
  );
  const photos = pages.flatMap((page) => page.photos);
  const isPreparing = photos.some(({ state }) => state === 'processing');
  useRepeated(POLL_EVERY_MS, isPreparing && !isLoading && loads <= LOOKS ? refresh : null);
  const state = pages.length > 0 ? 'there' : problem === null ? 'loading' : 'failed';
  return { ...list, photos, state, problem, refresh };
}

function read(invite: Target, after: string | null, signal?: AbortSignal): Promise<ApiResult<words.OwnPhotosPage>> {
  return api('GET /api/v1/contributor/photos', {
    query: { gallery_id: invite.galleryId, ...(after === null ? {} : { after }) },
    headers: headersOf(invite),
    ...(signal ? { signal } : {}),
  });
}
