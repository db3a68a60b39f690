/** Merging, the next season, and names that are deleted (athletes B.7, B.13 B9 and B10). */
import { beforeAll, expect, test } from 'vitest';
import * as words from '#src/features/roster/roster-care.contract.ts';
import type { MergedAnswer, StartedAnswer } from '#src/features/roster/roster-care.contract.ts';
import type { WholeAthlete } from '#src/features/roster/roster.contract.ts';
import { addReadyPhoto, openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addAthlete, addRoster, addSeason, addTeam, daysAgo, type SeededRoster } from '#tests/support/rosters.ts';
import { useTestServer } from '#tests/support/test-server.ts';
import { hashToken } from '#src/platform/secrets.ts';

const server = useTestServer();
let people: Neighborhood;

beforeAll(async () => {
  people = await settleAnother(server);
});

const send = (
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  payload?: object,
  as: string | null = people.tokens.owner,
) => server.call({ method, url, as, ...(payload ? { payload } : {}) });
const merge = (from: number, into: number, as?: string | null) =>
  send('POST', `/api/v1/athletes/${from}/merge`, { into }, as);
const undo = (from: number, as?: string | null) => send('POST', `/api/v1/athletes/${from}/merge/undo`, undefined, as);
/** Everything of a roster that a merge may change. */
const dump = async () => {
  const tables = [
    'athletes',
    'entries',
    'photo_tags',
    'athlete_cards',
    'athlete_families',
    'family_consents',
    'watches',
    'photo_withholdings',
  ];
  const rows = [];
  for (const table of tables) {
    const keys = table === 'photo_withholdings' ? "- 'at'" : '';
    rows.push(
      await server.data.ownerQuery<object>(`select (to_jsonb(t) ${keys})::text as row from ${table} t order by 1`),
    );
  }
  return rows;
};

async function tag(galleryId: number, photoId: number, athlete: { id: number; teamId: number; number: string | null }) {
  await server.data.ownerQuery(
    `insert into photo_tags (organization_id, gallery_id, photo_id, athlete_id, team_id, number, how)
     select organization_id, id, $2, $3, $4, $5, 'hand' from galleries where id = $1`,
    [galleryId, photoId, athlete.id, athlete.teamId, athlete.number],
  );
}
const isWithheld = async (photoId: number) =>
  (
    await server.data.ownerQuery<{ hidden: boolean }>(
      'select withheld_at is not null as hidden from photos where id = $1',
      [photoId],
    )
  )[0]?.hidden;

/** Maya is on the roster twice: once with a yes, once with a no. */
async function twice() {
  const other = await settleAnother(server);
  people = other;
  const roster = await addRoster(server, other.hawks.id);
  const again = await addAthlete(server, other.hawks.id, {
    firstName: 'Maja',
    lastName: 'Rivera',
    teamId: roster.hawks.id,
    number: '10',
    consent: 'no',
    emails: ['maya@families.test', 'dad@families.test'],
  });
  const galleryId = await openGallery(server, other.tokens.owner, other.hawks.id, {});
  const add = () => addReadyPhoto(server, { id: galleryId, organizationId: other.hawks.id });
  const [both, hers, theirs] = [await add(), await add(), await add()];
  await tag(galleryId, both, roster.maya);
  await tag(galleryId, both, again);
  await tag(galleryId, hers, roster.maya);
  await tag(galleryId, theirs, again);
  await server.data.ownerQuery(
    `with c as (insert into athlete_cards (organization_id, athlete_id, code_hash, key_hash, secrets_encrypted)
                values ($1, $2, sha256($3::bytea), sha256($4::bytea), 'x') returning id)
     insert into watches (organization_id, email, athlete_id, key_hash) select $1, 'dad@families.test', $2, sha256($5::bytea) from c`,
    [other.hawks.id, again.id, `code ${again.id}`, `key ${again.id}`, `watch ${again.id}`],
  );
  return { roster, again, photos: { both, hers, theirs } };
}

