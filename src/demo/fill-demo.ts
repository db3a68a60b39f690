/**
 * Fills an empty database with the demo, over HTTP: the owners sign in, create their galleries and upload; buyers pay
 * with sandbox cards. Each step checks first whether it was already done, so a start that was interrupted is completed
 * by the next one.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { picturesOf } from '#src/demo/catalog.ts';
import { DemoClient, type DemoDeps, type DemoGalleryMade } from '#src/demo/demo-client.ts';
import {
  planDemoOrders,
  type DemoOrder,
  DEMO_ADMIN,
  DEMO_GALLERIES,
  DEMO_ORGANIZATIONS,
  DEMO_PASSWORD,
  DEMO_PRICE_SHEET,
  DEMO_PROMO_CODE,
  type DemoGallery,
  type DemoOrganization,
} from '#src/demo/demo-plan.ts';
import { makeRoster, sellBySheet } from '#src/demo/demo-roster.ts';
import * as demoSql from '#src/demo/demo.sql.ts';
import { ROOT } from '#src/platform/program-files.ts';
import { DAY_MS } from '#src/shared/dates.ts';

const PICTURES = join(ROOT, 'demo/pictures');
const SYSTEM = { kind: 'system', why: 'the demo is filled before anyone can log in' } as const;
const READY_WITHIN_MS = 120_000;

type Making = Pick<DemoDeps, 'app' | 'platform'>;

/** Fills the demo if it is not complete. Returns whether there was anything to do. */
export async function fillDemo(deps: DemoDeps): Promise<boolean> {
  const { database } = deps.platform;
  if (await database.read(SYSTEM, demoSql.demoIsComplete)) return false;
  if (!(await database.read(SYSTEM, demoSql.demoMayBegin))) return false;
  await database.write(SYSTEM, (tx) => demoSql.markDemo(tx, 'begun'));
  const ids = await makeOrganizations(deps);
  await makeUser(deps, { ...DEMO_ADMIN, roleId: 2, administers: [] });
  const galleries: DemoGalleryMade[] = [];
  for (const plan of DEMO_GALLERIES) galleries.push(await makeGallery(deps, plan, ids));
  await waitUntilReady(
    deps,
    galleries.flatMap((gallery) => gallery.photos),
  );
  await featureCovers(deps, galleries);
  await placeOrders(deps, galleries);
  await makeDemoPayouts(deps);
  await makePriceSheet(deps, galleries);
  await makeRoster(deps, galleries);
  await closeInactive(deps, galleries);
  await database.write(SYSTEM, (tx) => demoSql.markDemo(tx, 'complete'));
  return true;
}

async function makeOrganizations({ app, platform }: Making): Promise<Map<string, number>> {
  const ids = new Map([['www', 1]]);
  for (const plan of DEMO_ORGANIZATIONS) {
    const parentId = plan.parent === null ? null : (ids.get(plan.parent) ?? 1);
    const existing = await platform.database.read(SYSTEM, (db) => demoSql.findOrganization(db, plan.path, parentId));
    const id = existing ?? (await makeOrganization({ app, platform }, plan, parentId));
    ids.set(plan.path, id);
    await makeUser({ app, platform }, { ...plan, roleId: 1, administers: [id] });
    if (plan.reportsBuyerColumns)
      await platform.database.write(SYSTEM, (tx) => demoSql.setFlag(tx, id, 'reports_buyer_columns'));
    if (plan.shownOnHomePage)
      await platform.database.write(SYSTEM, (tx) => demoSql.setFlag(tx, id, 'shown_on_home_page'));
    if (plan.takesPromoCodes)
      await platform.database.write(SYSTEM, (tx) =>
        demoSql.insertPromoCode(tx, { organizationId: id, code: DEMO_PROMO_CODE, maxUses: 100 }),
      );
  }
  return ids;
}

