/**
 * A contribution on its way: every photo goes up by the same queue as an owner's, under the invite's key, and one call
 * hands them over with the sender's name.
 */
import { CONTRIBUTION_NOT_SUBMITTED, type Contributor } from '#src/features/contributors/contributors.contract.ts';
import { storeFile } from '#src/features/uploads/send-photo.client.ts';
import { UploadQueue } from '#src/features/uploads/upload-queue.client.ts';
import { keepAwake } from '#src/features/uploads/upload-wake-lock.client.ts';
import { MAX_CLAIMS_AT_ONCE } from '#src/features/uploads/uploads.contract.ts';
import { callApi, messagesOf } from '#src/web/api-client.ts';

export type Invite = { key: string; galleryId: number; affiliateId: number };

export type HandedOver = { accepted: number } | { messages: string[]; /** Trying again may help. */ mayRetry: boolean };

export type Contribution = {
  queue: UploadQueue;
  start: (files: readonly File[]) => void;
  /** Photos that wait in the storage to be handed over. */
  storedCount: () => number;
  /** Hands over what is stored; may be asked again after a refusal. */
  handOver: () => Promise<HandedOver>;
  /** Closing the window asks first, until this is called. */
  end: () => void;
};

const TRIES = 4;
const CONFLICT = 409;

export function createContribution(invite: Invite, person: Contributor): Contribution {
  const stored = new Map<File, string>();
  let accepted = 0;
  /** Handed over without an answer: they may have arrived. Asked again as they are, whatever was stored since. */
  let unanswered: readonly [File, string][] | null = null;
  const queue = new UploadQueue(async ({ file }, progress) => {
    if (file === null) throw new Error('contributions are not kept after their page is closed');
    const sent = await storeFile(
      file,
      { address: `/api/v1/policy?gallery_id=${invite.galleryId}`, body: { contributeKey: invite.key } },
      progress,
    );
    if (!('storedKey' in sent)) return sent;
    stored.set(file, sent.storedKey);
    return { delivered: true, photo: null };
  });
  const letSleep = keepAwake(queue);
  const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
  const onBack = () => queue.tryAgain();
  const onAway = () => queue.offline();
  window.addEventListener('beforeunload', onLeave);
  window.addEventListener('online', onBack);
  window.addEventListener('offline', onAway);

  /** "Added already" after an answer that never came means that the first call worked. */
  async function hand(some: readonly [File, string][], isAgain: boolean): Promise<HandedOver | null> {
    const photos = some.map(([file, key]) => ({ key, name: file.name }));
    for (let attempt = 1; ; attempt++) {
      const answer = await callApi<{ accepted: number }>('POST', '/api/v1/contributor', {
        body: { contributeKey: invite.key, photos, ...person },
      });
      if (answer.ok || (answer.status === CONFLICT && (isAgain || attempt > 1))) return null;
      const isPassing = answer.status === 0 || answer.status === 429 || answer.status >= 500;
      if (!isPassing) return { messages: messagesOf(answer), mayRetry: false };
      if (attempt === TRIES) return { messages: [CONTRIBUTION_NOT_SUBMITTED, answer.error], mayRetry: true };
      await new Promise((resolve) => setTimeout(resolve, (answer.retryAfterSeconds ?? 2 ** attempt) * 1_000));
    }
  }

  return {
    queue,
    start: (files) => queue.add({ galleryId: invite.galleryId, affiliateId: invite.affiliateId, files }),
    storedCount: () => stored.size,
    async handOver() {
      while (stored.size > 0) {
        const some: readonly [File, string][] = unanswered ?? [...stored].slice(0, MAX_CLAIMS_AT_ONCE);
        const refusal = await hand(some, unanswered !== null);
        unanswered = refusal && 'mayRetry' in refusal && refusal.mayRetry ? some : null;
        if (refusal) return refusal;
        accepted += some.length;
        for (const [file] of some) stored.delete(file);
      }
      return { accepted };
    },
    end() {
      letSleep();
      window.removeEventListener('beforeunload', onLeave);
      window.removeEventListener('online', onBack);
      window.removeEventListener('offline', onAway);
    },
  };
}
