/** How members manage seasons, teams and athletes, and who may. */
import { beforeAll, expect, test } from 'vitest';
import { NUMBER_NOT_VALID } from '#src/features/photos/photos.contract.ts';
import * as words from '#src/features/roster/roster.contract.ts';
import type { AthletesPage, ChangedAthlete, SavedAthlete, SeasonAnswer } from '#src/features/roster/roster.contract.ts';
import { machineDay } from '#src/shared/dates.ts';
import { addDays } from '#src/shared/day-range.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addAthlete, addRoster, addSeason, addTeam, type SeededRoster } from '#tests/support/rosters.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
const today = (): string => machineDay(new Date());
let people: Neighborhood;
let roster: SeededRoster;

beforeAll(async () => {
  people = await settleAnother(server);
  roster = await addRoster(server, people.hawks.id);
});

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const base = (organizationId: number, what: string) => `/api/v1/affiliates/${organizationId}/${what}`;
const send = (method: Method, url: string, payload?: object, as: string | null = people.tokens.owner) =>
  server.call({ method, url, as, ...(payload ? { payload } : {}) });
const list = async (query: string, { hawks, tokens }: Neighborhood) =>
  (await send('GET', base(hawks.id, `athletes${query}`), undefined, tokens.parentMember)).json<AthletesPage>();
const namesOf = ({ athletes }: AthletesPage) => athletes.map(({ first_name }) => first_name);

test('a season is created, and the one that includes today is the current one', async () => {
  const other = await settleAnother(server);
  const make = (season: object) => send('POST', base(other.hawks.id, 'seasons'), { season }, other.tokens.owner);
  const last = { name: 'Last year', first_day: addDays(today(), -400), last_day: addDays(today(), -100) };
  const made = await make(last);
  expect([made.statusCode, made.json()]).toEqual([
    201,
    { ...last, id: expect.any(Number), current: true, teams: 0, athletes: 0 },
  ]);
  await make({ name: 'Now', first_day: today(), last_day: today() });
  await make({ name: 'Next', first_day: addDays(today(), 1), last_day: addDays(today(), 200) });
  const { seasons } = (await send('GET', base(other.hawks.id, 'seasons'), undefined, other.tokens.owner)).json<{
    seasons: SeasonAnswer[];
  }>();
  expect(seasons.map(({ name, current }) => [name, current])).toEqual([
    ['Next', false],
    ['Now', true],
    ['Last year', false],
  ]);
});

const BAD_SEASONS: [season: object, errors: object][] = [
  [{ name: '\u200b ' }, { name: [words.SEASON_NAME_REQUIRED] }],
  [{ name: 'x'.repeat(61) }, { name: [words.NAME_TOO_LONG] }],
  [{ name: 'fall' }, { name: [words.SEASON_NAME_TAKEN] }],
  [
    { first_day: '2026-02-30', last_day: '06/30/2027' },
    { first_day: [words.FIRST_DAY_NOT_VALID], last_day: [words.LAST_DAY_NOT_VALID] },
  ],
  [{ last_day: '2026-08-14' }, { last_day: [words.DAYS_CROSSED] }],
  [{ last_day: '2028-08-15' }, { last_day: [words.SEASON_TOO_LONG] }],
];

test.each(BAD_SEASONS)('a season with %j is refused with all its problems', async (changes, errors) => {
  const season = { name: 'Spring', first_day: '2026-08-15', last_day: '2027-06-30', ...changes };
  const answer = await send('POST', base(people.hawks.id, 'seasons'), { season });
  expect([answer.statusCode, answer.json()]).toMatchObject([422, { errors }]);
});

test('an organization has at most 40 seasons', async () => {
  const other = await settleAnother(server);
  await server.data.ownerQuery(
    `insert into seasons (organization_id, name, first_day, last_day)
     select $1, 'Season ' || n, '2020-01-01', '2020-06-30' from generate_series(1, $2::int) n`,
    [other.hawks.id, words.MAX_SEASONS],
  );
  const season = { name: 'One more', first_day: today(), last_day: today() };
  const answer = await send('POST', base(other.hawks.id, 'seasons'), { season }, other.tokens.owner);
  expect([answer.statusCode, answer.json()]).toMatchObject([409, { error: words.TOO_MANY_SEASONS }]);
});

