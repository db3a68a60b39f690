/** Sending a form again creates no second gallery (fault F24). */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  FORM_MADE_ANOTHER,
  GALLERY_IS_DELETED,
  UPGRADE_FOR_MORE_GALLERIES,
} from '#src/features/galleries/galleries.contract.ts';
import { FORM_KEY_EXPECTED } from '#src/shared/validators.ts';
import { settleAnother, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const send = (key: unknown, name: string, organizationId = people.hawks.id, as = people.tokens.admin) =>
  server.call({
    method: 'POST',
    url: '/api/v1/galleries/',
    as,
    payload: { gallery: { organization_id: organizationId, name, price_per_photo: 2 }, client_key: key },
  });
const count = async (name: string) =>
  Number((await server.data.ownerQuery('select count(*) from galleries where name = $1', [name]))[0]?.['count']);

describe('a form with a key', () => {
  test('creates one gallery, however often and fast it is sent', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(key, 'Once')));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map((answer) => answer.json<{ id: number }>().id)).size).toBe(1);
    expect(await count('Once')).toBe(1);
  });

  test('is a conflict when the form has other content, and nothing is created or changed', async () => {
    const key = randomUUID();
    const first = (await send(key, 'First words')).json<{ id: number }>();
    const again = await send(key, 'Second words');
    expect([again.statusCode, again.json()]).toMatchObject([
      409,
      { error: FORM_MADE_ANOTHER, gallery: { id: first.id, name: 'First words' } },
    ]);
    expect([await count('First words'), await count('Second words')]).toEqual([1, 0]);
  });

  test('belongs to its organization: another one’s gallery is never returned', async () => {
    const { hawks, tides, tokens } = await settleAnother(server);
    const key = randomUUID();
    const ofHawks = (await send(key, 'Of the hawks', hawks.id)).json<{ id: number }>();
    const ofTides = await send(key, 'Of the tides', tides.id, tokens.neighbor);
    expect(ofTides.statusCode).toBe(201);
    expect(ofTides.json<{ id: number }>().id).not.toBe(ofHawks.id);
    expect((await send(key, 'Stolen', hawks.id, tokens.neighbor)).statusCode).toBe(404);
  });

  test('counts once for the free tier', async () => {
    const { tides, tokens } = await settleAnother(server);
    const key = randomUUID();
    expect((await send(key, 'Free', tides.id, tokens.neighbor)).statusCode).toBe(201);
    expect((await send(key, 'Free', tides.id, tokens.neighbor)).statusCode).toBe(200);
    const other = await send(randomUUID(), 'Free two', tides.id, tokens.neighbor);
    expect([other.statusCode, other.json<{ error: string }>().error]).toEqual([403, UPGRADE_FOR_MORE_GALLERIES]);
  });

  test('says that its gallery was deleted meanwhile', async () => {
    const key = randomUUID();
    const { id } = (await send(key, 'Short life')).json<{ id: number }>();
    await server.call({ method: 'POST', url: `/api/v1/galleries/${id}/inactive`, as: people.tokens.admin });
    const again = await send(key, 'Short life');
    expect([again.statusCode, again.json<{ error: string }>().error]).toEqual([403, GALLERY_IS_DELETED]);
  });

  test.each([['a word'], [7], [null], ['']])('must be a UUID, not %j', async (key) => {
    const answer = await send(key, 'Odd key');
    expect([answer.statusCode, answer.json<{ errors: object }>().errors]).toEqual([
      422,
      { client_key: [FORM_KEY_EXPECTED] },
    ]);
  });
});
