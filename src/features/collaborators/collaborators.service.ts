/**
 * An owner lets others add photos: with the gallery's link, which may end on a day or after a number of photos, and with
 * personal invites by email. Either can be ended at any time, and then nothing more arrives with it; what has arrived stays.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import {
  COLLABORATORS_PER_PAGE,
  NO_LINK,
  type Collaborator,
  type CollaboratorsPage,
  type ContributeKeyAnswer,
  type ContributeKeyBody,
  type ContributorLink,
  type InviteAnswer,
} from '#src/features/collaborators/collaborators.contract.ts';
import { inviteEmail } from '#src/features/collaborators/collaborators.mail.tsx';
import { collaboratorPath, contributorPath } from '#src/features/contributors/contributor-paths.rules.ts';
import { endOf, readLastAddress, refusalOfEnd } from '#src/features/collaborators/collaborators.rules.ts';
import * as collaboratorsSql from '#src/features/collaborators/collaborators.sql.ts';
import { giveLink, makeKey } from '#src/features/galleries/contribute-keys.service.ts';
import * as contributeKeysSql from '#src/features/galleries/contribute-keys.sql.ts';
import type { Gallery } from '#src/features/galleries/galleries.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { hostLabelOf, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { nameOf } from '#src/features/contributors/review.rules.ts';
import { countWaiting } from '#src/features/contributors/contributors.sql.ts';
import { countClaims } from '#src/features/uploads/uploads.sql.ts';
import { tenantOf, type Reader, type Writer } from '#src/platform/db/db.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { openText } from '#src/platform/secrets.ts';
import { qrSvg } from '#src/platform/qr-code.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem, fieldProblem } from '#src/shared/problem.ts';
import { brandOf } from '#src/features/tenancy/organizations.rules.ts';
import { pageBy } from '#src/shared/paging.ts';
import { DAY_SECONDS } from '#src/shared/dates.ts';

type CollaboratorDeps = Pick<Platform, 'database' | 'limits' | 'clock' | 'outbox'> & {
  keys: Pick<Keys, 'contributeKeys'>;
  /** For links in emails and on paper. */
  origin: SiteOrigin;
  accounts: Pick<AccountService, 'currentUser'>;
  audit: AuditRecorder;
  galleries: Pick<GalleryService, 'editable'>;
  organizations: Pick<OrganizationService, 'byId'>;
};

/** Emails that may be sent in someone's name, and to someone, in a day (threat 31). */
const INVITES_BY_USER = 200;
const INVITES_TO_ADDRESS = 10;
const INVITES_TO_PERSON_OF_GALLERY = 5;

export type CollaboratorService = ReturnType<typeof createCollaborators>;

/** The log says who opened a gallery, without anyone's address. */
function record(
  ctx: CollaboratorDeps,
  tx: Writer,
  caller: Caller,
  gallery: Gallery,
  action: string,
  details: { invite_id?: number } = {},
): Promise<void> {
  return ctx.audit.record(tx, caller, {
    action,
    organizationId: gallery.organizationId,
    object: ['gallery', gallery.id],
    details: { name: gallery.name, ...details },
  });
}

/** The organization and the label of its host. @throws not_found */
async function homeOf(ctx: CollaboratorDeps, organizationId: number) {
  const organization = await ctx.organizations.byId(organizationId);
  if (!organization) throw notFound();
  return { organization, host: await hostLabelOf(ctx.organizations, organization) };
}

async function endFor(ctx: CollaboratorDeps, gallery: Gallery, text: string | null): Promise<Date | null> {
  if (text === null) return null;
  const { organization } = await homeOf(ctx, gallery.organizationId);
  const end = endOf(text, organization.timeZone);
  const refusal = refusalOfEnd(end, ctx.clock.now());
  if (refusal !== null) throw fieldProblem({ expires_at: [refusal] });
  return end;
}

