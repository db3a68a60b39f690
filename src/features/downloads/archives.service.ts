/**
 * All photos of an order as one archive. Its bytes depend only on the order, so an interrupted download continues where
 * it stopped. It is written file by file, so its size costs no memory. One function decides about every picture, also
 * here (rule 2).
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { archiveName, MANIFEST, manifestText, uniqueNames } from '#src/features/downloads/archive.rules.ts';
import * as passesSql from '#src/features/orders/order-passes.sql.ts';
import * as receiptsSql from '#src/features/orders/receipts.sql.ts';
import { NO_DOWNLOADS, ORDER_NOT_FOUND } from '#src/features/orders/orders.contract.ts';
import { isDownloadable } from '#src/features/orders/orders.rules.ts';
import { isVanityId, type Receipt } from '#src/features/orders/receipt.rules.ts';
import type { SoldCopy } from '#src/features/pictures/picture-bytes.service.ts';
import type { Platform } from '#src/platform/platform.ts';
import { planZip, readZip, type ZipSource } from '#src/platform/zip/stored-zip.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound } from '#src/shared/problem.ts';
import { HOUR_SECONDS } from '#src/shared/dates.ts';

const RECEIPTS = { kind: 'system', why: 'an archive is opened by the unguessable address of its receipt' } as const;
/** Starts and resumed downloads; each may be gigabytes. */
const BEGINNINGS_AN_HOUR = 20;
const RESUMES_AN_HOUR = 200;
const STORED_AT_A_TIME = 50;

type Line = { photoId: number; galleryId: number };
type SoldPhotos = {
  soldCopies(caller: Caller, lines: readonly Line[]): Promise<Map<number, SoldCopy>>;
  soldCopy(caller: Caller, line: Line): Promise<Buffer>;
};
type ArchiveDeps = Pick<Platform, 'database' | 'limits'> & {
  pictures: SoldPhotos;
  log: { error(details: object, message: string): void };
};

/** A range of bytes, `end` inclusive. */
type Part = { start: number; end: number };

/** `open` reads the archive, whole or in part. */
type Archive = {
  fileName: string;
  etag: string;
  bytes: number;
  open(part?: Part): Promise<Readable>;
};

/** Opened by its own order key, or by its pass's. */
type SoldLine = Line & { orderKey: string };
type Entry = { name: string; bytes: number; from: { line: SoldLine; fingerprint: string } | { text: Buffer } };

/** An order's archive: all photos, or those of one pass; with `onlyNew`, those that came into passes since their last archive. */
type WantedArchive = { passId: number | null; onlyNew: boolean };

/** What to pack, each photo once; `passes` are marked as downloaded, with everything that came before `at`. */
type Contents = { lines: readonly SoldLine[]; passes: readonly number[]; at: string };

async function contentsOf(ctx: ArchiveDeps, receipt: Receipt, { passId, onlyNew }: WantedArchive): Promise<Contents> {
  const bought = passId === null ? receipt.lines.filter((line) => !line.isRevoked && !line.isWithdrawn) : [];
  if (receipt.passes.length === 0) return { lines: bought, passes: [], at: '' };
  return ctx.database.read(RECEIPTS, async (db) => {
    const at = await passesSql.momentOfArchive(db, receipt.id);
    const inPasses = await passesSql.listPassLines(db, { orderId: receipt.id, passId, onlyNew });
    const keys = new Map(receipt.passes.map(({ id, orderKey }) => [id, orderKey]));
    const opened = inPasses.map((line) => ({ ...line, orderKey: keys.get(line.passId) ?? '' }));
    const lines = new Map([...bought, ...opened].map((line): [number, SoldLine] => [line.photoId, line]));
    return { lines: [...lines.values()], passes: [...new Set(inPasses.map((line) => line.passId))], at };
  });
}

/** The files of an archive, without lines whose access was withdrawn. */
async function entriesOf(ctx: ArchiveDeps, caller: Caller, receipt: Receipt, { lines }: Contents): Promise<Entry[]> {
  const copies = await ctx.pictures.soldCopies(caller, lines);
  const had = lines.flatMap((line) => {
    const copy = copies.get(line.photoId);
    return copy ? [{ line: { photoId: line.photoId, galleryId: line.galleryId, orderKey: line.orderKey }, copy }] : [];
  });
  if (had.length === 0) throw notFound(NO_DOWNLOADS);
  const names = uniqueNames(had.map(({ copy }) => copy.fileName));
  const files = had.map(({ line, copy }, index): Entry => {
    const { bytes, fingerprint } = copy;
    return { name: names[index] ?? copy.fileName, bytes, from: { line, fingerprint } };
  });
  const text = Buffer.from(manifestText(receipt, files), 'utf8');
  return [{ name: MANIFEST, bytes: text.length, from: { text } }, ...files];
}

