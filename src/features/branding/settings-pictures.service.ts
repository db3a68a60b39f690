/**
 * A club uploads its logo, its watermark and its sponsors' banners: the server signs a form for exactly one object and puts its
 * own signature into the key, so that no one else can use the upload. Uploads are checked, decoded in a separate process and
 * encoded again; only our own copy is ever served.
 */
import { createHash, randomBytes } from 'node:crypto';
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import {
  AFFILIATE_REQUIRED,
  KIND_REQUIRED,
  MAX_PICTURE_BYTES,
  MAX_PICTURE_SIDE,
  PICTURE_NAME,
  type SettingsPicture,
} from '#src/features/branding/settings-pictures.contract.ts';
import { STORED_AS, sizeProblems } from '#src/features/branding/settings-pictures.rules.ts';
import {
  ONLY_PNG_OR_JPEG,
  PICTURE_DAMAGED,
  PICTURE_NOT_STORED,
  PICTURE_TOO_LARGE,
  PICTURE_UNKNOWN,
  pictureTooWide,
} from '#src/features/tenancy/settings-words.contract.ts';
import type { Platform } from '#src/platform/platform.ts';
import { POLICY_MINUTES, type PolicyAnswer } from '#src/shared/upload-policy.ts';
import { listUnusedPictures } from '#src/features/branding/settings-pictures.sql.ts';
import type { Scope } from '#src/platform/db/db.ts';
import type { RewrittenPicture } from '#src/platform/images/images.ts';
import { pictureHeader, type PictureRewriter } from '#src/platform/images/picture-rewriter.ts';
import { signValue, verifyValue } from '#src/platform/secrets.ts';
import { KEPT_WITHOUT_ROW_DAYS, type Storage } from '#src/platform/storage/storage.ts';
import { bind } from '#src/shared/bind.ts';
import { problem, type FieldErrors } from '#src/shared/problem.ts';
import { DAY_SECONDS } from '#src/shared/dates.ts';

type SettingsPicturesDeps = Pick<Platform, 'database' | 'storage' | 'limits' | 'clock'> & {
  keys: { settingsUploads: Buffer };
  organizations: Pick<OrganizationService, 'byId'>;
  rewriter: PictureRewriter;
};
export type SettingsPictures = ReturnType<typeof createSettingsPictures>;

/** Who uploads what for whom; signed into the key. */
type Upload = { organizationId: number; userId: number; kind: SettingsPicture };
/** A checked and stored picture, or the messages why not. */
type TakenPicture = { key: string; sha256: string } | { problems: string[] };

const PICTURES_A_DAY = 300;
const SWEEP_STEP = 500;
const SWEEPER: Scope = { kind: 'system', why: 'pictures that were replaced are cleared for every tenant' };

/** What is wrong with untrusted bytes before they are decoded; null if nothing is. */
function headerProblem(bytes: Buffer): string | null {
  const header = pictureHeader(bytes);
  if (!header) return ONLY_PNG_OR_JPEG;
  return Math.max(header.width, header.height) > MAX_PICTURE_SIDE ? pictureTooWide(MAX_PICTURE_SIDE) : null;
}

/** Lower-case hex: keys are file names. */
function signatureOf(ctx: SettingsPicturesDeps, nonce: string, { organizationId, userId, kind }: Upload) {
  const signature = signValue(ctx.keys.settingsUploads, nonce, organizationId, userId, kind);
  return Buffer.from(signature, 'base64url').toString('hex');
}

function isOurs(ctx: SettingsPicturesDeps, key: string, upload: Upload): boolean {
  const [, organizationId, nonce = '', signature = ''] =
    /^uploads\/(\d+)\/settings\/([0-9a-f]{32})\.([0-9a-f]{64})\.(?:png|jpg)$/.exec(key) ?? [];
  const asText = Buffer.from(signature, 'hex').toString('base64url');
  return (
    organizationId === String(upload.organizationId) &&
    verifyValue(ctx.keys.settingsUploads, asText, nonce, upload.organizationId, upload.userId, upload.kind)
  );
}

/** Stores a picture of an organization under the hash of its bytes. */
export async function storeRewritten(
  storage: Pick<Storage, 'put'>,
  organizationId: number,
  { bytes, type }: Pick<RewrittenPicture, 'bytes' | 'type'>,
) {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const key = `organizations/${organizationId}/${sha256}.${type === 'png' ? 'png' : 'jpg'}`;
  await storage.put(key, bytes, { contentType: `image/${type}`, bytes: bytes.length });
  return { key, sha256 };
}

/** Turns untrusted bytes into a picture of ours. */
async function storePicture(ctx: SettingsPicturesDeps, kind: SettingsPicture, bytes: Buffer, organizationId: number) {
  const refusal = headerProblem(bytes);
  if (refusal !== null) return { problems: [refusal] };
  const rewritten = await ctx.rewriter.rewrite(bytes, STORED_AS[kind]);
  if (!rewritten) return { problems: [PICTURE_DAMAGED] };
  const problems = sizeProblems(kind, rewritten.source);
  if (problems.length > 0) return { problems };
  return storeRewritten(ctx.storage, organizationId, rewritten);
}

