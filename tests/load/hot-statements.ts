/** The statements that run most often, as the product's own functions send them; for `npm run plans`. */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
} from 'kysely';
import type pg from 'pg';
import { addSales } from '#src/features/galleries/gallery-writes.sql.ts';
import { findGallery } from '#src/features/galleries/galleries.sql.ts';
import { insertPostings, listOpenPayables } from '#src/features/ledger/ledger.sql.ts';
import { listOfBuyer } from '#src/features/find-my-order/find-orders.sql.ts';
import { insertOrder, findByCheckoutKey } from '#src/features/orders/orders.sql.ts';
import { findPaidLine, findReceipt } from '#src/features/orders/receipts.sql.ts';
import { markPaid } from '#src/features/orders/payments.sql.ts';
import { listDebtors, listOwnAccounts, listReview } from '#src/features/payouts/payout-lists.sql.ts';
import { addPhotoSales } from '#src/features/photos/photo-writes.sql.ts';
import { listOpenPage } from '#src/features/photos/open-page.sql.ts';
import { listPhotos, listSellable } from '#src/features/photos/photos.sql.ts';
import { findPictureRights } from '#src/features/pictures/pictures.sql.ts';
import { replaceRenditions } from '#src/features/pictures/renditions.sql.ts';
import { listOrders } from '#src/features/refunds/refund-lists.sql.ts';
import { listFigures, listSales } from '#src/features/reports/reports.sql.ts';
import { countSales, listBySeller, listDays, sumNet } from '#src/features/reports/sales-days.sql.ts';
import {
  firstPosting,
  listAccounts,
  listLines,
  listMonthlyMoves,
} from '#src/features/statements/statement-figures.sql.ts';
import { findRevisions } from '#src/features/tenancy/revisions.sql.ts';
import { addVisit } from '#src/features/visits/visits.sql.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import type { Schema } from '#src/platform/db/schema.ts';
import { GALLERIES_WITH_RENDITIONS } from '#tests/load/large-tables.ts';
import { takeHits } from '#src/platform/limits/rate-counters.sql.ts';
import type { RenditionSize } from '#src/shared/picture-sizes.ts';

/** A gallery with renditions, three of its photos, an order of its parent's sellers, and the accounts that a sale is booked in. */
export type Sample = {
  galleryId: number;
  organizationId: number;
  photoIds: number[];
  orderId: number;
  sellerId: number;
  vanityId: string;
  checkoutKey: string;
  email: string;
  orderKey: string;
  accountIds: [clearing: number, fee: number, payable: number];
};

/** At most `count` samples, always the same ones of one database. */
export async function readSamples(owner: pg.Client, count: number): Promise<Sample[]> {
  const { rows } = await owner.query<Sample>(
    `with picked as (
       select g.id, g.organization_id, row_number() over (order by hashint8(g.id)) as place
         from galleries g where g.id in (${GALLERIES_WITH_RENDITIONS})
          and exists (select from photo_keywords k where k.gallery_id = g.id) order by hashint8(g.id) limit $1
     ), bought as (
       select o.*, row_number() over (order by hashint8(o.id)) as place from orders o order by hashint8(o.id) limit $1
     )
     select picked.id as "galleryId", picked.organization_id as "organizationId",
            (select array_agg(p.id) from (select id from photos where gallery_id = picked.id and show_in_gallery and status = 'ready' and removed_at is null order by id limit 3) p) as "photoIds",
            bought.id as "orderId", bought.organization_id as "sellerId", bought.vanity_id as "vanityId", bought.checkout_key as "checkoutKey",
            bought.email_address::text as email, (select min(order_key) from order_photos where order_id = bought.id) as "orderKey",
            array[(select id from ledger_accounts where organization_id is null and kind = 'provider_clearing'),
                  (select id from ledger_accounts where organization_id is null and kind = 'platform_fee'),
                  (select id from ledger_accounts where organization_id = bought.organization_id and kind = 'org_payable')] as "accountIds"
       from picked join bought using (place) order by place`,
    [count],
  );
  if (rows.length < 10) throw new Error(`there are only ${rows.length} samples`);
  return rows;
}

type Send = (tx: Writer, sample: Sample) => Promise<unknown>;

export type HotStatement = {
  name: string;
  /** Whose rows it may see; null: public ones. */
  scope: (sample: Sample) => string | null;
  /** What must have been written before, in the same transaction. */
  before?: Send;
  send: Send;
  /** Pages that it may read in addition to those of the returned rows: for a sum. */
  reads?: number;
};