test('a season has at most 200 teams', async () => {
  const other = await settleAnother(server);
  const season_id = await addSeason(server, other.hawks.id);
  await server.data.ownerQuery(
    `insert into teams (organization_id, season_id, name, short_name)
     select $1, $2, 'Team ' || n, 'T' || n from generate_series(1, $3::int) n`,
    [other.hawks.id, season_id, words.MAX_TEAMS - 1],
  );
  const make = (name: string) =>
    send('POST', base(other.hawks.id, 'teams'), { team: { season_id, name } }, other.tokens.owner);
  expect((await make('The last one')).statusCode).toBe(201);
  const answer = await make('One more');
  expect([answer.statusCode, answer.json()]).toMatchObject([409, { error: words.TOO_MANY_TEAMS }]);
});

test('a team belongs to a season of its organization, and gets a short name', async () => {
  const make = (team: object) => send('POST', base(people.hawks.id, 'teams'), { team });
  const made = await make({ season_id: roster.seasonId, name: 'Falcons U14 Girls', color: '#1d4ed8' });
  expect([made.statusCode, made.json()]).toMatchObject([201, { short_name: 'Falcons', color: '#1d4ed8', athletes: 0 }]);
  const again = await make({ season_id: roster.seasonId, name: 'falcons u14 girls' });
  expect([again.statusCode, again.json()]).toMatchObject([422, { errors: { name: [words.TEAM_NAME_TAKEN] } }]);
  const theirs = await addSeason(server, people.tides.id);
  const foreign = await make({ season_id: theirs, name: 'Falcons' });
  expect([foreign.statusCode, foreign.json()]).toMatchObject([
    422,
    { errors: { season_id: [words.SEASON_NOT_FOUND] } },
  ]);
});

test('seasons and teams can be renamed, and deleted when nobody is in them', async () => {
  const other = await settleAnother(server);
  const { hawks, tides, seasonId } = await addRoster(server, other.hawks.id);
  const as = other.tokens.owner;
  const put = (what: 'season' | 'team', id: number, changes: object, by: string | null = as) =>
    send('PUT', `/api/v1/${what}s/${id}`, { [what]: changes }, by);
  const remove = (what: 'season' | 'team', id: number, by: string | null = as) =>
    send('DELETE', `/api/v1/${what}s/${id}`, undefined, by);

  expect((await put('team', hawks.id, { name: 'Hawks U13', short_name: 'HAW' })).json()).toMatchObject({
    id: hawks.id,
    name: 'Hawks U13',
    short_name: 'HAW',
    athletes: 4,
  });
  expect((await put('team', hawks.id, { color: '#1d4ed8' })).json()).toMatchObject({ name: 'Hawks U13' });
  const taken = await put('team', hawks.id, { name: 'tides u12' });
  expect([taken.statusCode, taken.json()]).toMatchObject([422, { errors: { name: [words.TEAM_NAME_TAKEN] } }]);
  const [first] = (await send('GET', base(other.hawks.id, 'seasons'), undefined, as)).json<{
    seasons: SeasonAnswer[];
  }>().seasons;
  expect((await put('season', seasonId, { name: 'Fall 2026' })).json()).toEqual({ ...first, name: 'Fall 2026' });
  const crossed = await put('season', seasonId, { last_day: '2001-01-01' });
  expect([crossed.statusCode, crossed.json()]).toMatchObject([422, { errors: { last_day: [words.DAYS_CROSSED] } }]);
  expect((await put('season', seasonId, { teams: 3 })).statusCode).toBe(422);

  const refused = [await remove('team', tides.id), await remove('season', seasonId)];
  expect(refused.map((answer) => [answer.statusCode, answer.json<{ error: string }>().error])).toEqual([
    [409, words.TEAM_IN_USE],
    [409, words.SEASON_IN_USE],
  ]);
  const empty = await addTeam(server, other.hawks.id, seasonId, 'Owls');
  const later = await addSeason(server, other.hawks.id, { name: 'Later' });
  for (const by of [null, other.tokens.neighbor, other.tokens.foreigner]) {
    const answers = [
      await put('team', empty.id, { name: 'Ours' }, by),
      await put('season', later, { name: 'Ours' }, by),
      await remove('team', empty.id, by),
      await remove('season', later, by),
    ];
    const status = by === null ? 401 : 404;
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([status, status, status, status]);
  }
  expect([await remove('team', empty.id), await remove('season', later)].map((one) => one.statusCode)).toEqual([
    204, 204,
  ]);
  expect((await remove('team', empty.id)).statusCode).toBe(404);
  const lines = await server.data.ownerQuery<{ action: string }>(
    "select action from audit_log where organization_id = $1 and action similar to '(team|season).%' order by id",
    [other.hawks.id],
  );
  expect(lines.map(({ action }) => action)).toEqual([
    'team.changed',
    'team.changed',
    'season.changed',
    'team.deleted',
    'season.deleted',
  ]);
});