test('a merge moves everything in one transaction, the stricter consent applies, and undoing it restores everything', async () => {
  const { roster, again, photos } = await twice();
  const before = await dump();
  expect([await isWithheld(photos.hers), await isWithheld(photos.theirs)]).toEqual([false, true]);
  const merged = await merge(again.id, roster.maya.id);
  expect([merged.statusCode, merged.json()]).toMatchObject([
    200,
    { athlete: { id: roster.maya.id, consent: 'no', photo_count: 3, families: 2 }, hidden: 1, shown: 0 },
  ]);
  expect(await isWithheld(photos.hers)).toBe(true);
  expect((await send('GET', `/api/v1/athletes/${again.id}`)).statusCode).toBe(404);
  const mergesOf = async () => (await send('GET', `/api/v1/athletes/${roster.maya.id}`)).json<WholeAthlete>().merges;
  expect(await mergesOf()).toEqual([{ athlete_id: again.id, name: 'Maja Rivera' }]);
  const moved = await server.data.ownerQuery<{ athlete: number }>(
    'select athlete_id as athlete from athlete_cards where athlete_id = any ($1) union all select athlete_id from watches where athlete_id = any ($1)',
    [[again.id, roster.maya.id]],
  );
  expect(moved).toEqual([{ athlete: roster.maya.id }, { athlete: roster.maya.id }]);
  const kept = await server.data.ownerQuery<{ moved: object }>('select moved from athlete_merges where from_id = $1', [
    again.id,
  ]);
  expect(JSON.stringify(kept)).not.toMatch(/Maya|Maja|Rivera|@families/);

  const undone = await undo(again.id);
  expect([undone.statusCode, undone.json()]).toMatchObject([
    200,
    { athlete: { id: again.id, photo_count: 2 }, shown: 1 },
  ]);
  expect(await dump()).toEqual(before);
  expect(await mergesOf()).toEqual([]);
  expect((await undo(again.id)).json()).toMatchObject({ error: words.NOTHING_TO_UNDO });
});

test('a merge cannot be undone after 30 days, nor before a newer one', async () => {
  const { roster, again } = await twice();
  await merge(again.id, roster.maya.id);
  await merge(roster.maya.id, roster.leo.id);
  expect((await undo(again.id)).json()).toMatchObject({ error: words.UNDO_NEWER_FIRST });
  await undo(roster.maya.id);
  await server.data.ownerQuery("update athlete_merges set at = now() - interval '31 days' where from_id = $1", [
    again.id,
  ]);
  const late = await undo(again.id);
  expect([late.statusCode, late.json()]).toMatchObject([409, { error: words.NOTHING_TO_UNDO }]);
  expect((await merge(roster.maya.id, roster.maya.id)).statusCode).toBe(422);
});

test('the next season copies teams and athletes; a yes may lapse, a no stays', async () => {
  const { roster, again } = await twice();
  const season = { name: 'Next', first_day: '2099-08-01', last_day: '2100-06-30' };
  const body = { season, keep_numbers: true, ask_consent: true, new_cards: true };
  const started = await send('POST', `/api/v1/seasons/${roster.seasonId}/next`, body);
  expect([started.statusCode, started.json()]).toMatchObject([202, { status: 'running', done: 0, total: 6 }]);
  const { season_id: seasonId } = started.json<StartedAnswer>();
  for (let turn = 0; turn < 2; turn++) await server.app.nextSeason.work(seasonId, new AbortController().signal);
  const progress = await send('GET', `/api/v1/seasons/${seasonId}/next`);
  expect(progress.json()).toEqual({ season_id: seasonId, status: 'finished', done: 6, total: 6 });
  const there = await server.data.ownerQuery<object>(
    `select a.first_name as name, t.name as team, e.number, a.consent from entries e join teams t on t.id = e.team_id join athletes a on a.id = e.athlete_id
      where t.season_id = $1 order by a.first_name`,
    [seasonId],
  );
  expect(there).toMatchObject([
    { name: 'Ada', team: 'Hawks U12', number: '23', consent: 'family' },
    { name: 'Kai', team: 'Tides U12', consent: 'unknown' },
    { name: 'Leo', consent: 'unknown' },
    { name: 'Maja', consent: 'no' },
    { name: 'Maya', consent: 'unknown' },
    { name: 'Sam', consent: 'no' },
  ]);
  const cards = await server.data.ownerQuery<object>(
    'select from athlete_cards where athlete_id = $1 and replaced_at is null',
    [again.id],
  );
  expect(cards).toEqual([]);
});