const CLUB = ({ organizationId }: Sample) => String(organizationId);
const SELLER = ({ sellerId }: Sample) => String(sellerId);
const SYSTEM = () => '*';
const PUBLIC = () => null;

const newKey = () => randomBytes(16).toString('base64url');
let chargeKey = randomUUID();

function order(tx: Reader, { organizationId, galleryId, photoIds }: Sample): Promise<unknown> {
  chargeKey = randomUUID();
  return insertOrder(tx as Writer, {
    vanityId: newKey(),
    organizationId,
    checkoutKey: newKey(),
    contentHash: randomBytes(32),
    firstName: 'Ann',
    lastName: 'Buyer',
    email: 'ann@buyers.test',
    zip: '55401',
    subtotalCents: 1_200,
    taxCents: 0,
    donationCents: 0,
    donationGalleryId: null,
    taxRatePpm: 0,
    taxReason: 'no tax',
    shareBps: 2_000,
    processor: 'platform',
    kind: 'photos',
    creditCents: 0,
    bonusCents: 0,
    createdAt: new Date(),
    lines: photoIds.map((photoId) => ({ photoId, galleryId, priceCents: 400, orderKey: newKey() })),
    charge: { idempotencyKey: chargeKey, amountCents: 1_200, accountSecret: null },
  });
}

const SIZES: readonly RenditionSize[] = [320, 480, 640, 960, 1440];

function renditions() {
  return SIZES.flatMap((size) =>
    (['clean', 'marked'] as const).map((mark) => {
      const sha256 = randomBytes(32).toString('hex');
      return {
        size,
        mark,
        key: `renditions/${sha256}.jpg`,
        sha256,
        bytes: 1,
        width: 1,
        height: 1,
      };
    }),
  );
}

/** By how often they run in the busiest minute (docs/capacity.md). */
export const HOT_STATEMENTS: readonly HotStatement[] = [
  {
    name: 'findRevisions',
    scope: PUBLIC,
    send: (db, { organizationId, galleryId }) => findRevisions(db, [{ organizationId, galleryId }]),
  },
  {
    name: 'findPictureRights',
    scope: PUBLIC,
    send: (db, { galleryId, photoIds }) => findPictureRights(db, [{ galleryId, photoId: photoIds[0] ?? 0, size: 640 }]),
  },
  {
    name: 'openPageText',
    scope: PUBLIC,
    send: (db, { galleryId }) => listOpenPage(db, { galleryId, visitorId: null, after: null, limit: 10 }),
  },
  { name: 'findGallery', scope: PUBLIC, send: (db, { galleryId }) => findGallery(db, galleryId) },
  {
    name: 'addVisit',
    scope: CLUB,
    send: (tx, { organizationId, galleryId }) => addVisit(tx, { organizationId, galleryId, day: '2026-05-09' }),
  },
  {
    name: 'takeHits',
    scope: PUBLIC,
    send: (tx) => takeHits(tx, 'orders 203.0.113.7', { limit: 120, windowSeconds: 600, cost: 1 }),
  },
  { name: 'listSellable', scope: PUBLIC, send: (db, { photoIds }) => listSellable(db, photoIds) },
  { name: 'insertOrder', scope: CLUB, send: order },
  {
    name: 'markPaid',
    scope: CLUB,
    before: order,
    send: (tx) =>
      markPaid(tx, chargeKey, {
        chargeId: newKey(),
        feeCents: 65,
        cardBrand: 'visa',
        cardLast4: '4242',
        paidAt: new Date(),
      }),
  },
  {
    name: 'insertPostings',
    scope: SELLER,
    send: (tx, { orderId, accountIds: [clearing, fee, payable] }) =>
      insertPostings(
        tx,
        [{ kind: 'sale', sourceType: 'order', sourceId: newKey() }],
        [
          { posting: 0, accountId: clearing, amountCents: 1_135, orderId },
          { posting: 0, accountId: fee, amountCents: -240, orderId },
          { posting: 0, accountId: payable, amountCents: -895, orderId },
        ],
        new Date(),
      ),
  },
  {
    name: 'addPhotoSales, addSales',
    scope: CLUB,
    send: async (tx, { galleryId, photoIds }) => {
      await addPhotoSales(
        tx,
        photoIds.map((photoId) => ({ photoId, count: 1, salesCents: 400 })),
      );
      await addSales(tx, [{ galleryId, photos: photoIds.length, salesCents: 1_200, donationCents: 0 }]);
    },
  },
  {
    name: 'replaceRenditions',
    scope: CLUB,
    send: (tx, { photoIds }) => replaceRenditions(tx, { id: photoIds[0] ?? 0, pixelVersion: 2 }, renditions()),
  },
];