/** Sending an archive may take hours: a consent that changes meanwhile applies, and the next download is without the photo. */
async function stillSold(ctx: ArchiveDeps, line: SoldLine): Promise<boolean> {
  return ctx.database.read(RECEIPTS, async (db) => {
    const paid = await receiptsSql.findPaidLine(db, line.orderKey);
    return paid ? !paid.isWithdrawn : (await passesSql.passOpens(db, line.orderKey, line)) === 'opens';
  });
}

/** Stores checksums for later downloads, and empties the map. */
async function storeChecksums(ctx: ArchiveDeps, computed: Map<string, number>): Promise<void> {
  if (computed.size === 0) return;
  const batch = new Map(computed);
  computed.clear();
  try {
    await ctx.database.write(RECEIPTS, (tx) => receiptsSql.storeChecksums(tx, batch));
  } catch (error) {
    // The archive is correct without them; only resuming takes longer.
    ctx.log.error({ err: error }, 'checksums of an archive could not be stored');
  }
}

async function* bytesOf(
  ctx: ArchiveDeps,
  caller: Caller,
  entries: readonly Entry[],
  plan: ReturnType<typeof planZip>,
  part: Part,
) {
  const fingerprints = entries.flatMap(({ from }) => ('fingerprint' in from ? [from.fingerprint] : []));
  const known = await ctx.database.read(RECEIPTS, (db) => receiptsSql.listChecksums(db, fingerprints));
  const computed = new Map<string, number>();
  const fingerprintOf = (index: number) => {
    const from = entries[index]?.from;
    return from && 'fingerprint' in from ? from.fingerprint : null;
  };
  const source: ZipSource = {
    async content(index) {
      const from = entries[index]?.from;
      if (!from) throw new Error(`the archive has no entry ${index}`);
      if (computed.size >= STORED_AT_A_TIME) await storeChecksums(ctx, computed);
      if ('text' in from) return from.text;
      if (!(await stillSold(ctx, from.line))) throw notFound(NO_DOWNLOADS);
      return ctx.pictures.soldCopy(caller, from.line);
    },
    knownChecksum: (index) => known.get(fingerprintOf(index) ?? '') ?? null,
    onChecksum(index, checksum) {
      const fingerprint = fingerprintOf(index);
      if (fingerprint !== null) computed.set(fingerprint, checksum);
    },
  };
  try {
    yield* readZip(plan, part, source);
  } finally {
    await storeChecksums(ctx, computed);
  }
}

/**
 * The archive of a paid order or of one of its passes, by vanity id only.
 * @throws not_found for unknown orders and for those without available downloads; too_many
 */
export async function archive(
  ctx: ArchiveDeps,
  caller: Caller,
  vanityId: string,
  wanted: WantedArchive = { passId: null, onlyNew: false },
): Promise<Archive> {
  const receipt = isVanityId(vanityId)
    ? await ctx.database.read(RECEIPTS, (db) => receiptsSql.findReceipt(db, { vanityId }))
    : null;
  if (!receipt) throw notFound(ORDER_NOT_FOUND);
  if (!isDownloadable(receipt.status)) throw notFound(NO_DOWNLOADS);
  const contents = await contentsOf(ctx, receipt, wanted);
  const entries = await entriesOf(ctx, caller, receipt, contents);
  const plan = planZip(entries, receipt.createdAt);
  const tag = createHash('sha256').update(
    JSON.stringify([vanityId, receipt.createdAt, entries.map(({ name, from }) => [name, shortOf(from)])]),
  );
  return {
    fileName: archiveName(receipt),
    etag: `"${tag.digest('base64url').slice(0, 32)}"`,
    bytes: plan.totalBytes,
    async open(part = { start: 0, end: plan.totalBytes - 1 }) {
      const [use, limit] = part.start === 0 ? ['begin', BEGINNINGS_AN_HOUR] : ['resume', RESUMES_AN_HOUR];
      await ctx.limits.take({
        bucket: `archive:${use}:${vanityId}`,
        limit: Number(limit),
        windowSeconds: HOUR_SECONDS,
      });
      const bytes = bytesOf(ctx, caller, entries, plan, part);
      const isLast = part.end >= plan.totalBytes - 1;
      return Readable.from(isLast ? thenMark(ctx, contents, bytes) : bytes, { objectMode: false });
    },
  };
}

/** Marks the passes as downloaded when the last byte is sent, so that an interrupted archive of new photos is the same again. */
async function* thenMark(ctx: ArchiveDeps, { passes, at }: Contents, bytes: AsyncGenerator<Buffer>) {
  yield* bytes;
  if (passes.length > 0) await ctx.database.write(RECEIPTS, (tx) => passesSql.markDownloaded(tx, passes, at));
}

/** What the ETag depends on: the bytes of a file, by their name. */
function shortOf(from: Entry['from']): string {
  return 'text' in from ? from.text.toString('utf8') : from.fingerprint;
}

export const createArchives = (deps: ArchiveDeps) => bind(deps, { archive });
export type Archives = ReturnType<typeof createArchives>;
