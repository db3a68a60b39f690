/** Registers every module's routes with the host: used by the web processes, the demo and the tests. */
import { randomUUID } from 'node:crypto';
import type { App } from '#src/app.ts';
import { accountRoutes, loginForm } from '#src/features/sign-in/logins.routes.ts';
import { isCommonPassword } from '#src/features/sign-in/common-passwords.rules.ts';
import { confirmEmailForm, emailProofRoutes } from '#src/features/accounts/email-proof.routes.ts';
import { memberRoutes } from '#src/features/members/members.routes.ts';
import { deletionRequestRoutes } from '#src/features/sign-in/deletion-requests.routes.ts';
import { changeEmailForm, emailChangeRoutes } from '#src/features/sign-in/email-changes.routes.ts';
import { passwordForms, passwordRoutes } from '#src/features/sign-in/passwords.routes.ts';
import { signUpForm, signUpRoutes } from '#src/features/sign-up/sign-up.routes.ts';
import { apiTokenRoutes } from '#src/features/api-tokens/api-tokens.routes.ts';
import { auditRoutes } from '#src/features/audit/audit.routes.ts';
import { billingRoutes } from '#src/features/billing/billing.routes.ts';
import { termsRoutes, issuedCodeRoutes } from '#src/features/codes/codes.routes.ts';
import { bulkImportRoutes } from '#src/features/bulk-imports/bulk-imports.routes.ts';
import { creditShopRoutes } from '#src/features/credit-shop/credit-shop.routes.ts';
import { couponRoutes } from '#src/features/coupons/coupons.routes.ts';
import { collaboratorRoutes } from '#src/features/collaborators/collaborators.routes.ts';
import { contributorRoutes } from '#src/features/contributors/contributors.routes.ts';
import { allowanceRoutes } from '#src/features/allowances/allowances.routes.ts';
import { cardRoutes } from '#src/features/families/cards.routes.ts';
import { familyRoutes, type KeepCards } from '#src/features/families/families.routes.ts';
import { familyPageRoutes } from '#src/features/family-page/family-page.routes.ts';
import { watchRoutes } from '#src/features/watches/watches.routes.ts';
import { galleryRoutes } from '#src/features/galleries/galleries.routes.ts';
import { priceSheetRoutes } from '#src/features/offers/price-sheets.routes.ts';
import { qrCardRoutes } from '#src/features/sharing/qr-card.routes.ts';
import { oembedRoutes } from '#src/features/sharing/oembed.routes.ts';
import { sitemapRoutes } from '#src/features/sharing/sitemap.routes.ts';
import { erasureRoutes } from '#src/features/erasures/erasures.routes.ts';
import { exportRoutes } from '#src/features/exports/exports.routes.ts';
import { expertForm, expertQuestionRoutes, marketingRoutes } from '#src/features/marketing/marketing.routes.ts';
import { findOrderForm, findOrderRoutes } from '#src/features/find-my-order/find-orders.routes.ts';
import { consentRoutes } from '#src/features/consent/consent.routes.ts';
import { rosterRoutes } from '#src/features/roster/roster.routes.ts';
import { familyOrderRoutes } from '#src/features/order-offers/family-orders.routes.ts';
import { rosterCareRoutes } from '#src/features/roster/roster-care.routes.ts';
import { seasonRoutes } from '#src/features/roster/seasons.routes.ts';
import { rosterImportRoutes } from '#src/features/roster-imports/roster-imports.routes.ts';
import { adminReportRoutes } from '#src/features/admin-reports/admin-report.routes.ts';
import { passRoutes } from '#src/features/passes/passes.routes.ts';
import { downloadRoutes } from '#src/features/downloads/downloads.routes.ts';
import { orderRoutes } from '#src/features/orders/orders.routes.ts';
import { CHECKOUT_OUTCOMES, outcomeOfOrder, outcomeOfRefusal } from '#src/features/orders/checkout-outcomes.rules.ts';
import { orderListRoutes, refundRoutes, providerEventRoutes } from '#src/features/refunds/refunds.routes.ts';
import { taxTableRoutes } from '#src/features/taxes/tax-table.routes.ts';
import { affiliateRoutes, settingsRoutes } from '#src/features/settings/settings.routes.ts';
import { organizationChoiceRoutes } from '#src/features/organization-picker/organization-choices.routes.ts';
import { officeRoutes, organizationRoutes } from '#src/features/office/office.routes.ts';
import { webhookMessages } from '#src/features/webhooks/webhook-messages.rules.ts';
import { webhookEndpointRoutes } from '#src/features/webhooks/webhooks.routes.ts';
import { sponsorRoutes } from '#src/features/branding/sponsors.routes.ts';
import { payoutRoutes } from '#src/features/payouts/payouts.routes.ts';
import { healthRoutes } from '#src/features/health/health.routes.ts';
import { reconciliationRoutes } from '#src/features/reconciliation/reconciliation.routes.ts';
import { reportRoutes } from '#src/features/reports/reports.routes.ts';
import { statementRoutes } from '#src/features/statements/statements.routes.ts';
import { galleryListRoutes } from '#src/features/home/gallery-lists.routes.ts';
import { cdnPictureRoutes, pictureRoutes, pictureEditRoutes } from '#src/features/pictures/pictures.routes.ts';
import { photoEditorRoutes } from '#src/features/photo-editor/photo-editor.routes.ts';
import { uploadRoutes } from '#src/features/uploads/uploads.routes.ts';
import { photoRoutes } from '#src/features/photos/photos.routes.ts';
import { shareCardRoutes } from '#src/features/sharing/share-cards.routes.ts';
import { taggingDeskRoutes } from '#src/features/tagging-desk/desk.routes.ts';
import { taggingRoutes } from '#src/features/tagging/tagging.routes.ts';
import { takedownRoutes } from '#src/features/takedowns/takedowns.routes.ts';
import { versionRoutes } from '#src/features/version/version.routes.ts';
import type { PasswordPolicy } from '#src/features/sign-in/passwords.contract.ts';
import { buildServer, type BuiltServer, type ServerDeps } from '#src/http/build-server.ts';
import { createResponseCache, type SendCached } from '#src/http/response-cache.ts';
import { pageRoutes } from '#src/http/pages.ts';
import { probeRoutes } from '#src/http/probes.ts';
import { sandboxTokenRoutes } from '#src/http/sandbox-tokens.ts';
import { securityTextRoutes } from '#src/http/security-txt.ts';
import { storagePostRoutes } from '#src/http/storage-post.ts';
import { readFamily, readVisitor, setFamilyCookie, signVisitor } from '#src/http/cookies.ts';
import { mergeMetrics, type Metrics } from '#src/platform/metrics.ts';
import { stateOfStore } from '#src/platform/storage/storage.ts';
import type { Platform } from '#src/platform/platform.ts';
import { siteUrl } from '#src/shared/addresses.ts';