/** Further ones that could grow with a table: look-ups by a key without an organization, lists, and sums. */
export const OTHER_STATEMENTS: readonly HotStatement[] = [
  { name: 'findByCheckoutKey', scope: SYSTEM, send: (db, { checkoutKey }) => findByCheckoutKey(db, checkoutKey) },
  { name: 'findReceipt', scope: SYSTEM, send: (db, { vanityId }) => findReceipt(db, { vanityId }) },
  { name: 'findPaidLine', scope: SYSTEM, send: (db, { orderKey }) => findPaidLine(db, orderKey) },
  { name: 'listOfBuyer', scope: SYSTEM, send: (db, { email }) => listOfBuyer(db, email, { months: 24, atMost: 50 }) },
  {
    name: 'listPhotos (editor)',
    scope: CLUB,
    send: (db, { galleryId }) =>
      listPhotos(db, { galleryId, audience: 'members', visitorId: null, after: null, limit: 101 }),
  },
  {
    name: 'listOrders',
    scope: SELLER,
    send: (db, { sellerId }) => listOrders(db, { organizationIds: [sellerId], wanted: null, before: null, limit: 51 }),
  },
  {
    name: 'listSales (a seller, 30 days)',
    scope: SELLER,
    reads: 10_000,
    send: (db, { sellerId }) =>
      listSales(db, { organizationIds: [sellerId], range: lastDays(30), timeZone: 'America/New_York' }),
  },
];

/** Sums over much data: of a parent (`all` are those below it), of one seller, and of everyone. */
export function sumStatements(all: readonly number[]): readonly HotStatement[] {
  const timeZone = 'America/New_York';
  const parent = { organizationIds: all, timeZone };
  const [from, until] = [new Date(Date.now() - 30 * 86_400_000), new Date()];
  const holders = all.map((id) => ({ id, name: '', path: '' }));
  const system = (name: string, send: Send): HotStatement => ({ name, scope: SYSTEM, send });
  return [
    system('listReview (payouts)', (db) => listReview(db, { paidUntil: from, organizationIds: null })),
    system('listDebtors (payouts)', (db) => listDebtors(db, '', 100)),
    system('listOwnAccounts (payouts)', (db) => listOwnAccounts(db, '', 50)),
    system('listOpenPayables (a seller)', (db, { sellerId }) => listOpenPayables(db, [sellerId])),
    system('listFigures (50 organizations)', (db) => listFigures(db, all.slice(0, 50), 1_001)),
    system('listSales (a parent)', (db) => listSales(db, { ...parent, range: null })),
    system('listSales (a parent, 30 days)', (db) => listSales(db, { ...parent, range: lastDays(30) })),
    system('listDays (a parent)', (db) => listDays(db, { ...parent, range: null })),
    system('listDays (a parent, 60 days)', (db) => listDays(db, { ...parent, range: lastDays(60) })),
    system('sumNet (a parent, 30 days)', (db) => sumNet(db, { ...parent, range: lastDays(30) })),
    system('listBySeller (a parent, 30 days)', (db) => listBySeller(db, { ...parent, range: lastDays(30) })),
    system('countSales (a parent)', (db) => countSales(db, parent, lastDays(30))),
    system('listMonthlyMoves (a parent)', (db) => listMonthlyMoves(db, holders, [{ since: from, until }])),
    system('firstPosting (a parent)', (db) => firstPosting(db, holders)),
    system('statement listAccounts (a parent)', (db) => listAccounts(db, holders, { since: from, until })),
    system('statement listLines (a parent)', (db) =>
      listLines(db, holders, { since: from, until }, { after: null, limit: 101 }),
    ),
    system('listOrders (a parent)', (db) =>
      listOrders(db, { organizationIds: all, wanted: null, before: null, limit: 51 }),
    ),
  ];
}

function lastDays(days: number) {
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { from: dayOf(Date.now() - days * 86_400_000), to: dayOf(Date.now()) };
}

/** The statements that a function sends, without a database: every statement finds no rows. */
export async function record(send: Send, sample: Sample): Promise<CompiledQuery[]> {
  const sent: CompiledQuery[] = [];
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (any) => new PostgresIntrospector(any),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: (event) => void sent.push(event.query),
  });
  await db.transaction().execute((tx) => send(tx, sample));
  if (sent.length === 0) throw new Error('nothing was sent');
  return sent;
}