async function keyAnswer(ctx: CollaboratorDeps, db: Reader, galleryId: number): Promise<ContributeKeyAnswer> {
  const link = await contributeKeysSql.findKey(db, galleryId);
  if (!link) return { contribute_key: null, expires_at: null, quota: null };
  return {
    contribute_key: openText(ctx.keys.contributeKeys, link.keyEncrypted),
    expires_at: link.expiresAt?.toISOString() ?? null,
    quota: link.quota,
  };
}

async function linkOf(
  ctx: CollaboratorDeps,
  db: Reader,
  galleryId: number,
  host: string,
): Promise<ContributorLink | null> {
  const link = await contributeKeysSql.findKey(db, galleryId);
  if (!link) return null;
  const key = openText(ctx.keys.contributeKeys, link.keyEncrypted);
  return {
    contribute_key: key,
    url: siteUrl(ctx.origin, host, contributorPath(key)),
    expires_at: link.expiresAt?.toISOString() ?? null,
    is_expired: link.expiresAt !== null && link.expiresAt <= ctx.clock.now(),
    quota: link.quota,
    used: await countClaims(db, link.keyHash),
  };
}

/**
 * Ends the gallery's link, creates a new one, or changes its limits. The old one becomes invalid immediately, also for running
 * uploads; submitted photos stay.
 * @throws unauthenticated; not_found; forbidden in a deleted gallery; invalid; conflict when there is nothing to change
 */
export async function changeKey(
  ctx: CollaboratorDeps,
  caller: Caller,
  galleryId: number,
  body: ContributeKeyBody,
): Promise<ContributeKeyAnswer> {
  const gallery = await ctx.galleries.editable(caller, galleryId);
  const expiresAt = body.expires_at === undefined ? undefined : await endFor(ctx, gallery, body.expires_at);
  const { action, quota } = body;
  return ctx.database.write(tenantOf(gallery), async (tx) => {
    await contributeKeysSql.lockLink(tx, galleryId);
    if (action === 'change') {
      const isChanged = await contributeKeysSql.updateKey(tx, galleryId, { expiresAt, quota });
      if (!isChanged) throw problem('conflict', NO_LINK);
      await record(ctx, tx, caller, gallery, 'contribute_key.changed');
      return keyAnswer(ctx, tx, galleryId);
    }
    await contributeKeysSql.revokeKey(tx, galleryId);
    if (action === 'rotate')
      await giveLink(tx, gallery, {
        sealingKey: ctx.keys.contributeKeys,
        expiresAt: expiresAt ?? null,
        quota: quota ?? null,
      });
    await record(ctx, tx, caller, gallery, action === 'rotate' ? 'contribute_key.rotated' : 'contribute_key.revoked');
    return keyAnswer(ctx, tx, galleryId);
  });
}

/**
 * Emails a personal link to someone; inviting the same person again creates a new one, and the old one becomes invalid.
 * @throws unauthenticated; not_found, also for a gallery of another affiliate; forbidden; invalid; too_many
 */