/** The uploaded bytes, or the message why they are not available. */
async function readUpload(ctx: SettingsPicturesDeps, key: string): Promise<Buffer | string> {
  const info = await ctx.storage.head(key);
  if (!info) return PICTURE_NOT_STORED;
  if (info.bytes > MAX_PICTURE_BYTES) return PICTURE_TOO_LARGE;
  return (await ctx.storage.get(key)) ?? PICTURE_NOT_STORED;
}

/**
 * Signs a form for one picture of an organization's settings; `origin` is the address the caller used.
 * @throws unauthenticated; not_found for other organizations; invalid with every problem by field; too_many; storage_full
 */
export async function requestPolicy(
  ctx: SettingsPicturesDeps,
  caller: Caller,
  request: {
    organizationId: number | null;
    kind: SettingsPicture | null;
    filename: string;
    origin: string;
  },
): Promise<PolicyAnswer> {
  const { userId } = requireUser(caller.actor);
  const { organizationId, kind, filename, origin } = request;
  const errors: FieldErrors = {
    ...(organizationId === null ? { affiliate_id: [AFFILIATE_REQUIRED] } : {}),
    ...(kind === null ? { kind: [KIND_REQUIRED] } : {}),
    ...(PICTURE_NAME.test(filename) ? {} : { filename: [ONLY_PNG_OR_JPEG] }),
  };
  const [first] = Object.values(errors).flat();
  if (organizationId === null || kind === null || first !== undefined)
    throw problem('invalid', first ?? KIND_REQUIRED, { errors });
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  await ctx.limits.take({ bucket: `policy:settings:${userId}`, limit: PICTURES_A_DAY, windowSeconds: DAY_SECONDS });
  const nonce = randomBytes(16).toString('hex');
  const isPng = /\.png\s*$/i.test(filename);
  const signature = signatureOf(ctx, nonce, { organizationId: owner.id, userId, kind });
  const policy = await ctx.storage.signUpload({
    key: `uploads/${owner.id}/settings/${nonce}.${signature}.${isPng ? 'png' : 'jpg'}`,
    contentType: isPng ? 'image/png' : 'image/jpeg',
    maxBytes: MAX_PICTURE_BYTES,
    expiresAt: new Date(ctx.clock.now().getTime() + POLICY_MINUTES * 60_000),
    origin,
  });
  return { error: false, url: policy.url, ...policy.fields } as PolicyAnswer;
}

/** The user's own upload as it would be stored, for a preview before it is saved; null for anything else. */
export async function peek(ctx: SettingsPicturesDeps, upload: Upload, keyOrLocation: string): Promise<Buffer | null> {
  const key = ctx.storage.keyOfLocation(keyOrLocation) ?? keyOrLocation;
  const bytes = isOurs(ctx, key, upload) ? await readUpload(ctx, key) : null;
  if (!Buffer.isBuffer(bytes) || headerProblem(bytes) !== null) return null;
  return (await ctx.rewriter.rewrite(bytes, STORED_AS[upload.kind]))?.bytes ?? null;
}

/** Stores the picture of an upload. Idempotent. @throws unavailable; storage_full */
export async function take(ctx: SettingsPicturesDeps, upload: Upload, keyOrLocation: string): Promise<TakenPicture> {
  const key = ctx.storage.keyOfLocation(keyOrLocation) ?? keyOrLocation;
  if (!isOurs(ctx, key, upload)) return { problems: [PICTURE_UNKNOWN] };
  const bytes = await readUpload(ctx, key);
  return typeof bytes === 'string'
    ? { problems: [bytes] }
    : storePicture(ctx, upload.kind, bytes, upload.organizationId);
}

/**
 * Deletes pictures that no organization has used for long: open pages may still request them, and a restored database may be
 * older than the store, or use them again (fault F35). Returns how many.
 */
export async function sweepPictures(ctx: SettingsPicturesDeps): Promise<number> {
  const bornBefore = ctx.clock.now().getTime() - KEPT_WITHOUT_ROW_DAYS * DAY_SECONDS * 1_000;
  let removed = 0;
  let old: string[] = [];
  const clear = async () => {
    const keys = old.length === 0 ? [] : await ctx.database.read(SWEEPER, (db) => listUnusedPictures(db, old));
    for (const key of keys) await ctx.storage.remove(key);
    removed += keys.length;
    old = [];
  };
  for await (const object of ctx.storage.list('organizations/'))
    if (object.lastModified.getTime() < bornBefore && old.push(object.key) === SWEEP_STEP) await clear();
  await clear();
  return removed;
}

/** A watermark made from the current logo. */
export async function markOfLogo(ctx: SettingsPicturesDeps, organizationId: number, logoKey: string) {
  const bytes = await ctx.storage.get(logoKey);
  return bytes ? storePicture(ctx, 'watermark', bytes, organizationId) : { problems: [PICTURE_NOT_STORED] };
}

export const createSettingsPictures = (deps: SettingsPicturesDeps) =>
  bind(deps, { requestPolicy, peek, take, sweepPictures, markOfLogo });
