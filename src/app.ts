/**
 * All services of the house as one plain object, built from the platform. `main.ts` builds it
 * for real, tests build it with overrides, pages receive it through their context.
 */
import { createAccountService, type AccountService } from '#src/features/accounts/accounts.service.ts';
import { createContributorService, type ContributorService } from '#src/features/contributors/contributors.service.ts';
import { createGalleryService, type GalleryService } from '#src/features/galleries/galleries.service.ts';
import { createOrderService, type OrderService } from '#src/features/orders/orders.service.ts';
import { createAffiliateService, type AffiliateService } from '#src/features/organizations/affiliates.service.ts';
import { createOrganizationService, type OrganizationService } from '#src/features/organizations/organizations.service.ts';
import { createPhotoService, type PhotoService } from '#src/features/photos/photos.service.ts';
import type { Platform } from '#src/platform/platform.ts';

export type App = {
  accounts: AccountService;
  organizations: OrganizationService;
  affiliates: AffiliateService;
  galleries: GalleryService;
  photos: PhotoService;
  contributors: ContributorService;
  orders: OrderService;
  /** What pages may know of the configuration. */
  site: { baseDomain: string; port: number; cards: 'sandbox' | 'stripe' };
};
