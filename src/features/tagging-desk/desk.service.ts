/**
 * A member opens the tagging desk of a gallery: the first photos, the teams in play and their players. The teams in
 * play are chosen once for a gallery, for everyone who tags it.
 */
import type { ConsentOffice } from '#src/features/consent/consent-office.service.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { toPlayer, toTeamAnswer } from '#src/features/tagging-desk/desk-answers.rules.ts';
import type { DeskRoster } from '#src/features/tagging-desk/desk-model.rules.ts';
import {
  type DeskRosterAnswer,
  type TeamsInPlayAnswer,
  type TeamsInPlayBody,
} from '#src/features/tagging-desk/desk-teams.contract.ts';
import { TEAM_NOT_FOUND } from '#src/features/roster/roster.contract.ts';
import * as deskSql from '#src/features/tagging-desk/desk.sql.ts';
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { tenantOf, type Database } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { fieldProblem } from '#src/shared/problem.ts';

export type TaggingDeskService = ReturnType<typeof createTaggingDesk>;
type TaggingDeskDeps = {
  database: Database;
  galleries: Pick<GalleryService, 'editable' | 'ownGallery'>;
  consentOffice: Pick<ConsentOffice, 'changeTeams'>;
};

/**
 * The teams in play with their players, and the teams to choose from.
 * @throws unauthenticated; not_found for galleries of others
 */
export async function open(
  ctx: TaggingDeskDeps,
  caller: Caller,
  galleryId: number,
): Promise<{ roster: DeskRoster; choices: deskSql.TeamChoice[] }> {
  requireUser(caller.actor);
  const gallery = await ctx.galleries.ownGallery(caller, galleryId);
  return ctx.database.read(tenantOf(gallery), async (db) => {
    const teams = await deskSql.listTeamsInPlay(db, galleryId);
    const players = teams.length === 0 ? [] : await deskSql.listPlayers(db, galleryId);
    const choices = await deskSql.listTeamChoices(db, { galleryId, organizationId: gallery.organizationId });
    return { roster: { teams, players: players.map(toPlayer) }, choices };
  });
}

/** The teams in play and their players, for the field. @throws as `open` */
export async function roster(ctx: TaggingDeskDeps, caller: Caller, galleryId: number): Promise<DeskRosterAnswer> {
  const { teams, players } = (await open(ctx, caller, galleryId)).roster;
  return {
    teams: teams.map(toTeamAnswer),
    players: players.map(({ athleteId, teamId, ...player }) => ({ athlete_id: athleteId, team_id: teamId, ...player })),
  };
}

/**
 * Chooses the teams in play.
 * @throws unauthenticated; not_found for galleries of others; forbidden for an inactive one; invalid; conflict if new
 * photos would no longer be held and the number of children was not confirmed
 */
export async function chooseTeams(
  ctx: TaggingDeskDeps,
  caller: Caller,
  galleryId: number,
  { team_ids: given, not_published: confirmed }: TeamsInPlayBody,
): Promise<TeamsInPlayAnswer> {
  requireUser(caller.actor);
  const gallery = await ctx.galleries.editable(caller, galleryId);
  const { organizationId } = gallery;
  const teamIds = [...new Set(given)];
  return ctx.database.write(tenantOf(gallery), async (tx) => {
    const found = await deskSql.findTeams(tx, organizationId, teamIds);
    if (found.length < teamIds.length) throw fieldProblem({ team_ids: [TEAM_NOT_FOUND] });
    const work = async () => {
      await deskSql.deleteTeamsInPlay(tx, galleryId, teamIds);
      await deskSql.insertTeamsInPlay(tx, { galleryId, organizationId, teamIds });
    };
    await ctx.consentOffice.changeTeams(tx, caller, { gallery, confirmed, work });
    const teams = await deskSql.listTeamsInPlay(tx, galleryId);
    return { teams: teams.map(toTeamAnswer) };
  });
}

export const createTaggingDesk = (deps: TaggingDeskDeps) => bind(deps, { open, roster, chooseTeams });
