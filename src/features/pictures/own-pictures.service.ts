/** Pictures of a contributor's own photos, while they wait. */
import { signValue, verifyValue } from '#src/platform/secrets.ts';
import { DAY_MS } from '#src/shared/dates.ts';

const dayOf = (moment: Date) => Math.floor(moment.getTime() / DAY_MS);

/** The proof in a picture's address that opens a contributor's own photo today and tomorrow, and nothing else. */
export function ownPictureProof(key: Buffer, photoId: number, now: Date): string {
  return `${dayOf(now)}.${signValue(key, 'own picture', photoId, dayOf(now))}`;
}

/** Whether such a proof is ours, for this photo, and not too old. */
export function opensOwnPicture(key: Buffer, proof: string, photoId: number, now: Date): boolean {
  const [, day, signature] = /^(\d{1,6})\.([A-Za-z0-9_-]{43})$/.exec(proof) ?? [];
  if (day === undefined || signature === undefined) return false;
  const age = dayOf(now) - Number(day);
  return (age === 0 || age === 1) && verifyValue(key, signature, 'own picture', photoId, Number(day));
}
