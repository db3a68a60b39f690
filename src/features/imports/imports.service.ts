/**
 * An operator imports an export of another installation: a new organization with new ids, the same public content, invitations
 * for its members, and its orders and books as history. It can be stopped at any time: the same export continues where it
 * stopped, and one that is already imported adds only photos whose files were absent. Files are compared with their hashes
 * before they are used.
 */
import { randomBytes } from 'node:crypto';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { SETTINGS_PICTURES } from '#src/features/branding/settings-pictures.contract.ts';
import { STORED_AS } from '#src/features/branding/settings-pictures.rules.ts';
import { storeRewritten } from '#src/features/branding/settings-pictures.service.ts';
import * as words from '#src/features/imports/imports.contract.ts';
import { openCopy, type CopyFolder } from '#src/features/imports/copy-folder.service.ts';
import { couponToContinue, createBooksCheck } from '#src/features/imports/imports.rules.ts';
import * as importsSql from '#src/features/imports/imports.sql.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { ingestPhotoJob } from '#src/features/uploads/uploads.jobs.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { PictureRewriter } from '#src/platform/images/picture-rewriter.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { sealText } from '#src/platform/secrets.ts';
import { bind } from '#src/shared/bind.ts';
import { machineDay } from '#src/shared/dates.ts';
import { domainNameProblems } from '#src/shared/domain-name.ts';
import { brokenConstraint, problem } from '#src/shared/problem.ts';

type ImportDeps = Pick<Platform, 'database' | 'storage' | 'jobs'> & {
  keys: Pick<Keys, 'galleryPasswords'>;
  organizations: Pick<OrganizationService, 'createWithin' | 'forget'>;
  audit: AuditRecorder;
  rewriter: PictureRewriter;
};

type ImportRequest = {
  folder: string;
  /** Domain name of the parent, for a team. */
  parent: string | null;
  /** Another domain name than in the export. */
  path: string | null;
  /** The platform admin who is responsible. */
  by: string;
  onProgress?: (text: string) => void;
};
type Imported = { organizationId: number; photos: number; records: number; wasThere: boolean };

const OPERATOR = { kind: 'system', why: 'an operator brings in an organization' } as const;
const HISTORY_AT_A_TIME = 500;

type Work = { copy: CopyFolder; importId: number; organizationId: number };

const write = <T>(ctx: ImportDeps, work: (tx: Writer) => Promise<T>) => ctx.database.write(OPERATOR, work);

async function createOrganization(
  ctx: ImportDeps,
  tx: Writer,
  request: ImportRequest,
  row: words.RowOf<'organization'>,
) {
  const isTeam = row.kind === 'affiliate' || row.kind === 'chapter';
  const parentId = request.parent === null ? null : await importsSql.findParent(tx, request.parent);
  if (request.parent !== null && parentId === null) throw problem('invalid', words.NO_SUCH_PARENT);
  if (isTeam && parentId === null) throw problem('invalid', words.PARENT_NEEDED);
  const domainName = (request.path ?? row.domain_name).toLowerCase();
  const [bad] = domainNameProblems(domainName);
  if (bad !== undefined) throw problem('invalid', bad);
  return ctx.organizations.createWithin(tx, {
    kind: parentId === null ? 'organization' : isTeam ? row.kind : 'affiliate',
    name: row.name,
    domainName,
    parentOrganizationId: parentId,
    contactName: row.contact_name,
    contactEmail: row.contact_email,
    freeTier: row.free_tier,
  });
}

/** Validates a row. @throws invalid */
function rowOf<Name extends keyof typeof words.ROWS>(name: Name, given: object): words.RowOf<Name> {
  const { success, data, error } = words.ROWS[name].safeParse(given);
  if (!success) throw problem('invalid', words.notTaken(name, error.issues[0]?.path.join('.') ?? ''));
  return data as words.RowOf<Name>;
}

/** Validates all rows before anything is created. @throws invalid, also for two rows with one id */
async function checkRows(copy: CopyFolder): Promise<void> {
  for (const name of Object.keys(words.ROWS) as (keyof typeof words.ROWS)[]) {
    const ids = new Set<number>();
    for await (const given of copy.rows(name)) {
      const row = rowOf(name, given);
      if (!('id' in row)) continue;
      if (ids.has(row.id)) throw problem('invalid', words.notTaken(name, 'id'));
      ids.add(row.id);
    }
  }
}

