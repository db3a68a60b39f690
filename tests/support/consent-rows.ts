/** Seasons, teams, athletes and tags inserted directly into the tables, for tests of what consent hides. */
import { randomBytes } from 'node:crypto';
import type { Consent, UnknownConsent } from '#src/features/consent/consent.contract.ts';
import type { TestServer } from '#tests/support/test-server.ts';

async function insert(server: TestServer, text: string, values: unknown[]): Promise<number> {
  const [row] = await server.data.ownerQuery<{ id: number }>(`${text} returning id`, values);
  return row?.id ?? 0;
}

let seasons = 0;

/** A team in a season of its own. */
export async function addTeam(server: TestServer, organizationId: number): Promise<number> {
  const season = await insert(
    server,
    'insert into seasons (organization_id, name, first_day, last_day) values ($1, $2, current_date - 60, current_date + 120)',
    [organizationId, `Season ${++seasons}`],
  );
  return insert(
    server,
    "insert into teams (organization_id, season_id, name, short_name) values ($1, $2, 'Hawks U12', 'Hawks')",
    [organizationId, season],
  );
}

/** On the team, with the number, if one is given. */
export async function addAthlete(
  server: TestServer,
  organizationId: number,
  {
    consent = 'unknown',
    teamId = null,
    number = null,
    firstName = 'Maya',
    lastName = 'R',
  }: {
    consent?: Consent;
    teamId?: number | null;
    number?: string | null;
    firstName?: string;
    lastName?: string;
  } = {},
): Promise<number> {
  const id = await insert(
    server,
    "insert into athletes (organization_id, first_name, last_name, folded_name, consent, consent_by, consent_at) values ($1, $2, $3, lower($2 || ' ' || $3), $4, 'import', now())",
    [organizationId, firstName, lastName, consent],
  );
  if (teamId !== null)
    await insert(server, 'insert into entries (organization_id, athlete_id, team_id, number) values ($1, $2, $3, $4)', [
      organizationId,
      id,
      teamId,
      number,
    ]);
  return id;
}

/** A card of the athlete, for calls of services that need its id. */
export const addCard = (server: TestServer, organizationId: number, athleteId: number): Promise<number> =>
  insert(
    server,
    "insert into athlete_cards (organization_id, athlete_id, code_hash, secrets_encrypted, key_hash) values ($1, $2, $3, '', $4)",
    [organizationId, athleteId, randomBytes(32), randomBytes(32)],
  );

type Tag = { photoId: number; athleteId: number } | { photoId: number; teamId: number; number: string };

export async function tag(server: TestServer, organizationId: number, tags: readonly Tag[]): Promise<void> {
  await server.data.ownerQuery(
    `insert into photo_tags (organization_id, gallery_id, photo_id, athlete_id, team_id, number, how)
     select $1, p.gallery_id, p.id, given.athlete_id, given.team_id, given.number, 'hand'
       from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[]) as given (photo_id, athlete_id, team_id, number)
       join photos p on p.id = given.photo_id`,
    [
      organizationId,
      tags.map(({ photoId }) => photoId),
      tags.map((each) => ('athleteId' in each ? each.athleteId : null)),
      tags.map((each) => ('teamId' in each ? each.teamId : null)),
      tags.map((each) => ('number' in each ? each.number : null)),
    ],
  );
}

/** What `unknown` means there; the search by number is on. */
export const chooseUnknown = (server: TestServer, organizationId: number, unknown: UnknownConsent) =>
  server.data.ownerQuery(
    `insert into athlete_settings (organization_id, mode, unknown_consent) values ($1, 'numbers', $2)
     on conflict (organization_id) do update set unknown_consent = $2`,
    [organizationId, unknown],
  );