type ProductOptions = {
  app: App;
  platform: Platform;
  metrics: Metrics | null;
  /** The metrics of the other processes on this machine; absent: there are none. */
  metricsOfOthers?: () => Promise<string[]>;
  /** True once the process was asked to stop; absent: never. */
  isLeaving?: () => boolean;
  /** True while the process lags; absent: never. */
  isLagging?: () => boolean;
  /** Absent: only the calls (demo, tests of the calls). */
  pages?: { mode: 'built' | 'vite'; root: string };
};

/** Requests of one address a minute before it has to wait; pictures count, too. */
const REQUESTS_A_MINUTE = 3_000;

/** Builds the host with all modules; the caller listens or injects, and closes. */
export async function buildProduct(options: ProductOptions): Promise<BuiltServer> {
  const { app, platform, metrics, isLeaving = () => false, isLagging = () => false } = options;
  const { config, keys, memoryLimits } = platform;
  return buildServer({
    log: platform.log,
    baseDomain: config.baseDomain,
    metricsToken: config.metricsToken,
    trustProxy: config.trustProxy,
    caller: {
      actorOf: app.accounts.actorOf,
      actorOfApiToken: app.apiTokens.actorOf,
      visitorOf: (cookie) => readVisitor(keys.visitorCookies, cookie),
      familyOf: (cookie, hostLabel) => readFamily(keys.familyCookies, cookie, { hostLabel, now: platform.clock.now() }),
    },
    isHost: async (label) => (await app.organizations.byHostLabel(label)) !== null,
    noteRefusal: app.audit.recordRefusal,
    isLeaving,
    isLagging,
    begin: platform.begin,
    observe: (answer) => metrics?.observeAnswer(answer),
    countOpen: (change) => metrics?.countOpen(change),
    takeRequest: (ip) => memoryLimits.take({ bucket: `request:${ip}`, limit: REQUESTS_A_MINUTE, windowSeconds: 60 }),
    modules: modulesOf(options),
    webhooks: webhookMessages(),
  });
}

