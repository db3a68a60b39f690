/** Athletes with cards, inserted directly into the tables: for tests of what families see. */
import { makeSecrets } from '#src/features/families/cards.service.ts';
import { insertCards } from '#src/features/families/cards.sql.ts';
import { printedCode } from '#src/features/families/families.rules.ts';
import type { TestServer } from '#tests/support/test-server.ts';

export type CardedAthlete = {
  organizationId: number;
  teamId: number;
  athleteId: number;
  /** As it is printed. */
  code: string;
  /** Of the square. */
  key: string;
};

let teams = 0;

/** A team of the present season; returns its id. */
export async function addTeam(server: TestServer, organizationId: number, name = 'Hawks U12'): Promise<number> {
  const [team] = await server.data.ownerQuery<{ id: number }>(
    `with s as (insert into seasons (organization_id, name, first_day, last_day)
                values ($1, $2, current_date - 100, current_date + 100) returning id)
     insert into teams (organization_id, season_id, name, short_name) select $1, id, $3, 'Hawks' from s returning id`,
    [organizationId, `Season ${++teams}`, name],
  );
  return team?.id ?? 0;
}

/** An athlete on a team, with a card. */
export async function addCarded(
  server: TestServer,
  team: { id: number; organizationId: number },
  child: { firstName?: string; lastName?: string; number?: string | null; consent?: string } = {},
): Promise<CardedAthlete> {
  const { firstName = 'Maya', lastName = 'Rivera', number = '10', consent = 'yes' } = child;
  const { organizationId } = team;
  const [athlete] = await server.data.ownerQuery<{ id: number }>(
    `with a as (insert into athletes (organization_id, first_name, last_name, folded_name, consent)
                values ($1, $2, $3, lower($2 || ' ' || $3), $4) returning id)
     insert into entries (organization_id, athlete_id, team_id, number) select $1, id, $5, $6 from a returning athlete_id as id`,
    [organizationId, firstName, lastName, consent, team.id, number],
  );
  const athleteId = athlete?.id ?? 0;
  const made = makeSecrets(server.platform.keys, athleteId);
  await server.platform.database.write({ kind: 'tenants', organizationIds: [organizationId] }, (tx) =>
    insertCards(tx, organizationId, [made]),
  );
  return { organizationId, teamId: team.id, athleteId, code: printedCode(made.code), key: made.key };
}

/** Opens a card as a browser that has the cookie of `as` does. Returns the browser's cookie, for the header `cookie`. */
export async function openCard(
  server: TestServer,
  host: string,
  entry: { code: string } | { key: string },
  as?: string,
): Promise<string> {
  const answer = await server.call({
    method: 'POST',
    url: '/api/v1/family',
    headers: { host, ...(as ? { cookie: as } : {}) },
    payload: 'code' in entry ? { code: entry.code } : { key: entry.key },
  });
  if (answer.statusCode !== 200) throw new Error(`the card was not opened: ${answer.body}`);
  const cookie = answer.cookies.find(({ name }) => name === 'family');
  return `family=${cookie?.value}`;
}