test('the list has each athlete once, by name, page by page, with teams', async () => {
  const other = await settleAnother(server);
  const { maya, hawks, seasonId } = await addRoster(server, other.hawks.id);
  const at = base(other.hawks.id, 'athletes');
  const pages: AthletesPage[] = [];
  for (let after: number | null = null, more = true; more; more = after !== null) {
    const url: string = `${at}?limit=2${after === null ? '' : `&after=${after}`}`;
    const page: AthletesPage = (await send('GET', url, undefined, other.tokens.owner)).json();
    pages.push(page);
    after = page.next;
  }
  expect(pages.map((page) => [namesOf(page), page.total])).toEqual([
    [['Ada', 'Kai'], 5],
    [['Leo', 'Maya'], 5],
    [['Sam'], 5],
  ]);
  expect(pages[1]?.athletes[1]).toEqual({
    id: maya.id,
    first_name: 'Maya',
    last_name: 'Rivera',
    external_id: null,
    entries: [{ team_id: hawks.id, team: 'Hawks U12', season_id: seasonId, number: '10' }],
    consent: 'yes',
    families: 1,
    card_opened: false,
    devices: 0,
    photo_count: 0,
  });
});

test('athletes are found by team, consent, number and words of the name without accents', async () => {
  const other = await settleAnother(server);
  const { seasonId } = await addRoster(server, other.hawks.id);
  const find = async (query: string) => namesOf(await list(query, other));
  const team = await addTeam(server, other.hawks.id, seasonId, 'Seekers');
  const names = { firstName: 'Zoë', lastName: 'O’Neill-Łukasz' };
  await addAthlete(server, other.hawks.id, { ...names, teamId: team.id, number: '00' });
  expect(await find(`?team=${team.id}`)).toEqual(['Zoë']);
  expect(await find('?q=oneill%20zoe')).toEqual(['Zoë']);
  expect(await find('?q=neill%20lukasz')).toEqual(['Zoë']);
  expect(await find('?q=00')).toEqual(['Zoë']);
  expect(await find('?q=0')).toEqual([]);
  expect(await find(`?q=10&season=${seasonId}`)).toEqual(['Kai', 'Maya']);
  expect(await find('?consent=no')).toEqual(['Sam']);
  expect(await list('?q=%25', other)).toEqual({ athletes: [], next: null, total: 0 });
});

test('an athlete is added with a team, a number and addresses; a second one with the same number is kept, with a warning', async () => {
  const athlete = {
    first_name: ' Noor ',
    last_name: 'R.',
    entries: [{ team_id: roster.hawks.id, number: '10' }],
    family_emails: ['Noor@families.test', 'noor@families.test', 'other@families.test'],
    consent: 'family',
    external_id: 'club-17',
  };
  const made = await send('POST', base(people.hawks.id, 'athletes'), { athlete });
  expect([made.statusCode, made.json()]).toMatchObject([
    201,
    {
      athlete: {
        first_name: 'Noor',
        consent: 'family',
        families: 2,
        family_emails: ['noor@families.test', 'other@families.test'],
        external_id: 'club-17',
      },
      warnings: ['Hawks U12 already has a 10 (Maya R.). Both will be kept.'],
    },
  ]);
  const twin = await send('POST', base(people.hawks.id, 'athletes'), { athlete });
  expect([twin.statusCode, twin.json()]).toMatchObject([422, { errors: { external_id: [words.EXTERNAL_ID_TAKEN] } }]);
  await send('PUT', `/api/v1/athletes/${made.json<SavedAthlete>().athlete.id}`, {
    athlete: { leave_teams: [roster.hawks.id] },
  });
});

