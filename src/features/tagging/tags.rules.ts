/**
 * Computes the changes of each photo's tags in a call: numbers become the athletes who wore them on the photo's day
 * (athletes B.2, B.10).
 */
import * as words from '#src/features/tagging/tagging.contract.ts';
import type { TagChange, TagTarget, UndoChange } from '#src/features/tagging/tagging.contract.ts';

/** An athlete on a team. Days are those of the camera; null means no end. */
export type Entry = {
  athleteId: number;
  teamId: number;
  number: string | null;
  joinedOn: string | null;
  leftOn: string | null;
};

export type TagFacts = {
  /** The day of each photo of the gallery, by its camera; deleted photos are missing. */
  days: ReadonlyMap<number, string>;
  /** The current athlete of each id that was sent: merged athletes map to the remaining one. Unknown ids are missing. */
  athletes: ReadonlyMap<number, number>;
  /** The organization's teams, among those that were sent. */
  teams: ReadonlySet<number>;
  /** The teams in play. */
  playing: ReadonlySet<number>;
  /** Of these athletes, and with these numbers. */
  entries: readonly Entry[];
};

/** A tag to write: an athlete with the team and number of the day, or a bare number. */
export type NewTag = {
  photoId: number;
  athleteId: number | null;
  teamId: number | null;
  number: string | null;
  how: TagChange['how'];
};
/** An athlete, or the athlete with a number of a team. */
export type OldTag = Omit<NewTag, 'how'>;

export type TagPlan = {
  add: NewTag[];
  remove: OldTag[];
  checks: { photoId: number; checked: boolean }[];
  /** Photos with at least one accepted change. */
  photoIds: number[];
  refused: { photoId: number; error: string }[];
};

const hasBegun = (entry: Entry, day: string) => entry.joinedOn === null || entry.joinedOn <= day;
const hasNotEnded = (entry: Entry, day: string) => entry.leftOn === null || day <= entry.leftOn;

/** Who wore a number of a team on a day. */
export function wearersOf(entries: readonly Entry[], worn: { teamId: number; number: string }, day: string): number[] {
  const those = entries.filter(
    (entry) =>
      entry.teamId === worn.teamId && entry.number === worn.number && hasBegun(entry, day) && hasNotEnded(entry, day),
  );
  return [...new Set(those.map(({ athleteId }) => athleteId))];
}

/**
 * The entry of an athlete on a day: preferably of a team that plays here, then the newest. A camera's clock may be
 * behind, so an entry that has not started yet is accepted. An entry that has ended is not: new tags stop with it
 * (B.10).
 */
export function entryOn(
  entries: readonly Entry[],
  athleteId: number,
  { day, playing }: { day: string; playing: ReadonlySet<number> },
): Entry | null {
  const rank = (entry: Entry) => (hasBegun(entry, day) ? 2 : 0) + (playing.has(entry.teamId) ? 1 : 0);
  const possible = entries.filter((entry) => entry.athleteId === athleteId && hasNotEnded(entry, day));
  return (
    possible.toSorted(
      (a, b) => rank(b) - rank(a) || (b.joinedOn ?? '').localeCompare(a.joinedOn ?? '') || b.teamId - a.teamId,
    )[0] ?? null
  );
}

/** @returns why a change is impossible; null when it is possible */
function refusalOf({ add, remove }: TagChange, facts: TagFacts): string | null {
  for (const target of [...add, ...remove]) {
    if ('athlete_id' in target && !facts.athletes.has(target.athlete_id)) return words.ATHLETE_NOT_FOUND;
    if ('team_id' in target && !facts.teams.has(target.team_id)) return words.TEAM_NOT_FOUND;
  }
  return null;
}

/** The tag of a target on a photo of this day, or why there is none. */
function tagOf(target: TagTarget, day: string, facts: TagFacts): Omit<OldTag, 'photoId'> | string {
  if ('athlete_id' in target) {
    const athleteId = facts.athletes.get(target.athlete_id) ?? target.athlete_id;
    const entry = entryOn(facts.entries, athleteId, { day, playing: facts.playing });
    return entry ? { athleteId, teamId: entry.teamId, number: entry.number } : words.NOT_ON_A_TEAM;
  }
  const { team_id: teamId, number } = target;
  const [athleteId = null, ...others] = wearersOf(facts.entries, { teamId, number }, day);
  return others.length > 0 ? words.chooseAthlete(number, others.length + 1) : { athleteId, teamId, number };
}

const keyOf = ({ photoId, athleteId, teamId, number }: OldTag) =>
  athleteId === null ? `${photoId} ${teamId} ${number}` : `${photoId} ${athleteId}`;

