/**
 * Changes of a roster never show hidden photos again: merges and undoing them, numbers, seasons, files (athletes B.5,
 * B.7, B.10).
 */
import { beforeEach, expect, test } from 'vitest';
import type { Consent } from '#src/features/consent/consent.contract.ts';
import type { StartedAnswer } from '#src/features/roster/roster-care.contract.ts';
import type { WholeAthlete } from '#src/features/roster/roster.contract.ts';
import { hashToken } from '#src/platform/secrets.ts';
import { addAthlete, addCard, addTeam, chooseUnknown, tag } from '#tests/support/consent-rows.ts';
import { sendCsv } from '#tests/support/csv-files.ts';
import { addReadyPhoto, openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { meetAtLock, WAITING_SESSIONS } from '#tests/support/test-database.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({
  env: {
    RATE_LIMIT_FACTOR: '1000',
    PICTURES_CDN_URL: 'https://pictures.example',
    CDN_PURGE_URL: 'https://api.cdn.example/purge',
    CDN_PURGE_TOKEN: 'token-of-tests',
  },
});
let people: Neighborhood;
let organizationId: number;
let galleryId: number;
let teamId: number;

beforeEach(async () => {
  people = await settleAnother(server);
  organizationId = people.hawks.id;
  galleryId = await openGallery(server, people.tokens.owner, organizationId);
  teamId = await addTeam(server, organizationId);
});

const send = (method: 'PUT' | 'POST', url: string, payload?: object) =>
  server.call({ method, url, as: people.tokens.owner, ...(payload ? { payload } : {}) });
const change = (athleteId: number, athlete: object) => send('PUT', `/api/v1/athletes/${athleteId}`, { athlete });
const merge = (from: number, into: number) => send('POST', `/api/v1/athletes/${from}/merge`, { into });
const undo = (from: number) => send('POST', `/api/v1/athletes/${from}/merge/undo`);
const child = (consent: Consent, number: string | null = null) =>
  addAthlete(server, organizationId, { consent, teamId, number });
const familySays = (
  athleteId: number,
  cardId: number,
  { meanwhile = async () => {}, consent = 'no' }: { meanwhile?: () => Promise<void>; consent?: 'yes' | 'no' } = {},
) =>
  server.data.database.write({ kind: 'tenants', organizationIds: [organizationId] }, async (tx) => {
    const said = { organizationId, athleteId, consent, by: 'family', cardId } as const;
    await server.app.consent.changeConsent(tx, said);
    await meanwhile();
  });