/** Every text in the database that contains one of these, by table. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const tables = await server.data.ownerQuery<{ name: string }>(
    "select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname in ('public', 'pgboss')",
  );
  const found = [];
  for (const { name } of tables) {
    const rows = await server.data.ownerQuery<object>(`select from ${name} t where t::text ilike any ($1) limit 1`, [
      texts.map((text) => `%${text}%`),
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

let emails = 0;
/** An email that waits to be sent: for an organization as watches write it, otherwise like any other. */
async function queueEmail(to: string, organizationId: number | null): Promise<void> {
  const key = organizationId === null ? 'reset' : `watch-news-${organizationId}`;
  await server.data.ownerQuery(
    "insert into mail_outbox (dedupe_key, recipient, subject, html, body_text) values ($1, $2, $3, 'x', 'x')",
    [`${key}-${++emails}`, to, `New photos for ${to}`],
  );
}

async function addFailedRow(organizationId: number, cells: object): Promise<void> {
  await server.data.ownerQuery(
    `with i as (insert into roster_imports (organization_id, status, row_count, finished_at) values ($1, 'finished', 1, now()) returning id)
     insert into roster_import_rows (import_id, row_no, organization_id, cells, result, messages)
     select id, 2, $1, $2::text::jsonb, 'failed', '{number must be 0 to 9999 or 00.}' from i`,
    [organizationId, JSON.stringify(cells)],
  );
}

test('three seasons later the names are gone from the database, the activity log and the outbox; tags stay as numbers', async () => {
  people = await settleAnother(server);
  const { hawks, tokens } = people;
  const old = await addSeason(server, hawks.id, { name: 'Old', firstDay: daysAgo(850), lastDay: daysAgo(520) });
  const team = await addTeam(server, hawks.id, old, 'Quails U9');
  const made = await send('POST', `/api/v1/affiliates/${hawks.id}/athletes`, {
    athlete: {
      first_name: 'Wilhelmine',
      last_name: 'Zuckerberger',
      external_id: 'zz-4711',
      entries: [{ team_id: team.id, number: '10' }],
      family_emails: ['zuckerberger@families.test'],
    },
  });
  const { id } = made.json<{ athlete: { id: number } }>().athlete;
  const galleryId = await openGallery(server, tokens.owner, hawks.id, {});
  const photoId = await addReadyPhoto(server, { id: galleryId, organizationId: hawks.id });
  await tag(galleryId, photoId, { id, teamId: team.id, number: '10' });
  await server.data.ownerQuery("update athletes set created_at = now() - interval '1 year' where id = $1", [id]);
  await queueEmail('zuckerberger@families.test', hawks.id);
  await server.data.ownerQuery(
    `insert into photo_exceptions (photo_id, athlete_id, organization_id, reason) values ($1, $2, $3, 'Wilhelmine is seen from behind')`,
    [photoId, id, hawks.id],
  );
  await addFailedRow(hawks.id, { name: 'Zuckerberger, wilhelmine', number: '=cmd()' });
  await addFailedRow(hawks.id, { first_name: 'Willi', family_email: 'dad@families.test; ZUCKERBERGER@families.test' });
  await addFailedRow(hawks.id, { first_name: 'Another', last_name: 'Child' });
  const names = ['Wilhelmine', 'Zuckerberger', 'zz-4711'];
  expect(await tablesWith(names)).toEqual(
    expect.arrayContaining([
      'public.athletes',
      'public.athlete_families',
      'public.mail_outbox',
      'public.photo_exceptions',
      'public.roster_import_rows',
    ]),
  );
  await server.app.forgetting.forgetOld();
  expect(await tablesWith(names)).not.toEqual([]);
  for (const firstDay of [daysAgo(480), daysAgo(330), daysAgo(120)])
    await addSeason(server, hawks.id, { name: firstDay, firstDay });
  expect(await server.app.forgetting.forgetOld()).toBeGreaterThan(0);
  expect(await tablesWith(names)).toEqual([]);
  expect(await tablesWith(['Another'])).toEqual(['public.roster_import_rows']);
  const tags = await server.data.ownerQuery<object>(
    'select number, athlete_id as athlete from photo_tags where photo_id = $1',
    [photoId],
  );
  expect(tags).toEqual([{ number: '10', athlete: id }]);
  expect((await send('GET', `/api/v1/athletes/${id}`)).json()).toMatchObject({
    first_name: null,
    families: 0,
    family_emails: [],
  });
});

