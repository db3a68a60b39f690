import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { salesByGallery, salesByPhoto } from '#src/features/orders/counted-sale.rules.ts';
import type { SettlementDeps } from '#src/features/orders/settlement.service.ts';
import type { PhotoService } from '#src/features/photos/photos.service.ts';

/** Adds a sale to the counters of its photos and galleries; negative numbers take away. Every transaction locks photos before galleries. */
export function createCountSale(counters: {
  photos: Pick<PhotoService, 'recordSales'>;
  galleries: Pick<GalleryService, 'recordSales'>;
}): SettlementDeps['countSale'] {
  return async (tx, sale) => {
    await counters.photos.recordSales(tx, salesByPhoto(sale));
    await counters.galleries.recordSales(tx, salesByGallery(sale));
  };
}
