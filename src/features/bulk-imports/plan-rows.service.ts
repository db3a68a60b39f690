/** Compares a file with existing data: owners and parents by name, taken addresses and paths, rows that were imported before. */
import { listMade } from '#src/features/bulk-imports/bulk-imports.sql.ts';
import { holdersOf } from '#src/features/members/account-opening.service.ts';
import type { PasswordPolicy } from '#src/features/sign-in/passwords.contract.ts';
import * as words from '#src/features/bulk-imports/bulk-imports.contract.ts';
import type { ReadRow } from '#src/features/bulk-imports/file-reading.service.ts';
import { accountOf, accountProblems, passwordOf } from '#src/features/bulk-imports/account-rows.rules.ts';
import * as rules from '#src/features/bulk-imports/row-results.rules.ts';
import {
  comparedName,
  organizationsAt,
  parentsNamed,
  placeOf,
  takenPlaces,
  type FoundOrganization,
} from '#src/features/tenancy/organizations.service.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { inTurns } from '#src/platform/turns.ts';
import { ADDRESS_NOT_AVAILABLE } from '#src/shared/domain-name.ts';
import type { Cells } from '#src/features/bulk-imports/csv-columns.rules.ts';
import { galleryProblems } from '#src/features/bulk-imports/gallery-rows.rules.ts';
import { UPGRADE_FOR_MORE_GALLERIES } from '#src/features/galleries/galleries.contract.ts';
import { activeGalleries, ownersOfGalleries } from '#src/features/galleries/galleries.service.ts';

type PlanDeps = { macOf: (...parts: readonly (string | number)[]) => Buffer };

/** What earlier imports created from rows, by their MACs. */
async function madeBefore(db: Reader, marks: readonly Buffer[]) {
  return new Map((await listMade(db, marks)).map(({ mac, ...made }) => [mac, made]));
}

/** The rows in their order, each with all its problems. Reads only. */
export async function planUsers(
  db: Reader,
  read: readonly ReadRow[],
  { macOf, policy }: PlanDeps & { policy: PasswordPolicy },
): Promise<rules.PlannedRow[]> {
  const withAccounts = read.map((each) => ({ ...each, account: accountOf(each.cells) }));
  const names = withAccounts.map(({ account }) => account.parentName);
  const parents = await parentsNamed(db, names);
  const rows = await inTurns(withAccounts, ({ row, cells, problems, account }) => {
    const parent = parentOf(parents.get(comparedName(account.parentName)) ?? [], account.parentName);
    const messages = [
      ...problems,
      ...accountProblems(cells, policy),
      ...('error' in parent ? parent.error : []),
      ...('id' in parent && account.path === parent.domainName.toLowerCase()
        ? [words.ofField('customPath', ADDRESS_NOT_AVAILABLE)]
        : []),
    ];
    const parentId = 'id' in parent ? parent.id : 0;
    return { row, cells, account, messages, parentId, mac: macOf('account', parentId, account.path, account.email) };
  });
  const sound = rows.filter(({ messages }) => messages.length === 0);
  const [holders, taken, made] = [
    await holdersOf(
      db,
      sound.map(({ account }) => account.email),
    ),
    await takenPlaces(
      db,
      sound.map(({ parentId, account }) => ({ parentId, path: account.path })),
    ),
    await madeBefore(
      db,
      sound.map(({ mac }) => mac),
    ),
  ];
  const seen = new Map<string, number>();
  return rows.map(({ row, cells, account, messages, parentId, mac }): rules.PlannedRow => {
    const planned = {
      row,
      cells: rules.withoutPassword(messages.length > 0 ? cells : { ...cells, customPath: account.path }),
      password: passwordOf(cells),
      mac,
      organizationId: parentId === 0 ? null : parentId,
      made: null,
    };
    if (messages.length > 0) return { ...planned, result: 'failed', messages };
    const place = placeOf(parentId, account.path);
    const repeated = [...alsoAt('email', seen.get(account.email)), ...alsoAt('customPath', seen.get(place))];
    for (const key of [account.email, place]) if (!seen.has(key)) seen.set(key, row);
    const earlier = made.get(mac.toString('base64')) ?? null;
    const holder = holders.get(account.email);
    if (repeated.length === 0 && earlier !== null && earlier.madeUserId === holder)
      return { ...planned, result: 'skipped', messages: [], made: earlier };
    const refused = [
      ...repeated,
      ...(repeated.length === 0 && holder !== undefined ? [words.ofField('email', words.CSV_ACCOUNT_TAKEN)] : []),
      ...(repeated.length === 0 && taken.has(place) ? [words.ofField('customPath', words.CSV_ACCOUNT_TAKEN)] : []),
    ];
    if (refused.length > 0) return { ...planned, result: 'failed', messages: refused };
    return { ...planned, result: 'created', messages: [] };
  });
}