/** What the database says of a value that it does not take; null for any other failure. */
function refusedValue(error: unknown): string | null {
  const { code, constraint, message } = (error ?? {}) as { code?: string; constraint?: string; message?: string };
  return /^2[23]\w{3}$/.test(code ?? '') ? (constraint ?? message ?? '') : null;
}

async function first<Name extends keyof typeof words.ROWS>(copy: CopyFolder, name: Name) {
  for await (const row of copy.rows(name)) return rowOf(name, row);
  throw problem('invalid', words.BAD_MANIFEST);
}

/** Creates the organization with its settings, members and galleries in one transaction, or returns the one that was started. */
async function begin(ctx: ImportDeps, request: ImportRequest, copy: CopyFolder, adminId: number) {
  const row = await first(copy, 'organization');
  return write(ctx, async (tx) => {
    const begun = await importsSql.beginImport(tx, copy.sha256, adminId);
    if (begun.organizationId !== null) return { ...begun, organizationId: begun.organizationId };
    const organizationId = await createOrganization(ctx, tx, request, row);
    await importsSql.fillOrganization(tx, begun.id, organizationId, row);
    for await (const person of copy.rows('people'))
      await importsSql.insertPerson(tx, organizationId, adminId, rowOf('people', person));
    for await (const rate of copy.rows('tax_rates'))
      await importsSql.insertTaxRate(tx, organizationId, rowOf('tax_rates', rate));
    const ids = { importId: begun.id, organizationId };
    const sheets = new Map<number, number>();
    for await (const given of copy.rows('price_sheets')) {
      const sheet = rowOf('price_sheets', given);
      if (sheet.archived_at === null) sheets.set(sheet.id, await importsSql.insertPriceSheet(tx, ids, sheet));
    }
    const galleries = new Map<number, number>();
    for await (const given of copy.rows('galleries')) {
      const gallery = rowOf('galleries', given);
      if (!gallery.active) continue;
      const sealed = gallery.password === null ? null : sealText(ctx.keys.galleryPasswords, gallery.password);
      const more = { sealedPassword: sealed, priceSheetId: sheets.get(gallery.price_sheet_id ?? 0) ?? null };
      galleries.set(gallery.id, await importsSql.insertGallery(tx, ids, gallery, more));
    }
    const known = { galleries, sheets, today: machineDay(new Date(), row.time_zone) };
    for await (const given of copy.rows('coupons')) {
      const coupon = rowOf('coupons', given);
      const plan = couponToContinue(coupon, known);
      if (plan) await importsSql.insertCoupon(tx, organizationId, coupon, plan);
    }
    for await (const given of copy.rows('contributors')) {
      const person = rowOf('contributors', given);
      const galleryId = galleries.get(person.gallery_id);
      if (galleryId !== undefined) await importsSql.insertContributor(tx, { ...ids, galleryId }, person);
    }
    await ctx.audit.record(
      tx,
      { userId: adminId, ip: null },
      {
        action: 'organization.imported',
        organizationId,
        object: ['organization', organizationId],
        details: { name: row.name, from: copy.manifest.made_by, made_at: copy.manifest.made_at },
      },
    );
    return { ...begun, organizationId };
  }).catch((error: unknown) => {
    if (/^organizations_(host_label|path)$/.test(brokenConstraint(error) ?? ''))
      throw problem('conflict', words.PATH_TAKEN);
    throw error;
  });
}

/** Encoded again in a picture process, like every picture from outside. */
async function bringPictures(ctx: ImportDeps, { copy, organizationId }: Work): Promise<void> {
  for (const picture of SETTINGS_PICTURES) {
    const name = copy.picture(picture);
    const rewritten = name === null ? null : await ctx.rewriter.rewrite(await copy.read(name), STORED_AS[picture]);
    if (!rewritten) continue;
    const { key } = await storeRewritten(ctx.storage, organizationId, rewritten);
    await write(ctx, (tx) => importsSql.savePicture(tx, organizationId, picture, key));
  }
}

/**
 * Each original becomes a claimed upload, which the worker processes like any other. Absent and changed files are left
 * out: an export is without originals that were damaged, missing or removed when it was downloaded.
 */
