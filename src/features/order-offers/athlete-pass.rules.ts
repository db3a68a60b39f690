/** The pass for all photos of an athlete as a cart stores it: by number, never by name. */
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import type { OfferedPass } from '#src/features/order-offers/sold-passes.contract.ts';
import { counted } from '#src/shared/counted.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { dollarText } from '#src/shared/money.ts';

/**
 * An id for a child or number that no photo, gallery or athlete has: those are sparse numbers of 53 bits. 0, 00 and 07
 * are three.
 */
export function athletePassId(key: string): number {
  const [, child, team = '0', number = ''] = /^(?:child:(\d+)|team:(\d+):(\d{1,4}))$/.exec(key) ?? [];
  return child === undefined ? Number(team) * 20_000 + Number(`1${number}`) : Number(child);
}

export function athletePassItem(pass: OfferedPass, seller: { id: number; name: string; path: string }): CartItem {
  return {
    id: athletePassId(pass.athlete_key),
    gallery_id: pass.gallery_id,
    organization_id: seller.id,
    organization_name: seller.name,
    organization_path: seller.path,
    name: pass.whose,
    image_url: '/',
    sales_price: pass.price,
    pass: true,
    athlete_key: pass.athlete_key,
  };
}

/**
 * "All 31 photos for $25.00", or "31 of 40 photos for $25.00" where the price sheet does not sell the others. `of`: "
 * of number 10".
 */
export function allOfAthlete({ photos, price }: OfferedPass, of: string, total: number): string {
  const dollars = dollarText(price);
  if (photos < total) return `${photos} of ${total} photos${of} for ${dollars}`;
  return `All${photos === 1 ? '' : ` ${photos}`} photos${of} for ${dollars}`;
}

/** "From 3 galleries, and new ones until 06.30.2027." */
export const contentsOfPass = ({ galleries, until }: OfferedPass): string =>
  `From ${counted(galleries, 'gallery', 'galleries')}, and new ones until ${shownDay(until)}.`;
