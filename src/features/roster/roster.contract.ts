/** Rosters: seasons, teams and athletes of an organization; schemas, limits and texts (athletes B.2, B.3, B.8). */
import * as z from 'zod/mini';
import { CONSENTS } from '#src/features/consent/consent.contract.ts';
import { numberText } from '#src/features/photos/photos.contract.ts';
import { formatCount } from '#src/shared/counted.ts';
import { readMachineDay } from '#src/shared/day-range.ts';
import { countUpTo } from '#src/shared/paging.ts';
import { hasVisibleText, idSchema, isEmail, must, tidy } from '#src/shared/validators.ts';

export const ROSTER_TITLE = 'Roster';
export const MAX_SEASONS = 40;
/** In one season. */
export const MAX_TEAMS = 200;
/** In one organization, without those who have no name. */
export const MAX_ATHLETES = 20_000;
/** Of one athlete at a time. */
export const MAX_ENTRIES = 20;
export const MAX_EMAILS = 8;
/** The roster names the number of browsers that opened a card only if there are more: the code may have been passed on. */
export const MANY_DEVICES = 6;
export const ATHLETES_PER_PAGE = 50;
const MAX_ATHLETES_PER_PAGE = 200;
export const MAX_NAME = 60;
export const MAX_SHORT_NAME = 12;
export const MAX_EXTERNAL_ID = 80;

export const SEASON_NAME_REQUIRED = 'Please name the season, for example “Fall 2026”.';
export const SEASON_NAME_TAKEN = 'You already have a season with this name.';
export const FIRST_DAY_NOT_VALID = 'The first day must be a date like 2026-08-15.';
export const LAST_DAY_NOT_VALID = 'The last day must be a date like 2027-06-30.';
export const DAYS_CROSSED = 'The last day must not be before the first one.';
export const SEASON_TOO_LONG = 'A season can last at most two years.';
export const TOO_MANY_SEASONS = `An organization can have ${MAX_SEASONS} seasons.`;
const TEAM_NAME_REQUIRED = 'Please name the team, for example “Hawks U12”.';
export const TEAM_NAME_TAKEN = 'This season already has a team with this name.';
const SHORT_NAME_NOT_VALID = `A short name must have 1 to ${MAX_SHORT_NAME} characters.`;
export const COLOR_NOT_VALID = 'Please enter a color like #1d4ed8.';
export const TEAM_IN_USE = 'This team has athletes, photos or galleries, so it can’t be deleted. You can rename it.';
export const SEASON_IN_USE = 'This season has teams, so it can’t be deleted. You can change its name and days.';
export const TOO_MANY_TEAMS = `A season can have ${MAX_TEAMS} teams.`;
export const FIRST_NAME_REQUIRED = 'First name is required.';
export const NAME_TOO_LONG = `At most ${MAX_NAME} characters, please.`;
export const CONSENT_NOT_VALID = 'Consent is yes, family, no or unknown.';
export const EXTERNAL_ID_TAKEN = 'Another athlete has this ID.';
export const EMAIL_NOT_VALID = 'Email is not a valid address.';
export const TOO_MANY_EMAILS = `An athlete can have ${MAX_EMAILS} addresses.`;
export const TOO_MANY_ENTRIES = `An athlete can be on ${MAX_ENTRIES} teams at a time.`;
export const TEAM_TWICE = 'Please list each team only once.';
export const TOO_MANY_ATHLETES = `A roster can have ${formatCount(MAX_ATHLETES)} athletes. Please remove those who left first.`;
export const SEASON_NOT_FOUND = 'This season cannot be found.';
export const TEAM_NOT_FOUND = 'This team cannot be found.';
export { ATHLETE_NOT_FOUND } from '#src/features/consent/consent.contract.ts';
export const ATHLETE_CHANGED = 'Someone else changed this athlete. Please review it.';
export const changedMeanwhile = (field: string) => `${field} was changed by someone else.`;
/** A warning: both are kept. */
export const numberTaken = (team: string, number: string, name: string) =>
  `${team} already has a ${number} (${name}). Both will be kept.`;

const day = (message: string) =>
  z.string({ error: message }).check(must((text) => readMachineDay(text) !== null, message));