const BAD_ATHLETES: [athlete: object, errors: object][] = [
  [{ first_name: ' ' }, { first_name: ['First name is required.'] }],
  [
    { first_name: undefined, consent: 'perhaps' },
    { first_name: [words.FIRST_NAME_REQUIRED], consent: [words.CONSENT_NOT_VALID] },
  ],
  [{ last_name: 'x'.repeat(61) }, { last_name: [words.NAME_TOO_LONG] }],
  [{ entries: [{ team_id: 1, number: '12a' }] }, { number: ['Number must be 0 to 9999 or 00.'] }],
  [{ entries: [{ team_id: 1, number: '12345' }] }, { number: [NUMBER_NOT_VALID] }],
  [{ entries: [{ team_id: 999_999 }] }, { entries: [words.TEAM_NOT_FOUND] }],
  [{ entries: [{ team_id: 1 }, { team_id: 1 }] }, { entries: [words.TEAM_TWICE] }],
  [{ family_emails: ['nobody'] }, { '0': ['Email is not a valid address.'] }],
  [
    { family_emails: Array.from({ length: 9 }, (_, at) => `a${at}@families.test`) },
    { family_emails: [words.TOO_MANY_EMAILS] },
  ],
];

test.each(BAD_ATHLETES)('an athlete with %j is refused', async (changes, errors) => {
  const answer = await send('POST', base(people.hawks.id, 'athletes'), { athlete: { first_name: 'Ada', ...changes } });
  expect([answer.statusCode, JSON.stringify(answer.json<{ errors: object }>().errors)]).toEqual([
    422,
    expect.stringContaining(JSON.stringify(Object.values(errors)[0])),
  ]);
});

test('an athlete is on at most 20 teams at a time, however the teams were added', async () => {
  const other = await settleAnother(server);
  const { hawks, seasonId } = await addRoster(server, other.hawks.id);
  const { id } = await addAthlete(server, other.hawks.id, { firstName: 'Ida', teamId: hawks.id });
  const change = (athlete: object) => send('PUT', `/api/v1/athletes/${id}`, { athlete }, other.tokens.owner);
  const teams: { team_id: number }[] = [];
  for (let at = 0; at < words.MAX_ENTRIES; at++)
    teams.push({ team_id: (await addTeam(server, other.hawks.id, seasonId, `Team ${at}`)).id });
  expect((await change({ entries: teams.slice(1) })).statusCode).toBe(200);
  const refused = await change({ entries: teams.slice(0, 1) });
  expect([refused.statusCode, refused.json()]).toMatchObject([422, { errors: { entries: [words.TOO_MANY_ENTRIES] } }]);
  expect((await change({ entries: teams.slice(0, 1), leave_teams: [hawks.id] })).statusCode).toBe(200);
});

test('a change keeps absent fields; a field that someone else changed meanwhile is not overwritten', async () => {
  const { id } = await addAthlete(server, people.hawks.id, {
    firstName: 'Iris',
    lastName: 'Vega',
    teamId: roster.hawks.id,
  });
  const url = `/api/v1/athletes/${id}`;
  const changed = await send('PUT', url, { athlete: { last_name: 'V.', consent: 'no' }, seen: { last_name: 'Vega' } });
  expect([changed.statusCode, changed.json()]).toMatchObject([
    200,
    { athlete: { first_name: 'Iris', last_name: 'V.', consent: 'no' }, hidden: 0, shown: 0, warnings: [] },
  ]);
  const late = await send('PUT', url, { athlete: { last_name: 'Vegas' }, seen: { last_name: 'Vega' } });
  expect([late.statusCode, late.json()]).toMatchObject([
    409,
    { error: words.ATHLETE_CHANGED, errors: { last_name: [expect.any(String)] }, athlete: { last_name: 'V.' } },
  ]);
  expect((await send('GET', url)).json()).toMatchObject({ last_name: 'V.', consent: 'no' });
});

