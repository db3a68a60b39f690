import { beforeAll, describe, expect, test } from 'vitest';
import type { CurrentToken, MadeToken, TokenAnswer, TokensPage } from '#src/features/api-tokens/api-tokens.contract.ts';
import * as words from '#src/features/api-tokens/api-tokens.contract.ts';
import { lacksScope, TOKEN_NEEDED, TOKEN_NOT_VALID } from '#src/features/tenancy/token-scopes.contract.ts';
import { hashToken } from '#src/platform/secrets.ts';
import { openGallery, settleAnother, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const FRESH = { name: 'Uploader', scopes: ['galleries:read', 'photos:write'], expires_in_days: 30 };

async function make(
  others: Neighborhood,
  fields: Record<string, unknown> = {},
  as = others.tokens.owner,
  club = others.hawks,
) {
  const url = `/api/v1/affiliates/${club.id}/api_tokens`;
  return server.call({ method: 'POST', url, as, payload: { ...FRESH, ...fields } });
}
const made = async (...args: Parameters<typeof make>) => {
  const answer = await make(...args);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<MadeToken>();
};
const current = (token: string) => server.call({ method: 'GET', url: '/api/v1/api_token', as: token });
const listOf = async (others: Neighborhood, as = others.tokens.owner) => {
  const answer = await server.call({ method: 'GET', url: `/api/v1/affiliates/${others.hawks.id}/api_tokens`, as });
  return answer.json<TokensPage>();
};
const revoke = (others: Neighborhood, id: number, as = others.tokens.owner) =>
  server.call({ method: 'DELETE', url: `/api/v1/affiliates/${others.hawks.id}/api_tokens/${id}`, as });
const linesOf = (id: number) =>
  server.data.ownerQuery<{ action: string; details: unknown }>(
    `select action, details from audit_log where object_type = 'api_token' and object_id = $1 order by id`,
    [String(id)],
  );

describe('members of an organization', () => {
  test('create a token that is shown once and stored as a hash, with a log entry and an email', async () => {
    const { token, ...row } = await made(people);
    expect(token).toMatch(/^sideline_[A-Za-z0-9_-]{43}$/);
    expect(row).toMatchObject({
      name: 'Uploader',
      ending: token.slice(-4),
      scopes: FRESH.scopes,
      made_by: 'owner Person',
    });
    expect(Date.parse(row.expires_at ?? '') - Date.now()).toBeGreaterThan(29 * 86_400_000);
    const [kept] = await server.data.ownerQuery<{ hash: Buffer; row: string }>(
      'select token_hash as hash, to_jsonb(t)::text as row from api_tokens t where id = $1',
      [row.id],
    );
    expect(kept?.hash).toEqual(hashToken(token));
    expect(kept?.row).not.toContain(token.slice(9));
    expect(JSON.stringify(await listOf(people))).not.toContain(token);
    expect(await linesOf(row.id)).toEqual([
      { action: 'api_token.made', details: { name: 'Uploader', scopes: FRESH.scopes, expires_in_days: 30 } },
    ]);
    const emails = await server.data.ownerQuery<{ text: string }>(
      `select html || body_text as text from mail_outbox where subject = 'New API token of hawks' and recipient = $1 and dedupe_key like $2`,
      [people.emails.owner, `token:${row.id}:%`],
    );
    expect(emails).toHaveLength(1);
    expect(emails[0]?.text).not.toContain(token);
  });

  test('see all problems of a form', async () => {
    const answer = await make(people, { name: ' ', scopes: [], expires_in_days: 0 });
    expect(answer.statusCode).toBe(422);
    expect(answer.json<{ errors: object }>().errors).toEqual({
      name: [words.NAME_REQUIRED],
      scopes: [words.SCOPES_REQUIRED],
      expires_in_days: [words.DAYS_NOT_VALID],
    });
    expect((await make(people, { scopes: ['members:write'] })).statusCode).toBe(422);
    expect((await make(people, { scopes: ['orders:read', 'orders:read'] })).statusCode).toBe(422);
    expect((await make(people, { token: 'mine' })).statusCode).toBe(422);
  });

  test('confirm their password first', async () => {
    const others = await settleAnother(server);
    await server.data.ownerQuery(
      `update sessions set confirmed_at = now() - interval '11 minutes' where token_hash = $1`,
      [hashToken(others.tokens.owner)],
    );
    const answer = await make(others);
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([401, 'Please confirm your password.']);
  });

  test('can create and revoke tokens; strangers and neighbors cannot, and platform admins can only revoke', async () => {
    const { id } = await made(people);
    const { neighbor, foreigner, admin } = people.tokens;
    expect((await make(people, {}, '')).statusCode).toBe(401);
    for (const as of [neighbor, foreigner]) {
      expect((await make(people, {}, as)).statusCode).toBe(404);
      expect((await revoke(people, id, as)).statusCode).toBe(404);
    }
    expect((await make(people, {}, admin)).json<{ error: string }>().error).toBe(words.MEMBERS_MAKE_TOKENS);
    expect((await revoke(people, id, admin)).json<TokenAnswer>().revoked_at).not.toBeNull();
    expect((await revoke(people, 999_999)).statusCode).toBe(404);
  });

  test('have at most twenty, also when they send many requests at the same time', async () => {
    const others = await settleAnother(server);
    const answers = await Promise.all(Array.from({ length: words.MAX_TOKENS + 2 }, () => make(others)));
    const codes = answers.map(({ statusCode }) => statusCode).toSorted();
    expect(codes).toEqual([...Array.from({ length: words.MAX_TOKENS }, () => 201), 409, 409]);
    const { tokens, next } = await listOf(others);
    expect([tokens.length, next]).toEqual([words.MAX_TOKENS, null]);
    const more = await make(others);
    expect([more.statusCode, more.json<{ error: string }>().error]).toEqual([409, words.TOO_MANY_TOKENS]);
    await revoke(others, tokens[0]?.id ?? 0);
    await made(others);
  });

  test('page through tokens by key', async () => {
    const others = await settleAnother(server);
    const ids = [await made(others), await made(others), await made(others)].map(({ id }) => id).toReversed();
    const url = `/api/v1/affiliates/${others.hawks.id}/api_tokens?limit=2`;
    const first = (await server.call({ method: 'GET', url, as: others.tokens.owner })).json<TokensPage>();
    expect([first.tokens.map(({ id }) => id), first.next]).toEqual([ids.slice(0, 2), ids[1]]);
    const rest = await server.call({ method: 'GET', url: `${url}&after=${first.next}`, as: others.tokens.owner });
    expect(rest.json<TokensPage>()).toMatchObject({ tokens: [{ id: ids[2] }], next: null });
  });
});

describe('a program', () => {
  test('can read its own token’s description; a session cannot', async () => {
    const { token, id, expires_at } = await made(people);
    const answer = await current(token);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json<CurrentToken>()).toEqual({
      id,
      name: 'Uploader',
      scopes: FRESH.scopes,
      expires_at,
      organization: { id: people.hawks.id, name: 'hawks', domain_name: 'hawks' },
    });
    expect((await current(people.tokens.owner)).json<{ error: string }>().error).toBe(TOKEN_NEEDED);
    expect((await current('')).statusCode).toBe(401);
  });

  test('creates a gallery with the right scope, as its creator, and its token does not work as a cookie', async () => {
    const { token } = await made(people, { scopes: ['galleries:write'] });
    expect(await openGallery(server, token, people.hawks.id, { name: 'By a program' })).toBeGreaterThan(0);
    const foreign = await server.call({
      method: 'POST',
      url: '/api/v1/galleries/',
      as: token,
      payload: { gallery: { organization_id: people.tides.id, name: 'x', price_per_photo: 4, photos_by: 'y' } },
    });
    expect(foreign.statusCode).toBe(404);
    const url = `/api/v1/affiliates/${people.hawks.id}/galleries`;
    const refused = await server.call({ method: 'GET', url, as: token });
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([403, lacksScope('galleries:read')]);
    const cookie = { cookie: `token=${token}`, 'sec-fetch-site': 'same-origin' };
    expect((await server.call({ method: 'GET', url, headers: cookie })).statusCode).toBe(401);
  });

  test('cannot sign uploads for pictures of the settings', async () => {
    const { token } = await made(people, { scopes: ['photos:write'] });
    const answer = await server.call({
      method: 'POST',
      url: '/api/v1/policy?settings_page=true',
      as: token,
      payload: { affiliate_id: people.hawks.id, filename: 'logo.png', kind: 'logo' },
    });
    expect(answer.statusCode).toBe(401);
  });

  test('records the time of its last use, once a minute', async () => {
    const { token, id } = await made(people);
    const usedAt = async () => {
      const [row] = await server.data.ownerQuery<{ at: Date | null }>(
        'select last_used_at as at from api_tokens where id = $1',
        [id],
      );
      return row?.at?.getTime() ?? null;
    };
    expect(await usedAt()).toBeNull();
    await current(token);
    const first = await usedAt();
    expect(Math.abs((first ?? 0) - Date.now())).toBeLessThan(60_000);
    await current(token);
    expect(await usedAt()).toBe(first);
    await server.data.ownerQuery(`update api_tokens set last_used_at = now() - interval '2 minutes' where id = $1`, [
      id,
    ]);
    await current(token);
    expect(await usedAt()).toBeGreaterThan((first ?? 0) - 1);
  });

  test('can make 600 calls a minute', async () => {
    const { token, id } = await made(people);
    await server.app.apiTokens.actorOf(token);
    await server.data.ownerQuery(`update rate_counters set hits = 600 where bucket = $1`, [`api-token:${id}`]);
    const answer = await current(token);
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('a token ends', () => {
  const expectOver = async (token: string) => {
    const answer = await current(token);
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([401, TOKEN_NOT_VALID]);
  };

  test('immediately and permanently when it is revoked', async () => {
    const { token, id } = await made(people);
    expect((await revoke(people, id)).json<TokenAnswer>().revoked_at).not.toBeNull();
    await expectOver(token);
    expect((await revoke(people, id)).statusCode).toBe(200);
    expect((await linesOf(id)).map(({ action }) => action)).toEqual(['api_token.made', 'api_token.revoked']);
  });

  test('when it expires', async () => {
    const { token, id } = await made(people, { expires_in_days: 1 });
    await server.data.ownerQuery(`update api_tokens set expires_at = now() - interval '1 second' where id = $1`, [id]);
    await expectOver(token);
  });

  test('when its creator loses access, even if they get it back; a director’s token stays with the parent', async () => {
    const others = await settleAnother(server);
    const { token, id } = await made(others);
    const kept = await made(others, {}, others.tokens.parentMember);
    const [owner] = await server.data.ownerQuery<{ id: number }>('select id from users where email = $1', [
      others.emails.owner,
    ]);
    const members = `/api/v1/organizations/${others.hawks.id}/members`;
    const as = others.tokens.admin;
    const other = { email: `new-owner@${others.hawks.path}.test`, first_name: 'New', last_name: 'Owner' };
    expect((await server.call({ method: 'POST', url: members, as, payload: other })).statusCode).toBe(201);
    await server.data.ownerQuery(`update users set password_hash = 'x' where email = $1`, [other.email]);
    expect((await server.call({ method: 'DELETE', url: `${members}/${owner?.id}`, as })).statusCode).toBe(204);
    await expectOver(token);
    expect((await linesOf(id)).map(({ action }) => action)).toEqual(['api_token.made', 'api_token.revoked']);
    const back = { email: others.emails.owner };
    expect((await server.call({ method: 'POST', url: members, as, payload: back })).statusCode).toBe(201);
    await expectOver(token);
    expect((await current(kept.token)).statusCode).toBe(200);
  });

  test('when a membership ends in any other way, before anyone has revoked it', async () => {
    const others = await settleAnother(server);
    const { token } = await made(others);
    await server.data.ownerQuery('update memberships set role = 1 where organization_id = $1', [others.hawks.id]);
    await expectOver(token);
  });

  test('when its organization is deleted', async () => {
    const others = await settleAnother(server);
    const { token, id } = await made(others, {}, others.tokens.neighbor, others.tides);
    const url = `/api/v1/organizations/${others.tides.path}?org_id=${others.parent.id}`;
    expect((await server.call({ method: 'DELETE', url, as: others.tokens.admin })).statusCode).toBe(204);
    await expectOver(token);
    const [row] = await server.data.ownerQuery<{ revoked: boolean }>(
      'select revoked_at is not null as revoked from api_tokens where id = $1',
      [id],
    );
    expect(row?.revoked).toBe(true);
  });
});

test('row-level security shows an organization’s tokens only to its own transactions', async () => {
  const { id } = await made(people);
  const seen = (organizationId: number) =>
    server.platform.database.read({ kind: 'tenants', organizationIds: [organizationId] }, (db) =>
      db.selectFrom('api_tokens').select('id').where('id', '=', id).execute(),
    );
  expect(await seen(people.hawks.id)).toHaveLength(1);
  expect(await seen(people.tides.id)).toHaveLength(0);
  expect(
    await server.platform.database.read({ kind: 'public' }, (db) => db.selectFrom('api_tokens').select('id').execute()),
  ).toEqual([]);
  await expect(
    server.platform.database.write({ kind: 'tenants', organizationIds: [people.tides.id] }, (tx) =>
      tx
        .insertInto('api_tokens')
        .values({
          organization_id: people.hawks.id,
          name: 'x',
          token_hash: hashToken('x'),
          ending: 'xxxx',
          scopes: ['orders:read'],
          made_by: 1,
        })
        .execute(),
    ),
  ).rejects.toThrow(/row-level security/);
});
