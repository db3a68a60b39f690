/** The demo's roster: invented children on two teams, two of whom must not be published. Brought as a club would bring it, from rows. */
import { DemoClient, type DemoDeps } from '#src/demo/demo-client.ts';
import { DEMO_ORGANIZATIONS, DEMO_PASSWORD } from '#src/demo/demo-plan.ts';
import * as demoSql from '#src/demo/demo.sql.ts';

const SYSTEM = { kind: 'system', why: 'the demo is filled before anyone can log in' } as const;
const CLUB = 'hawks-soccer';

/** First name, last name, number, consent; the teams take turns. */
const CHILDREN = [
  ['Maya', 'Rivera', '10', 'yes'],
  ['Leo', 'Park', '10', 'yes'],
  ['Ada', 'Lindqvist', '7', 'yes'],
  ['Kai', 'Brandt', '7', 'yes'],
  ['Noor', 'Haddad', '3', 'yes'],
  ['Otto', 'Vance', '4', 'no'],
  ['Iris', 'Okafor', '12', 'no'],
  ['Hugo', 'Marsh', '12', 'family'],
  ['Zoë', 'Quill', '14', 'yes'],
  ['Finn', 'Abara', '15', 'yes'],
  ['Uma', 'Sato', '23', 'family'],
  ['Theo', 'Lund', '00', 'yes'],
  ['Vera', 'Castel', '0', 'yes'],
  ['Nico', 'Frey', '07', 'yes'],
  ['Lila', 'Banks', '21', 'unknown'],
  ['Jonas', 'Reed', '19', 'yes'],
] as const;

/** The rows of the file that the club would send. */
export const demoRosterRows = () =>
  CHILDREN.map(([first_name, last_name, number, consent], at) => ({
    first_name,
    last_name,
    number,
    team: at % 2 === 0 ? 'Hawks U12' : 'Hawks U14',
    family_email: `family.${last_name.toLowerCase()}@families.test`,
    consent,
    external_id: `H-${101 + at}`,
  }));

export async function makeRoster({ built, platform }: DemoDeps, ids: ReadonlyMap<string, number>): Promise<void> {
  const owner = DEMO_ORGANIZATIONS.find(({ path }) => path === CLUB);
  const organizationId = ids.get(CLUB);
  if (!owner || organizationId === undefined) throw new Error(`the demo plan has no ${CLUB}`);
  if (await platform.database.read(SYSTEM, (db) => demoSql.hasRoster(db, organizationId))) return;
  const client = await DemoClient.signIn(built, owner.email, DEMO_PASSWORD);
  await client.post(`/api/v1/bulk/roster?affiliate_id=${organizationId}`, { rows: demoRosterRows() });
}
