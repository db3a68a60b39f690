/** Importing an untidy roster of a club (athletes B.3, B.4, B.11, B.13 B1). */
import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { CSV_NOT_PARSED, NO_VALID_ROWS } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import * as words from '#src/features/roster-imports/roster-imports.contract.ts';
import type { RosterImportAnswer } from '#src/features/roster-imports/roster-imports.contract.ts';
import { listWaiting } from '#src/features/roster-imports/roster-imports.sql.ts';
import { tenantOf } from '#src/platform/db/db.ts';
import { csvOf, sendCsv } from '#tests/support/csv-files.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addRoster } from '#tests/support/rosters.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;

beforeAll(async () => {
  people = await settleAnother(server);
});

/** Uploads a file, and runs its import. */
async function send(
  content: string | Uint8Array,
  { at = people, query = '', as = at.tokens.owner as string | null } = {},
) {
  const answer = await sendCsv(
    server,
    'roster',
    { content },
    { as, query: `?affiliate_id=${at.hawks.id}&wait=0${query}` },
  );
  const { import_id: importId = null } = answer.json<{ import_id?: number | null }>();
  if (answer.statusCode === 202 && importId !== null) await finish(importId);
  return answer;
}
const finish = (importId: number) => server.app.rosterImports.work(importId, new AbortController().signal, 0);
const read = async (importId: number | null, as = people.tokens.owner) =>
  (await server.call({ url: `/api/v1/bulk/roster/${importId}`, as })).json<RosterImportAnswer>();
const rosterOf = (organizationId: number) =>
  server.data.ownerQuery<Record<string, string | null>>(
    `select a.first_name as first, a.last_name as last, t.name as team, e.number, a.consent, a.external_id as id,
            (select string_agg(f.email::text, ' ' order by f.email) from athlete_families f where f.athlete_id = a.id) as emails
       from athletes a join entries e on e.athlete_id = a.id join teams t on t.id = e.team_id
      where a.organization_id = $1 and e.left_on is null order by t.name, a.folded_name, e.number, a.id`,
    [organizationId],
  );

/**
 * 60 children on four teams: a byte order mark, semicolons, two with number 10, an accent, a blank row, and one row
 * with each mistake.
 */
function untidySheet(): string {
  const teams = ['Hawks U12', 'Tides U12', 'Owls U10', 'Foxes U14'];
  const lines = Array.from({ length: 60 }, (_, at) => {
    const consent = ['sí', 'no', '', 'familia'][at % 4];
    return [
      `Child${at}`,
      `Ünïcode-${at}`,
      String((at % 15) + 1),
      teams[Math.floor(at / 15)],
      `c${at}@families.test`,
      consent,
    ].join(';');
  });
  lines[3] = '"Zoë";"O’Neill";10;"Hawks U12";"zoe@families.test; dad@families.test";';
  lines.splice(10, 0, ';;;;;');
  lines.push(
    ';Nobody;1;Hawks U12;;',
    'Uma;U;12b;Hawks U12;;',
    'Ina;I;12;Hawks U12;nobody;perhaps',
    '"Zoë";"O’Neill";10;"Hawks U12";;',
  );
  return `\uFEFF${['Nombre;Apellidos;Dorsal;Equipo;Correo;Consentimiento', ...lines].join('\r\n')}\r\n`;
}

test('an untidy sheet is reported row by row, imported, and imported again without duplicates', async () => {
  const sheet = untidySheet();
  const dry = await send(sheet, { query: '&dry_run=true' });
  const looked = dry.json<RosterImportAnswer>();
  expect([dry.statusCode, looked]).toMatchObject([
    200,
    {
      status: 'checked',
      total: 64,
      created: 60,
      failed: 4,
      asks: [],
      new_teams: ['Hawks U12', 'Tides U12', 'Owls U10', 'Foxes U14'],
      notices: ['Row 12 is empty and is skipped.'],
    },
  ]);
  expect(looked.columns.map(({ field }) => field)).toEqual([
    'first_name',
    'last_name',
    'number',
    'team',
    'family_email',
    'consent',
  ]);
  expect(looked.columns[0]?.samples).toEqual(['Child0', 'Child1', 'Child2']);
  const told = looked.rows.flatMap(({ row, errors, warnings }) =>
    [...errors, ...warnings].map((said) => `Row ${row}: ${said}`),
  );
  expect(told).toEqual([
    'Row 11: Hawks U12 already has a 10 (Zoë O.). Both will be kept.',
    'Row 63: first name is required.',
    'Row 64: number must be 0 to 9999 or 00.',
    'Row 65: email is not a valid address.',
    'Row 65: “perhaps” is not a consent. Use yes, family or no.',
    'Row 66: same athlete as row 5.',
  ]);
  expect(await rosterOf(people.hawks.id)).toEqual([]);

  const started = (await send(sheet)).json<RosterImportAnswer>();
  expect(await read(started.import_id)).toMatchObject({
    status: 'finished',
    created: 60,
    updated: 0,
    failed: 4,
    waiting: 0,
  });
  const roster = await rosterOf(people.hawks.id);
  expect(roster).toHaveLength(60);
  expect(roster).toContainEqual({
    first: 'Zoë',
    last: 'O’Neill',
    team: 'Hawks U12',
    number: '10',
    consent: 'unknown',
    id: null,
    emails: 'dad@families.test zoe@families.test',
  });
  const again = (await send(sheet)).json<RosterImportAnswer>();
  expect(await read(again.import_id)).toMatchObject({
    status: 'finished',
    created: 0,
    updated: 0,
    skipped: 60,
    failed: 4,
  });
  expect(await rosterOf(people.hawks.id)).toEqual(roster);
});

