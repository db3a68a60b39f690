/** The database of the running site, for data that calls could not create fast enough. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { embeddedPasswords, embeddedPaths } from '#src/platform/db/embedded-cluster.ts';
import { DATABASE_NAME, OWNER_ROLE, withClient } from '#src/platform/db/client.ts';
import type { RunningSite } from '#tests/support/running-site.ts';

async function ownerUrlOf({ dataDir }: RunningSite): Promise<string> {
  const [, , , port = ''] = (await readFile(join(embeddedPaths(dataDir).clusterDir, 'postmaster.pid'), 'utf8')).split(
    '\n',
  );
  return `postgres://${OWNER_ROLE}:${embeddedPasswords(dataDir).owner}@127.0.0.1:${port}/${DATABASE_NAME}`;
}

/** Adds copies of a ready photo, with their pictures, after the others of its gallery. */
export async function multiplyPhoto(site: RunningSite, photoId: number, copies: number): Promise<void> {
  await copyPhoto(await ownerUrlOf(site), photoId, copies);
}

/** The same in any database, by the address of its owner. */
export async function copyPhoto(ownerUrl: string, photoId: number, copies: number): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    await client.query(
      `with copied as (
         insert into photos (gallery_id, organization_id, name, status, order_key, width, height, thumbhash, captured_at,
                             original_key, original_sha256, original_bytes)
         select gallery_id, organization_id, 'Copy ' || n, 'ready', 'z' || repeat('9', 26) || lpad(n::text, 6, '0') || 'V',
                width, height, thumbhash, captured_at, original_key, original_sha256, original_bytes
           from photos, generate_series(1, $2::int) as n where photos.id = $1 returning id)
       insert into renditions (photo_id, size, mark, format, pixel_version, object_key, sha256, bytes, width, height)
       select copied.id, size, mark, format, 1, object_key, sha256, bytes, width, height
         from copied, renditions where photo_id = $1`,
      [photoId, copies],
    );
  });
}

/** Rows of the running site, without row-level security. */
export async function rowsOf<Row extends Record<string, unknown>>(
  site: RunningSite,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return withClient(await ownerUrlOf(site), async (client) => (await client.query<Row>(text, values)).rows);
}

/** Moves the sales of an organization into the past, so that they are past the payout hold. */
export async function ageSales(site: RunningSite, organizationId: number, days: number): Promise<void> {
  await rowsOf(
    site,
    'update orders set created_at = created_at - make_interval(days => $2), paid_at = paid_at - make_interval(days => $2) where organization_id = $1',
    [organizationId, days],
  );
}

/** The user typed their password long ago. */
export async function agePassword(site: RunningSite, email: string): Promise<void> {
  await rowsOf(
    site,
    "update sessions set confirmed_at = now() - interval '1 hour' where user_id = (select id from users where email = $1)",
    [email],
  );
}
