/** Which rows of files are cleared with a child: its own, and not those of other children with the same first name. */
import { expect, test } from 'vitest';
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
