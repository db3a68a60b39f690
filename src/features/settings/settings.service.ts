/**
 * Members manage an organization's settings: names and addresses, colors and pictures, prices and keys. Given fields are
 * changed, all or none; absent ones stay, so that two open windows do not overwrite each other's changes. Passwords, card keys
 * and the payee of payouts need the current password (rule 47), except for the first payee before the first sale.
 */
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import { isPlatformAdmin, requireUser, type Caller, type SignedIn } from '#src/features/tenancy/actor.rules.ts';
import type { PasswordChange, PasswordChanges } from '#src/features/sign-in/password-changes.service.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import type { LedgerService } from '#src/features/ledger/ledger.service.ts';
import { AFFILIATE_NOT_FOUND } from '#src/features/settings/affiliates.contract.ts';
import { isChild, type Organization } from '#src/features/tenancy/organizations.rules.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { PreparedKeys, ProcessorKeyService } from '#src/features/tenancy/processor-keys.service.ts';
import type { SettingsAnswer, SettingsChanges } from '#src/features/settings/settings.contract.ts';
import * as rules from '#src/features/settings/settings.rules.ts';
import { keysChangedEmail, payeeChangedEmail } from '#src/features/settings/settings.mail.tsx';
import * as settingsSql from '#src/features/settings/settings.sql.ts';
import {
  PICTURE_FIELDS,
  SETTINGS_PICTURES,
  type SettingsPicture,
} from '#src/features/branding/settings-pictures.contract.ts';
import type { SettingsPictures } from '#src/features/branding/settings-pictures.service.ts';
import { DOMAIN_IS_FIXED, PICTURE_NOT_STORED } from '#src/features/tenancy/settings-words.contract.ts';
import { tenantScope, type Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { randomToken } from '#src/platform/secrets.ts';
import type { Storage } from '#src/platform/storage/storage.ts';
import { ADDRESS_NOT_AVAILABLE, domainNameProblems } from '#src/shared/domain-name.ts';
import { bind } from '#src/shared/bind.ts';
import {
  brokenConstraint,
  fieldProblem,
  isProblem,
  notFound,
  problem,
  refuseFields,
  type FieldErrors,
} from '#src/shared/problem.ts';
import { HOUR_SECONDS } from '#src/shared/dates.ts';

type SettingsDeps = Pick<Platform, 'database' | 'outbox' | 'limits'> & {
  storage: Pick<Storage, 'get'>;
  organizations: Pick<OrganizationService, 'byId' | 'forget'>;
  accounts: Pick<AccountService, 'requireRecentPassword'>;
  passwordChanges: PasswordChanges;
  ledger: Pick<LedgerService, 'hasBooked'>;
  processorKeys: Pick<ProcessorKeyService, 'prepare' | 'store'>;
  pictures: Pick<SettingsPictures, 'take' | 'peek' | 'markOfLogo'>;
  audit: AuditRecorder;
  /** Queues watermarking of every photo with this organization's watermark. */
  remark: (tx: Writer, organizationId: number) => Promise<void>;
};
export type SettingsService = ReturnType<typeof createSettingsService>;

type SettingsRequest = { changes: SettingsChanges; userId: number | null };

type Owned = { owner: Organization; row: settingsSql.SettingsRow };
/** Everything that a change needs, checked before its transaction starts. */
type Prepared = {
  pictures: Partial<Record<SettingsPicture, string | null>>;
  newPath: string | null;
  keys: PreparedKeys | null;
  password: PasswordChange | null;
  redirectsPayouts: boolean;
};

/** Each one watermarks every photo of the organization again, one organization after another. */
const NEW_MARKS_AN_HOUR = 60;

/** The organization, for someone who may edit it. */
async function ownedBy(ctx: SettingsDeps, caller: Caller, id: number): Promise<Owned> {
  const owner = await editedBy(ctx.organizations, caller, id, AFFILIATE_NOT_FOUND);
  const row = await ctx.database.read(tenantScope(owner.id), (db) => settingsSql.findSettings(db, owner.id));
  if (!row) throw notFound(AFFILIATE_NOT_FOUND);
  return { owner, row };
}

/** The settings of an organization for its members. @throws unauthenticated; not_found for other organizations */
export async function read(ctx: SettingsDeps, caller: Caller, id: number): Promise<SettingsAnswer> {
  const { owner, row } = await ownedBy(ctx, caller, id);
  return rules.presentSettings(owner, row, await ctx.passwordChanges.members(owner.id));
}

/** The new path, or null if it stays. A parent's path is permanent (specification A§2). */
async function newPathOf(ctx: SettingsDeps, { owner, row }: Owned, wanted: string | undefined, errors: FieldErrors) {
  const path = wanted?.toLowerCase();
  if (path === undefined || path === row.domain_name.toLowerCase()) return null;
  const problems = isChild(owner) ? domainNameProblems(path) : [DOMAIN_IS_FIXED];
  const parentId = owner.parentOrganizationId;
  const parent = parentId === null ? null : await ctx.organizations.byId(parentId);
  // Below a parent `/{its own name}` is the parent itself (rule 33): no one could find a child there.
  if (problems.length === 0 && path === parent?.domainName.toLowerCase()) problems.push(ADDRESS_NOT_AVAILABLE);
  if (problems.length > 0) errors['domain_name'] = problems;
  return path;
}

/** The new key of each picture, null for none, absent if it stays. */
async function takePictures(
  ctx: SettingsDeps,
  actor: SignedIn,
  { owner, row }: Owned,
  changes: SettingsChanges,
  errors: FieldErrors,
): Promise<Prepared['pictures']> {
  const taken: Prepared['pictures'] = {};
  for (const kind of SETTINGS_PICTURES) {
    const request = rules.pictureRequest(kind, owner.id, changes[PICTURE_FIELDS[kind]]);
    if (request === 'kept') continue;
    if (request === 'removed') {
      taken[kind] = null;
      continue;
    }
    const made =
      request !== 'of logo'
        ? await ctx.pictures.take({ organizationId: owner.id, userId: actor.userId, kind }, request.upload)
        : row.logo_key === null
          ? { problems: [PICTURE_NOT_STORED] }
          : await ctx.pictures.markOfLogo(owner.id, row.logo_key);
    if ('problems' in made) errors[PICTURE_FIELDS[kind]] = made.problems;
    else taken[kind] = made.key;
  }
  return taken;
}

/** New card keys; null if none were given. An object that is sent back whole has nulls here. */
async function preparedKeys(
  ctx: SettingsDeps,
  actor: SignedIn,
  { row }: Owned,
  changes: SettingsChanges,
  confirmed: () => void,
): Promise<PreparedKeys | null> {
  const { stripe_pk = null, stripe_sk = null } = changes.processor_info ?? {};
  const allowed = isPlatformAdmin(actor) ? changes.can_add_custom_payment : undefined;
  const isSame = stripe_pk === null || stripe_pk === row.stripe_pk;
  if (stripe_sk === null && isSame) return null;
  // Where keys are not allowed, a form that is sent back whole has blank fields, and they change nothing.
  const isBlank = (stripe_sk ?? '') === '' && (isSame || stripe_pk === '');
  if (isBlank && !(allowed ?? row.can_add_custom_payment)) return null;
  const given = { publishableKey: stripe_pk ?? row.stripe_pk ?? '', secretKey: stripe_sk ?? '' };
  return ctx.processorKeys.prepare(row.id, given, { ...(allowed === undefined ? {} : { allowed }), confirmed });
}

/** Previews are for trying; a saved watermark is hours of work, and other organizations wait for it. @throws too_many */
async function takeMark(ctx: SettingsDeps, { row }: Owned, columns: rules.OpenColumns): Promise<void> {
  if (!rules.marksDiffer(row, { ...row, ...columns })) return;
  await ctx.limits.take({ bucket: `new mark:${row.id}`, limit: NEW_MARKS_AN_HOUR, windowSeconds: HOUR_SECONDS });
}

/**
 * Whether money goes to another payee. A stored payee is replaced; or, when money was already earned, a first payee or
 * part of an address is entered, or the organization without a payee is renamed, because payouts then name it.
 */
async function redirectsPayouts(ctx: SettingsDeps, { owner, row }: Owned, columns: rules.PayeeFacts): Promise<boolean> {
  return rules.changesPayee(row, columns) && (rules.hasPayee(row) || (await ctx.ledger.hasBooked(owner.id)));
}

/** Makes all checks here, and reports the problems of all fields together. */
async function prepare(ctx: SettingsDeps, actor: SignedIn, owned: Owned, { changes, userId }: SettingsRequest) {
  const errors: FieldErrors = {};
  const newPath = await newPathOf(ctx, owned, changes.domain_name, errors);
  const taken = await takePictures(ctx, actor, owned, changes, errors);
  const password = changes.password ?? '';
  const changesPassword = password.trim() !== '';
  const confirmed = () => ctx.accounts.requireRecentPassword(actor);
  const person = changesPassword
    ? await collecting(errors, () => ctx.passwordChanges.personFor(actor, owned.owner.id, userId))
    : null;
  const keys = await collecting(errors, () =>
    preparedKeys(ctx, actor, owned, changes, () => {
      // If there are other problems the provider is not asked.
      refuseFields(errors);
      confirmed();
    }),
  );
  refuseFields(errors);
  const columns = rules.openColumns(changes, taken);
  const isRedirect = await redirectsPayouts(ctx, owned, { ...columns, ...rules.privateColumns(changes) });
  if (person || isRedirect) confirmed();
  await takeMark(ctx, owned, columns);
  return {
    pictures: taken,
    newPath,
    keys,
    password: person ? await ctx.passwordChanges.prepare(person, password) : null,
    redirectsPayouts: isRedirect,
  };
}

async function write(
  ctx: SettingsDeps,
  tx: Writer,
  caller: Caller & { actor: SignedIn },
  { owner }: Owned,
  { changes, prepared }: { changes: SettingsChanges; prepared: Prepared },
): Promise<void> {
  const before = await settingsSql.lockSettings(tx, owner.id);
  const stored = await settingsSql.findSettings(tx, owner.id);
  if (!before || !stored) throw notFound(AFFILIATE_NOT_FOUND);
  const { actor } = caller;
  const record = (action: string, details: Parameters<AuditRecorder['record']>[2]['details'] = {}) =>
    ctx.audit.record(tx, caller, { action, organizationId: owner.id, object: ['organization', owner.id], details });
  const allow = isPlatformAdmin(actor) ? changes.can_add_custom_payment : undefined;
  const { newPath } = prepared;
  const columns = {
    ...rules.openColumns(changes, prepared.pictures),
    ...(newPath === null ? {} : { domain_name: newPath }),
    ...(allow === undefined ? {} : { can_add_custom_payment: allow }),
  };
  await settingsSql.updateOpen(tx, owner.id, columns);
  const ownColumns = rules.privateColumns(changes);
  await settingsSql.updatePrivate(tx, owner.id, ownColumns);
  if (newPath !== null && owner.parentOrganizationId !== null && newPath !== before.domain_name) {
    await settingsSql.insertFormerPath(tx, {
      organizationId: owner.id,
      parentId: owner.parentOrganizationId,
      path: before.domain_name,
      newPath,
    });
    await record('organization.path_changed', { from: before.domain_name, to: newPath });
  }
  if (allow !== undefined && allow !== before.can_add_custom_payment)
    await record('organization.custom_payment_switched', {
      allowed_before: before.can_add_custom_payment,
      allowed: allow,
    });
  if (prepared.keys) {
    await ctx.processorKeys.store(tx, owner.id, prepared.keys);
    await record('organization.card_keys_changed', {
      last4_before: stored.stripe_sk_last4,
      last4: prepared.keys.secretLast4,
    });
    await notifyMembers(ctx, tx, owner, 'card-keys', keysChangedEmail);
  }
  if (prepared.password) {
    await ctx.passwordChanges.store(tx, actor, prepared.password);
    await record('organization.password_changed', { user_id: prepared.password.person.id });
  }
  if (rules.marksDiffer(before, { ...before, ...columns })) await ctx.remark(tx, owner.id);
  const change = rules.settingsChange({ ...stored, ...before }, { ...columns, ...ownColumns });
  if (change) await record('organization.settings_changed', change);
  const written = { ...columns, ...ownColumns };
  // The payee may have been stored since `prepare`.
  if (rules.hasPayee(stored) && rules.changesPayee(stored, written)) ctx.accounts.requireRecentPassword(actor);
  const hasPayee = rules.hasPayee(stored) || rules.hasPayee(ownColumns);
  if (prepared.redirectsPayouts || (hasPayee && rules.changesPayee(stored, written)))
    await notifyMembers(ctx, tx, owner, 'payee', payeeChangedEmail);
}

/** Someone with a stolen session could redirect money by such a change. */
async function notifyMembers(
  ctx: SettingsDeps,
  tx: Writer,
  owner: Organization,
  what: 'card-keys' | 'payee',
  emailOf: typeof keysChangedEmail,
): Promise<void> {
  const changeKey = randomToken(12);
  for (const person of await ctx.passwordChanges.members(owner.id))
    await ctx.outbox.queueEmail(tx, emailOf(person, owner, `${what}:${changeKey}:${person.id}`));
}

/**
 * Changes the given fields; returns all settings.
 * @throws unauthenticated, also "Please confirm your password."; not_found for other organizations, and for a body with another
 * id; invalid with the problems of all fields; forbidden for keys without permission and passwords of others; unavailable
 */
export async function change(ctx: SettingsDeps, caller: Caller, id: number, request: SettingsRequest) {
  const actor = requireUser(caller.actor);
  const owned = await ownedBy(ctx, caller, id);
  const { changes } = request;
  if (changes.id !== undefined && changes.id !== null && changes.id !== owned.owner.id)
    throw notFound(AFFILIATE_NOT_FOUND);
  const prepared = await prepare(ctx, actor, owned, request);
  try {
    await ctx.database.write(tenantScope(owned.owner.id), (tx) =>
      write(ctx, tx, { ...caller, actor }, owned, { changes, prepared }),
    );
  } catch (error) {
    throw brokenConstraint(error) !== null ? fieldProblem({ domain_name: [ADDRESS_NOT_AVAILABLE] }) : error;
  }
  ctx.organizations.forget(owned.owner.id);
  return read(ctx, caller, owned.owner.id);
}

/** An unsaved watermark, as it would be stored: of an upload by this user, or of the logo. Null for anything else. */
export async function uploadedMark(
  ctx: Pick<SettingsDeps, 'storage' | 'pictures'>,
  userId: number,
  owner: Organization,
  keyOrAddress: string,
): Promise<Buffer | null> {
  const request = rules.pictureRequest('watermark', owner.id, keyOrAddress);
  if (request === 'of logo') return owner.pictureKeys.logo === null ? null : ctx.storage.get(owner.pictureKeys.logo);
  return typeof request === 'string'
    ? null
    : ctx.pictures.peek({ organizationId: owner.id, userId, kind: 'watermark' }, request.upload);
}

/** The watermark image, a PNG. @throws unauthenticated; not_found; unavailable when the store lost it */
export async function watermark(ctx: SettingsDeps, caller: Caller, id: number): Promise<Buffer> {
  const { row } = await ownedBy(ctx, caller, id);
  if (row.watermark_key === null) throw notFound();
  const bytes = await ctx.storage.get(row.watermark_key);
  if (!bytes) throw problem('unavailable', 'This image can’t be loaded right now.', { retryAfterSeconds: 5 });
  return bytes;
}

export const createSettingsService = (deps: SettingsDeps) => bind(deps, { read, change, watermark });

/** Adds the problems of one field to those of the others; other errors are thrown. */
async function collecting<T>(errors: FieldErrors, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(isProblem(error) && error.code === 'invalid')) throw error;
    Object.assign(errors, error.details.errors);
    return null;
  }
}
