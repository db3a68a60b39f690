/**
 * Parents have a host, affiliates a path below their parent. This module finds them by either, returns their public facts and
 * serves their pictures. Every request looks one up by host, so these answers are cached for a few seconds.
 */
import { requireEditor, requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { ORGANIZATION_NOT_FOUND, type OrganizationPicture } from '#src/features/tenancy/organizations.contract.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import * as organizationsSql from '#src/features/tenancy/organizations.sql.ts';
import type { FoundOrganization, TermsColumns, TermsRow } from '#src/features/tenancy/organizations.sql.ts';
import type { Clock } from '#src/platform/clock.ts';
import { PUBLIC, type Database, type Reader, type Writer } from '#src/platform/db/db.ts';
import type { Storage } from '#src/platform/storage/storage.ts';
import { notFound, problem } from '#src/shared/problem.ts';
import { isReservedLabel } from '#src/shared/domain-name.ts';
import { startOnce } from '#src/shared/start-once.ts';
import { bind } from '#src/shared/bind.ts';
import { readId } from '#src/shared/read-id.ts';

const SYSTEM = { kind: 'system', why: 'an operator makes organizations' } as const;
const OWNERS = { kind: 'system', why: 'the organization of a row is found by the id of the row' } as const;
const CHANGED = 'organization.changed';
const REMEMBER_MS = 5_000;
const REMEMBER_AT_MOST = 2_000;
const SEARCH_LIMIT = 1_000;
const CHILDREN_LIMIT = 60;

export type OrganizationService = ReturnType<typeof createOrganizationService>;

type Remembered = Map<string, { organization: Organization; untilMs: number }>;

function drop(remembered: Remembered, id: number): void {
  for (const [key, { organization }] of remembered) if (organization.id === id) remembered.delete(key);
}

type OrganizationDeps = { database: Database; storage: Storage; clock: Clock };

type OrganizationContext = ReturnType<typeof contextOf>;

function contextOf(deps: OrganizationDeps) {
  const remembered: Remembered = new Map();
  const readings = { begun: 0 };
  // Listens to changes by other processes from the first query on. A missed notification costs five seconds.
  const listenForChanges = startOnce(() => deps.database.listen(CHANGED, (id) => drop(remembered, Number(id))));
  return { ...deps, remembered, readings, listenForChanges };
}

async function remember(
  ctx: OrganizationContext,
  key: string,
  find: () => Promise<Organization | null>,
  mayKeep: (organization: Organization) => boolean = () => true,
): Promise<Organization | null> {
  ctx.listenForChanges().catch(() => undefined);
  const nowMs = ctx.clock.now().getTime();
  const known = ctx.remembered.get(key);
  if (known && known.untilMs > nowMs) return known.organization;
  const { begun } = ctx.readings;
  const organization = await find();
  if (begun !== ctx.readings.begun) return organization;
  if (ctx.remembered.size >= REMEMBER_AT_MOST) ctx.remembered.clear();
  if (organization && mayKeep(organization)) ctx.remembered.set(key, { organization, untilMs: nowMs + REMEMBER_MS });
  else ctx.remembered.delete(key);
  return organization;
}

async function byId(ctx: OrganizationContext, id: number): Promise<Organization | null> {
  return remember(ctx, `id:${id}`, () => ctx.database.read(PUBLIC, (db) => organizationsSql.findById(db, id)));
}

/** The root or a parent with this host label; null for none. */
async function byHostLabel(ctx: OrganizationContext, label: string): Promise<Organization | null> {
  return remember(ctx, `host:${label}`, () =>
    ctx.database.read(PUBLIC, (db) => organizationsSql.findByHostLabel(db, label)),
  );
}

/** The label of the host of an organization's pages: its parent's, if it has one. */
export async function hostLabelOf(
  organizations: { byId: (id: number) => Promise<Organization | null> },
  { parentOrganizationId, domainName }: Organization,
): Promise<string> {
  const parent = parentOrganizationId === null ? null : await organizations.byId(parentOrganizationId);
  return parent?.domainName ?? domainName;
}

/**
 * Creates an organization in the caller's transaction. A taken path is a unique violation (23505).
 * @throws not_found when the parent was deleted
 */
async function createWithin(tx: Writer, fresh: organizationsSql.NewOrganization): Promise<number> {
  // Waits for a transaction that is just deleting the parent.
  if (fresh.parentOrganizationId !== null && !(await organizationsSql.lockActive(tx, fresh.parentOrganizationId)))
    throw notFound(ORGANIZATION_NOT_FOUND);
  return organizationsSql.insertOrganization(tx, fresh);
}

/**
 * What `/{path}` means on a host: the host's own name (rule 33), or a child with that path. A child of another parent is
 * found, too, so that the page can redirect to its host. A former path also finds its child, whose `domainName` is the
 * new one, so that printed links still work.
 */
async function byPath(ctx: OrganizationContext, host: Organization, path: string): Promise<Organization | null> {
  if (path.toLowerCase() === host.domainName.toLowerCase()) return host;
  if (path.length > 63 || isReservedLabel(path)) return null;
  return remember(
    ctx,
    `path:${host.id}:${path.toLowerCase()}`,
    () =>
      ctx.database.read(
        PUBLIC,
        async (db) =>
          (await organizationsSql.findByPath(db, host.id, path)) ??
          (await organizationsSql.findByFormerPath(db, host.id, path)) ??
          organizationsSql.findOnlyByPath(db, path),
      ),
    // Anyone may take a former path, so it is looked up each time.
    (found) => found.domainName.toLowerCase() === path.toLowerCase(),
  );
}

/** A deleted organization, for the receipts of its buyers (rule 26); null for an active one. */
async function deleted(ctx: OrganizationContext, id: number): Promise<Organization | null> {
  return ctx.database.read(PUBLIC, (db) => organizationsSql.findDeleted(db, id));
}

/** By host label or numeric id: `GET /organizations/{id}` accepts both. @throws not_found */
async function byLabelOrId(ctx: OrganizationContext, labelOrId: string): Promise<Organization> {
  const id = readId(labelOrId);
  const found = id === null ? await byHostLabel(ctx, labelOrId.toLowerCase()) : await byId(ctx, id);
  if (!found) throw notFound(ORGANIZATION_NOT_FOUND);
  return found;
}

/** Public facts for search boxes, by name: the first 1,000 (rule 7), or as many after one of them. */
async function listForSearch(ctx: OrganizationContext, after: Organization | null = null): Promise<Organization[]> {
  return ctx.database.read(PUBLIC, (db) => organizationsSql.listForSearch(db, SEARCH_LIMIT, after));
}

/** The first children on a parent's home page, by name. */
async function listChildren(ctx: OrganizationContext, parentId: number): Promise<Organization[]> {
  return ctx.database.read(PUBLIC, (db) => organizationsSql.listChildren(db, parentId, CHILDREN_LIMIT));
}

/** The ids of the organization and of those below it, closed ones included. */
async function family(
  ctx: OrganizationContext,
  { id, parentOrganizationId }: Pick<Organization, 'id' | 'parentOrganizationId'>,
): Promise<number[]> {
  if (parentOrganizationId !== null) return [id];
  return ctx.database.read(PUBLIC, (db) => organizationsSql.listFamily(db, id));
}

/** Sets the free tier of an organization, in the caller's transaction; call `forget` after the commit. */
async function setFreeTier(tx: Writer, id: number, freeTier: boolean): Promise<void> {
  await organizationsSql.updateTerms(tx, id, { free_tier: freeTier });
}

/** The terms of an organization; null for an unknown one. In the caller's transaction. */
async function findTerms(db: Reader, id: number): Promise<TermsRow | null> {
  return (await organizationsSql.findTerms(db, id)) ?? null;
}

/** Changes the given terms, in the caller's transaction; call `forget` after the commit. */
function setTerms(tx: Writer, id: number, columns: TermsColumns): Promise<void> {
  return organizationsSql.updateTerms(tx, id, columns);
}

/** After a change was committed: every process reads the organization again, within five seconds. */
function forget(ctx: OrganizationContext, id: number): void {
  drop(ctx.remembered, id);
  ctx.database.notify(CHANGED, String(id)).catch(() => undefined);
}

/** From now on reads of these use the database, whatever other reads are running. */
function readAgain(ctx: OrganizationContext, ids: readonly number[]): void {
  ctx.readings.begun += 1;
  for (const id of ids) drop(ctx.remembered, id);
}

/** The bytes of a logo, banner or sponsor picture. @throws not_found; unavailable when the store lost it. */
async function picture(ctx: OrganizationContext, id: number, picture: OrganizationPicture) {
  const key = (await byId(ctx, id))?.pictureKeys[picture] ?? null;
  if (key === null) throw notFound();
  const bytes = await ctx.storage.get(key);
  if (!bytes) throw problem('unavailable', 'This image can’t be loaded right now.', { retryAfterSeconds: 5 });
  return { bytes, contentType: key.endsWith('.png') ? 'image/png' : 'image/jpeg', etag: `"${key.slice(-24)}"` };
}

/** Whether a child of this parent already has the path; not cached, for a request that is about to take it. */
async function hasPath(ctx: OrganizationContext, parentId: number, path: string): Promise<boolean> {
  return (await ctx.database.read(PUBLIC, (db) => organizationsSql.findByPath(db, parentId, path))) !== null;
}

/** Creates an organization (demo, operator's command line, tests). Returns its id. */
async function create(
  ctx: OrganizationContext,
  fresh: organizationsSql.NewOrganization,
  looks: organizationsSql.OrganizationLooks = {},
): Promise<number> {
  return ctx.database.write(SYSTEM, async (tx) => {
    const id = await createWithin(tx, fresh);
    await organizationsSql.updateLooks(tx, id, looks);
    return id;
  });
}

export function createOrganizationService(deps: OrganizationDeps) {
  return {
    createWithin,
    setFreeTier,
    findTerms,
    setTerms,
    ...bind(contextOf(deps), {
      byId,
      byHostLabel,
      byPath,
      deleted,
      byLabelOrId,
      listForSearch,
      listChildren,
      family,
      forget,
      readAgain,
      picture,
      hasPath,
      create,
    }),
  };
}

export type { FoundOrganization } from '#src/features/tenancy/organizations.sql.ts';

/** Names are compared ignoring case and surrounding spaces. */
export const comparedName = (name: string): string => name.trim().toLowerCase();

/** Parents (and the root) by their compared names; several may have the same one. */
export async function parentsNamed(db: Reader, names: Iterable<string>): Promise<Map<string, FoundOrganization[]>> {
  const wanted = [...new Set([...names].map(comparedName))];
  return Map.groupBy(await organizationsSql.listParentsNamed(db, wanted), ({ name }) => comparedName(name));
}

/** Organizations by domain name in lower case; below different parents several may have the same one. */
export async function organizationsAt(db: Reader, domainNames: Iterable<string>) {
  const wanted = [...new Set([...domainNames].map(comparedName))];
  return Map.groupBy(await organizationsSql.listByDomainNames(db, wanted), ({ domainName }) =>
    comparedName(domainName),
  );
}

/** A parent and a path as text for comparison. */
export const placeOf = (parentId: number, path: string): string => `${parentId}/${path.toLowerCase()}`;

/** Which of these are taken, as `placeOf` writes them. */
export async function takenPlaces(db: Reader, places: readonly { parentId: number; path: string }[]) {
  if (places.length === 0) return new Set();
  return new Set(
    (await organizationsSql.listTakenPaths(db, places)).map(({ parentId, path }) => placeOf(parentId, path)),
  );
}

/** Like `editedBy`, but only for people: a token gets 401. */
export async function editedByPerson(
  organizations: Pick<OrganizationService, 'byId'>,
  caller: Caller,
  organizationId: number,
): Promise<Organization> {
  requireUser(caller.actor);
  return editedBy(organizations, caller, organizationId);
}

/**
 * The organization, for someone who may edit it.
 * @throws unauthenticated; not_found, with the message `missing`, for an unknown organization and for one of others
 */
export async function editedBy(
  organizations: Pick<OrganizationService, 'byId'>,
  caller: Caller,
  organizationId: number,
  missing?: string,
): Promise<Organization> {
  const organization = await organizations.byId(organizationId);
  if (!organization) throw notFound(missing);
  const { id, parentOrganizationId } = organization;
  requireEditor(caller.actor, { organizationId: id, parentOrganizationId }, missing);
  return organization;
}

/** The organization of something that is found by its own id, for a person who may edit it. @throws as `editedBy` */
export async function editedOwner(
  ctx: { database: Pick<Database, 'read'>; organizations: Pick<OrganizationService, 'byId'> },
  caller: Caller,
  findOwner: (db: Reader) => Promise<number | null>,
  missing: string,
): Promise<Organization> {
  requireUser(caller.actor);
  const organizationId = await ctx.database.read(OWNERS, findOwner);
  if (organizationId === null) throw notFound(missing);
  return editedBy(ctx.organizations, caller, organizationId, missing);
}
