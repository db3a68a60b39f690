/**
 * A family sees all photos of its child in all galleries, including those that only it may see, and sets what may be
 * published. `features/families` decides which children it may see, `features/consent` what a consent hides.
 */
import { recipientsOf } from '#src/features/accounts/accounts.service.ts';
import type { AllowanceService } from '#src/features/allowances/allowances.service.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import type { ConsentService } from '#src/features/consent/consent.service.ts';
import * as consentSql from '#src/features/consent/consent.sql.ts';
import { presentChild, type FamilyService, type OpenChild } from '#src/features/families/families.service.ts';
import { CHILD_NOT_FOUND } from '#src/features/families/families.contract.ts';
import * as contract from '#src/features/family-page/family-page.contract.ts';
import * as emails from '#src/features/families/families.mail.tsx';
import { readFamilyPlace, writeFamilyPlace } from '#src/features/family-page/family-page.rules.ts';
import * as familyPageSql from '#src/features/family-page/family-page.sql.ts';
import type { OfferReading } from '#src/features/offers/offer-reading.service.ts';
import { childKey } from '#src/features/order-offers/athlete-key.rules.ts';
import { offeredPasses, type AthleteOfferDeps } from '#src/features/order-offers/athlete-offers.service.ts';
import { presentPhoto } from '#src/features/photos/photo-answers.rules.ts';
import { withPublicAddress } from '#src/features/photos/picture-addresses.service.ts';
import type { ForgettingService } from '#src/features/roster/forgetting.service.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { hostLabelOf, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tenantOf, type Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { machineDay } from '#src/shared/dates.ts';
import { toDollars } from '#src/shared/money.ts';
import { placeAfter, pageBy } from '#src/shared/paging.ts';
import { notFound } from '#src/shared/problem.ts';
import { brandOf } from '#src/features/tenancy/organizations.rules.ts';

type FamilyPageDeps = Pick<Platform, 'database' | 'outbox' | 'cdn' | 'clock'> & {
  families: Pick<FamilyService, 'familyAthletes' | 'openChild'>;
  consent: Pick<ConsentService, 'changeConsent'>;
  offers: Pick<OfferReading, 'ofGalleries'>;
  allowances: Pick<AllowanceService, 'includedFor'>;
  organizations: Pick<OrganizationService, 'byId'>;
  sheets: AthleteOfferDeps['sheets'];
  forgetting: Pick<ForgettingService, 'forgetFamily'>;
  audit: AuditRecorder;
  origin: SiteOrigin;
};
export type FamilyPageService = ReturnType<typeof createFamilyPage>;

const MEMBERS = { kind: 'system', why: 'members of the child’s organization, or of its parent, are notified' } as const;

/** @throws not_found if no child is open, or this one is not */
async function childOf(ctx: FamilyPageDeps, caller: Caller, id: number | undefined): Promise<OpenChild> {
  if (id !== undefined) return ctx.families.openChild(caller, id);
  const [first] = await ctx.families.familyAthletes(caller);
  if (!first) throw notFound(CHILD_NOT_FOUND);
  return first;
}

async function passOf(ctx: FamilyPageDeps, { organizationId, athleteId, number }: OpenChild) {
  const organization = await ctx.organizations.byId(organizationId);
  const seller = { id: organizationId, today: machineDay(ctx.clock.now(), organization?.timeZone) };
  const [pass] = await offeredPasses(ctx, seller, [{ key: childKey(athleteId), number }]);
  return pass ?? null;
}

/** In dollars; null if the photos have different prices, or if there are none. */
function onePrice(galleries: readonly familyPageSql.SeenInGallery[]): number | null {
  const [cents, ...others] = new Set(
    galleries.flatMap(({ seen, lowestCents, highestCents }) => (seen === 0 ? [] : [lowestCents, highestCents])),
  );
  return cents === undefined || cents === null || others.length > 0 ? null : toDollars(cents);
}