test('a number with photos stays in the history; a number without photos is overwritten', async () => {
  const { id } = await addAthlete(server, people.hawks.id, { firstName: 'Uma', teamId: roster.hawks.id, number: '31' });
  const renumber = (number: string) =>
    send('PUT', `/api/v1/athletes/${id}`, { athlete: { entries: [{ team_id: roster.hawks.id, number }] } });
  const entries = () =>
    server.data.ownerQuery<object>(
      'select number, joined_on::text as joined, left_on::text as left from entries where athlete_id = $1 order by id',
      [id],
    );
  await renumber('32');
  expect(await entries()).toEqual([{ number: '32', joined: null, left: null }]);
  await server.data.ownerQuery(
    `with g as (insert into galleries (organization_id, name, photos_by, price_cents) values ($1, 'Cup', 'R', 400) returning id)
     insert into photo_tags (organization_id, gallery_id, photo_id, athlete_id, team_id, number, how) select $1, id, 1, $2, $3, '32', 'hand' from g`,
    [people.hawks.id, id, roster.hawks.id],
  );
  await renumber('33');
  const history = [
    { number: '32', joined: null, left: addDays(today(), -1) },
    { number: '33', joined: today(), left: null },
  ];
  expect(await entries()).toEqual(history);
  // Typed again on the same day: the first one was a mistake.
  const answer = await renumber('34');
  expect(await entries()).toEqual([history[0], { ...history[1], number: '34' }]);
  expect(answer.json<ChangedAthlete>().athlete.entries).toMatchObject([{ number: '34' }]);
});

test('only members of the organization and its parent can read and change a roster', async () => {
  const { id } = await addAthlete(server, people.hawks.id, { firstName: 'Vera', teamId: roster.hawks.id });
  const at = (what: string) => base(people.hawks.id, what);
  const season = (name: string) => ({ season: { name, first_day: '2020-01-01', last_day: '2020-12-31' } });
  const team = (name: string) => ({ team: { season_id: roster.seasonId, name } });
  const calls: [Method, string, ((name: string) => object)?][] = [
    ['GET', at('seasons')],
    ['POST', at('seasons'), season],
    ['GET', at('teams')],
    ['POST', at('teams'), team],
    ['GET', at('athletes')],
    ['POST', at('athletes'), (name) => ({ athlete: { first_name: name } })],
    ['GET', `/api/v1/athletes/${id}`],
    ['PUT', `/api/v1/athletes/${id}`, (name) => ({ athlete: { first_name: name } })],
  ];
  const { neighbor, foreigner, parentMember, admin } = people.tokens;
  for (const [method, url, payload] of calls) {
    const statuses = [];
    for (const [who, as] of [null, neighbor, foreigner, parentMember, admin].entries()) {
      const answer = await send(method, url, payload?.(`Vera ${who}`), as);
      statuses.push(answer.statusCode);
      if (answer.statusCode >= 400) expect(answer.body).not.toMatch(/Vera|Maya|Hawks U12/);
    }
    const done = method === 'POST' ? 201 : 200;
    expect([method, url, statuses]).toEqual([method, url, [401, 404, 404, done, done]]);
  }
  expect((await send('GET', '/api/v1/athletes/4711')).statusCode).toBe(404);
});

test('the organization’s activity log contains no name of the roster', async () => {
  const made = await send('POST', base(people.hawks.id, 'athletes'), {
    athlete: { first_name: 'Xenia', last_name: 'Quist', family_emails: ['quist@families.test'] },
  });
  const { id } = made.json<SavedAthlete>().athlete;
  await send('PUT', `/api/v1/athletes/${id}`, { athlete: { first_name: 'Xena', consent: 'no' } });
  const lines = await server.data.ownerQuery<{ action: string; details: object }>(
    "select action, details from audit_log where object_type = 'athlete' and object_id = $1 order by id",
    [String(id)],
  );
  expect(lines).toEqual([
    { action: 'athlete.added', details: { consent: 'unknown' } },
    {
      action: 'athlete.changed',
      details: { fields: ['first_name'], before: 'unknown', after: 'no', hidden: 0, shown: 0 },
    },
  ]);
});