async function makeOrganization(
  { app, platform }: Making,
  plan: DemoOrganization,
  parentId: number | null,
): Promise<number> {
  const store = async (file: string | undefined, name: string) => {
    if (file === undefined) return undefined;
    const key = `organizations/demo/${plan.path}-${name}${file.slice(file.lastIndexOf('.'))}`;
    await platform.storage.put(key, await readFile(join(PICTURES, file)), {
      contentType: file.endsWith('.png') ? 'image/png' : 'image/jpeg',
    });
    return key;
  };
  const logoKey = await store(plan.logo, 'logo');
  const homeImageKey = await store(plan.homeImage, 'home');
  const tabletAdKey = await store(plan.sponsor?.tablet, 'sponsor-tablet');
  const mobileAdKey = await store(plan.sponsor?.mobile, 'sponsor-mobile');
  return app.organizations.create(
    {
      kind: parentId === null ? 'organization' : 'affiliate',
      name: plan.name,
      domainName: plan.path,
      parentOrganizationId: parentId,
      contactName: `${plan.firstName} ${plan.lastName}`,
      contactEmail: plan.email,
      freeTier: plan.freeTier,
    },
    {
      primaryColor: plan.primaryColor,
      ...(plan.taxId === undefined ? {} : { taxId: plan.taxId }),
      ...(plan.takesPromoCodes === undefined ? {} : { takesPromoCodes: plan.takesPromoCodes }),
      ...(logoKey === undefined ? {} : { logoKey }),
      ...(homeImageKey === undefined ? {} : { homeImageKey }),
      ...(plan.sponsor && tabletAdKey && mobileAdKey
        ? { tabletAdKey, mobileAdKey, tabletAdUrl: plan.sponsor.link, mobileAdUrl: plan.sponsor.link }
        : {}),
    },
  );
}

async function makeUser(
  { app, platform }: Making,
  user: { email: string; firstName: string; lastName: string; roleId: 1 | 2; administers: readonly number[] },
): Promise<void> {
  if (await platform.database.read(SYSTEM, (db) => demoSql.userExists(db, user.email))) return;
  await app.accounts.createUser({ ...user, password: DEMO_PASSWORD });
}

const picturesOfPlan = ({ pictures, only }: DemoGallery) =>
  picturesOf(pictures).filter(({ name }) => only?.includes(name) ?? true);

async function makeGallery(deps: DemoDeps, plan: DemoGallery, ids: ReadonlyMap<string, number>) {
  const { platform, built } = deps;
  const organizationId = ids.get(plan.owner);
  if (organizationId === undefined) throw new Error(`the demo plan has no organization ${plan.owner}`);
  const client = await DemoClient.signInOwner(built, plan.owner);
  const existing = await platform.database.read(SYSTEM, (db) => demoSql.findGallery(db, organizationId, plan.name));
  const id = existing?.id ?? (await client.createGallery(organizationId, plan));
  const present = new Map((existing?.photos ?? []).map((photo) => [photo.name, photo.id]));
  const pictures = picturesOfPlan(plan);
  // The newest claim comes first: the last picture of the day is claimed first.
  for (const picture of pictures.toReversed()) {
    if (present.has(picture.name)) continue;
    const bytes = await readFile(join(PICTURES, plan.pictures, picture.file));
    const photoId = await client.upload({
      galleryId: id,
      organizationId,
      storage: platform.storage,
      bytes,
      file: picture.file,
      name: picture.name,
    });
    await client.addKeywords(id, photoId, picture.keywords);
    present.set(picture.name, photoId);
  }
  return { plan, id, organizationId, photos: pictures.map((picture) => present.get(picture.name) ?? 0) };
}

/** Waits for the worker, which develops the photos. If one fails, the demo itself is wrong. */
async function waitUntilReady({ platform }: DemoDeps, photoIds: readonly number[]): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    const counts = await platform.database.read(SYSTEM, (db) => demoSql.countByStatus(db, photoIds));
    if (counts.failed > 0) throw new Error(`${counts.failed} demo photos could not be developed`);
    if (counts.ready === photoIds.length) return;
    await pause(100);
  }
  throw new Error('the demo photos were not developed within two minutes');
}

async function featureCovers({ built }: DemoDeps, galleries: readonly DemoGalleryMade[]): Promise<void> {
  for (const { plan, id, photos } of galleries) {
    const index = picturesOfPlan(plan).findIndex((picture) => picture.name === plan.featured);
    const photoId = photos[index];
    if (photoId === undefined) continue;
    const client = await DemoClient.signInOwner(built, plan.owner);
    await client.feature(id, photoId);
  }
}