/** Photos of a child that is open in this browser. @throws not_found; invalid for an `after` that we did not write */
export async function photos(
  ctx: FamilyPageDeps,
  caller: Caller,
  { child: id, after, limit = contract.FAMILY_PHOTOS_PER_PAGE }: contract.FamilyPhotosQuery,
): Promise<contract.FamilyPhotosAnswer> {
  const place = placeAfter(after, readFamilyPlace);
  const child = await childOf(ctx, caller, id);
  const included = await ctx.allowances.includedFor(child);
  const pass = after === undefined ? await passOf(ctx, child) : null;
  return ctx.database.read(tenantOf(child), async (db) => {
    const rows = await familyPageSql.listPhotos(db, child, { after: place, limit: limit + 1 });
    const { shown, next } = pageBy(rows, limit, writeFamilyPlace);
    const counted = await familyPageSql.countPhotos(db, child);
    const [unpublished] = await consentSql.countUnpublished(db, [child.athleteId]);
    const galleryIds = new Set([...shown.map(({ galleryId }) => galleryId), ...(pass ? [pass.gallery_id] : [])]);
    const galleries = await familyPageSql.listGalleries(db, [...galleryIds]);
    const offers = await ctx.offers.ofGalleries(db, galleries);
    const galleryOf = new Map(galleries.map((gallery) => [gallery.id, gallery]));
    return {
      child: {
        ...presentChild(child),
        consent: child.consent ?? 'unknown',
        hidden: await familyPageSql.isHiddenByConsent(db, child),
      },
      photos: shown.flatMap((row, index) => {
        const gallery = galleryOf.get(row.galleryId);
        if (!gallery) return [];
        const answer = presentPhoto(gallery, row, index);
        return row.showInGallery ? withPublicAddress({ cdn: ctx.cdn, gallery, row }, answer) : answer;
      }),
      next,
      included,
      pass,
      total: counted.reduce((all, { seen }) => all + seen, 0),
      price_per_photo: onePrice(counted),
      unpublished: unpublished?.photos ?? 0,
      offers: galleries.map(({ id: galleryId, name, priceCents, publicPhotoCount, isPrivate }) => ({
        id: galleryId,
        name,
        price_per_photo: toDollars(priceCents),
        photo_count: publicPhotoCount,
        is_private: isPrivate,
        of_child: counted.find((each) => each.galleryId === galleryId)?.seen ?? 0,
        offers: offers.get(galleryId) ?? null,
      })),
    };
  });
}

/**
 * Stores the family's answer and logs it. Members are notified when an answer first hides photos, and when one first
 * shows some.
 * @throws not_found
 */
export async function answerConsent(
  ctx: FamilyPageDeps,
  caller: Caller,
  athleteId: number,
  consent: 'yes' | 'family' | 'no',
): Promise<contract.ConsentAnswer> {
  const child = await ctx.families.openChild(caller, athleteId);
  const { organizationId, cardId } = child;
  const effect = await ctx.database.write(tenantOf(child), async (tx) => {
    const changed = await ctx.consent.changeConsent(tx, { organizationId, athleteId, consent, by: 'family', cardId });
    await ctx.audit.record(
      tx,
      { actor: caller.actor },
      {
        action: 'athlete.consent_by_family',
        organizationId,
        object: ['athlete', athleteId],
        details: { card_id: cardId, consent, hidden: changed.hidden, shown: changed.shown },
      },
    );
    return changed;
  });
  const emailOf = consent === 'yes' ? emails.familyShowedEmail : emails.familyHidEmail;
  if (consent !== 'yes' || effect.shown > 0)
    await ctx.database.write(MEMBERS, (tx) => notifyMembers(ctx, tx, child, emailOf));
  return { ...effect, message: wordsOf(consent, effect, child) };
}

function wordsOf(
  answer: 'yes' | 'family' | 'no',
  { consent, hidden, shown }: { consent: string; hidden: number; shown: number },
  child: OpenChild,
) {
  const isFirst = child.consent === 'unknown';
  if (answer === 'family' && isFirst && consent === 'family' && hidden === 0) return contract.onlyYouText(child.label);
  if (answer !== 'yes') return contract.hiddenText(hidden);
  return consent === 'yes' ? contract.shownText(shown, isFirst) : contract.STILL_HIDDEN;
}

/** Once for each dedupe key of the email. It names no one. */
async function notifyMembers(ctx: FamilyPageDeps, tx: Writer, child: OpenChild, email: typeof emails.familyHidEmail) {
  const organization = await ctx.organizations.byId(child.organizationId);
  if (!organization) return;
  const hostLabel = await hostLabelOf(ctx.organizations, organization);
  const link = siteUrl(ctx.origin, hostLabel, `/${organization.domainName}/roster`);
  for (const { email: to } of await recipientsOf(tx, organization.id))
    await ctx.outbox.queueEmail(
      tx,
      email({
        to,
        brand: brandOf(organization),
        athleteId: child.athleteId,
        team: child.teamName,
        number: child.number,
        link,
      }),
    );
}

/** Deletes the addresses of the child's family; anyone with a card may, so members get an email. @throws not_found */
export async function forgetUs(ctx: FamilyPageDeps, caller: Caller, athleteId: number): Promise<{ message: string }> {
  const child = await ctx.families.openChild(caller, athleteId);
  const day = machineDay(ctx.clock.now());
  await ctx.forgetting.forgetFamily(caller, child, (tx) =>
    notifyMembers(ctx, tx, child, (facts) => emails.familyForgottenEmail({ ...facts, day })),
  );
  return { message: contract.forgottenText(child.label) };
}

export const createFamilyPage = (deps: FamilyPageDeps) => bind(deps, { photos, answerConsent, forgetUs });
