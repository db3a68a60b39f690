/** A small roster of invented children, inserted directly into the tables: for tests of features based on rosters. */
import { machineDay } from '#src/shared/dates.ts';
import { addDays } from '#src/shared/day-range.ts';
import type { Consent } from '#src/features/consent/consent.contract.ts';
import { foldName } from '#src/features/roster/roster.rules.ts';
import type { TestServer } from '#tests/support/test-server.ts';

export type SeededTeam = { id: number; name: string };
export type SeededAthlete = { id: number; firstName: string; lastName: string; number: string | null; teamId: number };
type NewAthlete = {
  firstName: string;
  lastName?: string;
  teamId: number;
  number?: string | null;
  consent?: Consent;
  emails?: readonly string[];
};

/** `YYYY-MM-DD` in New York. */
export const daysAgo = (days: number): string => addDays(machineDay(new Date()), -days);

/** A season that includes today, unless days are given; returns its id. */
export async function addSeason(
  server: TestServer,
  organizationId: number,
  { name = 'Fall', firstDay, lastDay }: { name?: string; firstDay?: string; lastDay?: string } = {},
): Promise<number> {
  const [row] = await server.data.ownerQuery<{ id: number }>(
    `insert into seasons (organization_id, name, first_day, last_day)
     values ($1, $2, coalesce($3::date, current_date - 60), coalesce($4::date, current_date + 120)) returning id`,
    [organizationId, name, firstDay ?? null, lastDay ?? null],
  );
  return row?.id ?? 0;
}

export async function addTeam(
  server: TestServer,
  organizationId: number,
  seasonId: number,
  name: string,
): Promise<SeededTeam> {
  const [row] = await server.data.ownerQuery<{ id: number }>(
    "insert into teams (organization_id, season_id, name, short_name) values ($1, $2, $3, split_part($3, ' ', 1)) returning id",
    [organizationId, seasonId, name],
  );
  return { id: row?.id ?? 0, name };
}

export async function addAthlete(
  server: TestServer,
  organizationId: number,
  athlete: NewAthlete,
): Promise<SeededAthlete> {
  const { firstName, lastName = '', teamId, number = null, consent = 'unknown', emails = [] } = athlete;
  const [row] = await server.data.ownerQuery<{ id: number }>(
    `with made as (insert into athletes (organization_id, first_name, last_name, folded_name, consent) values ($1, $2, $3, $4, $5) returning id),
          entered as (insert into entries (organization_id, athlete_id, team_id, number) select $1, id, $6, $7 from made),
          asked as (insert into athlete_families (athlete_id, organization_id, email, source)
                    select id, $1, email, 'import' from made, unnest($8::text[]) as given (email))
     select id from made`,
    [organizationId, firstName, lastName, foldName(firstName, lastName), consent, teamId, number, [...emails]],
  );
  return { id: row?.id ?? 0, firstName, lastName, number, teamId };
}

export type SeededRoster = {
  seasonId: number;
  hawks: SeededTeam;
  tides: SeededTeam;
  /** Hawks 10; yes. */
  maya: SeededAthlete;
  /** Hawks 7; yes. */
  leo: SeededAthlete;
  /** Hawks 23; only to the family. */
  ada: SeededAthlete;
  /** Hawks 4; must not be published. */
  sam: SeededAthlete;
  /** Tides 10, like Maya on the other team; the family was not asked. */
  kai: SeededAthlete;
};

/** A season with two teams and five athletes, one of each consent. */
export async function addRoster(server: TestServer, organizationId: number): Promise<SeededRoster> {
  const seasonId = await addSeason(server, organizationId);
  const hawks = await addTeam(server, organizationId, seasonId, 'Hawks U12');
  const tides = await addTeam(server, organizationId, seasonId, 'Tides U12');
  const add = (firstName: string, lastName: string, team: SeededTeam, number: string, consent: Consent) =>
    addAthlete(server, organizationId, {
      firstName,
      lastName,
      teamId: team.id,
      number,
      consent,
      emails: [`${firstName.toLowerCase()}@families.test`],
    });
  return {
    seasonId,
    hawks,
    tides,
    maya: await add('Maya', 'Rivera', hawks, '10', 'yes'),
    leo: await add('Leo', 'Park', hawks, '7', 'yes'),
    ada: await add('Ada', 'Lindqvist', hawks, '23', 'family'),
    sam: await add('Sam', 'Okafor', hawks, '4', 'no'),
    kai: await add('Kai', 'Brandt', tides, '10', 'unknown'),
  };
}