async function placeOrders(deps: DemoDeps, galleries: readonly DemoGalleryMade[]): Promise<void> {
  const visitor = new DemoClient(deps.built);
  const startedMs = Date.now();
  for (const [index, plan] of planDemoOrders().entries()) {
    const gallery = galleries.find((candidate) => candidate.plan.name === plan.gallery);
    if (!gallery) throw new Error(`the demo plan has no gallery ${plan.gallery}`);
    deps.setClock(new Date(startedMs - plan.daysAgo * DAY_MS));
    const vanityId = await visitor.order(gallery, plan, index);
    if (plan.reconciled) await markReconciled(deps, vanityId, plan, startedMs);
  }
  deps.setClock(new Date());
}

async function markReconciled({ platform }: DemoDeps, vanityId: string, plan: DemoOrder, startedMs: number) {
  const at = new Date(startedMs - (plan.daysAgo - 5) * DAY_MS);
  await platform.database.write(SYSTEM, (tx) =>
    demoSql.markReconciled(tx, { vanityId, at, byEmail: DEMO_ADMIN.email }),
  );
}

/** After the orders, which were sold before the price sheet existed. */
async function makePriceSheet(deps: DemoDeps, galleries: readonly DemoGalleryMade[]): Promise<void> {
  const { built, platform } = deps;
  const { owner: path, gallery: name, sheet, coupon } = DEMO_PRICE_SHEET;
  const gallery = galleries.find(({ plan }) => plan.owner === path && plan.name === name);
  if (!gallery) throw new Error(`the demo plan has no gallery ${name}`);
  const client = await DemoClient.signInOwner(built, path);
  await sellBySheet(deps, client, gallery, sheet);
  if (!(await platform.database.read(SYSTEM, (db) => demoSql.hasCoupon(db, gallery.organizationId))))
    await client.post(`/api/v1/affiliates/${gallery.organizationId}/coupons`, {
      coupon: { ...coupon, gallery_ids: [gallery.id] },
    });
}

async function closeInactive({ built }: DemoDeps, galleries: readonly DemoGalleryMade[]): Promise<void> {
  for (const { plan, id } of galleries) {
    if (!plan.inactive) continue;
    const client = await DemoClient.signInOwner(built, plan.owner);
    await client.post(`/api/v1/galleries/${id}/inactive`);
  }
}

const FIRST_PAYOUT_DAYS_AGO = 22;
const CONFIRMED_DAYS_AGO = 20;
/** Newer ones can be paid out by anyone who tries the demo. */
const UNPAID_IF_NEWER_THAN_DAYS = 45;

/**
 * Payouts by the platform admin: one of three weeks ago that arrived, one of yesterday in transit. Each step checks
 * first whether it was already done.
 */
async function makeDemoPayouts(deps: DemoDeps): Promise<void> {
  const { platform, built, setClock } = deps;
  const nowMs = Date.now();
  const daysAgo = (days: number) => new Date(nowMs - days * DAY_MS);
  const holdDays = platform.config.payoutHoldDays;
  const payouts = () => platform.database.read(SYSTEM, demoSql.listPayouts);
  const payOut = async (at: Date, soldUntil: Date) => {
    const ids = await platform.database.read(SYSTEM, (db) => demoSql.listUnpaidOrders(db, soldUntil));
    if (ids.length === 0) return;
    setClock(at);
    const admin = await DemoClient.signIn(built, DEMO_ADMIN.email);
    await admin.post('/api/v1/orders/bulk-pay-out', { ids });
  };

  if ((await payouts()).length === 0)
    await payOut(daysAgo(FIRST_PAYOUT_DAYS_AGO), daysAgo(FIRST_PAYOUT_DAYS_AGO + holdDays));
  const first = await payouts();
  // If a second person must confirm, the demo's only admin leaves them waiting.
  const mayConfirm = platform.config.payoutSecondApprovalCents === null;
  if (mayConfirm && first.every((payout) => payout.status === 'created') && first.length > 0) {
    setClock(daysAgo(CONFIRMED_DAYS_AGO));
    const admin = await DemoClient.signIn(built, DEMO_ADMIN.email);
    for (const [index, { id }] of first.entries())
      await admin.post(`/api/v1/payouts/${id}/confirm`, { reference: `ACH 20${4711 + index}` });
  }
  if ((await payouts()).every((payout) => payout.status === 'paid'))
    await payOut(daysAgo(1), daysAgo(Math.max(UNPAID_IF_NEWER_THAN_DAYS, holdDays + 1)));
  setClock(new Date());
}