/** The routes of every module; pages answer what no other route does. */
function modulesOf(options: ProductOptions): ServerDeps['modules'] {
  const { app, platform } = options;
  const { config, keys } = platform;
  const passwordPolicy = { minimum: config.passwordMin, isCommon: isCommonPassword };
  const newVisitor = () => signVisitor(keys.visitorCookies, randomUUID());
  // In development responses change without the database.
  const sendCached = createResponseCache(app, options.pages?.mode === 'vite' ? 0 : config.pageCacheBytes);
  return [
    accountRoutes(app.accounts, app.logins),
    apiTokenRoutes(app.apiTokens),
    passwordRoutes(app.passwords, app.logins, passwordPolicy),
    emailProofRoutes(app.emailProofs),
    emailChangeRoutes(app.emailChanges),
    deletionRequestRoutes(app.deletionRequests),
    signUpRoutes(app.signUp, passwordPolicy),
    organizationChoiceRoutes(app.organizationChoices),
    organizationRoutes(app.organizations, app.organizationList),
    officeRoutes({ newOrganizations: app.newOrganizations, deletion: app.deleteOrganization }, passwordPolicy),
    affiliateRoutes(app.affiliates),
    settingsRoutes(app.settings, passwordPolicy),
    sponsorRoutes(app.sponsors),
    priceSheetRoutes(app.priceSheets),
    galleryRoutes(app.galleries),
    galleryListRoutes(app.galleryLists),
    pictureRoutes(app.pictures),
    pictureEditRoutes(app.pictures),
    photoRoutes(app.photos, newVisitor, sendCached),
    photoEditorRoutes(app.photoEditor),
    uploadRoutes(app.uploads, app.settingsPictures),
    qrCardRoutes(app.qrCards),
    shareCardRoutes(app.shareCards),
    sitemapRoutes(app.sitemap, app.organizations),
    oembedRoutes(app.oembed, config.baseDomain),
    contributorRoutes(app.contributors, { newVisitor }),
    collaboratorRoutes(app.collaborators, app.contributors),
    reportRoutes(app.reports, app.visits),
    adminReportRoutes(app.adminReports),
    statementRoutes(app.statements),
    ...athleteModulesOf(options),
    couponRoutes(app.coupons),
    creditShopRoutes(app.creditShop),
    orderRoutes(counted(app.orders, options.metrics)),
    downloadRoutes(app.archives),
    passRoutes(app.passes, app.numberOffers),
    findOrderRoutes(app.findOrders),
    refundRoutes(app.refunds),
    orderListRoutes(app.refundLists),
    reconciliationRoutes(app.reconciliation),
    healthRoutes(app.health),
    taxTableRoutes(app.taxTable),
    providerEventRoutes(app.providerEvents),
    webhookEndpointRoutes(app.webhookEndpoints, {
      baseDomain: config.baseDomain,
      toLocalhost: config.webhooksToLocalhost,
    }),
    marketingRoutes(app.marketing),
    expertQuestionRoutes(app.marketing),
    billingRoutes(app.billing),
    issuedCodeRoutes(app.issuedCodes),
    termsRoutes(app.terms),
    memberRoutes(app.members),
    auditRoutes(app.audit),
    takedownRoutes(app.takedowns),
    payoutRoutes(app.payouts),
    bulkImportRoutes(app.bulkImports),
    versionRoutes(app.version),
    exportRoutes(app.exports),
    erasureRoutes(app.erasures),
    probesOf(options),
    securityTextRoutes({
      contact: config.securityContact,
      addressOf: (path) => siteUrl(app.origin, 'www', path),
      now: () => platform.clock.now(),
    }),
    ...(platform.cdn.origin === null ? [] : [cdnPictureRoutes(app.pictures, app.origin)]),
    ...(platform.disk ? [storagePostRoutes(platform.disk)] : []),
    ...(platform.sandbox ? [sandboxTokenRoutes(platform.sandbox)] : []),
    ...pagesOf(options, passwordPolicy, sendCached),
  ];
}

