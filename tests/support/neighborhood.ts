/** Two clubs under one parent, one elsewhere, and the users of all three: the callers of every access test. */
import type { Writer } from '#src/platform/db/db.ts';
import { hashToken, randomToken } from '#src/platform/secrets.ts';
import { machineDay } from '#src/shared/dates.ts';
import { cheapHash } from '#tests/support/cheap-hash.ts';
import type { TestServer } from '#tests/support/test-server.ts';
import { TEST_PASSWORD } from '#tests/support/test-server.ts';

const CHEAP_HASH = cheapHash(TEST_PASSWORD);

export type Club = { id: number; path: string; parentId: number | null };

export type Neighborhood = {
  parent: Club;
  hawks: Club;
  tides: Club;
  /** Of its own parent. */
  stranger: Club;
  /** Bearer tokens. */
  tokens: Record<Person, string>;
  /** Their login, with `TEST_PASSWORD`. */
  emails: Record<Person, string>;
};
type Person = 'owner' | 'neighbor' | 'parentMember' | 'foreigner' | 'admin';

/** The month of their statements: like "2026-11", where they are and not in UTC, which begins it some hours earlier. */
export const thisMonth = (): string => machineDay(new Date()).slice(0, 7);

let neighborhoods = 0;

/** Further organizations and users, whose paths and emails end in a number: for a test that needs them for itself. */
export const settleAnother = (server: TestServer): Promise<Neighborhood> =>
  settleNeighborhood(server, String(++neighborhoods));

/** `ending` is the suffix of every path and of every email's name. */
export async function settleNeighborhood(server: TestServer, ending = ''): Promise<Neighborhood> {
  const settle = async (tx: Writer, name: string, parentId: number | null, freeTier = false): Promise<Club> => {
    const path = name + ending;
    const id = await server.app.organizations.createWithin(tx, {
      kind: parentId === null ? 'organization' : 'affiliate',
      name: path.replaceAll('-', ' '),
      domainName: path,
      parentOrganizationId: parentId,
      contactName: 'Contact',
      contactEmail: `${path}@clubs.test`,
      freeTier,
    });
    return { id, path, parentId };
  };
  // One transaction and one statement: a thousand tests settle clubs of their own.
  const clubs = await server.platform.database.write(
    { kind: 'system', why: 'a test settles its clubs' },
    async (tx) => {
      const parent = await settle(tx, 'lakeside', null);
      const [hawks, tides] = [await settle(tx, 'hawks', parent.id), await settle(tx, 'tides', parent.id, true)];
      return { parent, hawks, tides, stranger: await settle(tx, 'riverside', null) };
    },
  );
  const emailOf = (name: string) => `${name}${ending}@people.test`;
  const tokens = {
    owner: randomToken(32),
    neighbor: randomToken(32),
    parentMember: randomToken(32),
    foreigner: randomToken(32),
    admin: randomToken(32),
  };
  const { parent, hawks, tides, stranger } = clubs;
  const persons = [
    { name: 'owner', token: tokens.owner, administers: hawks.id },
    { name: 'neighbor', token: tokens.neighbor, administers: tides.id },
    { name: 'director', token: tokens.parentMember, administers: parent.id },
    { name: 'foreigner', token: tokens.foreigner, administers: stranger.id },
    { name: 'admin', token: tokens.admin, administers: null },
  ];
  await server.data.ownerQuery(
    `with given as (
       select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bytea[])
         with ordinality as each (email, name, administers, token_hash, place)
     ), made as (
       insert into users (email, first_name, last_name, password_hash, role_id, email_proven_at)
       select email, name, 'Person', $5, case when administers is null then 2 else 1 end, now() from given order by place
       returning id, email::text
     ), joined as (
       insert into memberships (user_id, organization_id, role)
       select made.id, administers, 2 from made join given using (email) where administers is not null
     )
     insert into sessions (token_hash, user_id, expires_at)
     select token_hash, made.id, now() + interval '30 days' from made join given using (email)`,
    [
      persons.map(({ name }) => emailOf(name)),
      persons.map(({ name }) => name),
      persons.map(({ administers }) => administers),
      persons.map(({ token }) => hashToken(token)),
      CHEAP_HASH,
    ],
  );
  return {
    ...clubs,
    tokens,
    emails: {
      owner: emailOf('owner'),
      neighbor: emailOf('neighbor'),
      parentMember: emailOf('director'),
      foreigner: emailOf('foreigner'),
      admin: emailOf('admin'),
    },
  };
}

/** Makes a gallery as its owner; returns its id. */
export async function openGallery(
  server: TestServer,
  token: string,
  organizationId: number,
  fields: Record<string, unknown> = {},
): Promise<number> {
  const gallery = {
    organization_id: organizationId,
    name: 'Cup Final',
    price_per_photo: 4,
    photos_by: 'Rosa',
    ...fields,
  };
  const answer = await server.call({ method: 'POST', url: '/api/v1/galleries/', as: token, payload: { gallery } });
  if (answer.statusCode !== 201) throw new Error(`the gallery was not made: ${answer.body}`);
  return answer.json<{ id: number }>().id;
}

/** Inserts a ready photo directly into the tables, as ingest leaves one; for tests of permissions, not of pixels. */
export async function addReadyPhoto(
  server: TestServer,
  gallery: { id: number; organizationId: number },
  fields: { shown?: boolean; name?: string } = {},
): Promise<number> {
  const [row] = await server.data.ownerQuery<{ id: number }>(
    `insert into photos (gallery_id, organization_id, name, status, order_key, width, height, thumbhash, original_key, original_sha256, original_bytes, show_in_gallery)
     select $1, $2, $3, 'ready', 'a' || lpad((100000 - count(*))::text, 6, '0') || 'V', 1200, 800, '\\x0102', 'originals/none.jpg', repeat('0', 64), 10, $4
       from photos where gallery_id = $1 returning id`,
    [gallery.id, gallery.organizationId, fields.name ?? 'Photo', fields.shown ?? true],
  );
  if (!row) throw new Error('the photo was not written');
  return row.id;
}
