import { beforeAll, expect, test } from 'vitest';
import type { VersionAnswer } from '#src/features/version/version.contract.ts';
import { readMigrations } from '#src/platform/db/migrate.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true, env: { SIDELINE_COMMIT: '0123456789ab' } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const ask = (as: string | null) => server.call({ method: 'GET', url: '/api/v1/version', as });

test('platform admins see release, commit, schema and when each migration ran', async () => {
  const answer = await ask(people.tokens.admin);
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'private, no-store']);
  const version = answer.json<VersionAnswer>();
  const newest = (await readMigrations()).at(-1)?.name;
  expect(version).toMatchObject({ commit: '0123456789ab', schema: { current: newest, expected: newest } });
  expect(version.updates[0]?.name).toBe(newest);
  expect(Date.parse(version.updates[0]?.applied_at ?? '')).toBeLessThanOrEqual(Date.now());
  expect(version.postgres).toMatch(/^\d+\.\d+/);
});

test('nobody else sees them, in the call, a header or a page', async () => {
  expect((await ask(null)).statusCode).toBe(401);
  for (const token of [people.tokens.owner, people.tokens.parentMember, people.tokens.foreigner])
    expect((await ask(token)).statusCode).toBe(403);
  for (const url of ['/', '/healthz', '/readyz']) {
    const { body, headers } = await server.call({ method: 'GET', url });
    expect(body + JSON.stringify(headers), url).not.toContain('0123456789ab');
    expect([headers['server'], headers['x-powered-by']], url).toEqual([undefined, undefined]);
  }
});

test('the page shows the same, with the changes', async () => {
  const page = await server.call({ method: 'GET', url: '/admin/version', as: people.tokens.admin });
  expect(page.statusCode).toBe(200);
  for (const words of ['0123456789ab', 'For operators', (await readMigrations()).at(-1)?.name ?? ''])
    expect(page.body).toContain(words);
});