const alsoAt = (field: string, row: number | undefined) => (row === undefined ? [] : [words.alsoInRow(field, row)]);

/** A blank name was reported already. */
function parentOf(found: readonly FoundOrganization[], name: string): FoundOrganization | { error: string[] } {
  const [only] = found;
  if (only === undefined) return { error: name === '' ? [] : [words.PARENT_NOT_FOUND] };
  return found.length === 1 ? only : { error: [words.PARENT_AMBIGUOUS] };
}

/** The rows in their order, each with all its problems. Reads only. */
export async function planGalleries(db: Reader, read: readonly ReadRow[], { macOf }: PlanDeps) {
  const paths = read.map(({ cells }) => cells['domain_name'] ?? '');
  const found = await organizationsAt(db, paths);
  const times = new Map<string, number>();
  const rows = read.map(({ row, cells, problems }) => {
    const owner = ownerOf(found, cells);
    const messages = [...problems, ...galleryProblems(cells), ...('error' in owner ? owner.error : [])];
    const owned = 'id' in owner ? owner : null;
    // Two galleries with the same name are two; uploading the file again finds both.
    const name = `${owned?.id ?? 0}/${(cells['galleryName'] ?? '').toLowerCase()}`;
    times.set(name, (times.get(name) ?? 0) + 1);
    return { row, cells, messages, owner: owned, mac: macOf('gallery', name, times.get(name) ?? 1) };
  });
  const sound = rows.filter(({ messages }) => messages.length === 0);
  const made = await madeBefore(
    db,
    sound.map(({ mac }) => mac),
  );
  const madeIds = [...made.values()].map(({ madeId }) => madeId);
  const active = await activeGalleries(db, madeIds);
  const freeOwners = sound.flatMap(({ owner }) => (owner?.isFree ? [owner.id] : []));
  const full = await ownersOfGalleries(db, freeOwners);
  return rows.map(({ row, cells, messages, owner, mac }): rules.PlannedRow => {
    const planned = {
      row,
      cells: rules.withoutPassword(cells),
      password: passwordOf(cells),
      mac,
      organizationId: owner?.id ?? null,
      made: null,
    };
    if (messages.length > 0 || owner === null) return { ...planned, result: 'failed', messages };
    const earlier = made.get(mac.toString('base64'));
    if (earlier && active.has(earlier.madeId)) return { ...planned, result: 'skipped', messages: [], made: earlier };
    if (owner.isFree && full.has(owner.id))
      return { ...planned, result: 'failed', messages: [UPGRADE_FOR_MORE_GALLERIES] };
    full.add(owner.id);
    return { ...planned, result: 'created', messages: [] };
  });
}

/** Both must match; for two organizations with the same name the domain name decides (bad input 118). */
function ownerOf(found: ReadonlyMap<string, FoundOrganization[]>, cells: Cells) {
  const [name = '', domainName = ''] = [cells['orgname'], cells['domain_name']];
  if (name === '' || domainName === '') return { error: [] };
  const matching = (found.get(comparedName(domainName)) ?? []).filter(
    (organization) => comparedName(organization.name) === comparedName(name),
  );
  const [only] = matching;
  if (only === undefined) return { error: [words.galleryOwnerNotFound(name, domainName)] };
  return matching.length === 1 ? only : { error: [words.galleryOwnerAmbiguous(name, domainName)] };
}
