/**
 * All services of the product as one plain object, built from the platform. `main.ts` builds it
 * for real, tests build it with overrides, pages receive it through their context.
 */
import { createAccountService, type AccountService } from '#src/features/accounts/accounts.service.ts';
import { createEmailProofs, type EmailProofs } from '#src/features/accounts/email-proof.service.ts';
import { createNewPeople } from '#src/features/members/new-person.service.ts';
import { createAccountOpening } from '#src/features/members/account-opening.service.ts';
import { isCommonPassword } from '#src/features/sign-in/common-passwords.rules.ts';
import { createAuditService, type AuditService } from '#src/features/audit/audit.service.ts';
import { createBillingService, type BillingService } from '#src/features/billing/billing.service.ts';
import { createIssuedCodes, type IssuedCodeService } from '#src/features/codes/issued-codes.service.ts';
import { createTerms, type TermsService } from '#src/features/codes/terms.service.ts';
import type { CardSetup } from '#src/features/billing/card-entry.contract.ts';
import { createLogins, type Logins } from '#src/features/sign-in/logins.service.ts';
import { createMembers, type MemberService } from '#src/features/members/members.service.ts';
import { createBulkImports, type BulkImportService } from '#src/features/bulk-imports/bulk-imports.service.ts';
import { createPasswordService, type PasswordService } from '#src/features/sign-in/passwords.service.ts';
import { createPasswordChanges } from '#src/features/sign-in/password-changes.service.ts';
import { createSignUpService, type SignUpService } from '#src/features/sign-up/sign-up.service.ts';
import { createContributorService, type ContributorService } from '#src/features/contributors/contributors.service.ts';
import { createGalleryService, type GalleryService } from '#src/features/galleries/galleries.service.ts';
import { createQrCards, type QrCardService } from '#src/features/sharing/qr-card.service.ts';
import { createSitemap, type SitemapService } from '#src/features/sharing/sitemap.service.ts';
import { createLedgerService } from '#src/features/ledger/ledger.service.ts';
import { createMarketingService, type MarketingService } from '#src/features/marketing/marketing.service.ts';
import { createCountSale } from '#src/features/orders/counted-sale.service.ts';
import { createFindOrders, type FindOrders } from '#src/features/find-my-order/find-orders.service.ts';
import { createOrderMarks, type OrderMarks } from '#src/features/admin-reports/order-marks.service.ts';
import { createOrderService, type OrderService } from '#src/features/orders/orders.service.ts';
import { createChargeStatus } from '#src/features/refunds/charge-status.service.ts';
import { createRefundLists, type RefundLists } from '#src/features/refunds/refund-lists.service.ts';
import { createRefundService, type RefundService } from '#src/features/refunds/refunds.service.ts';
import { createTaxTableService, type TaxTableService } from '#src/features/taxes/tax-table.service.ts';
import { createTaxTable } from '#src/features/taxes/tax.service.ts';
import { createWebhooks, type WebhookService } from '#src/features/refunds/webhooks.service.ts';
import { createAffiliateService, type AffiliateService } from '#src/features/settings/affiliates.service.ts';
import { createOrganizationService, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import {
  createDeleteOrganization,
  type DeleteOrganizationService,
} from '#src/features/office/delete-organization.service.ts';
import { createNewOrganizations, type NewOrganizationService } from '#src/features/office/new-org.service.ts';
import {
  createOrganizationList,
  type OrganizationListService,
} from '#src/features/office/organization-list.service.ts';
import { createSettingsPictures, type SettingsPictures } from '#src/features/branding/settings-pictures.service.ts';
import { createSettingsService, type SettingsService } from '#src/features/settings/settings.service.ts';
import {
  createOrganizationChoices,
  type OrganizationChoices,
} from '#src/features/organization-picker/organization-choices.service.ts';
import { createSponsorService, type SponsorService } from '#src/features/branding/sponsors.service.ts';
import { createPayoutService, type PayoutService } from '#src/features/payouts/payouts.service.ts';
import { createPayoutReview } from '#src/features/payouts/payout-review.service.ts';
import { createPhotoService, type PhotoService } from '#src/features/photos/photos.service.ts';
import { createProcessorKeys } from '#src/features/tenancy/processor-keys.service.ts';
import { createPhotoEditor, type PhotoEditorService } from '#src/features/photo-editor/photo-editor.service.ts';
import { createPixelService, type PixelService } from '#src/features/pictures/pixels.service.ts';
import { createChosenPhotos, type ChosenPhotoService } from '#src/features/public-gallery/chosen-photos.service.ts';
import { createUploadService, type UploadService } from '#src/features/uploads/uploads.service.ts';
import { createGalleryLists, type GalleryListService } from '#src/features/home/gallery-lists.service.ts';
import { createCollaborators, type CollaboratorService } from '#src/features/collaborators/collaborators.service.ts';
import { createShareCards, type ShareCardService } from '#src/features/sharing/share-cards.service.ts';
import { createAdminReports, type AdminReports } from '#src/features/admin-reports/admin-report.service.ts';
import {
  createOrganizationFigures,
  type OrganizationFiguresService,
} from '#src/features/reports/organization-figures.service.ts';
import {
  createReconciliation,
  type ReconciliationService,
} from '#src/features/reconciliation/reconciliation.service.ts';
import { createReportCheck } from '#src/features/reports/report-check.service.ts';
import { createReportService, type ReportService } from '#src/features/reports/reports.service.ts';
import { createStatementEmails, type StatementEmails } from '#src/features/statements/statement-emails.service.ts';
import { createStatementService, type StatementService } from '#src/features/statements/statements.service.ts';
import { createTakedownService, type TakedownService } from '#src/features/takedowns/takedowns.service.ts';
import { openPictureRewriter } from '#src/platform/images/picture-rewriter.ts';
import { createVisitService, type VisitService } from '#src/features/visits/visits.service.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { siteOrigin } from '#src/shared/addresses.ts';

export type App = {
  accounts: AccountService;
  passwords: PasswordService;
  emailProofs: EmailProofs;
  logins: Logins;
  signUp: SignUpService;
  organizations: OrganizationService;
  /** For the forms of platform admins. */
  organizationChoices: OrganizationChoices;
  organizationList: OrganizationListService;
  organizationFigures: OrganizationFiguresService;
  deleteOrganization: DeleteOrganizationService;
  newOrganizations: NewOrganizationService;
  affiliates: AffiliateService;
  settings: SettingsService;
  taxTable: TaxTableService;
  settingsPictures: SettingsPictures;
  sponsors: SponsorService;
  galleries: GalleryService;
  galleryLists: GalleryListService;
  qrCards: QrCardService;
  sitemap: SitemapService;
  photos: PhotoService;
  chosenPhotos: ChosenPhotoService;
  pictures: PixelService;
  uploads: UploadService;
  photoEditor: PhotoEditorService;
  shareCards: ShareCardService;
  contributors: ContributorService;
  collaborators: CollaboratorService;
  orders: OrderService;
  findOrders: FindOrders;
  orderMarks: OrderMarks;
  refunds: RefundService;
  refundLists: RefundLists;
  /** The nightly comparison with the card provider's books. */
  reconciliation: ReconciliationService;
  reports: ReportService;
  adminReports: AdminReports;
  statements: StatementService;
  statementEmails: StatementEmails;
  visits: VisitService;
  webhooks: WebhookService;
  marketing: MarketingService;
  billing: BillingService;
  issuedCodes: IssuedCodeService;
  terms: TermsService;
  members: MemberService;
  /** `record` writes a line in the transaction of the deed. */
  audit: AuditService;
  takedowns: TakedownService;
  payouts: PayoutService;
  bulkImports: BulkImportService;
  /** What pages may know of the configuration. */
  site: {
    baseDomain: string;
    port: number;
    cards: 'sandbox' | 'stripe';
    /** Where questions go when the root organization names no address (decision note 0010). */
    contactEmail: string;
    socialLinks: readonly string[];
    printPartners: readonly { name: string; address: string }[];
    /** What the card entry needs to know. */
    cardSetup: CardSetup;
    /** Shortest password that people may choose. */
    passwordMin: number;
  };
};

declare module '#src/web/app-context.ts' {
  interface Services extends App {}
}

/** Builds every service once; each takes only what it needs. */
export function createApp(platform: Platform): App {
  const { config } = platform;
  const organizations = createOrganizationService(platform);
  const audit = createAuditService({ ...platform, organizations });
  const ledger = createLedgerService(platform);
  const origin = siteOrigin(config.baseDomain, config.port);
  const billing = createBillingService({
    ...platform,
    organizations,
    ledger,
    origin,
    // Asked only when somebody pays, long after both services stand.
    payerOf: async (caller) => {
      const { id, first_name, last_name, email } = await accounts.currentUser(caller);
      return { userId: id, name: `${first_name} ${last_name}`, email };
    },
  });
  // Asked only when somebody leaves, long after both services stand.
  const closePagesOf = (tx: Writer, userId: number): Promise<void> => galleries.closePagesOf(tx, userId);
  const accounts = createAccountService({ ...platform, audit, closePagesOf });
  const emailProofs = createEmailProofs({ ...platform, origin });
  const galleries = createGalleryService({
    ...platform,
    organizations,
    audit,
    origin,
  });
  const adminReports = createAdminReports({ ...platform, origin });
  const reports = createReportService({ ...platform, galleries, organizations });
  const galleryLists = createGalleryLists({ ...platform, galleries, organizations });
  const photos = createPhotoService({ ...platform, galleries });
  const pictures = createPixelService({
    ...platform,
    organizations,
    galleries,
    reading: photos,
    // Asked only when a request comes, long after both services stand.
    orders: { paidLine: (orderKey, use) => orders.paidLine(orderKey, use) },
    uploadedMark: (userId, organization, key) => settings.uploadedMark(userId, organization, key),
  });
  const uploads = createUploadService({ ...platform, galleries, reading: photos });
  const processorKeys = createProcessorKeys(platform);
  const settingsPictures = createSettingsPictures({ ...platform, organizations, rewriter: openPictureRewriter() });
  const settings: SettingsService = createSettingsService({
    ...platform,
    organizations,
    accounts,
    passwordChanges: createPasswordChanges({ ...platform, origin, closePagesOf }),
    processorKeys,
    pictures: settingsPictures,
    audit,
    remark: pictures.remark,
  });
  const countSale = createCountSale({ photos, galleries });
  const orders: OrderService = createOrderService({
    ...platform,
    processorKeys,
    photos,
    pictures,
    organizations,
    ledger,
    galleryIsLocked: galleries.asksForPassword,
    galleryGoals: galleries.goals,
    taxFor: createTaxTable(platform),
    origin,
    countSale,
    tellGalleries: galleries.tellOrderPaid,
  });
  const chargeStatus = createChargeStatus({ ...platform, ledger, settlement: orders, countSale });
  const refunds = createRefundService({
    ...platform,
    accounts,
    audit,
    processorKeys,
    chargeStatus,
    origin,
  });
  return {
    accounts,
    passwords: createPasswordService({ ...platform, accounts, origin, closePagesOf }),
    emailProofs,
    logins: createLogins({ ...platform, accounts, origin }),
    signUp: createSignUpService({ ...platform, accounts, proofs: emailProofs, organizations, billing, audit }),
    organizations,
    organizationChoices: createOrganizationChoices({ ...platform, origin }),
    organizationList: createOrganizationList(platform),
    organizationFigures: createOrganizationFigures(platform),
    newOrganizations: createNewOrganizations({
      ...platform,
      organizations,
      people: createNewPeople(platform),
      pictures: settingsPictures,
      audit,
      origin,
    }),
    deleteOrganization: createDeleteOrganization({
      ...platform,
      organizations,
      ledger,
      audit,
      hasPendingMoney: orders.hasPendingMoney,
      endSignIns: accounts.endSignInsOf,
    }),
    sponsors: createSponsorService({ ...platform, organizations }),
    affiliates: createAffiliateService({ organizations, galleryLists, settings, reports }),
    settings,
    taxTable: createTaxTableService({ ...platform, organizations, audit }),
    settingsPictures,
    galleries,
    galleryLists,
    photos,
    chosenPhotos: createChosenPhotos({ ...platform, galleries }),
    pictures,
    uploads,
    photoEditor: createPhotoEditor({ ...platform, galleries, reading: photos }),
    sitemap: createSitemap(platform),
    qrCards: createQrCards({ ...platform, galleries, organizations, origin }),
    shareCards: createShareCards({ ...platform, galleries, galleryLists, photos, pictures, organizations }),
    contributors: createContributorService({ ...platform, organizations, galleries, uploads, origin }),
    collaborators: createCollaborators({ ...platform, organizations, galleries, accounts, audit, origin }),
    orders,
    findOrders: createFindOrders({ ...platform, origin }),
    reports,
    adminReports,
    orderMarks: createOrderMarks({ ...platform, audit, rowOf: adminReports.row }),
    statements: createStatementService({ ...platform, organizations }),
    statementEmails: createStatementEmails({ ...platform, origin }),
    visits: createVisitService({ ...platform, galleries, organizations }),
    refundLists: createRefundLists(platform),
    refunds,
    reconciliation: createReconciliation({
      ...platform,
      audit,
      ledger,
      reports: createReportCheck(platform),
      settle: [orders.sweep, refunds.sweep],
      lookAt: chargeStatus.lookAt,
    }),
    webhooks: createWebhooks({ ...platform, chargeStatus }),
    marketing: createMarketingService({ ...platform, organizations, contactEmail: config.contactEmail }),
    billing,
    issuedCodes: createIssuedCodes({ ...platform, organizations, audit }),
    terms: createTerms({ ...platform, organizations, audit }),
    members: createMembers({
      ...platform,
      organizations,
      audit,
      opening: createAccountOpening({ ...platform, origin }),
      origin,
      closePagesOf,
    }),
    audit,
    bulkImports: createBulkImports({
      ...platform,
      organizations,
      galleries,
      audit,
      opening: createAccountOpening({ ...platform, origin }),
      passwordPolicy: { minimum: config.passwordMin, isCommon: isCommonPassword },
    }),
    takedowns: createTakedownService({ ...platform, organizations, galleries, photos, pictures, audit, origin }),
    payouts: createPayoutService({
      ...platform,
      organizations,
      ledger,
      orders,
      accounts,
      audit,
      review: createPayoutReview(platform),
      origin,
    }),
    site: {
      baseDomain: config.baseDomain,
      port: config.port,
      cards: platform.payments.name,
      contactEmail: config.contactEmail,
      socialLinks: config.socialLinks,
      printPartners: config.printPartners,
      cardSetup: cardSetupOf(platform),
      passwordMin: config.passwordMin,
    },
  };
}

/** With whose public key browsers make tokens, unless an organization has keys of its own. */
function cardSetupOf({ payments, config }: Platform): CardSetup {
  return { provider: payments.name, publishableKey: config.stripe?.publishableKey ?? null };
}
