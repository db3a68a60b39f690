/** The ledger as files for an auditor. */
import { beforeEach, expect, test } from 'vitest';
import { monthBefore } from '#src/features/reconciliation/books.rules.ts';
import { machineDay } from '#src/shared/dates.ts';
import { sellDue, shareOf } from '#tests/support/due-orders.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
beforeEach(async () => {
  people = await settleAnother(server);
});

const get = (file: string, query = '', as: string | null = people.tokens.admin) =>
  server.call({ method: 'GET', url: `/api/v1/books/${file}.csv${query}`, as });

/** The lines of a file as records. */
async function linesOf(file: string, query = ''): Promise<Record<string, string>[]> {
  const answer = await get(file, query);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.headers['content-disposition']).toBe(`attachment; filename="${file}.csv"`);
  const [head = [], ...rows] = answer.body
    .replace('\uFEFF', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.slice(1, -1).split('","'));
  return rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])));
}
const dayAgo = (days: number) => machineDay(new Date(Date.now() - days * 86_400_000));
const cents = (text = '') => Math.round(Number(text) * 100);

test('the journal has every entry of these days once, in the order of time, and its debits equal its credits', async () => {
  const [old] = await sellDue(server, people.hawks.id, { amounts: [1000], daysAgo: 40 });
  const sold = await sellDue(server, people.hawks.id, { amounts: [2000, 3000], daysAgo: 20 });
  const lines = await linesOf('journal', `?from=${dayAgo(21)}&to=${dayAgo(19)}`);
  const ours = lines.filter((line) => line['Organization ID'] === String(people.hawks.id));
  expect(ours.map((line) => [line['Event'], line['Source'], line['Account'], line['Order'], line['Credit']])).toEqual(
    sold.map(({ id, totalCents }) => [
      'sale',
      `order ${id}`,
      'org payable',
      String(id),
      (shareOf(totalCents) / 100).toFixed(2),
    ]),
  );
  expect(lines.some((line) => line['Order'] === String(old?.id))).toBe(false);
  const times = lines.map((line) => line['Time'] ?? '');
  expect(times).toEqual(times.toSorted());
  const sum = (column: string) => lines.reduce((total, line) => total + cents(line[column]), 0);
  expect(sum('Debit')).toBe(sum('Credit'));
  const all = await linesOf('journal');
  const [entries] = await server.data.ownerQuery<{ count: number }>('select count(*)::int from ledger_entries');
  expect(all).toHaveLength(entries?.count ?? 0);
});

test('the journal is read in parts without losing an entry of the same moment', async () => {
  await sellDue(server, people.tides.id, { amounts: Array.from({ length: 1_100 }, () => 1000), daysAgo: 50 });
  const lines = await linesOf('journal', `?from=${dayAgo(51)}&to=${dayAgo(49)}`);
  const ours = lines.filter((line) => line['Organization ID'] === String(people.tides.id));
  expect(new Set(ours.map((line) => line['Order'])).size).toBe(1_100);
  expect(ours).toHaveLength(1_100);
});

test('the balances begin with what was there before, and sum to zero', async () => {
  await sellDue(server, people.hawks.id, { amounts: [1000], daysAgo: 40 });
  await sellDue(server, people.hawks.id, { amounts: [2000], daysAgo: 20 });
  await sellDue(server, people.hawks.id, { amounts: [4000], daysAgo: 5 });
  const lines = await linesOf('balances', `?from=${dayAgo(21)}&to=${dayAgo(19)}`);
  expect(lines.filter((line) => line['Organization ID'] === String(people.hawks.id))).toEqual([
    {
      Account: 'org payable',
      'Organization ID': String(people.hawks.id),
      Organization: people.hawks.path.replaceAll('-', ' '),
      Opening: (-shareOf(1000) / 100).toFixed(2),
      Debit: '0.00',
      Credit: (shareOf(2000) / 100).toFixed(2),
      Closing: (-(shareOf(1000) + shareOf(2000)) / 100).toFixed(2),
    },
  ]);
  const total = lines.at(-1);
  expect(total).toMatchObject({ Account: 'Total', Opening: '0.00', Closing: '0.00' });
  expect(total?.['Debit']).toBe(total?.['Credit']);
  // Without days: everything, from nothing.
  expect((await linesOf('balances')).every((line) => line['Opening'] === '0.00')).toBe(true);
});

test('both are for platform admins, and refuse days that do not exist or end before they begin', async () => {
  for (const file of ['journal', 'balances']) {
    expect((await get(file, '', null)).statusCode).toBe(401);
    expect((await get(file, '', people.tokens.owner)).statusCode).toBe(403);
    expect((await get(file, '?from=2026-02-30')).statusCode).toBe(422);
    expect((await get(file, '?from=2026-02-03&to=2026-02-01')).statusCode).toBe(422);
  }
});

test.each([
  ['2026-11-30', '2026-10-01', '2026-10-31'],
  ['2026-03-01', '2026-02-01', '2026-02-28'],
  ['2026-01-15', '2025-12-01', '2025-12-31'],
])('the month before that of %s is %s to %s', (today, from, to) => {
  expect(monthBefore(today)).toEqual({ from, to });
});