/** A photo with one tag: an athlete, or a bare number of the team. */
async function photoWith(whom: { athleteId: number } | { number: string }): Promise<number> {
  const photoId = await addReadyPhoto(server, { id: galleryId, organizationId });
  await tag(server, organizationId, ['athleteId' in whom ? { photoId, ...whom } : { photoId, teamId, ...whom }]);
  return photoId;
}
const shown = async (...photoIds: number[]) => {
  const answer = await server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/gallery_photos` });
  const ids = answer.json<{ photos: { id: number }[] }>().photos.map(({ id }) => id);
  return photoIds.map((id) => ids.includes(id));
};
const consentsOf = async (...athleteIds: number[]) => {
  const rows = await server.data.ownerQuery<{ id: number; consent: Consent }>(
    'select id, consent from athletes where id = any ($1)',
    [athleteIds],
  );
  return athleteIds.map((each) => rows.find(({ id }) => id === each)?.consent);
};

test('undoing a merge keeps a "no" that was said meanwhile, and a family’s consent returns with its card', async () => {
  const [from, into] = [await child('yes'), await child('yes')];
  const photos = [await photoWith({ athleteId: from }), await photoWith({ athleteId: into })];
  const cardId = await addCard(server, organizationId, from);
  await merge(from, into);
  await familySays(into, cardId);
  expect((await undo(from)).json()).toMatchObject({ athlete: { id: from, consent: 'no' }, shown: 0 });
  expect(await consentsOf(from, into)).toEqual(['no', 'no']);
  expect(await shown(...photos)).toEqual([false, false]);
  const said = await server.data.ownerQuery<object>('select athlete_id as athlete from family_consents');
  expect(said).toContainEqual({ athlete: from });
  expect(said).not.toContainEqual({ athlete: into });
});

test('undoing a merge keeps a "no" of a third athlete who was merged into the same one after it', async () => {
  const [from, into, third] = [await child('yes'), await child('yes'), await child('no')];
  const photoId = await photoWith({ athleteId: third });
  await merge(from, into);
  await merge(third, into);
  expect((await undo(from)).statusCode).toBe(200);
  expect(await consentsOf(into)).toEqual(['no']);
  expect(await shown(photoId)).toEqual([false]);
});

test('in a merge, "unknown" counts as what it means in the club', async () => {
  await chooseUnknown(server, organizationId, 'hide');
  const [from, into] = [await child('unknown'), await child('yes')];
  const photos = [await photoWith({ athleteId: from }), await photoWith({ athleteId: into })];
  expect(await shown(...photos)).toEqual([false, true]);
  expect((await merge(from, into)).json()).toMatchObject({ athlete: { consent: 'unknown' }, hidden: 1, shown: 0 });
  expect(await shown(...photos)).toEqual([false, false]);
  await undo(from);
  expect(await shown(...photos)).toEqual([false, true]);
});

test('a merge keeps the other number for its photos, and undoing it restores everything', async () => {
  const [from, into] = [await child('no', '12'), await child('yes', '10')];
  const photoId = await photoWith({ number: '12' });
  const entries = () =>
    server.data.ownerQuery<object>('select * from entries where athlete_id = any ($1) order by id', [[from, into]]);
  const before = await entries();
  const merged = await merge(from, into);
  expect(merged.json()).toMatchObject({ athlete: { entries: [{ number: '10' }] }, shown: 0 });
  expect(await shown(photoId)).toEqual([false]);
  await undo(from);
  expect(await entries()).toEqual(before);
  expect(await shown(photoId)).toEqual([false]);
});

test.each([
  ['another number', () => ({ entries: [{ team_id: teamId, number: '12' }] })],
  ['leaving the team', () => ({ leave_teams: [teamId] })],
])('%s does not show photos tagged with the previous bare number', async (_, athlete) => {
  const maya = await child('no', '10');
  const photoId = await photoWith({ number: '10' });
  expect((await change(maya, athlete())).statusCode).toBe(200);
  expect(await shown(photoId)).toEqual([false]);
});

/** Imports a file with one row. */
async function importRow(row: string): Promise<void> {
  const content = `First name,Last name,Number,Team,Consent\r\n${row}\r\n`;
  const query = `?affiliate_id=${organizationId}&wait=0`;
  const answer = await sendCsv(server, 'roster', { content }, { as: people.tokens.owner, query });
  expect(answer.statusCode, answer.body).toBe(202);
  await server.app.rosterImports.work(answer.json<{ import_id: number }>().import_id, new AbortController().signal, 0);
}

test.each([
  ['by hand', (maya: number) => change(maya, { entries: [{ team_id: teamId, number: '12' }] })],
  ['by a file', () => importRow('Maya,R,12,Hawks U12,')],
])('the CDN purges photos that a new number hides, %s', async (_, giveNumber) => {
  const maya = await child('no');
  const photoId = await photoWith({ number: '12' });
  expect(await shown(photoId)).toEqual([true]);
  await giveNumber(maya);
  expect(await shown(photoId)).toEqual([false]);
  const jobs = await server.data.ownerQuery<{ data: string }>('select data::text as data from pgboss.job');
  expect(jobs.filter(({ data }) => data.includes(`"photo-${photoId}"`))).toHaveLength(2);
});

test('an imported file does not undo a member’s decision', async () => {
  const maya = await child('yes');
  await change(maya, { consent: 'no' });
  await importRow('Maya,R,12,Hawks U12,yes');
  expect(await consentsOf(maya)).toEqual(['no']);
});

/** A season after the team's; its athletes are not copied yet. */
async function startNext(options: object): Promise<number> {
  const [team] = await server.data.ownerQuery<{ season: number }>(
    'select season_id as season from teams where id = $1',
    [teamId],
  );
  const season = { name: 'Next', first_day: '2099-08-01', last_day: '2100-06-30' };
  const started = await send('POST', `/api/v1/seasons/${team?.season}/next`, { season, ...options });
  return started.json<StartedAnswer>().season_id;
}
const copyAthletes = (seasonId: number) => server.app.nextSeason.work(seasonId, new AbortController().signal);
const waiting = (sessions: number) =>
  expect.poll(() => server.data.ownerQuery(WAITING_SESSIONS)).toHaveLength(sessions);

test('a family’s "no" that arrives while the next season starts stays', async () => {
  const maya = await child('yes');
  const cardId = await addCard(server, organizationId, maya);
  const seasonId = await startNext({ ask_consent: true });
  let working: Promise<void> | undefined;
  await familySays(maya, cardId, {
    meanwhile: async () => {
      working = copyAthletes(seasonId);
      await waiting(1);
    },
  });
  await working;
  expect(await consentsOf(maya)).toEqual(['no']);
});

test('a family’s "yes" about a team picture does not meet the next season in a deadlock', async () => {
  // Leo is asked again, so his photos change; Maya's family answers at the same moment.
  const [maya, leo] = [await child('unknown'), await child('yes')];
  await chooseUnknown(server, organizationId, 'family');
  const cardId = await addCard(server, organizationId, maya);
  const photoId = await photoWith({ athleteId: leo });
  await tag(server, organizationId, [{ photoId, athleteId: maya }]);
  const seasonId = await startNext({ ask_consent: true, new_cards: true });
  const lock = `select from photos where id = ${photoId} for no key update`;
  await meetAtLock(server.data, { lock, sessions: 2 }, async () => {
    const copied = copyAthletes(seasonId);
    await waiting(1);
    await Promise.all([copied, familySays(maya, cardId, { consent: 'yes' })]);
  });
  expect(await consentsOf(maya, leo)).toEqual(['yes', 'unknown']);
  expect(await shown(photoId)).toEqual([false]);
});

test('recipients of emails about new photos are forgotten after sixty days, and those of other emails are kept', async () => {
  const write = (key: string, days: number) =>
    server.data.ownerQuery(
      `insert into mail_outbox (dedupe_key, recipient, subject, html, body_text, sent_at)
       values ($1, $1 || '@families.test', 'New photos', '', '', now() - make_interval(days => $2))`,
      [key, days],
    );
  const keys = ['watch-asked-1-old', 'watch-news-1-old', 'watch-news-1-young', 'receipt-old'];
  for (const key of keys) await write(key, key.endsWith('old') ? 61 : 59);
  await server.app.forgetting.forgetOld();
  const kept = await server.data.ownerQuery<{ to: string }>(
    'select recipient::text as to from mail_outbox where dedupe_key = any ($1) order by id',
    [keys],
  );
  expect(kept.map(({ to }) => to)).toEqual([
    'forgotten',
    'forgotten',
    'watch-news-1-young@families.test',
    'receipt-old@families.test',
  ]);
});

test('an address that gets emails about its child is kept after sixty days, until they are stopped', async () => {
  const maya = await child('yes');
  const [mother, father] = ['mother', 'father'].map((name) => `${name}-${maya}@families.test`);
  await change(maya, { family_emails: [mother, father] });
  const key = 'k'.repeat(43);
  await server.data.ownerQuery(
    'insert into watches (organization_id, email, athlete_id, key_hash, key_encrypted) values ($1, $2, $3, $4, $5)',
    [organizationId, mother, maya, hashToken(key), 'sealed'],
  );
  await server.data.ownerQuery("update athlete_families set at = now() - interval '61 days' where athlete_id = $1", [
    maya,
  ]);
  const kept = async () => {
    await server.app.forgetting.forgetOld();
    return (await server.call({ url: `/api/v1/athletes/${maya}`, as: people.tokens.owner })).json<WholeAthlete>();
  };
  await server.app.watches.confirm(key, false);
  expect((await kept()).family_emails).toEqual([mother]);
  await server.app.watches.stop(key, false);
  expect((await kept()).family_emails).toEqual([]);
});

test('an address is not kept beyond the card by which its owner asked for emails', async () => {
  const maya = await child('yes');
  const email = `mother-${maya}@families.test`;
  await change(maya, { family_emails: [email] });
  const cardId = await addCard(server, organizationId, maya);
  const key = 'c'.repeat(43);
  await server.data.ownerQuery(
    'insert into watches (organization_id, email, athlete_id, card_id, key_hash, key_encrypted) values ($1, $2, $3, $4, $5, $6)',
    [organizationId, email, maya, cardId, hashToken(key), 'sealed'],
  );
  await server.app.watches.confirm(key, false);
  await server.data.ownerQuery("update athlete_families set at = now() - interval '61 days' where athlete_id = $1", [
    maya,
  ]);
  const kept = async () => {
    await server.app.forgetting.forgetOld();
    return (await server.call({ url: `/api/v1/athletes/${maya}`, as: people.tokens.owner })).json<WholeAthlete>();
  };
  expect((await kept()).family_emails).toEqual([email]);
  await server.data.ownerQuery('update athlete_cards set replaced_at = now() where id = $1', [cardId]);
  expect((await kept()).family_emails).toEqual([]);
});

test('the names of a deleted organization’s children are deleted in the next night; the photos’ numbers stay', async () => {
  const [gone, other] = [await child('yes', '10'), await addAthlete(server, people.tides.id, { consent: 'yes' })];
  const namesOf = async () =>
    (
      await server.data.ownerQuery<{ id: number }>(
        'select id from athletes where id = any ($1) and first_name is not null order by id',
        [[gone, other]],
      )
    ).map(({ id }) => id);
  await server.app.forgetting.forgetOld();
  expect(await namesOf()).toEqual([gone, other].toSorted((a, b) => a - b));
  await server.data.ownerQuery('update organizations set deleted_at = now() where id = $1', [organizationId]);
  await server.app.forgetting.forgetOld();
  expect(await namesOf()).toEqual([other]);
});
