/**
 * The operator's CDN for pictures that are the same for every visitor (decision record 0063). Its addresses are signed
 * and expire after a few minutes; before that, a job purges what must no longer be seen: the transaction that hides it
 * also queues the job. Without a CDN nothing is signed and nothing is queued.
 */
import * as z from 'zod/mini';
import type { Clock } from '#src/platform/clock.ts';
import { postJson } from '#src/platform/outgoing/outgoing-call.ts';
import type { Writer } from '#src/platform/db/db.ts';
import { payloadJob, type Jobs } from '#src/platform/jobs/jobs.ts';
import { signValue, verifyValue } from '#src/platform/secrets.ts';
import { cdnPath, type PublicPicture } from '#src/shared/cdn-addresses.ts';

export type CdnSettings = {
  /** Where browsers find it: scheme and host. */
  origin: string;
  /** An address is valid for at most this long, and for at least half of it. */
  seconds: number;
  purge: { url: string; token: string; reachesPrivate: boolean };
};

/** Everything cached at the CDN under this tag is purged with it. */
export const cdnTags = {
  photo: (id: number) => `photo-${id}`,
  gallery: (id: number) => `gallery-${id}`,
  organization: (id: number) => `organization-${id}`,
};

/** Retries end after a few hours, when the last of the addresses has expired, too. */
export const purgeCdnJob = payloadJob('cdn.purge', z.strictObject({ tags: z.array(z.string()) }), {
  retryLimit: 30,
  retryDelaySeconds: 1,
  expireInSeconds: 30,
});

const PURPOSE = 'public picture';
const CALL_MS = 10_000;
/** For a picture that was on its way to the CDN while it was hidden. */
const AGAIN_SECONDS = 10;
/** More photos of one gallery are purged as the whole gallery. */
const PHOTOS_AT_MOST = 30;

export type Cdn = ReturnType<typeof createCdn>;

export function createCdn(deps: {
  settings: CdnSettings | null;
  key: Buffer;
  clock: Clock;
  jobs: Pick<Jobs, 'enqueue'>;
}) {
  const { settings, key, clock, jobs } = deps;
  const nowSeconds = () => Math.floor(clock.now().getTime() / 1000);

  /** Expires at fixed points in time, so that everyone gets the same address meanwhile. */
  function sealOf({ galleryId, photoId, version }: PublicPicture, seconds: number): string {
    const period = Math.floor(seconds / 2);
    const until = (Math.floor(nowSeconds() / period) + 2) * period;
    return `${until}.${signValue(key, PURPOSE, galleryId, photoId, version, until)}`;
  }

  async function requestPurge(tx: Writer, tags: readonly string[]): Promise<void> {
    if (!settings || tags.length === 0) return;
    await jobs.enqueue(tx, purgeCdnJob, { tags: [...tags] });
    await jobs.enqueue(tx, purgeCdnJob, { tags: [...tags] }, { startAfterSeconds: AGAIN_SECONDS });
  }

  return {
    /** Null without a CDN. */
    origin: settings?.origin ?? null,

    /** The address of a picture that all visitors may see; null without a CDN. */
    addressOf: (picture: PublicPicture): string | null =>
      settings && settings.origin + cdnPath(picture, sealOf(picture, settings.seconds)),

    /**
     * For how many seconds the signature is still valid for this picture, 0 when it has expired; null if it is not ours
     * or for another picture.
     */
    secondsLeft({ galleryId, photoId, version }: PublicPicture, seal: string): number | null {
      const [, until, signature] = /^(\d{1,12})\.([A-Za-z0-9_-]{43})$/.exec(seal) ?? [];
      if (until === undefined || signature === undefined) return null;
      if (!verifyValue(key, signature, PURPOSE, galleryId, photoId, version, until)) return null;
      return Math.max(0, Number(until) - nowSeconds());
    },

    /** In the transaction that hides these: a job purges them after the commit. */
    requestPurge,

    /** The same for photos of a gallery. */
    requestPurgeOf: (tx: Writer, galleryId: number, photoIds: readonly number[]): Promise<void> =>
      requestPurge(tx, photoIds.length > PHOTOS_AT_MOST ? [cdnTags.gallery(galleryId)] : photoIds.map(cdnTags.photo)),

    /** The same for photos of several galleries: the fewest tags that name them all. */
    requestPurgeOfMany: (
      tx: Writer,
      photos: readonly { id: number; galleryId: number; organizationId: number }[],
    ): Promise<void> => {
      const galleries = new Set(photos.map(({ galleryId }) => galleryId));
      if (photos.length <= PHOTOS_AT_MOST)
        return requestPurge(
          tx,
          photos.map(({ id }) => cdnTags.photo(id)),
        );
      if (galleries.size <= PHOTOS_AT_MOST) return requestPurge(tx, [...galleries].map(cdnTags.gallery));
      return requestPurge(tx, [...new Set(photos.map(({ organizationId }) => cdnTags.organization(organizationId)))]);
    },

    /** Makes the CDN drop everything with one of these tags. @throws Error unless it confirms */
    async purge(tags: readonly string[]): Promise<void> {
      if (settings) await postJson({ ...settings.purge, body: { tags }, timeoutMs: CALL_MS });
    },
  };
}