const named = (message: string) =>
  z.string({ error: message }).check(tidy(), must(hasVisibleText, message), z.maxLength(MAX_NAME, NAME_TOO_LONG));

/** `POST /api/v1/affiliates/{id}/seasons`; both days are included. */
export const newSeason = z.strictObject({
  name: named(SEASON_NAME_REQUIRED),
  first_day: day(FIRST_DAY_NOT_VALID),
  last_day: day(LAST_DAY_NOT_VALID),
});
export type NewSeason = z.output<typeof newSeason>;
/** `PUT /api/v1/seasons/{id}`; absent fields stay. */
export const seasonChangesBody = z.strictObject({
  season: z.strictObject({
    name: z.optional(newSeason.shape.name),
    first_day: z.optional(newSeason.shape.first_day),
    last_day: z.optional(newSeason.shape.last_day),
  }),
});
export type SeasonChanges = z.output<typeof seasonChangesBody>['season'];
export const newSeasonBody = z.strictObject({ season: newSeason });

export const seasonAnswer = z.object({
  id: z.number(),
  name: z.string(),
  first_day: z.string(),
  last_day: z.string(),
  /** The season that includes today, or else the nearest one; at most one in an organization. */
  current: z.boolean(),
  teams: z.number(),
  athletes: z.number(),
});
export type SeasonAnswer = z.infer<typeof seasonAnswer>;
export const seasonsAnswer = z.object({ seasons: z.array(seasonAnswer) });

/**
 * `POST …/teams`. The default of `short_name` is the start of the name, with its last word if another team of the season
 * starts the same.
 */
