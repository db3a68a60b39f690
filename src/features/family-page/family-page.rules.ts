/**
 * Where the list of a family's photos continues: after a photo, by its gallery's creation time (microseconds since
 * 1970) and its position there.
 */
import { readPlace, writePlace } from '#src/shared/paging.ts';

export type FamilyPlace = { galleryAt: string; galleryId: number; orderKey: string; id: number };

export const writeFamilyPlace = ({ galleryAt, galleryId, orderKey, id }: FamilyPlace): string =>
  writePlace([galleryAt, galleryId, orderKey, id]);

/** Null for a text that we did not write. */
export function readFamilyPlace(text: string): FamilyPlace | null {
  const [galleryAt, galleryId, orderKey, id] = readPlace(text);
  const isOurs =
    typeof galleryAt === 'string' &&
    /^\d{1,17}$/.test(galleryAt) &&
    Number.isSafeInteger(galleryId) &&
    typeof orderKey === 'string' &&
    orderKey.length <= 200 &&
    Number.isSafeInteger(id);
  return isOurs ? { galleryAt, galleryId: Number(galleryId), orderKey, id: Number(id) } : null;
}

/** Tabs of the open children: given names, with the initial if two are the same. */
export function presentTabs(
  children: readonly { athleteId: number; label: string; firstName: string | null; organizationPath: string }[],
) {
  const isShared = (name: string | null) => children.filter(({ firstName }) => firstName === name).length > 1;
  return children.map(({ athleteId, label, firstName, organizationPath }) => ({
    id: athleteId,
    name: firstName === null || isShared(firstName) ? label : firstName,
    path: organizationPath,
  }));
}

/** A code while it is typed: capitals, with the hyphen after five signs; an address is left unchanged. */
export function typedCode(text: string): string {
  if (/[/#]/.test(text)) return text;
  const signs = text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, 10);
  return signs.length > 5 ? `${signs.slice(0, 5)}-${signs.slice(5)}` : signs;
}
