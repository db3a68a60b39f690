/** The organizations that platform admins choose from, over HTTP (specification A§9). */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  choiceLabel,
  CHOICES_AT_ONCE,
  UNKNOWN_ORGANIZATION,
  type OrganizationChoice,
} from '#src/features/organization-picker/organization-choices.contract.ts';
import { settleAnother, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

describe('a label in the list', () => {
  test.each([
    ['Hawks', 'Hawks'],
    ['a'.repeat(40), 'a'.repeat(40)],
    ['a'.repeat(41), `${'a'.repeat(40)}…`],
    [`${'é'.repeat(39)} more`, `${'é'.repeat(39)}…`],
    ['   ', UNKNOWN_ORGANIZATION],
    ['', UNKNOWN_ORGANIZATION],
    [null, UNKNOWN_ORGANIZATION],
    [undefined, UNKNOWN_ORGANIZATION],
  ])('of %j reads %j', (name, label) => {
    expect(choiceLabel(name === undefined ? {} : { name })).toBe(label);
  });
  test('of a missing name is labeled, too', () => expect(choiceLabel(null)).toBe('Unknown Organization'));
});

const server = useTestServer();
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const ask = (as: string | null, query: string) =>
  server.call({ method: 'GET', url: `/api/v1/organization_choices?${query}`, as });
const namesOf = async (query: string) =>
  (await ask(people.tokens.admin, query)).json<OrganizationChoice[]>().map(({ name }) => name);

describe('the choices of organizations', () => {
  test('are parents, or affiliates with the defaults of a new gallery', async () => {
    expect(await namesOf('of=parents')).toEqual(expect.arrayContaining(['lakeside', 'riverside']));
    expect(await namesOf('of=parents')).not.toContain('hawks');
    const answer = await ask(people.tokens.admin, 'of=affiliates&q=tid');
    expect(answer.json()).toEqual([
      {
        id: people.tides.id,
        name: 'tides',
        domain_name: 'tides',
        parent_organization_id: people.parent.id,
        parent_name: 'lakeside',
        site: 'http://lakeside.sideline.localhost:3000',
        free_tier: true,
        default_photo_price: 2,
      },
    ]);
  });

  test('are found by a part of their name or path, whatever its accents; wildcards are literal', async () => {
    await server.data.ownerQuery("update organizations set name = 'Équipe 100% Hawks' where id = $1", [
      people.hawks.id,
    ]);
    expect(await namesOf('of=affiliates&q=EQUIPE')).toEqual(['Équipe 100% Hawks']);
    expect(await namesOf('of=affiliates&q=100%25')).toEqual(['Équipe 100% Hawks']);
    expect(await namesOf('of=affiliates&q=%25')).toEqual(['Équipe 100% Hawks']);
    expect(await namesOf('of=affiliates&q=_')).toEqual([]);
    expect(await namesOf('of=affiliates&q=nobody')).toEqual([]);
  });

  test('are limited to one page', async () => {
    await server.data.ownerQuery(
      `insert into organizations (kind, name, domain_name, parent_organization_id, free_tier)
       select 'affiliate', 'Zebras ' || n, 'zebras-' || n, $1, true from generate_series(1, 30) n`,
      [people.parent.id],
    );
    expect(await namesOf('of=affiliates&q=zebras')).toHaveLength(CHOICES_AT_ONCE);
  });

  test('are for platform admins', async () => {
    expect((await ask(null, 'of=parents')).statusCode).toBe(401);
    for (const token of [people.tokens.owner, people.tokens.parentMember, people.tokens.foreigner])
      expect((await ask(token, 'of=parents')).statusCode).toBe(403);
  });

  test('are for members of a parent those below it', async () => {
    const { parentMember, owner, foreigner } = people.tokens;
    const below = `of=affiliates&parent_id=${people.parent.id}`;
    const found = (await ask(parentMember, below)).json<OrganizationChoice[]>();
    expect(found.length).toBeGreaterThan(1);
    expect(new Set(found.map((choice) => choice.parent_organization_id))).toEqual(new Set([people.parent.id]));
    for (const token of [owner, foreigner]) expect((await ask(token, below)).statusCode).toBe(403);
    expect((await ask(parentMember, 'of=affiliates&parent_id=1')).statusCode).toBe(403);
  });

  test('are, as sellers, also the parent itself and deleted affiliates, whose orders stay', async () => {
    const others = await settleAnother(server);
    const { parent, hawks, tides, stranger, tokens } = others;
    await server.data.ownerQuery('update organizations set deleted_at = now() where id = $1', [tides.id]);
    const ask1 = async (of: string) =>
      (await ask(tokens.parentMember, `of=${of}&parent_id=${parent.id}`)).json<OrganizationChoice[]>();
    expect((await ask1('sellers')).map(({ id, deleted }) => [id, deleted])).toEqual([
      [hawks.id, undefined],
      [parent.id, undefined],
      [tides.id, true],
    ]);
    expect((await ask1('affiliates')).map(({ id }) => id)).toEqual([hawks.id]);
    const { json } = await ask(tokens.parentMember, `of=sellers&parent_id=${parent.id}&q=tides`);
    expect(json()).toMatchObject([{ id: tides.id }]);
    for (const token of [tokens.owner, tokens.foreigner])
      expect((await ask(token, `of=sellers&parent_id=${parent.id}`)).statusCode).toBe(403);
    expect((await ask(tokens.parentMember, `of=sellers&parent_id=${stranger.id}`)).statusCode).toBe(403);
    expect((await ask(tokens.parentMember, 'of=sellers')).statusCode).toBe(403);
  });

  test.each(['', 'of=nobody', `of=parents&q=${'x'.repeat(201)}`, 'of=parents&q=%00'])(
    'are refused for an invalid query (%s)',
    async (query) => {
      const answer = await ask(people.tokens.admin, query);
      expect([400, 422]).toContain(answer.statusCode);
      expect(answer.json()).toMatchObject({ error: expect.stringMatching(/\w/) });
    },
  );
});
