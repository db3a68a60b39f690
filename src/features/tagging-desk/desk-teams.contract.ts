/** The teams that play in the photos of a gallery: schemas and texts (athletes B.3). */
import * as z from 'zod/mini';
import { CONSENTS, HOLD_BOX_REQUIRED } from '#src/features/consent/consent.contract.ts';
import { idSchema } from '#src/shared/validators.ts';

/** Usually two; more at a tournament. */
export const MAX_TEAMS_IN_PLAY = 9;

export const TEAMS_EXPECTED = 'Choose the teams that play in these photos.';
export const TOO_MANY_IN_PLAY = `At most ${MAX_TEAMS_IN_PLAY} teams can play in one gallery.`;

/** `PUT /api/v1/galleries/{id}/teams`: all teams, the home team first; an empty list clears the choice. */
export const teamsInPlayBody = z.strictObject({
  team_ids: z.array(idSchema, { error: TEAMS_EXPECTED }).check(z.maxLength(MAX_TEAMS_IN_PLAY, TOO_MANY_IN_PLAY)),
  /** How many athletes must not be published; required if new photos would no longer be held. */
  not_published: z.optional(z.number({ error: HOLD_BOX_REQUIRED }).check(z.int(HOLD_BOX_REQUIRED))),
});
export type TeamsInPlayBody = z.output<typeof teamsInPlayBody>;

export const teamsInPlayAnswer = z.object({
  teams: z.array(z.object({ id: z.number(), name: z.string(), short_name: z.string() })),
});
export type TeamsInPlayAnswer = z.infer<typeof teamsInPlayAnswer>;

/** `GET /api/v1/galleries/{id}/teams`: the teams in play with their current players, for the field of the tagging desk. */
export const deskRosterAnswer = z.object({
  ...teamsInPlayAnswer.shape,
  players: z.array(
    z.object({
      athlete_id: z.number(),
      /** "Maya R." */
      name: z.string(),
      /** First and last name in the form in which they are searched. */
      folded: z.string(),
      team_id: z.number(),
      number: z.nullable(z.string()),
      consent: z.enum(CONSENTS),
    }),
  ),
});
export type DeskRosterAnswer = z.infer<typeof deskRosterAnswer>;