test('forgetting a child keeps emails of strangers, whose address anyone can enter, and of other organizations', async () => {
  const { roster } = await twice();
  const [mine, other] = [people.hawks.id, people.tides.id];
  const of = (who: string) => `${who}${roster.leo.id}@families.test`;
  for (const who of ['watcher', 'stranger'])
    await server.data.ownerQuery(
      `insert into watches (organization_id, email, athlete_id, key_hash, confirmed_at)
       values ($1, $2::text, $3, sha256($2::text::bytea), case when $4 then now() end)`,
      [mine, of(who), roster.leo.id, who === 'watcher'],
    );
  for (const who of ['watcher', 'stranger'])
    for (const organizationId of [mine, other, null]) await queueEmail(of(who), organizationId);
  expect((await send('DELETE', `/api/v1/athletes/${roster.leo.id}`)).statusCode).toBe(204);
  const waiting = await server.data.ownerQuery<{ key: string; to: string }>(
    "select regexp_replace(dedupe_key, '-[0-9]+$', '') as key, recipient as to from mail_outbox where recipient::text = any ($1) and sent_at is null order by id",
    [[of('watcher'), of('stranger')]],
  );
  expect(waiting).toEqual([
    { key: `watch-news-${other}`, to: of('watcher') },
    { key: 'reset', to: of('watcher') },
    { key: `watch-news-${mine}`, to: of('stranger') },
    { key: `watch-news-${other}`, to: of('stranger') },
    { key: 'reset', to: of('stranger') },
  ]);
});

test('forgetting a child deletes the names of all who were merged into it, one after another', async () => {
  const { roster, again } = await twice();
  await merge(again.id, roster.maya.id);
  await merge(roster.maya.id, roster.leo.id);
  expect((await send('DELETE', `/api/v1/athletes/${roster.leo.id}`)).statusCode).toBe(204);
  const named = await server.data.ownerQuery('select from athletes where id = any ($1) and first_name is not null', [
    [again.id, roster.maya.id, roster.leo.id],
  ]);
  expect(named).toEqual([]);
});

test('a wrong year in a season’s days deletes no names', async () => {
  const { hawks, tokens } = await settleAnother(server);
  const roster = await addRoster(server, hawks.id);
  const [season] = await server.data.ownerQuery<{ id: number; earlier: string }>(
    'select id, (first_day - 7)::text as earlier from seasons where organization_id = $1',
    [hawks.id],
  );
  const change = async (days: object) => {
    const url = `/api/v1/seasons/${season?.id}`;
    return server.call({ method: 'PUT', url, as: tokens.owner, payload: { season: days } });
  };
  const wrong = { first_day: '2016-08-15', last_day: '2017-06-30' };
  const refused = await change(wrong);
  expect([refused.statusCode, refused.json()]).toMatchObject([422, { errors: { last_day: [words.wouldForget(5)] } }]);
  expect((await change({ first_day: season?.earlier })).statusCode).toBe(200);
  await server.data.ownerQuery("update athletes set created_at = now() - interval '90 days' where id = $1", [
    roster.maya.id,
  ]);
  await server.app.forgetting.forgetOld();
  expect(
    await server.data.ownerQuery('select from athletes where organization_id = $1 and first_name is null', [hawks.id]),
  ).toEqual([]);
  // Athletes without a name have nothing left to lose.
  await server.data.ownerQuery(
    "update athletes set first_name = null, last_name = null, folded_name = '', external_id = null, nameless_at = now() where organization_id = $1",
    [hawks.id],
  );
  expect((await change(wrong)).statusCode).toBe(200);
});

