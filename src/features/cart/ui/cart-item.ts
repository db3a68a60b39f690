import type { CartItem } from '#src/features/cart/cart.rules.ts';
import type { ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { toDollars } from '#src/shared/money.ts';

export type Seller = { id: number; name: string; path: string };

/** A photo as the cart keeps it, with the price that the buyer sees now. */
export function cartItemOf(photo: ShownPhoto, seller: Seller): CartItem {
  return {
    id: photo.id,
    gallery_id: photo.galleryId,
    organization_id: seller.id,
    organization_name: seller.name,
    organization_path: seller.path,
    name: photo.name,
    image_url: photo.imageUrl,
    sales_price: toDollars(photo.priceCents),
  };
}
