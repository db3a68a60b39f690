/** Where a list of a pass's photos continues: after a photo, and the time when it came, in microseconds since 1970. */
import { readPlace, writePlace } from '#src/shared/paging.ts';

type PassPlace = { addedAt: string; id: number };

export const writePassPlace = ({ addedAt, id }: PassPlace): string => writePlace([addedAt, id]);

/** Null for a text that we did not write. */
export function readPassPlace(text: string): PassPlace | null {
  const [addedAt, id] = readPlace(text);
  return typeof addedAt === 'string' && /^\d{1,17}$/.test(addedAt) && Number.isSafeInteger(id)
    ? { addedAt, id: Number(id) }
    : null;
}