/** Rosters, who is on the photos, and the cards of families. */
function athleteModulesOf({ app, platform }: ProductOptions): ServerDeps['modules'] {
  const keepCards: KeepCards = (request, reply, cards) =>
    setFamilyCookie(request, reply, { key: platform.keys.familyCookies, cards, now: platform.clock.now() });
  return [
    seasonRoutes(app.seasons),
    rosterRoutes(app.athletes),
    rosterCareRoutes(app),
    rosterImportRoutes(app.rosterImports),
    consentRoutes(app.consentOffice),
    taggingRoutes(app.tagging),
    taggingDeskRoutes(app.taggingDesk),
    allowanceRoutes(app.allowances),
    familyOrderRoutes(app.familyOrders),
    cardRoutes(app.cards, app.cardPrinting),
    familyRoutes({ ...app.families, ...app.refusals }, keepCards),
    familyPageRoutes(app.familyPage),
    watchRoutes(app.watches),
  ];
}

function probesOf({ platform, metrics, metricsOfOthers = async () => [], isLeaving = () => false }: ProductOptions) {
  return probeRoutes({
    database: () => platform.database.check(),
    store: () => stateOfStore(platform),
    isLeaving,
    metrics: async () => {
      const [own = '', others] = await Promise.all([metrics?.text(), metricsOfOthers()]);
      return mergeMetrics([own, ...others]);
    },
  });
}

/** Counts the outcomes of checkouts. */
function counted(orders: App['orders'], metrics: Metrics | null): App['orders'] {
  if (!metrics) return orders;
  for (const outcome of CHECKOUT_OUTCOMES) metrics.countCheckout(outcome, 0);
  return {
    ...orders,
    async place(caller, body) {
      try {
        const placed = await orders.place(caller, body);
        metrics.countCheckout(outcomeOfOrder(placed));
        return placed;
      } catch (error) {
        metrics.countCheckout(outcomeOfRefusal(error));
        throw error;
      }
    },
  };
}

function pagesOf(
  { app, platform, pages }: ProductOptions,
  passwordPolicy: PasswordPolicy,
  sendCached: SendCached,
): ServerDeps['modules'] {
  const { config, disk } = platform;
  if (!pages) return [];
  return [
    pageRoutes({
      app,
      ...pages,
      sendCached,
      connect: disk ? [] : s3Origins(config),
      cards: cardOrigins(config),
      picturesFrom: platform.cdn.origin,
      forms: [
        loginForm(app),
        ...passwordForms(app, passwordPolicy),
        signUpForm(app, passwordPolicy),
        confirmEmailForm(app),
        changeEmailForm(app),
        expertForm(app),
        findOrderForm(app),
      ],
    }),
  ];
}

/** The origins that Stripe documents for its script, its frames and its calls; without Stripe none of them may load. */
function cardOrigins(config: Platform['config']): string[] {
  return config.stripe
    ? ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://api.stripe.com', 'https://hooks.stripe.com']
    : [];
}

/** Where the browser may send uploads when objects live in an S3 store. */
function s3Origins(config: Platform['config']): string[] {
  if (!config.s3) return [];
  const { bucket, endpoint, region, forcePathStyle } = config.s3;
  const base = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  return [forcePathStyle ? base.origin : `${base.protocol}//${bucket}.${base.host}`];
}