test('unconfirmed addresses are deleted after 60 days, names of merged athletes after 30, and a family’s immediately', async () => {
  const { roster, again } = await twice();
  await merge(again.id, roster.maya.id);
  const copied = async () =>
    (
      await server.data.ownerQuery<{ emails: string[] }>(
        "select moved -> 'emails' as emails from athlete_merges where from_id = $1",
        [again.id],
      )
    )[0]?.emails;
  await server.app.forgetting.forgetOld();
  expect(await copied()).toHaveLength(1);
  await server.data.ownerQuery("update athlete_merges set at = now() - interval '31 days' where from_id = $1", [
    again.id,
  ]);
  await server.data.ownerQuery(
    "update athlete_families set at = now() - interval '61 days' where organization_id = $1",
    [people.hawks.id],
  );
  const email = `leo${roster.leo.id}@families.test`;
  await server.data.ownerQuery('update athlete_families set email = $2 where athlete_id = $1', [roster.leo.id, email]);
  await server.data.ownerQuery(
    `insert into watches (organization_id, email, athlete_id, key_hash, key_encrypted, confirmed_at)
      values ($1, $2, $3, $4, 'sealed', now())`,
    [people.hawks.id, email, roster.leo.id, hashToken(email)],
  );
  await server.app.forgetting.forgetOld();
  const left = await server.data.ownerQuery<{ email: string }>(
    'select email from athlete_families where organization_id = $1',
    [people.hawks.id],
  );
  expect(left).toEqual([{ email }]);
  expect(await copied()).toEqual([]);
  const [gone] = await server.data.ownerQuery<object>(
    'select first_name as name, merged_into as into from athletes where id = $1',
    [again.id],
  );
  expect(gone).toEqual({ name: null, into: roster.maya.id });
  expect((await send('DELETE', `/api/v1/athletes/${roster.leo.id}`)).statusCode).toBe(204);
  expect(await tablesWith([`leo${roster.leo.id}@`])).toEqual([]);
});

test('only members of the organization and its parent can merge, start seasons, forget names and export the roster', async () => {
  const { roster, again } = await twice();
  const { hawks, tokens } = people;
  const season = { name: 'Stranger', first_day: '2099-08-01', last_day: '2100-06-30' };
  const calls = (r: SeededRoster) =>
    [
      ['POST', `/api/v1/athletes/${again.id}/merge`, { into: r.maya.id }],
      ['POST', `/api/v1/athletes/${again.id}/merge/undo`, undefined],
      ['POST', `/api/v1/seasons/${r.seasonId}/next`, { season }],
      ['GET', `/api/v1/seasons/${r.seasonId}/next`, undefined],
      ['GET', `/api/v1/affiliates/${hawks.id}/athletes.csv`, undefined],
      ['DELETE', `/api/v1/athletes/${again.id}`, undefined],
    ] as const;
  for (const as of [null, tokens.neighbor, tokens.foreigner])
    for (const [method, url, payload] of calls(roster)) {
      const answer = await send(method, url, payload, as);
      expect([method, url, answer.statusCode]).toEqual([method, url, as === null ? 401 : 404]);
      expect(answer.body).not.toMatch(/Maya|Rivera/);
    }
  // Athletes of other clubs cannot be merged with.
  const theirs = await addRoster(server, people.tides.id);
  expect((await merge(again.id, theirs.maya.id)).statusCode).toBe(404);
  const file = await send('GET', `/api/v1/affiliates/${hawks.id}/athletes.csv`, undefined, tokens.parentMember);
  expect(file.body).toContain('"Maya","Rivera","10","Hawks U12","Fall","maya@families.test","yes",""');
  expect((await merge(again.id, roster.maya.id, tokens.parentMember)).json<MergedAnswer>().athlete.id).toBe(
    roster.maya.id,
  );
});
