/** The demo's roster: invented children on two teams, two of whom must not be published. Imported from rows, as a club would. */
import { picturesOf } from '#src/demo/catalog.ts';
import { DemoClient, type DemoDeps, type DemoGalleryMade } from '#src/demo/demo-client.ts';
import { DEMO_NUMBERS } from '#src/demo/demo-plan.ts';
import * as demoSql from '#src/demo/demo.sql.ts';
import { sealSecrets } from '#src/features/families/cards.service.ts';
import { insertCards } from '#src/features/families/cards.sql.ts';
import { findCards } from '#src/features/families/families.sql.ts';

const SYSTEM = { kind: 'system', why: 'the demo is filled before anyone can log in' } as const;

/** First name, last name, number, consent; the teams alternate. */
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

/** The rows of the file that the club would upload. */
const demoRosterRows = () =>
  CHILDREN.map(([first_name, last_name, number, consent], at) => ({
    first_name,
    last_name,
    number,
    team: at % 2 === 0 ? 'Hawks U12' : 'Hawks U14',
    family_email: `family.${last_name.toLowerCase()}@families.test`,
    consent,
    external_id: `H-${101 + at}`,
  }));

/**
 * The roster, then tags by the numbers among the keywords, a pass, and cards with known codes. Each step checks whether
 * it was already done.
 */
export async function makeRoster(deps: DemoDeps, galleries: readonly DemoGalleryMade[]): Promise<void> {
  const { built, platform } = deps;
  const gallery = galleries.find(({ plan }) => plan.name === DEMO_NUMBERS.gallery);
  if (!gallery) throw new Error(`the demo plan has no ${DEMO_NUMBERS.gallery}`);
  const { organizationId } = gallery;
  const client = await DemoClient.signInOwner(built, DEMO_NUMBERS.owner);
  if (!(await platform.database.read(SYSTEM, (db) => demoSql.hasRoster(db, organizationId))))
    await client.post(`/api/v1/bulk/roster?affiliate_id=${organizationId}`, { rows: demoRosterRows() });
  await client.put(`/api/v1/affiliates/${organizationId}/roster_settings`, {
    settings: { mode: 'numbers', unknown_consent: 'family' },
  });
  const team = await platform.database.read(SYSTEM, (db) => demoSql.listTeam(db, organizationId, DEMO_NUMBERS.team));
  await tagByKeywords(client, gallery, team);
  await sellBySheet(deps, client, gallery, DEMO_NUMBERS.sheet);
  await makeCards(deps, organizationId, team);
}

type Player = demoSql.DemoPlayer;

async function tagByKeywords(client: DemoClient, { plan, id, photos }: DemoGalleryMade, team: readonly Player[]) {
  const changes = picturesOf(plan.pictures)
    .filter(({ name }) => plan.only?.includes(name))
    .flatMap(({ keywords }, at) => {
      const add = team.filter(({ number }) => keywords.includes(number)).map(({ id: athlete_id }) => ({ athlete_id }));
      return add.length > 0 ? [{ photo_ids: [photos[at]], add }] : [];
    });
  await client.put(`/api/v1/galleries/${id}/tags`, { changes, client_key: 'sideline-demo-tags' });
}

/** Gives a gallery the price sheet of its organization, which is created if there is none. */
export async function sellBySheet(
  { app }: DemoDeps,
  client: DemoClient,
  { id, organizationId }: DemoGalleryMade,
  price_sheet: object,
): Promise<void> {
  const caller = { actor: SYSTEM, visitorId: null, unlocks: new Map<number, string>(), ip: '' };
  const [known] = (await app.priceSheets.list(caller, organizationId)).price_sheets;
  const sheet =
    known ?? (await client.post<{ id: number }>(`/api/v1/affiliates/${organizationId}/price_sheets`, { price_sheet }));
  await client.usePriceSheet(id, sheet.id);
}

async function makeCards({ platform }: DemoDeps, organizationId: number, team: readonly Player[]): Promise<void> {
  const { keys, database } = platform;
  for (const { id, number } of team) {
    const code = (DEMO_NUMBERS.codes as Record<string, string>)[number];
    if (code === undefined) continue;
    const card = sealSecrets(keys, id, code);
    await database.write(SYSTEM, async (tx) => {
      if ((await findCards(tx, [card.codeHash])).length === 0) await insertCards(tx, organizationId, [card]);
    });
  }
}
