/** One id follows a request through its answer, log lines, slow statements, jobs and emails. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

type Line = { reqId?: string; msg: string; work?: string; statement?: string; route?: string; req?: { url: string } };

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const lines: string[] = [];
const behind = useTestServer({
  works: true,
  pages: true,
  logLines: lines,
  env: { TRUST_PROXY: '127.0.0.1', SLOW_STATEMENT_MS: '1' },
});
const alone = useTestServer();
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(behind);
});

const logged = (): Line[] => lines.map((line) => JSON.parse(line) as Line);

const until = <T>(look: () => Promise<T> | T) => vi.waitUntil(look, 15_000);

describe('the id of a request', () => {
  test.each([
    ['what the proxy says', { 'x-request-id': 'Root=1-5759e988:bd862e3f' }, 'Root=1-5759e988:bd862e3f'],
    ['the trace of the proxy', { traceparent: `00-${TRACE}-b7ad6b7169203331-01` }, TRACE],
    [
      'the id before the trace',
      { 'x-request-id': 'abcdefgh', traceparent: `00-${TRACE}-b7ad6b7169203331-01` },
      'abcdefgh',
    ],
    ['new for one that is too short', { 'x-request-id': 'abc' }, UUID],
    ['new for one that is too long', { 'x-request-id': 'a'.repeat(129) }, UUID],
    ['new for one with other characters', { 'x-request-id': 'abcdefgh"}{' }, UUID],
    ['new for a trace that is none', { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` }, UUID],
    ['new where nothing is said', {}, UUID],
  ])('is %s', async (_what, headers, id) => {
    const answer = await behind.call({ method: 'GET', url: '/healthz', headers });
    expect(answer.headers['x-request-id']).toEqual(id instanceof RegExp ? expect.stringMatching(id) : id);
  });

  test('is never taken from a visitor', async () => {
    const headers = { 'x-request-id': 'chosen-by-me', traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
    for (const url of ['/healthz', '/api/v1/nothing', '/%'])
      expect((await alone.call({ method: 'GET', url, headers })).headers['x-request-id']).toMatch(UUID);
  });
});

test('a successful probe is not logged, and a refused one is', async () => {
  const idOf = async (url: string) => String((await behind.call({ method: 'GET', url })).headers['x-request-id']);
  const ids = [await idOf('/healthz'), await idOf('/readyz'), await idOf('/metrics')];
  const refused = await until(() => logged().find(({ reqId, msg }) => reqId === ids[2] && msg === 'answered'));
  expect(refused.route).toBe('/metrics');
  // The database's answer to a probe may take longer than the millisecond that is slow here.
  const told = logged().filter(({ statement }) => statement === undefined);
  expect(told.filter(({ reqId = '' }) => ids.slice(0, 2).includes(reqId))).toEqual([]);
});

test('a request is found by its id in the log, in its job, in the email of that job and in their log lines', async () => {
  const id = 'forgot-password-of-owner';
  const host = `${people.parent.path}.sideline.localhost`;
  const answer = await behind.call({
    method: 'POST',
    url: '/password',
    headers: { 'x-request-id': id, host },
    payload: { user: { email: people.emails.owner } },
  });
  expect([answer.statusCode, answer.headers['x-request-id']]).toEqual([201, id]);

  const [job] = await behind.data.ownerQuery<{ group_id: string }>(
    "select group_id from pgboss.job where name = 'password.reset'",
  );
  expect(job?.group_id).toBe(id);
  const folder = join(behind.platform.config.dataDir, 'outbox');
  const email = await until(async () => {
    const [name] = await readdir(folder).catch(() => []);
    return name?.endsWith('.eml') ? readFile(join(folder, name), 'utf8') : undefined;
  });
  expect(email.toLowerCase()).toContain(`x-request-id: ${id}\r\n`);

  const own = await until(() => {
    const found = logged().filter(({ reqId }) => reqId === id);
    return found.some(({ work }) => work === 'password.reset') ? found : undefined;
  });
  expect(own).toContainEqual(expect.objectContaining({ msg: 'answered', reqId: id }));
  // Every statement takes a millisecond now and then: those of the request and those of its job say which.
  const statements = own.filter(({ msg }) => msg === 'a statement was slow');
  for (const { work } of statements) expect(['/password', 'password.reset', 'mail.send']).toContain(work);
  expect(lines.filter((line) => line.includes('"reqId"') && line.split('"reqId"').length > 2)).toEqual([]);
});

test('slow statements are logged without the values that were sent with them', async () => {
  await behind.platform.database.read({ kind: 'tenants', organizationIds: [people.hawks.id] }, (db) =>
    sql`select pg_sleep(${0.02}), ${'the-secret-value'}::text`.execute(db),
  );
  const line = logged().findLast(({ statement }) => statement?.includes('pg_sleep'));
  expect(line).toMatchObject({ msg: 'a statement was slow', work: 'none', statement: 'select pg_sleep($1), $2::text' });
  expect(lines.join('')).not.toContain('the-secret-value');
});

test('pages are counted by the pattern of their address, also those that are sent from the cache', async () => {
  const host = `${people.parent.path}.sideline.localhost`;
  const ask = (url: string) => behind.call({ method: 'GET', url, headers: { host, accept: 'text/html' } });
  const routesOf = (url: string) =>
    logged().flatMap(({ msg, req, route }) => (msg === 'answered' && req?.url === url ? [route] : []));
  const home = `/${people.hawks.path}`;
  for (let time = 0; time < 4; time++) await ask(home);
  expect(routesOf(home)).toEqual(Array.from({ length: 4 }, () => '/:affiliate'));
  await ask('/no/such/page');
  expect(routesOf('/no/such/page')).toEqual(['/*']);
  for (const url of ['/', '/pricing']) {
    await ask(url);
    expect(routesOf(url)).toEqual([url]);
  }
});