async function bringPhotos(ctx: ImportDeps, work: Work, onProgress: (text: string) => void) {
  const { copy, importId, organizationId } = work;
  const [galleries, contributors, done] = await ctx.database.read(OPERATOR, async (db) => [
    await importsSql.listGalleries(db, importId),
    await importsSql.listThings(db, importId, 'contributor'),
    await importsSql.listThings(db, importId, 'photo'),
  ]);
  const left = { absent: [] as string[], changed: [] as string[] };
  let brought = 0;
  for await (const given of copy.rows('photos')) {
    const photo = rowOf('photos', given);
    const galleryId = galleries.get(photo.gallery_id);
    if (photo.file === null || galleryId === undefined || done.has(photo.id)) continue;
    const found = await copy.compare(photo.file, photo);
    if (found !== 'whole') {
      left[found].push(photo.file);
      continue;
    }
    const bytes = await copy.read(photo.file);
    const uploadKey = `uploads/${organizationId}/${galleryId}/${randomBytes(16).toString('hex')}.jpg`;
    const { etag } = await ctx.storage.put(uploadKey, bytes, { contentType: 'image/jpeg', bytes: bytes.length });
    const contributorId = contributors.get(photo.gallery_contributor_id ?? 0) ?? null;
    const ids = { importId, organizationId, galleryId, contributorId, uploadKey, uploadEtag: etag };
    await write(ctx, async (tx) => {
      const photoId = await importsSql.insertPhoto(tx, ids, photo);
      await ctx.jobs.enqueue(tx, ingestPhotoJob, { photoId });
    });
    brought += 1;
    if (brought % 100 === 0) onProgress(`${brought} of ${copy.manifest.originals.files} photos`);
  }
  return { brought, ...left };
}

/** Checks the ledger before anything is imported. */
async function checkBooks(copy: CopyFolder): Promise<void> {
  const books = createBooksCheck();
  for (const dataset of words.HISTORY) for await (const facts of copy.rows(dataset)) books.take(dataset, facts);
  const problems = books.problems();
  if (problems.length > 0) throw problem('invalid', words.booksOff(problems));
}

async function bringHistory(ctx: ImportDeps, { copy, importId, organizationId }: Work): Promise<number> {
  let records = 0;
  for (const dataset of words.HISTORY) {
    let batch: importsSql.HistoryRow[] = [];
    let place = 0;
    const flush = async () => {
      const rows = batch;
      batch = [];
      if (rows.length > 0)
        await write(ctx, (tx) => importsSql.insertHistory(tx, { importId, organizationId }, dataset, rows));
    };
    for await (const facts of copy.rows(dataset)) {
      place += 1;
      batch.push({ place, facts });
      if (batch.length === HISTORY_AT_A_TIME) await flush();
    }
    await flush();
    records += place;
  }
  return records;
}

async function bringAll(ctx: ImportDeps, request: ImportRequest): Promise<Imported> {
  const copy = await openCopy(request.folder);
  const adminId = await ctx.database.read(OPERATOR, (db) => importsSql.findAdmin(db, request.by));
  if (adminId === null) throw problem('invalid', words.NO_SUCH_ADMIN);
  const data = await copy.changed();
  if (data.length > 0) throw problem('invalid', words.changedFiles(data));
  await checkRows(copy);
  await checkBooks(copy);
  const { id: importId, organizationId, isFinished } = await begin(ctx, request, copy, adminId);
  const work = { copy, importId, organizationId };
  const onProgress = request.onProgress ?? (() => undefined);
  if (!isFinished) await bringPictures(ctx, work);
  const { brought: photos, absent, changed } = await bringPhotos(ctx, work, onProgress);
  const records = isFinished ? 0 : await bringHistory(ctx, work);
  if (absent.length > 0) onProgress(words.absentPhotos(absent));
  if (changed.length > 0) throw problem('invalid', words.changedFiles(changed));
  if (!isFinished) await write(ctx, (tx) => importsSql.finishImport(tx, importId));
  ctx.organizations.forget(organizationId);
  return { organizationId, photos, records, wasThere: isFinished };
}

/**
 * Imports an export.
 * @throws invalid for a folder without an export, changed files, books that do not add up, an unknown parent or admin, or
 * a value that only the database refuses; conflict for a taken domain name
 */
export async function importCopy(ctx: ImportDeps, request: ImportRequest): Promise<Imported> {
  try {
    return await bringAll(ctx, request);
  } catch (error) {
    const refused = refusedValue(error);
    throw refused === null ? error : problem('invalid', words.refusedByDatabase(refused), { cause: error });
  }
}

export const createImports = (deps: ImportDeps) => bind(deps, { importCopy });
