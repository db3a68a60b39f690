/** What a gallery sells besides single photos, for everyone who may see it. */
import { FOREIGN_SHEET, type GalleryOffers } from '#src/features/offers/offers.contract.ts';
import { presentGalleryOffers } from '#src/features/offers/price-sheets.rules.ts';
import * as sheetsSql from '#src/features/offers/price-sheets.sql.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { machineDay } from '#src/shared/dates.ts';
import { refuseFields } from '#src/shared/problem.ts';

type OfferReadingDeps = { clock: Clock; organizations: Pick<OrganizationService, 'byId'> };
export type OfferReading = ReturnType<typeof createOfferReading>;

type Gallery = { id: number; organizationId: number; priceCents: number; priceSheetId: number | null };

/** The offers of these galleries by gallery id, without galleries that have no sheet. Runs no query where none has one. */
export async function ofGalleries(
  ctx: OfferReadingDeps,
  db: Reader,
  galleries: readonly Gallery[],
): Promise<Map<number, GalleryOffers>> {
  const offers = new Map<number, GalleryOffers>();
  const ids = new Set(galleries.flatMap(({ priceSheetId }) => priceSheetId ?? []));
  if (ids.size === 0) return offers;
  const sheets = new Map((await sheetsSql.listCurrent(db, [...ids])).map((sheet) => [sheet.id, sheet]));
  for (const gallery of galleries) {
    const sheet = sheets.get(gallery.priceSheetId ?? 0);
    if (!sheet) continue;
    const owner = await ctx.organizations.byId(gallery.organizationId);
    const today = machineDay(ctx.clock.now(), owner?.timeZone);
    offers.set(gallery.id, presentGalleryOffers(sheet, gallery.priceCents, today));
  }
  return offers;
}

/** @throws invalid when galleries of the organization may not use the sheet */
export async function refuseForeign(db: Reader, owner: { id: number; parentId: number | null }, sheetId: number) {
  if (!(await sheetsSql.isForGalleriesOf(db, owner, sheetId))) refuseFields({ price_sheet_id: [FOREIGN_SHEET] });
}

export const createOfferReading = (deps: OfferReadingDeps) => ({ refuseForeign, ...bind(deps, { ofGalleries }) });
