/** Daily limits of files and megabytes for a member, a contributor's link and an address (threat 49, rule 63). */
import { MAX_UPLOAD_BYTES } from '#src/features/uploads/uploads.contract.ts';
import { DAY_SECONDS } from '#src/shared/dates.ts';

/** Who requested an upload form: a session's user, or the holder of a contribute key. */
export type Uploader = { userId: number; contributeKeyHash: null } | { userId: null; contributeKeyHash: Buffer };

const USER_UPLOADS_A_DAY = 20_000;
const KEY_UPLOADS_A_DAY = 2_000;
const ADDRESS_UPLOADS_A_DAY = 5_000;

/**
 * A form takes its maximum from the limit, and the claim returns what the photo did not need, so unclaimed uploads count in
 * full. A free account can fill its gallery twice; a club can upload 3,000 photos of any size twice.
 */
const MEGABYTES_A_DAY = { free: 10_000, paid: 60_000 } as const;
/** For all accounts and links behind one address; a hundred free accounts of one person are one sender. */
const ADDRESS_MEGABYTES_A_DAY = { free: 20_000, paid: 120_000 } as const;

/** What a form takes of the megabytes: its largest file. */
export const FORM_MEGABYTES = Math.ceil(MAX_UPLOAD_BYTES / 1_048_576);

/** The limits that count one file. */
export function fileLimits({ userId, contributeKeyHash }: Uploader, ip: string) {
  if (userId !== null)
    return [{ bucket: `policy:user:${userId}`, limit: USER_UPLOADS_A_DAY, windowSeconds: DAY_SECONDS }];
  const key = contributeKeyHash.toString('hex');
  return [
    { bucket: `policy:key:${key}`, limit: KEY_UPLOADS_A_DAY, windowSeconds: DAY_SECONDS },
    { bucket: `policy:ip:${ip}`, limit: ADDRESS_UPLOADS_A_DAY, windowSeconds: DAY_SECONDS },
  ];
}

/** The limits of megabytes: the account's own (links have their own quotas) and the address's. */
export function byteLimits(uploader: Uploader, ip: string, { freeTier, megabytes }: ByteUse) {
  const plan = freeTier ? 'free' : 'paid';
  const perDay = { windowSeconds: DAY_SECONDS, cost: megabytes };
  const address = { bucket: `bytes:${plan}:ip:${ip}`, limit: ADDRESS_MEGABYTES_A_DAY[plan], ...perDay };
  if (uploader.userId === null) return [address];
  return [{ bucket: `bytes:${plan}:user:${uploader.userId}`, limit: MEGABYTES_A_DAY[plan], ...perDay }, address];
}
type ByteUse = { freeTier: boolean; megabytes: number };
