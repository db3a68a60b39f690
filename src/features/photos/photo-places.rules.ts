/** A place in a gallery's list of photos: where a page ends and the next one begins. */
import { BAD_PLACE } from '#src/shared/paging.ts';
import { problem } from '#src/shared/problem.ts';

export type PhotoPlace = {
  featured: boolean;
  orderKey: string;
  id: number;
  /** Of the photo at this place, in the caller's list. */
  index: number;
  /** Photos of the whole list, counted with its first page. */
  total: number;
};

/** Opaque text for `next`. */
export function writePhotoPlace({ featured, orderKey, id, index, total }: PhotoPlace): string {
  return btoa(JSON.stringify([featured ? 1 : 0, orderKey, id, index, total]))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** Null for anything that we did not write. */
export function readPhotoPlace(text: string): PhotoPlace | null {
  try {
    const [featured, orderKey, id, index, total] = JSON.parse(
      atob(text.replaceAll('-', '+').replaceAll('_', '/')),
    ) as unknown[];
    if (typeof orderKey !== 'string' || !/^[0-9A-Za-z]{1,500}$/.test(orderKey)) return null;
    if (!isCount(id) || !isCount(index) || !isCount(total) || (featured !== 0 && featured !== 1)) return null;
    return { featured: featured === 1, orderKey, id, index, total };
  } catch {
    return null;
  }
}

/** The place that a call names. Null for none. @throws invalid for a foreign one */
export function placeAfter(text: string | null | undefined): PhotoPlace | null {
  if (text === null || text === undefined || text === '') return null;
  const place = readPhotoPlace(text);
  if (!place) throw badPlace();
  return place;
}

export const badPlace = () => problem('invalid', BAD_PLACE, { errors: { after: [BAD_PLACE] } });

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
