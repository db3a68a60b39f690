/** How a review moves through waiting photos. */
import {
  instagramHandle,
  type WaitingContributor,
  type WaitingPhoto,
} from '#src/features/contributors/contributors.contract.ts';
import { counted } from '#src/shared/counted.ts';

/** Everything that was sent with one address, and all names given with it: a family may share one. */
export type ReviewGroup = { person: WaitingContributor; names: string[]; photos: WaitingPhoto[] };

/** More names than a family has would hide the buttons below them: anyone with the link chooses names. */
const NAMES_SHOWN = 3;

/** "Ana, Ben"; of many names the first ones, and how many more there are. */
export function nameOf({ names }: Pick<ReviewGroup, 'names'>): string {
  const more = names.length - NAMES_SHOWN;
  return [
    ...names.slice(0, NAMES_SHOWN),
    ...(more > 0 ? [`and ${counted(more, 'more name', 'more names')}`] : []),
  ].join(', ');
}

/** Photos by sender, in the order of the list; the same address is the same person. */
export function groupsOf(photos: readonly WaitingPhoto[], people: ReadonlyMap<number, WaitingContributor>) {
  const groups = new Map<string, ReviewGroup>();
  for (const photo of photos) {
    const person = people.get(photo.contributor_id);
    if (!person) continue;
    const address = person.email.toLowerCase();
    const group = groups.get(address) ?? { person, names: [], photos: [] };
    if (!group.names.includes(person.name)) group.names.push(person.name);
    group.photos.push(photo);
    groups.set(address, group);
  }
  return [...groups.values()];
}

/** The newest contribution of a person in the list: more may have arrived from someone who typed the same address. */
export function newestOf(
  person: WaitingContributor,
  photos: readonly WaitingPhoto[],
  people: ReadonlyMap<number, WaitingContributor>,
): number {
  const email = person.email.toLowerCase();
  const seen = photos.filter(({ contributor_id: id }) => people.get(id)?.email.toLowerCase() === email);
  return Math.max(person.id, ...seen.map(({ contributor_id: id }) => id));
}

/** The next current photo after some are gone: the following one, else the one before. */
export function afterRemoval(photos: readonly WaitingPhoto[], currentId: number | null, gone: ReadonlySet<number>) {
  const place = photos.findIndex(({ id }) => id === currentId);
  const stays = ({ id }: WaitingPhoto) => !gone.has(id);
  const later = photos.slice(Math.max(place, 0)).find(stays);
  return (later ?? photos.slice(0, Math.max(place, 0)).findLast(stays))?.id ?? null;
}

/** The list with restored photos at its start, where they are seen. */
export function restored(photos: readonly WaitingPhoto[], back: readonly WaitingPhoto[]): WaitingPhoto[] {
  const known = new Set(photos.map(({ id }) => id));
  return [...back.filter(({ id }) => !known.has(id)), ...photos];
}

/** Instagram's page of a name as people write it; null for an invalid name. */
export function instagramAddress(name: string): string | null {
  const handle = instagramHandle(name);
  return handle === null ? null : `https://www.instagram.com/${handle}/`;
}

type ReviewAction = 'next' | 'previous' | 'approve' | 'approve-person' | 'reject' | 'reject-person' | 'undo';

/** The action of a key; null for other keys, and for the browser's own combinations. */
export function actionOf(press: {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}): ReviewAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  switch (press.key.toLowerCase()) {
    case 'arrowright':
    case 'j':
      return 'next';
    case 'arrowleft':
    case 'k':
      return 'previous';
    case 'a':
      return press.shiftKey ? 'approve-person' : 'approve';
    case 'r':
      return press.shiftKey ? 'reject-person' : 'reject';
    case 'delete':
      return 'reject';
    case 'u':
      return 'undo';
    default:
      return null;
  }
}
