/** Two clubs under one parent, one elsewhere, and the people of all three: the actors of every access test. */
import type { TestServer } from '#tests/support/test-server.ts';
import { TEST_PASSWORD } from '#tests/support/test-server.ts';

export type Club = { id: number; path: string; parentId: number | null };

export type Neighborhood = {
  parent: Club;
  hawks: Club;
  tides: Club;
  /** Of its own parent. */
  stranger: Club;
  /** Bearer tokens. */
  tokens: { owner: string; neighbor: string; parentMember: string; foreigner: string; admin: string };
};

export async function settleNeighborhood(server: TestServer): Promise<Neighborhood> {
  const { organizations, accounts } = server.app;
  const settle = async (path: string, parentId: number | null, freeTier = false): Promise<Club> => {
    const id = await organizations.create({
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
  const parent = await settle('lakeside', null);
  const hawks = await settle('hawks', parent.id);
  const tides = await settle('tides', parent.id, true);
  const stranger = await settle('riverside', null);
  const person = async (name: string, administers: number[], roleId: 1 | 2 = 1): Promise<string> => {
    const email = `${name}@people.test`;
    await accounts.createUser({
      email,
      firstName: name,
      lastName: 'Person',
      password: TEST_PASSWORD,
      roleId,
      administers,
    });
    return server.signIn(email);
  };
  return {
    parent,
    hawks,
    tides,
    stranger,
    tokens: {
      owner: await person('owner', [hawks.id]),
      neighbor: await person('neighbor', [tides.id]),
      parentMember: await person('director', [parent.id]),
      foreigner: await person('foreigner', [stranger.id]),
      admin: await person('admin', [], 2),
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

/** Writes a ready photo straight into the tables, as ingest leaves one; for tests that look at rights, not at pixels. */
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
