/** The message when the server hid a photo because of a consent. */
import type { DeskPhoto, DeskRoster } from '#src/features/tagging-desk/desk-model.rules.ts';
import { mustNotBePublished, onlyForFamily, nowHidden } from '#src/features/tagging-desk/tagging-desk.contract.ts';

/** Names the children who must not be published; if there are none, those whose photos are only for their family. */
export function hiddenWords(
  photos: readonly Pick<DeskPhoto, 'id' | 'tags'>[],
  hidden: readonly number[],
  { players }: Pick<DeskRoster, 'players'>,
): string {
  const tagged = new Set(
    photos.filter(({ id }) => hidden.includes(id)).flatMap(({ tags }) => tags.map(({ athleteId }) => athleteId)),
  );
  const named = (isMeant: (consent: string) => boolean) => [
    ...new Set(players.filter((one) => tagged.has(one.athleteId) && isMeant(one.consent)).map(({ name }) => name)),
  ];
  const never = named((consent) => consent === 'no');
  if (never.length > 0) return mustNotBePublished(never, hidden.length);
  const family = named((consent) => consent !== 'yes');
  return family.length > 0 ? onlyForFamily(family, hidden.length) : nowHidden(hidden.length);
}
