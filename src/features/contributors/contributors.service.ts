/**
 * Someone with an invite link sends photos to a gallery: the link's key is checked, each file is
 * uploaded under that key, and one call hands them over with the sender's name. The owner reviews
 * them before anyone else sees them.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { CONTRIBUTE_KEY_UNKNOWN } from '#src/features/galleries/galleries.contract.ts';
import { type CheckKeyAnswer, type ContributionBody } from '#src/features/contributors/contributors.contract.ts';
import { holdLiveKey } from '#src/features/galleries/contribute-keys.sql.ts';
import { createContributions, type ContributionDeps } from '#src/features/contributors/contributions.service.ts';
import { findSender, insertContributor, noteArrival } from '#src/features/contributors/contributors.sql.ts';
import type { UploadService } from '#src/features/uploads/uploads.service.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound } from '#src/shared/problem.ts';

export type ContributorDeps = ContributionDeps & {
  uploads: Pick<UploadService, 'ownerByKey' | 'prepare' | 'claimIn' | 'giveBackBytes'>;
};
export type ContributorService = ReturnType<typeof createContributorService>;

const LOOKS_A_MINUTE = 60;
const CONTRIBUTIONS_AN_HOUR = 60;
/** An invited person who has not sent anything: the form begins with the address. */
const NOBODY_YET = { name: '', site: null, instagram: null };

/** What the key opens. @throws not_found for keys that are unknown, revoked or expired, and for inactive galleries; too_many */
export async function checkKey(ctx: ContributorDeps, caller: Caller, contributeKey: string): Promise<CheckKeyAnswer> {
  await ctx.limits.take({ bucket: `check-key:${caller.ip}`, limit: LOOKS_A_MINUTE, windowSeconds: 60 });
  const holder = await ctx.galleries.holderOf(contributeKey);
  const organization = holder ? await ctx.organizations.byId(holder.gallery.organizationId) : null;
  if (!holder || !organization) throw notFound(CONTRIBUTE_KEY_UNKNOWN);
  const { gallery, invite } = holder;
  const contributor =
    invite &&
    (await ctx.database.read({ kind: 'tenants', organizationIds: [gallery.organizationId] }, (db) =>
      findSender(db, invite.id),
    ));
  return {
    gallery: {
      id: gallery.id,
      name: gallery.name,
      organization: { id: organization.id, name: organization.name, domain_name: organization.domainName },
    },
    contributor: invite && (contributor ?? { ...NOBODY_YET, id: invite.id, email: invite.email }),
  };
}

/**
 * The editor's address with a contributor's key: what it opens, when it is this very gallery's.
 * @throws as `checkKey`; not_found for another gallery's
 */
export async function openInvite(
  ctx: ContributorDeps,
  caller: Caller,
  key: string,
  place: { galleryId: number; organizationId: number },
) {
  const opened = await checkKey(ctx, caller, key);
  const { id, organization } = opened.gallery;
  if (id !== place.galleryId || organization.id !== place.organizationId) throw notFound(CONTRIBUTE_KEY_UNKNOWN);
  return opened;
}

/**
 * Hands over uploads with the name of who took them; hidden until the owner shows them. All or none; capture order is kept.
 * The browser's visitor finds them again. A link that ends meanwhile takes nothing more. Returns how many.
 * @throws not_found for a dead key; invalid for uploads of others; conflict; forbidden beyond a limit; too_many
 */
export async function contribute(
  ctx: ContributorDeps,
  caller: Caller,
  body: ContributionBody,
  visitorId: string,
): Promise<number> {
  await ctx.limits.take({ bucket: `contribute:${caller.ip}`, limit: CONTRIBUTIONS_AN_HOUR, windowSeconds: 3_600 });
  const owner = await ctx.uploads.ownerByKey(body.contributeKey);
  const { id: galleryId, organizationId } = owner.gallery;
  const claims = await ctx.uploads.prepare(owner, body.photos);
  const { name, email, site, instagram } = body;
  const keyHash = owner.uploader.contributeKeyHash;
  const ids = await ctx.database.write({ kind: 'tenants', organizationIds: [organizationId] }, async (tx) => {
    if (keyHash === null || !(await holdLiveKey(tx, keyHash))) throw notFound(CONTRIBUTE_KEY_UNKNOWN);
    const person = { name, email, site, instagram, inviteId: owner.inviteId, visitorId };
    const contributorId = await insertContributor(tx, { galleryId, organizationId, ...person });
    await noteArrival(tx, galleryId, organizationId);
    return ctx.uploads.claimIn(tx, owner, claims, { batch: 'own', contributorId, showInGallery: false });
  });
  crashAt('claim.after_commit');
  await ctx.uploads.giveBackBytes(
    caller,
    owner,
    claims.map(({ bytes }) => bytes),
  );
  return ids.length;
}

export function createContributorService(deps: ContributorDeps) {
  return {
    ...createContributions(deps),
    ...bind(deps, { checkKey, openInvite, contribute }),
  };
}
