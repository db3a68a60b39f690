/**
 * The operator's CDN for pictures that every visitor sees alike (decision record 0063). Its addresses are signed and end after
 * some minutes; before that, what is not to be seen any more is purged by a job that is put in the queue by the same
 * transaction that hides it. Without a CDN nothing is signed, nothing queued.
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
  /** An address opens its picture for at most so long, and for at least half of it. */
  seconds: number;
  purge: { url: string; token: string; reachesPrivate: boolean };
};

/** What is kept at the CDN under this name goes with it. */
export const cdnTags = {
  photo: (id: number) => `photo-${id}`,
  gallery: (id: number) => `gallery-${id}`,
  organization: (id: number) => `organization-${id}`,
};

/** Retries end after some hours, when the last of the addresses has ended, too. */
export const purgeCdnJob = payloadJob('cdn.purge', z.strictObject({ tags: z.array(z.string()) }), {
  retryLimit: 30,
  retryDelaySeconds: 1,
  expireInSeconds: 30,
});

const PURPOSE = 'public picture';
const CALL_MS = 10_000;
/** For a picture that was on its way to the CDN while it was hidden. */
const AGAIN_SECONDS = 10;
/** More photos of a gallery are purged as the whole gallery. */
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

  /** Ends at fixed points in time, so that everyone gets the same address meanwhile. */
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

    /** Where visitors find a picture that all of them may see; null without a CDN. */
    addressOf: (picture: PublicPicture): string | null =>
      settings && settings.origin + cdnPath(picture, sealOf(picture, settings.seconds)),

    /** For how many seconds the seal opens this picture, 0 when it has ended; null when it is not ours or another picture's. */
    secondsLeft({ galleryId, photoId, version }: PublicPicture, seal: string): number | null {
      const [, until, signature] = /^(\d{1,12})\.([A-Za-z0-9_-]{43})$/.exec(seal) ?? [];
      if (until === undefined || signature === undefined) return null;
      if (!verifyValue(key, signature, PURPOSE, galleryId, photoId, version, until)) return null;
      return Math.max(0, Number(until) - nowSeconds());
    },

    /** In the transaction after which these are not to be seen any more: a job purges them when it commits. */
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

    /** Has the CDN drop everything with one of these tags. @throws Error when it does not say that it did */
    async purge(tags: readonly string[]): Promise<void> {
      if (settings) await postJson({ ...settings.purge, body: { tags }, timeoutMs: CALL_MS });
    },
  };
}