test('columns can be chosen, and missing ones are asked for', async () => {
  const content = csvOf('who,what,where', 'Maya,10,Hawks', 'Leo,7,Hawks');
  const asked = (await send(content, { query: '&dry_run=true' })).json<RosterImportAnswer>();
  expect(asked).toMatchObject({ asks: [words.FIRST_NAME_MISSING, words.TEAM_MISSING], rows: [], total: 0 });
  const refused = await send(content);
  expect([refused.statusCode, refused.json()]).toMatchObject([422, { errors: { columns: asked.asks } }]);
  const said = await send(content, { query: '&dry_run=true&columns=first_name:0,number:1&team=Hawks%20U8' });
  expect(said.json()).toMatchObject({ asks: [], created: 2, new_teams: ['Hawks U8'] });
  const wrong = await send(content, { query: '&columns=first_name:0,shoe:1' });
  expect([wrong.statusCode, wrong.json()]).toMatchObject([422, { errors: { columns: [words.COLUMNS_NOT_VALID] } }]);
});

test('existing athletes are updated; a blank cell changes nothing, and the family’s consent stays', async () => {
  const other = await settleAnother(server);
  const { maya, ada } = await addRoster(server, other.hawks.id);
  await server.data.ownerQuery("update athletes set consent_by = 'family' where id = $1", [ada.id]);
  const content = csvOf(
    'name,number,team,consent,email,id',
    'Maya Rivera,11,Hawks U12,no,new@families.test,M1',
    'Ada Lindqvist,,Hawks U12,yes,,',
    'Leo Park,7,Tides U12,,,',
  );
  const first = await send(content, { at: other, query: '&moves=move' });
  const importId = first.json<RosterImportAnswer>().import_id;
  expect(await read(importId, other.tokens.owner)).toMatchObject({ created: 0, updated: 3, skipped: 0, failed: 0 });
  expect(await rosterOf(other.hawks.id)).toMatchObject([
    { first: 'Ada', consent: 'family', number: '23' },
    { first: 'Maya', consent: 'no', number: '11', id: 'M1', emails: 'maya@families.test new@families.test' },
    { first: 'Sam' },
    { first: 'Kai', team: 'Tides U12' },
    { first: 'Leo', team: 'Tides U12', number: '7' },
  ]);
  const [line] = await server.data.ownerQuery<{ details: object }>(
    "select details from audit_log where object_type = 'roster_import' and object_id = $1",
    [String(importId)],
  );
  expect(line?.details).toEqual({ rows: 3, valid: 3, new_athletes: 0, new_teams: 0 });
  expect(maya.id).toBeGreaterThan(0);
});

test('a check says all numbers, and of a long file as many rows as are wanted', async () => {
  const other = await settleAnother(server);
  await addRoster(server, other.hawks.id);
  const fresh = Array.from({ length: 9 }, (_, at) => `New Child${at},${at + 30},Hawks U12,`);
  const content = csvOf(
    'name,number,team,email',
    ...fresh,
    'Maya Rivera,11,Hawks U12,a@families.test',
    'Ada Lindqvist,24,Hawks U12,b@families.test',
    'Nora Quist,=cmd(),Hawks U12,',
    'Otto Quist,=cmd(),Hawks U12,',
  );
  const check = async (query: string) =>
    (await send(content, { at: other, query: `&dry_run=true${query}` })).json<RosterImportAnswer>();
  const [all, some] = [await check(''), await check('&limit=1')];
  expect(all.rows).toHaveLength(13);
  expect(all.sentences).toEqual({ errors: 2, warnings: 0, changes: 4 });
  expect({ ...some, rows: [] }).toEqual({ ...all, rows: [] });
  expect(some.rows).toEqual(all.rows.filter(({ row }) => [2, 3, 4, 5, 6, 11, 13].includes(row)));
});