const newTeam = z.strictObject({
  /** By default the current season, which is created if there is none. */
  season_id: z.optional(idSchema),
  name: named(TEAM_NAME_REQUIRED),
  short_name: z.optional(
    z
      .string({ error: SHORT_NAME_NOT_VALID })
      .check(tidy(), must(hasVisibleText, SHORT_NAME_NOT_VALID), z.maxLength(MAX_SHORT_NAME, SHORT_NAME_NOT_VALID)),
  ),
  color: z.optional(z.nullable(z.string({ error: COLOR_NOT_VALID }).check(z.regex(/^#[0-9a-f]{6}$/, COLOR_NOT_VALID)))),
});
export type NewTeam = z.output<typeof newTeam>;
/** `PUT /api/v1/teams/{id}`; absent fields stay. */
export const teamChangesBody = z.strictObject({
  team: z.strictObject({
    name: z.optional(newTeam.shape.name),
    short_name: newTeam.shape.short_name,
    color: newTeam.shape.color,
  }),
});
export type TeamChanges = z.output<typeof teamChangesBody>['team'];
export const newTeamBody = z.strictObject({ team: newTeam });

export const teamAnswer = z.object({
  id: z.number(),
  season_id: z.number(),
  name: z.string(),
  /** Shown before a number where there are several teams: "Hawks 10". */
  short_name: z.string(),
  color: z.nullable(z.string()),
  athletes: z.number(),
});
export type TeamAnswer = z.infer<typeof teamAnswer>;
export const teamsAnswer = z.object({ teams: z.array(teamAnswer) });

const number = z.nullable(numberText);
const entry = z.strictObject({ team_id: idSchema, number: z.optional(number) });
const athleteShape = {
  first_name: named(FIRST_NAME_REQUIRED),
  /** A full last name, an initial, or empty. */
  last_name: z.optional(z.string({ error: 'Must be text.' }).check(tidy(), z.maxLength(MAX_NAME, NAME_TOO_LONG))),
  consent: z.optional(z.enum(CONSENTS, { error: CONSENT_NOT_VALID })),
  /** The club's own id of this person. */
  external_id: z.optional(
    z.nullable(
      z
        .string({ error: 'Must be text.' })
        .check(tidy(), z.maxLength(MAX_EXTERNAL_ID, `At most ${MAX_EXTERNAL_ID} characters, please.`)),
    ),
  ),
  /** Teams that the athlete joins, or where the number changes from now on; other teams stay. */
  entries: z.optional(z.array(entry, { error: 'Teams are a list.' }).check(z.maxLength(MAX_ENTRIES, TOO_MANY_ENTRIES))),
  /** All of the family's addresses. */
  family_emails: z.optional(
    z
      .array(z.string({ error: EMAIL_NOT_VALID }).check(tidy(), must(isEmail, EMAIL_NOT_VALID)), {
        error: 'Addresses are a list.',
      })
      .check(z.maxLength(MAX_EMAILS, TOO_MANY_EMAILS)),
  ),
};
const newAthlete = z.strictObject(athleteShape);
export type NewAthlete = z.output<typeof newAthlete>;
export const newAthleteBody = z.strictObject({ athlete: newAthlete });

/** What someone last saw of the fields that they change. */
const seenAthlete = z.strictObject({
  first_name: z.optional(z.string()),
  last_name: z.optional(z.string()),
  consent: z.optional(z.enum(CONSENTS, { error: CONSENT_NOT_VALID })),
  external_id: z.optional(z.nullable(z.string())),
});
export type SeenAthlete = z.infer<typeof seenAthlete>;
export const FIELD_NAMES: Record<keyof SeenAthlete, string> = {
  first_name: 'First name',
  last_name: 'Last name',
  consent: 'Consent',
  external_id: 'ID',
};
/** `PUT /api/v1/athletes/{id}`; absent fields stay. */
const athleteChanges = z.strictObject({
  ...athleteShape,
  first_name: z.optional(athleteShape.first_name),
  leave_teams: z.optional(
    z.array(idSchema, { error: 'Teams are a list.' }).check(z.maxLength(MAX_ENTRIES, TOO_MANY_ENTRIES)),
  ),
});
export type AthleteChanges = z.output<typeof athleteChanges>;
export const athleteChangesBody = z.strictObject({ athlete: athleteChanges, seen: z.optional(seenAthlete) });
export type AthleteChangesBody = z.output<typeof athleteChangesBody>;

const entryAnswer = z.object({
  team_id: z.number(),
  team: z.string(),
  season_id: z.number(),
  number: z.nullable(z.string()),
});
export type EntryAnswer = z.infer<typeof entryAnswer>;
export const athleteAnswer = z.object({
  id: z.number(),
  /** Null once the time for the name has passed; the athlete is then called "Athlete 4711". */
  first_name: z.nullable(z.string()),
  last_name: z.nullable(z.string()),
  external_id: z.nullable(z.string()),
  /** Current entries. */
  entries: z.array(entryAnswer),
  consent: z.enum(CONSENTS),
  /** How many addresses the family has. */
  families: z.number(),
  card_opened: z.boolean(),
  /** The most browsers that opened one of its cards, of those that still work. */
  devices: z.number(),
  photo_count: z.number(),
});
export type AthleteAnswer = z.infer<typeof athleteAnswer>;
export const athletesPage = z.object({
  athletes: z.array(athleteAnswer),
  /** `after` of the next page. */
  next: z.nullable(z.number()),
  total: z.number(),
});
export type AthletesPage = z.infer<typeof athletesPage>;
/** One athlete with the family's addresses and the athletes who were merged into it. */
export const wholeAthlete = z.object({
  ...athleteAnswer.shape,
  family_emails: z.array(z.string()),
  /** Merged athletes that can still be separated, newest first. */
  merges: z.array(z.object({ athlete_id: z.number(), name: z.string() })),
});
export type WholeAthlete = z.infer<typeof wholeAthlete>;
/** The saved athlete, with warnings. */
export const savedAthlete = z.object({ athlete: wholeAthlete, warnings: z.array(z.string()) });
export type SavedAthlete = z.infer<typeof savedAthlete>;
/** How many photos a change of consent hid and showed. */
export const changedAthlete = z.object({ ...savedAthlete.shape, hidden: z.number(), shown: z.number() });
export type ChangedAthlete = z.infer<typeof changedAthlete>;

export const teamsQuery = z.object({ season: z.optional(idSchema) });
export const athletesQuery = z.object({
  season: z.optional(idSchema),
  team: z.optional(idSchema),
  /** Words of a name, or a number. */
  q: z.optional(z.string().check(z.maxLength(100, 'At most 100 characters, please.'))),
  consent: z.optional(z.enum(CONSENTS, { error: CONSENT_NOT_VALID })),
  after: z.optional(idSchema),
  limit: z.optional(countUpTo(MAX_ATHLETES_PER_PAGE)),
});
export type AthletesQuery = z.output<typeof athletesQuery>;
