/** A file of galleries against what there is: owners by name and domain name, free plans that are full, rows that were imported before. */
import { galleryOwnerAmbiguous, galleryOwnerNotFound } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import type { Cells } from '#src/features/bulk-imports/csv-columns.rules.ts';
import type { ReadRow } from '#src/features/bulk-imports/file-reading.service.ts';
import { galleryProblems } from '#src/features/bulk-imports/gallery-rows.rules.ts';
import type { PlanDeps } from '#src/features/bulk-imports/plan-users.service.ts';
import { withoutPassword, type PlannedRow } from '#src/features/bulk-imports/planned-rows.rules.ts';
import { passwordOf } from '#src/features/bulk-imports/user-rows.rules.ts';
import { UPGRADE_FOR_MORE_GALLERIES } from '#src/features/galleries/galleries.contract.ts';
import { activeGalleries, ownersOfGalleries } from '#src/features/galleries/gallery-counts.service.ts';
import {
  comparedName,
  organizationsAt,
  type FoundOrganization,
} from '#src/features/tenancy/organization-lookup.service.ts';
import type { Reader } from '#src/platform/db/db.ts';

/** The rows in their order, each with all its problems. Reads only. */
export async function planGalleries(
  db: Reader,
  read: readonly ReadRow[],
  { markOf, madeBefore }: PlanDeps,
): Promise<PlannedRow[]> {
  const found = await organizationsAt(
    db,
    read.map(({ cells }) => cells['domain_name'] ?? ''),
  );
  const times = new Map<string, number>();
  const rows = read.map(({ row, cells, problems }) => {
    const owner = ownerOf(found, cells);
    const messages = [...problems, ...galleryProblems(cells), ...('error' in owner ? owner.error : [])];
    const owned = 'id' in owner ? owner : null;
    // Two galleries of one name are two; the same file again has both.
    const name = `${owned?.id ?? 0}/${(cells['galleryName'] ?? '').toLowerCase()}`;
    times.set(name, (times.get(name) ?? 0) + 1);
    return { row, cells, messages, owner: owned, mac: markOf('gallery', name, times.get(name) ?? 1) };
  });
  const sound = rows.filter(({ messages }) => messages.length === 0);
  const made = await madeBefore(
    db,
    sound.map(({ mac }) => mac),
  );
  const standing = await activeGalleries(
    db,
    [...made.values()].map(({ madeId }) => madeId),
  );
  const full = await ownersOfGalleries(
    db,
    sound.flatMap(({ owner }) => (owner?.isFree ? [owner.id] : [])),
  );
  return rows.map(({ row, cells, messages, owner, mac }): PlannedRow => {
    const planned = {
      row,
      cells: withoutPassword(cells),
      password: passwordOf(cells),
      mac,
      organizationId: owner?.id ?? null,
      made: null,
    };
    if (messages.length > 0 || owner === null) return { ...planned, result: 'failed', messages };
    const earlier = made.get(mac.toString('base64'));
    if (earlier && standing.has(earlier.madeId)) return { ...planned, result: 'skipped', messages: [], made: earlier };
    if (owner.isFree && full.has(owner.id))
      return { ...planned, result: 'failed', messages: [UPGRADE_FOR_MORE_GALLERIES] };
    full.add(owner.id);
    return { ...planned, result: 'created', messages: [] };
  });
}

/** Both must be right; of two organizations with one name the domain name decides (bad input 118). */
function ownerOf(
  found: ReadonlyMap<string, FoundOrganization[]>,
  cells: Cells,
): FoundOrganization | { error: string[] } {
  const [name = '', domainName = ''] = [cells['orgname'], cells['domain_name']];
  if (name === '' || domainName === '') return { error: [] };
  const matching = (found.get(comparedName(domainName)) ?? []).filter(
    (organization) => comparedName(organization.name) === comparedName(name),
  );
  const [only] = matching;
  if (only === undefined) return { error: [galleryOwnerNotFound(name, domainName)] };
  return matching.length === 1 ? only : { error: [galleryOwnerAmbiguous(name, domainName)] };
}