test('a column sets how many photos are included, never below what a child has used', async () => {
  const other = await settleAnother(server);
  const { maya, leo } = await addRoster(server, other.hawks.id);
  const included = () =>
    server.data.ownerQuery(
      'select athlete_id::bigint as id, photos, used from allowances where organization_id = $1 order by athlete_id',
      [other.hawks.id],
    );
  const file = (mayas: string, leos: string) =>
    csvOf('name,number,team,included photos', `Maya Rivera,10,Hawks U12,${mayas}`, `Leo Park,7,Hawks U12,${leos}`);
  const wrong = await send(file('5', 'many'), { at: other, query: '&dry_run=true' });
  expect(wrong.json<RosterImportAnswer>().rows.map(({ errors }) => errors)).toEqual([[], [words.INCLUDED_NOT_VALID]]);
  await send(file('5', '3'), { at: other });
  const byId = (rows: { id: number }[]) => rows.toSorted((a, b) => a.id - b.id);
  const each = (photos: readonly [number, number], used: readonly [number, number]) =>
    byId([
      { id: maya.id, photos: photos[0], used: used[0] },
      { id: leo.id, photos: photos[1], used: used[1] },
    ] as never);
  expect(await included()).toEqual(each([5, 3], [0, 0]));
  await server.data.ownerQuery('update allowances set used = 3 where athlete_id = $1', [maya.id]);
  // The same number changes nothing, and neither does a blank cell.
  const again = await send(file('5', ''), { at: other });
  expect(await read(again.json<RosterImportAnswer>().import_id, other.tokens.owner)).toMatchObject({ skipped: 2 });
  await send(file('2', '8'), { at: other });
  expect(await included()).toEqual(each([3, 8], [3, 0]));
});

test('contents of imported rows are deleted, those of failed ones after a week', async () => {
  const other = await settleAnother(server);
  const content = csvOf('name,number,team', 'Nora Quist,4,Owls', 'Otto Quist,=cmd(),Owls');
  const { import_id: importId } = (await send(content, { at: other })).json<RosterImportAnswer>();
  const kept = () =>
    server.data.ownerQuery<object>(
      'select row_no, cells, plan, messages from roster_import_rows where import_id = $1 order by row_no',
      [importId],
    );
  const file = async (query = '') =>
    (await server.call({ url: `/api/v1/bulk/roster/${importId}.csv${query}`, as: other.tokens.owner })).body;
  expect(await kept()).toMatchObject([
    { row_no: 2, cells: null, plan: null },
    { row_no: 3, cells: { name: 'Otto Quist' }, plan: null },
  ]);
  expect(await file('?result=failed')).toMatch(/"Otto Quist","'=cmd\(\)".*number must be 0 to 9999 or 00\./);
  expect(await file('?result=failed')).not.toContain('Nora');
  await server.data.ownerQuery("update roster_imports set finished_at = now() - interval '8 days' where id = $1", [
    importId,
  ]);
  expect(await server.app.rosterImports.forget()).toBe(1);
  expect(await server.app.rosterImports.forget()).toBe(0);
  expect(JSON.stringify(await kept())).not.toMatch(/Quist|cmd/);
});

test('a batch reads its own rows, however many wait behind it', async () => {
  const other = await settleAnother(server);
  const lines = Array.from({ length: 600 }, (_, at) => `Una Quist,${at % 100},Owls,id-${at}`);
  const file = { content: csvOf('name,number,team,id', ...lines) };
  const query = `?affiliate_id=${other.hawks.id}&wait=0`;
  const { import_id: importId } = (
    await sendCsv(server, 'roster', file, { as: other.tokens.owner, query })
  ).json<RosterImportAnswer>();
  const read = await server.platform.database.write(tenantOf({ organizationId: other.hawks.id }), async (tx) => {
    const countReads = async () => {
      const { rows } = await sql<{ count: number }>`
        select (seq_tup_read + idx_tup_fetch)::integer as count from pg_stat_xact_user_tables
         where relname = 'roster_import_rows'`.execute(tx);
      return rows[0]?.count ?? 0;
    };
    const before = await countReads();
    expect(await listWaiting(tx, importId ?? 0, 100)).toHaveLength(100);
    return (await countReads()) - before;
  });
  // Once all of them, if the planner knows no better yet; never all of them for each row.
  expect(read).toBeGreaterThanOrEqual(100);
  expect(read).toBeLessThanOrEqual(700);
});

/** More than a request reads itself (32 kB), and than one batch. */
const LONG = Array.from({ length: 800 }, (_, at) => `Una Quist,${at % 100},Owls,number-${at},una-${at}@a.test`);

