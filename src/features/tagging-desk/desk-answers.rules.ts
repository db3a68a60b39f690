/** Converts answers of the API about tags and rosters for the tagging desk. */
import type { MemberTag } from '#src/features/photos/photos.contract.ts';
import type { TaggingPhoto } from '#src/features/tagging/tagging.contract.ts';
import type { DeskRosterAnswer } from '#src/features/tagging-desk/desk-teams.contract.ts';
import { labelOf } from '#src/features/roster/roster.rules.ts';
import type { DeskPhoto, DeskPlayer, DeskRoster, DeskTag } from '#src/features/tagging-desk/desk-model.rules.ts';

export function toDeskPhoto(photo: TaggingPhoto): DeskPhoto {
  return {
    id: photo.id,
    imageUrl: photo.image_url,
    width: photo.width,
    height: photo.height,
    capturedAt: photo.captured_at,
    camera: photo.camera,
    tags: photo.tags.flatMap(toDeskTag),
    isChecked: photo.checked,
    isShown: photo.published,
    isWithheld: photo.published && !photo.show_in_gallery,
    isTaken: photo.taken,
  };
}

function toDeskTag({ athlete_id: athleteId, team_id: teamId, number, name }: MemberTag): DeskTag[] {
  if (athleteId !== null) return [{ athleteId, teamId, number, name: name ?? '' }];
  return teamId === null || number === null ? [] : [{ athleteId: null, teamId, number, name: null }];
}

type PlayerRow = Omit<DeskPlayer, 'name'> & { firstName: string | null; lastName: string | null };

export function toPlayer({ firstName, lastName, ...player }: PlayerRow): DeskPlayer {
  return { ...player, name: labelOf({ id: player.athleteId, firstName, lastName }) };
}

export const toTeamAnswer = ({ id, name, shortName }: DeskRoster['teams'][number]) => ({
  id,
  name,
  short_name: shortName,
});

export function toDeskRoster({ teams, players }: DeskRosterAnswer): DeskRoster {
  return {
    teams: teams.map(({ id, name, short_name: shortName }) => ({ id, name, shortName })),
    players: players.map(({ athlete_id: athleteId, team_id: teamId, ...player }) => ({ athleteId, teamId, ...player })),
  };
}