export async function invite(
  ctx: CollaboratorDeps,
  caller: Caller,
  affiliateId: number,
  { email, gallery_id }: { email: string; gallery_id: number },
): Promise<InviteAnswer> {
  const gallery = await ctx.galleries.editable(caller, gallery_id);
  if (gallery.organizationId !== affiliateId) throw notFound();
  const address = email.toLowerCase();
  const user = await ctx.accounts.currentUser(caller);
  for (const [bucket, limit] of [
    [`invite:gallery:${gallery.id}:${address}`, INVITES_TO_PERSON_OF_GALLERY],
    [`invite:user:${user.id}`, INVITES_BY_USER],
    [`invite:to:${address}`, INVITES_TO_ADDRESS],
  ] as const)
    await ctx.limits.take({ bucket, limit, windowSeconds: DAY_SECONDS });
  const { organization, host } = await homeOf(ctx, gallery.organizationId);
  const { key, keyHash } = makeKey();
  const invite = {
    galleryId: gallery.id,
    organizationId: gallery.organizationId,
    email,
    keyHash,
    invitedBy: user.id,
  };
  const path = collaboratorPath({ affiliate: organization.domainName, id: gallery.id }, key);
  const id = await ctx.database.write(tenantOf(gallery), async (tx) => {
    const inviteId = await collaboratorsSql.upsertInvite(tx, invite);
    const message = inviteEmail({
      to: email,
      invitedBy: `${user.first_name} ${user.last_name}`.trim(),
      gallery: gallery.name,
      brand: brandOf(organization),
      link: siteUrl(ctx.origin, host, path),
      termsLink: siteUrl(ctx.origin, host, '/terms-of-use'),
      licenseLink: siteUrl(ctx.origin, host, '/customerlicense'),
      dedupeKey: `invite:${inviteId}:${keyHash.toString('hex').slice(0, 16)}`,
    });
    await ctx.outbox.queueEmail(tx, message, { onBehalfOf: user.id });
    await record(ctx, tx, caller, gallery, 'collaborator.invited', { invite_id: inviteId });
    return inviteId;
  });
  return { id, email };
}

/** Ends a personal link immediately. @throws unauthenticated; not_found; forbidden in a deleted gallery */
export async function revokeInvite(ctx: CollaboratorDeps, caller: Caller, galleryId: number, inviteId: number) {
  const gallery = await ctx.galleries.editable(caller, galleryId);
  await ctx.database.write(tenantOf(gallery), async (tx) => {
    if (!(await collaboratorsSql.revokeInvite(tx, galleryId, inviteId))) throw notFound();
    await record(ctx, tx, caller, gallery, 'collaborator.revoked', { invite_id: inviteId });
  });
}

/** The link, the people by address, and how many photos wait. @throws unauthenticated; not_found; forbidden */
export async function collaborators(
  ctx: CollaboratorDeps,
  caller: Caller,
  galleryId: number,
  after?: string,
): Promise<CollaboratorsPage> {
  const gallery = await ctx.galleries.editable(caller, galleryId);
  const { organization, host } = await homeOf(ctx, gallery.organizationId);
  return ctx.database.read(tenantOf(gallery), async (db) => {
    const limit = COLLABORATORS_PER_PAGE + 1;
    const rows = await collaboratorsSql.listPeople(db, galleryId, { after: readLastAddress(after), limit });
    const { shown, next } = pageBy(rows, COLLABORATORS_PER_PAGE, ({ email }) => email);
    return {
      link: await linkOf(ctx, db, galleryId, host),
      people: shown.map(presentPerson),
      next,
      waiting: (await countWaiting(db, [galleryId])).get(galleryId) ?? 0,
      time_zone: organization.timeZone,
    };
  });
}

/** The contributor link as a QR code, an SVG. @throws unauthenticated; not_found, also without a link; forbidden */
export async function linkAsQr(ctx: CollaboratorDeps, caller: Caller, galleryId: number): Promise<string> {
  const gallery = await ctx.galleries.editable(caller, galleryId);
  const { host } = await homeOf(ctx, gallery.organizationId);
  const link = await ctx.database.read(tenantOf(gallery), (db) => linkOf(ctx, db, galleryId, host));
  if (!link) throw notFound(NO_LINK);
  return qrSvg(link.url);
}

export const createCollaborators = (deps: CollaboratorDeps) =>
  bind(deps, { changeKey, invite, revokeInvite, collaborators, linkAsQr });

function presentPerson(row: collaboratorsSql.PersonRow): Collaborator {
  const { email, names, inviteId, sentAt, isRevoked, photos, shown, waiting } = row;
  const invite =
    inviteId === null || sentAt === null
      ? null
      : { id: inviteId, sent_at: sentAt.toISOString(), is_revoked: isRevoked };
  return { email, name: names && nameOf({ names }), invite, photos, shown, waiting };
}