test.each(['reads', 'plans'])('a thread that never %s fails its request, and the roster is free', async (step) => {
  const other = await settleAnother(server);
  const content = csvOf('name,number,team,id,email', ...LONG);
  const { timeout } = AbortSignal;
  const ends = vi.spyOn(AbortSignal, 'timeout');
  if (step === 'plans') ends.mockImplementationOnce((ms) => timeout.call(AbortSignal, ms));
  ends.mockReturnValueOnce(AbortSignal.abort());
  try {
    expect((await send(content, { at: other })).statusCode).toBe(500);
  } finally {
    ends.mockRestore();
  }
  const query = `?affiliate_id=${other.hawks.id}&wait=0`;
  expect((await sendCsv(server, 'roster', { content }, { as: other.tokens.owner, query })).statusCode).toBe(202);
});

test('a long file, read in a thread, is checked, refused and imported as a short one', async () => {
  const other = await settleAnother(server);
  const head = 'name,number,team,id,email';
  const content = csvOf(head, ...LONG, 'Uma Quist,12b,Owls,number-u,');
  const checked = (await send(content, { at: other, query: '&dry_run=true' })).json<RosterImportAnswer>();
  expect(checked).toMatchObject({ total: 801, created: 800, failed: 1, new_teams: ['Owls'] });
  expect(checked.rows.at(-1)).toMatchObject({ row: 802, errors: [words.NUMBER_NOT_VALID] });
  const refusal = async (file: string) => {
    const answer = await send(file, { at: other });
    return [answer.statusCode, answer.json<{ error: string }>().error];
  };
  expect(await refusal(csvOf(head, ...LONG, 'Una "Quist",1,Owls,,'))).toEqual([422, CSV_NOT_PARSED]);
  expect(await refusal(csvOf(head, ...LONG.map((line) => line.replace('Una Quist', ' '.repeat(9)))))).toEqual([
    422,
    NO_VALID_ROWS,
  ]);
  expect(await refusal(csvOf(head, ...LONG.map((line, at) => line.replace('Owls', `Team ${at}`))))).toEqual([
    422,
    words.TOO_MANY_TEAMS,
  ]);
  const { import_id: importId } = (
    await sendCsv(
      server,
      'roster',
      { content },
      { as: other.tokens.owner, query: `?affiliate_id=${other.hawks.id}&wait=0` },
    )
  ).json<RosterImportAnswer>();
  expect(await read(importId, other.tokens.owner)).toMatchObject({ total: 801, waiting: 800, failed: 1 });
  const rows = await server.data.ownerQuery<object>(
    'select cells, plan from roster_import_rows where import_id = $1 and row_no in (2, 802) order by row_no',
    [importId],
  );
  expect(rows).toMatchObject([
    { cells: { name: 'Una Quist', family_email: 'una-0@a.test' }, plan: { team: 'Owls', athleteId: null } },
    { cells: { number: '12b' }, plan: null },
  ]);
});

test('an organization can import one file at a time', async () => {
  const other = await settleAnother(server);
  const query = `?affiliate_id=${other.hawks.id}&wait=0`;
  const as = other.tokens.owner;
  const file = (name: string) => ({ content: csvOf('name,team', `${name},Owls`) });
  const first = (await sendCsv(server, 'roster', file('Ada'), { as, query })).json<RosterImportAnswer>();
  const second = await sendCsv(server, 'roster', file('Leo'), { as, query });
  expect([second.statusCode, second.json()]).toMatchObject([
    409,
    { error: words.IMPORT_RUNNING, import_id: first.import_id },
  ]);
  await finish(first.import_id ?? 0);
  expect((await sendCsv(server, 'roster', file('Leo'), { as, query })).statusCode).toBe(202);
});

test('only members of the organization and its parent can import, and see the results', async () => {
  const other = await settleAnother(server);
  const { neighbor, foreigner, parentMember, admin, owner } = other.tokens;
  const content = csvOf('name,team', 'Vera Quist,Owls', ',Owls');
  const { import_id: importId } = (await send(content, { at: other, as: owner })).json<RosterImportAnswer>();
  for (const as of [null, neighbor, foreigner]) {
    const status = as === null ? 401 : 404;
    const answers = [
      await send(content, { at: other, as, query: '&dry_run=true' }),
      await send(content, { at: other, as }),
      await server.call({ url: `/api/v1/bulk/roster/${importId}`, as }),
      await server.call({ url: `/api/v1/bulk/roster/${importId}.csv`, as }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([status, status, status, status]);
    expect(answers.map(({ body }) => body).join('')).not.toMatch(/Vera|Owls/);
  }
  for (const as of [parentMember, admin])
    expect((await send(content, { at: other, as, query: '&dry_run=true' })).statusCode).toBe(200);
});
