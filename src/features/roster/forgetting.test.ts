/** Which rows of files are cleared with a child: its own, and not those of other children with the same first name. */
import { expect, test } from 'vitest';
import { forgetOld } from '#src/features/roster/forgetting.service.ts';
import { settleAnother } from '#tests/support/neighborhood.ts';
import { addAthlete, addSeason, addTeam } from '#tests/support/rosters.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();

/** Failed rows of one file; returns those that still have their cells after the child was forgotten. */
async function keptAfterForgetting(child: { lastName: string | null; number: string | null }, rows: readonly object[]) {
  const people = await settleAnother(server);
  const { id: organizationId } = people.hawks;
  const team = await addTeam(server, organizationId, await addSeason(server, organizationId), 'Quails U9');
  const { id } = await addAthlete(server, organizationId, {
    firstName: 'Maya',
    lastName: child.lastName ?? '',
    number: child.number,
    teamId: team.id,
    emails: ['rivera@families.test'],
  });
  await server.data.ownerQuery(
    `with i as (insert into roster_imports (organization_id, status, row_count, finished_at) values ($1, 'finished', 9, now()) returning id)
     insert into roster_import_rows (import_id, row_no, organization_id, cells, result, messages)
     select id, row_no + 1, $1, cells, 'failed', '{Wrong.}' from i, jsonb_array_elements($2::text::jsonb) with ordinality as given (cells, row_no)`,
    [organizationId, JSON.stringify(rows)],
  );
  const url = `/api/v1/athletes/${id}`;
  expect((await server.call({ method: 'DELETE', url, as: people.tokens.owner })).statusCode).toBe(204);
  const left = await server.data.ownerQuery<{ cells: object }>(
    'select cells from roster_import_rows where organization_id = $1 and cells is not null order by row_no',
    [organizationId],
  );
  return left.map(({ cells }) => cells);
}

const OF_OTHERS = [{ name: 'Maya Stone', number: '11' }, { first_name: 'Maya', number: '#12' }, { name: 'Mayara' }];

test.each([
  ['by its whole name', { lastName: 'Rivera', number: '10' }, { name: 'Rivera, Maya', number: 'ten' }],
  [
    'by an address of its family',
    { lastName: null, number: '10' },
    { name: '?', family_email: 'Rivera@families.test' },
  ],
  ['by its number, if it has only a first name', { lastName: null, number: '10' }, { name: 'Maya R.', number: '#10' }],
  ['by its only name, if the row has no number', { lastName: null, number: '10' }, { name: 'maya' }],
])('a row is cleared with its child %s, and rows of other children stay', async (_how, child, own) => {
  expect(await keptAfterForgetting(child, [own, ...OF_OTHERS])).toEqual(OF_OTHERS);
});

test('a season begins with its first day in the time zone of its club, and only then an older one loses its names', async () => {
  const people = await settleAnother(server);
  const { id: organizationId } = people.hawks;
  await server.data.ownerQuery("update organizations set time_zone = 'Pacific/Honolulu' where id = $1", [
    organizationId,
  ]);
  const old = await addSeason(server, organizationId, { firstDay: '2097-08-01', lastDay: '2098-06-30' });
  for (const [name, firstDay, lastDay] of [
    ['Second', '2098-08-01', '2099-02-28'],
    ['Third', '2099-03-01', '2099-06-30'],
    ['New year', '2100-01-01', '2100-06-30'],
  ] as const)
    await addSeason(server, organizationId, { name, firstDay, lastDay });
  const team = await addTeam(server, organizationId, old, 'Quails U9');
  const { id } = await addAthlete(server, organizationId, { firstName: 'Maya', teamId: team.id });
  const nameAt = async (moment: string) => {
    await forgetOld({ ...server.platform, ...server.app, clock: { now: () => new Date(moment) } });
    const [row] = await server.data.ownerQuery<{ name: string | null }>(
      'select first_name as name from athletes where id = $1',
      [id],
    );
    return row?.name;
  };
  // New Year in New York and by the clock of the database, but not in Honolulu.
  expect(await nameAt('2100-01-01T09:53:00Z')).toBe('Maya');
  expect(await nameAt('2100-01-01T10:00:00Z')).toBeNull();
});
