/**
 * All services of the product as one plain object, built from the platform. `main.ts` builds it for real, tests build
 * it with overrides, pages receive it through their context.
 */
import { createAccountService } from '#src/features/accounts/accounts.service.ts';
import { createEmailProofs } from '#src/features/accounts/email-proof.service.ts';
import { createAccountOpening } from '#src/features/members/account-opening.service.ts';
import { isCommonPassword } from '#src/features/sign-in/common-passwords.rules.ts';
import { createApiTokens } from '#src/features/api-tokens/api-tokens.service.ts';
import { createAuditService } from '#src/features/audit/audit.service.ts';
import { createBillingService } from '#src/features/billing/billing.service.ts';
import { createIssuedCodes } from '#src/features/codes/issued-codes.service.ts';
import { createTerms } from '#src/features/codes/terms.service.ts';
import type { CardSetup } from '#src/features/billing/card-entry.contract.ts';
import { createLogins } from '#src/features/sign-in/logins.service.ts';
import { createMembers } from '#src/features/members/members.service.ts';
import { createBulkImports } from '#src/features/bulk-imports/bulk-imports.service.ts';
import { createPasswordService } from '#src/features/sign-in/passwords.service.ts';
import { createDeletionRequests } from '#src/features/sign-in/deletion-requests.service.ts';
import { createEmailChanges } from '#src/features/sign-in/email-changes.service.ts';
import { createPasswordChanges } from '#src/features/sign-in/password-changes.service.ts';
import { createSignUpService } from '#src/features/sign-up/sign-up.service.ts';
import { createAllowanceUses } from '#src/features/allowances/allowance-uses.service.ts';
import { createFamilyOrders } from '#src/features/order-offers/family-orders.service.ts';
import { createAllowances } from '#src/features/allowances/allowances.service.ts';
import { createCoupons } from '#src/features/coupons/coupon-editing.service.ts';
import { createCreditShop } from '#src/features/credit-shop/credit-shop.service.ts';
import { createCredit } from '#src/features/credit/credit.service.ts';
import { createCouponUses } from '#src/features/coupons/coupon-uses.service.ts';
import { createCardPrinting } from '#src/features/families/card-print.service.ts';
import { createCards } from '#src/features/families/cards.service.ts';
import { createFamilyPage } from '#src/features/family-page/family-page.service.ts';
import { createWatches } from '#src/features/watches/watches.service.ts';
import { createFamilies, createRefusals } from '#src/features/families/families.service.ts';
import { createContributorService } from '#src/features/contributors/contributors.service.ts';
import { closePagesOf } from '#src/features/galleries/gallery-events.service.ts';
import { createGalleryService } from '#src/features/galleries/galleries.service.ts';
import { createQrCards } from '#src/features/sharing/qr-card.service.ts';
import { createOembed } from '#src/features/sharing/oembed.service.ts';
import { createSitemap } from '#src/features/sharing/sitemap.service.ts';
import { createOfferReading } from '#src/features/offers/offer-reading.service.ts';
import { createPriceSheets } from '#src/features/offers/price-sheets.service.ts';
import { createLedgerService } from '#src/features/ledger/ledger.service.ts';
import { createMarketingService } from '#src/features/marketing/marketing.service.ts';
import { createFrozenSheets } from '#src/features/offers/frozen-sheets.service.ts';
import { createFindOrders } from '#src/features/find-my-order/find-orders.service.ts';
import { paidLine } from '#src/features/orders/receipts.service.ts';
import { createNumberOffers } from '#src/features/passes/number-offers.service.ts';
import { createPasses } from '#src/features/passes/passes.service.ts';
import { createArchives } from '#src/features/downloads/archives.service.ts';
import { createOrderService } from '#src/features/orders/orders.service.ts';
import { createChargeStatus } from '#src/features/refunds/charge-status.service.ts';
import { createRefundLists } from '#src/features/refunds/refund-lists.service.ts';
import { createRefundService } from '#src/features/refunds/refunds.service.ts';
import { createTaxTableService, createTaxTable } from '#src/features/taxes/tax-table.service.ts';
import { createProviderEvents } from '#src/features/refunds/provider-events.service.ts';
import { createAffiliateService } from '#src/features/settings/affiliates.service.ts';
import { createRevisions } from '#src/features/tenancy/revisions.service.ts';
import { createOrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { createErasures } from '#src/features/erasures/erasures.service.ts';
import { createExportService } from '#src/features/exports/exports.service.ts';
import { createImports } from '#src/features/imports/imports.service.ts';
import { createDeleteOrganization } from '#src/features/office/delete-organization.service.ts';
import { createNewOrganizations } from '#src/features/office/new-org.service.ts';
import { createOrganizationList } from '#src/features/office/organization-list.service.ts';
import { createSettingsPictures } from '#src/features/branding/settings-pictures.service.ts';
import { createSettingsService, uploadedMark } from '#src/features/settings/settings.service.ts';
import { createOrganizationChoices } from '#src/features/organization-picker/organization-choices.service.ts';
import { createWebhookSender } from '#src/features/webhooks/webhook-sending.service.ts';
import { createWebhookEndpoints } from '#src/features/webhooks/webhooks.service.ts';
import { createSponsorService } from '#src/features/branding/sponsors.service.ts';
import { createPayoutService } from '#src/features/payouts/payouts.service.ts';
import { createPhotoService } from '#src/features/photos/photos.service.ts';
import { createProcessorKeys } from '#src/features/tenancy/processor-keys.service.ts';
import { createPhotoEditor } from '#src/features/photo-editor/photo-editor.service.ts';
import { createPictureService } from '#src/features/pictures/pictures.service.ts';
import { createChosenPhotos } from '#src/features/public-gallery/chosen-photos.service.ts';
import { createUploadService } from '#src/features/uploads/uploads.service.ts';
import { createGalleryLists } from '#src/features/home/gallery-lists.service.ts';
import { createCollaborators } from '#src/features/collaborators/collaborators.service.ts';
import { createShareCards } from '#src/features/sharing/share-cards.service.ts';
import { createAdminReports } from '#src/features/admin-reports/admin-report.service.ts';
import { createHealth } from '#src/features/health/health.service.ts';
import { createReconciliation } from '#src/features/reconciliation/reconciliation.service.ts';
import { createKeptSales } from '#src/features/reports/kept-sales.service.ts';
import { createReportCheck, createReportService } from '#src/features/reports/reports.service.ts';
import { createStatementEmails } from '#src/features/statements/statement-emails.service.ts';
import { createStatementService } from '#src/features/statements/statements.service.ts';
import { createAthletes } from '#src/features/roster/athletes.service.ts';
import { createRosterImports } from '#src/features/roster-imports/roster-imports.service.ts';
import { createForgetting } from '#src/features/roster/forgetting.service.ts';
import { createMerging } from '#src/features/roster/merging.service.ts';
import { createNextSeason } from '#src/features/roster/next-season.service.ts';
import { createSeasons } from '#src/features/roster/seasons.service.ts';
import { createTaggingDesk } from '#src/features/tagging-desk/desk.service.ts';
import { createTagging } from '#src/features/tagging/tagging.service.ts';
import { createConsentOffice } from '#src/features/consent/consent-office.service.ts';
import { createConsent } from '#src/features/consent/consent.service.ts';
import { createTakedownService } from '#src/features/takedowns/takedowns.service.ts';
import { openPictureRewriter } from '#src/platform/images/picture-rewriter.ts';
import { createVersionService } from '#src/features/version/version.service.ts';
import { createVisitService } from '#src/features/visits/visits.service.ts';
import type { Platform } from '#src/platform/platform.ts';
import { siteOrigin } from '#src/shared/addresses.ts';

export type App = ReturnType<typeof createApp>;

declare module '#src/web/app-context.ts' {
  interface Services extends App {}
}

/** Builds every service once, in the order of docs/architecture.md; each gets only what it needs. */
export function createApp(platform: Platform) {
  const base = createBase(platform);
  const catalog = createCatalog(platform, base);
  const trade = createTrade(platform, { ...base, ...catalog });
  const office = createOffice(platform, { ...base, ...catalog, ...trade });
  return { ...base, ...catalog, ...trade, ...office, site: siteOf(platform) };
}

/** Who is calling, organizations, the ledger, accounts and their payments. */
function createBase(platform: Platform) {
  const origin = siteOrigin(platform.config.baseDomain, platform.config.sitePort);
  const organizations = createOrganizationService(platform);
  const audit = createAuditService({ ...platform, organizations });
  const ledger = createLedgerService(platform);
  const accounts = createAccountService({ ...platform, audit, closePagesOf });
  const emailProofs = createEmailProofs({ ...platform, origin });
  const apiTokens = createApiTokens({ ...platform, organizations, accounts, audit });
  const opening = createAccountOpening({ ...platform, origin });
  const billing = createBillingService({ ...platform, organizations, ledger, origin, accounts, audit });
  return {
    origin,
    organizations,
    revisions: createRevisions(platform),
    ledger,
    /** `record` writes an audit entry in the transaction of the action. */
    audit,
    accounts,
    apiTokens,
    emailProofs,
    opening,
    logins: createLogins({ ...platform, accounts, origin }),
    passwords: createPasswordService({ ...platform, accounts, origin, closePagesOf }),
    emailChanges: createEmailChanges({ ...platform, accounts, audit, origin, closePagesOf }),
    deletionRequests: createDeletionRequests({ ...platform, accounts, audit, origin }),
    passwordChanges: createPasswordChanges({ ...platform, origin, closePagesOf }),
    members: createMembers({
      ...platform,
      organizations,
      audit,
      opening,
      origin,
      closePagesOf,
      endTokensOf: apiTokens.endOfFormerMaker,
    }),
    processorKeys: createProcessorKeys(platform),
    /** For the forms of platform admins. */
    organizationChoices: createOrganizationChoices({ ...platform, origin }),
    billing,
    issuedCodes: createIssuedCodes({ ...platform, organizations, audit }),
    terms: createTerms({ ...platform, organizations, audit }),
    signUp: createSignUpService({ ...platform, accounts, proofs: emailProofs, organizations, billing, audit }),
  };
}

type Base = ReturnType<typeof createBase>;

/** Galleries and their photos. */
function createCatalog(platform: Platform, base: Base) {
  const { organizations, accounts, audit, origin } = base;
  const settingsPictures = createSettingsPictures({ ...platform, organizations, rewriter: openPictureRewriter() });
  const offers = createOfferReading({ ...platform, organizations });
  const galleries = createGalleryService({ ...platform, organizations, audit, offers });
  const galleryLists = createGalleryLists({ ...platform, galleries, organizations });
  const families = createFamilies({ ...platform, organizations, audit, origin });
  const photos = createPhotoService({ ...platform, revisions: base.revisions, galleries, families });
  const pictures = createPictureService({
    ...platform,
    revisions: base.revisions,
    organizations,
    galleries,
    reading: photos,
    orders: { paidLine: (orderKey, use, photo) => paidLine(platform, orderKey, use, photo) },
    families,
    uploadedMark: (userId, organization, key) =>
      uploadedMark({ storage: platform.storage, pictures: settingsPictures }, userId, organization, key),
  });
  const uploads = createUploadService({ ...platform, galleries, reading: photos });
  /** Who may be published; every change of it, and every tag, passes through here. */
  const consent = createConsent({ ...platform, photos, origin });
  const tagging = createTagging({ ...platform, galleries, photos, consent });
  const consentOffice = createConsentOffice({ ...platform, photos, organizations, galleries, audit, origin });
  return {
    settingsPictures,
    allowances: createAllowances({ ...platform, organizations, audit }),
    familyOrders: createFamilyOrders({ ...platform, organizations, audit }),
    sponsors: createSponsorService({ ...platform, organizations }),
    offers,
    priceSheets: createPriceSheets({ ...platform, organizations, audit, galleries, photos }),
    galleries,
    galleryLists,
    photos,
    chosenPhotos: createChosenPhotos({ ...platform, galleries }),
    pictures,
    uploads,
    photoEditor: createPhotoEditor({ ...platform, galleries, reading: photos, tags: tagging }),
    sitemap: createSitemap(platform),
    oembed: createOembed({ galleries, organizations, origin }),
    qrCards: createQrCards({ ...platform, galleries, organizations, origin }),
    shareCards: createShareCards({ ...platform, galleries, galleryLists, photos, pictures, organizations }),
    contributors: createContributorService({ ...platform, organizations, galleries, uploads, origin, tagging }),
    collaborators: createCollaborators({ ...platform, organizations, galleries, accounts, audit, origin }),
    /** Cards of children, for members. */
    cards: createCards({ ...platform, organizations, audit, consent }),
    cardPrinting: createCardPrinting({ ...platform, organizations, origin }),
    /** The children whose cards a browser has opened. */
    families,
    refusals: createRefusals({ ...platform, organizations, audit, origin, consent }),
    watches: createWatches({ ...platform, organizations, families, origin }),
    seasons: createSeasons({ ...platform, organizations, audit }),
    tagging,
    merging: createMerging({ ...platform, organizations, audit, consent }),
    nextSeason: createNextSeason({ ...platform, organizations, audit, consent }),
    forgetting: createForgetting({ ...platform, organizations, audit }),
    athletes: createAthletes({ ...platform, organizations, audit, consent }),
    consent,
    taggingDesk: createTaggingDesk({ ...platform, galleries, consentOffice }),
    consentOffice,
    takedowns: createTakedownService({ ...platform, organizations, galleries, photos, pictures, audit, origin }),
  };
}

type Catalog = ReturnType<typeof createCatalog>;

/** Orders, refunds, and the card provider's events. */
function createTrade(platform: Platform, below: Base & Catalog) {
  const { organizations, accounts, audit, ledger, origin, processorKeys, galleries, photos, pictures, families } =
    below;
  const couponUses = createCouponUses(platform);
  const credit = createCredit(platform);
  const selling = {
    ...platform,
    coupons: couponUses,
    allowances: createAllowanceUses(platform),
    families,
    credit,
    sheets: createFrozenSheets(platform),
    processorKeys,
    photos,
    pictures,
    organizations,
    ledger,
    galleries,
    taxFor: createTaxTable(platform),
    origin,
  };
  const orders = createOrderService(selling);
  const chargeStatus = createChargeStatus({ ...selling, settlement: orders });
  return {
    /** Codes in carts and orders. */
    couponUses,
    credit,
    creditShop: createCreditShop({ ...selling, accounts, audit }),
    coupons: createCoupons({ ...platform, organizations, audit }),
    orders,
    archives: createArchives({ ...platform, pictures }),
    passes: createPasses(platform),
    numberOffers: createNumberOffers({ ...selling, galleries }),
    familyPage: createFamilyPage({ ...platform, ...below, sheets: selling.sheets }),
    chargeStatus,
    findOrders: createFindOrders({ ...platform, origin }),
    refunds: createRefundService({ ...platform, credit, accounts, audit, processorKeys, chargeStatus, origin }),
    refundLists: createRefundLists({ ...platform, organizations }),
    providerEvents: createProviderEvents({ ...platform, chargeStatus }),
    taxTable: createTaxTableService({ ...platform, organizations, audit }),
    visits: createVisitService({ ...platform, galleries, organizations }),
  };
}

type Trade = ReturnType<typeof createTrade>;

/** Reports, payouts, settings, and the work of platform admins. */
function createOffice(platform: Platform, below: Base & Catalog & Trade) {
  const { organizations, accounts, audit, ledger, origin, opening, settingsPictures, galleries, galleryLists } = below;
  const { orders, refunds, chargeStatus, pictures, passwordChanges, processorKeys } = below;
  const { config } = platform;
  const { members } = passwordChanges;
  const reports = createReportService({ ...platform, galleries, organizations });
  const settings = createSettingsService({
    ...platform,
    organizations,
    accounts,
    passwordChanges,
    ledger,
    processorKeys,
    pictures: settingsPictures,
    audit,
    remark: pictures.remark,
  });
  return {
    reports,
    keptSales: createKeptSales(platform),
    adminReports: createAdminReports({ ...platform, audit, origin }),
    statements: createStatementService({ ...platform, organizations }),
    statementEmails: createStatementEmails({ ...platform, origin }),
    payouts: createPayoutService({
      ...platform,
      organizations,
      ledger,
      orders,
      accounts,
      audit,
      origin,
    }),
    /** The state of the installation. */
    health: createHealth({ ...platform, audit }),
    /** The nightly comparison with the card provider's books. */
    reconciliation: createReconciliation({
      ...platform,
      audit,
      ledger,
      reports: createReportCheck(platform),
      settle: [orders.sweep, refunds.sweep],
      checkCharge: chargeStatus.checkCharge,
    }),
    /** Sends events to organizations' programs. */
    webhookEndpoints: createWebhookEndpoints({ ...platform, organizations, accounts, audit, members }),
    /** Begins to send when the worker starts. */
    webhookSender: createWebhookSender({ ...platform, organizations, origin, members }),
    settings,
    affiliates: createAffiliateService({ organizations, galleryLists, settings, reports }),
    organizationList: createOrganizationList(platform),
    organizationFigures: createReportCheck(platform),
    newOrganizations: createNewOrganizations({
      ...platform,
      organizations,
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
      credit: below.credit,
      endSignIns: accounts.endSignInsOf,
      endTokens: below.apiTokens.endAllOf,
    }),
    erasures: createErasures({ ...platform, accounts, audit, closePagesOf, deletionRequests: below.deletionRequests }),
    imports: createImports({ ...platform, organizations, audit, rewriter: openPictureRewriter() }),
    exports: createExportService({ ...platform, organizations, accounts, audit, origin }),
    bulkImports: createBulkImports({
      ...platform,
      organizations,
      galleries,
      audit,
      opening,
      passwordPolicy: { minimum: config.passwordMin, isCommon: isCommonPassword },
    }),
    rosterImports: createRosterImports({ ...platform, organizations, audit, consent: below.consent }),
    version: createVersionService(platform),
    marketing: createMarketingService({ ...platform, organizations, contactEmail: config.contactEmail }),
  };
}

/** The configuration that pages may read. */
function siteOf({ config, payments }: Platform) {
  return {
    baseDomain: config.baseDomain,
    port: config.sitePort,
    cards: payments.name,
    /** The address for questions if the root organization has none (decision record 0010). */
    contactEmail: config.contactEmail,
    socialLinks: config.socialLinks,
    printPartners: config.printPartners,
    cardSetup: cardSetupOf({ config, payments }),
    /** Minimum length of a new password. */
    passwordMin: config.passwordMin,
  };
}

/** The public key with which browsers create card tokens, unless an organization has keys of its own. */
function cardSetupOf({ payments, config }: Pick<Platform, 'payments' | 'config'>): CardSetup {
  return { provider: payments.name, publishableKey: config.stripe?.publishableKey ?? null };
}