/** Applies changes in order: for the same tag the later one wins. */
export function planTags(changes: readonly TagChange[], facts: TagFacts): TagPlan {
  const [add, remove] = [new Map<string, NewTag>(), new Map<string, OldTag>()];
  const checks = new Map<number, boolean>();
  const done = new Set<number>();
  const refused: TagPlan['refused'] = [];

  function takeAway(photoId: number, target: TagTarget): void {
    const old: OldTag =
      'athlete_id' in target
        ? { photoId, athleteId: facts.athletes.get(target.athlete_id) ?? null, teamId: null, number: null }
        : { photoId, athleteId: null, teamId: target.team_id, number: target.number };
    for (const [key, one] of add) {
      const isMeant =
        old.athleteId === null
          ? one.teamId === old.teamId && one.number === old.number
          : one.athleteId === old.athleteId;
      if (one.photoId === photoId && isMeant) add.delete(key);
    }
    remove.set(keyOf(old), old);
  }

  function change(photoId: number, day: string, one: TagChange): string | null {
    const tags = one.add.map((target) => tagOf(target, day, facts));
    const error = tags.find((tag) => typeof tag === 'string');
    if (error !== undefined) return error;
    for (const target of one.remove) takeAway(photoId, target);
    for (const tag of tags as Omit<OldTag, 'photoId'>[]) {
      const fresh = { photoId, ...tag, how: one.how };
      remove.delete(keyOf(fresh));
      add.set(keyOf(fresh), fresh);
    }
    if (one.checked !== undefined) checks.set(photoId, one.checked);
    return null;
  }

  for (const one of changes) {
    const refusal = refusalOf(one, facts);
    for (const photoId of new Set(one.photo_ids)) {
      const day = facts.days.get(photoId);
      const error = day === undefined ? words.PHOTO_IS_GONE : (refusal ?? change(photoId, day, one));
      if (error === null) done.add(photoId);
      else refused.push({ photoId, error });
    }
  }
  return {
    add: [...add.values()],
    remove: [...remove.values()],
    checks: [...checks].map(([photoId, checked]) => ({ photoId, checked })),
    photoIds: [...done],
    refused,
  };
}

/**
 * The changes that undo what was added and removed. Photos with the same change share one; each is within the limits of a
 * call.
 */
export function undoOf(added: readonly OldTag[], removed: readonly NewTag[]): UndoChange[] {
  const photos = new Map<number, { add: BackTag[]; remove: TagTarget[] }>();
  const backOn = (photoId: number) => {
    const photo = photos.get(photoId) ?? { add: [], remove: [] };
    photos.set(photoId, photo);
    return photo;
  };
  for (const tag of removed) backOn(tag.photoId).add.push({ target: targetOf(tag), how: tag.how });
  for (const tag of added) backOn(tag.photoId).remove.push(targetOf(tag));
  const same = Map.groupBy(photos, ([, photo]) => JSON.stringify(photo));
  return [...same.values()].flatMap((all) => {
    const { add, remove } = all[0]?.[1] ?? { add: [], remove: [] };
    return portions(all, words.MAX_PHOTOS_PER_CHANGE).flatMap((some) => {
      const ids = some.map(([photoId]) => photoId);
      return [
        ...portions(remove, words.MAX_TAGS_PER_CHANGE).map((part) => ({ photo_ids: ids, add: [], remove: part })),
        ...[...Map.groupBy(add, ({ how }) => how)].flatMap(([how, tags]) =>
          portions(tags, words.MAX_TAGS_PER_CHANGE).map((part) => ({
            photo_ids: ids,
            add: part.map(({ target }) => target),
            remove: [],
            how,
          })),
        ),
      ];
    });
  });
}

/** A removed tag comes back as it was: one of a keyword releases no held photo. */
type BackTag = { target: TagTarget; how: NewTag['how'] };

const targetOf = ({ athleteId, teamId, number }: OldTag): TagTarget =>
  athleteId === null ? { team_id: teamId ?? 0, number: number ?? '' } : { athlete_id: athleteId };

const portions = <Each>(all: readonly Each[], most: number): Each[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most));

/** The only meaning of a number among the keywords on a day; null when several wear it, or its team is unknown. */
export function keywordTag(
  entries: readonly Entry[],
  playing: readonly number[],
  { number, day }: { number: string; day: string },
): Omit<OldTag, 'photoId'> | null {
  const worn = playing.flatMap((teamId) =>
    wearersOf(entries, { teamId, number }, day).map((athleteId) => ({ athleteId, teamId, number })),
  );
  const [only] = worn;
  if (only) return worn.length === 1 ? only : null;
  const [teamId] = playing;
  return teamId !== undefined && playing.length === 1 ? { athleteId: null, teamId, number } : null;
}

/** What to look up in the roster: the athletes and numbers of a call, each once. */
export function lookupsOf(changes: readonly TagChange[]) {
  const targets = changes.flatMap(({ add, remove }) => [...add, ...remove]);
  const athletes = targets.flatMap((target) => ('athlete_id' in target ? [target.athlete_id] : []));
  const worn = targets.flatMap((target) => ('team_id' in target ? [target] : []));
  return {
    athleteIds: [...new Set(athletes)],
    worn: [...new Map(worn.map((one) => [`${one.team_id} ${one.number}`, one])).values()].map((one) => ({
      teamId: one.team_id,
      number: one.number,
    })),
  };
}
