/**
 * Stores an order: its row, lines and charge, and in the same transaction the offers that it was sold with. A pass that its
 * buyer already has is not sold again, and the use of a code is reserved under the code's lock, so no order is half stored.
 */
import type { AllowanceUses } from '#src/features/allowances/allowance-uses.service.ts';
import type { CouponUseService } from '#src/features/coupons/coupon-uses.service.ts';
import { INCLUDED_WITH_REGISTRATION, reductionName } from '#src/features/offers/offer-words.rules.ts';
import type { PassAthlete } from '#src/features/order-offers/athlete-key.rules.ts';
import type { CreditService } from '#src/features/credit/credit.service.ts';
import type { SpentCredit } from '#src/features/credit/credit.rules.ts';
import { askedPriceOf } from '#src/features/order-offers/asked-price.rules.ts';
import { freezeOffers, type FrozenOffers } from '#src/features/order-offers/frozen-offers.sql.ts';
import type { OfferPrice } from '#src/features/orders/offer-pricing.service.ts';
import { nameOfOffer } from '#src/features/order-offers/quoted-offers.rules.ts';
import { insertFamilies } from '#src/features/orders/order-families.sql.ts';
import * as ordersSql from '#src/features/orders/orders.sql.ts';
import { alreadyYours } from '#src/features/order-offers/sold-passes.contract.ts';
import { lastDayOfAthletePass, lastDayOfPass, partsOfPass } from '#src/features/order-offers/sold-passes.rules.ts';
import * as passesSql from '#src/features/orders/order-passes.sql.ts';
import { receiptEmail } from '#src/features/orders/receipt.mail.tsx';
import { freeReceiptLimits } from '#src/features/orders/receipts.service.ts';
import * as receiptsSql from '#src/features/orders/receipts.sql.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Writer } from '#src/platform/db/db.ts';
import { mayTake } from '#src/platform/limits/rate-limits.ts';
import type { Platform } from '#src/platform/platform.ts';
import { randomToken } from '#src/platform/secrets.ts';
import type { SiteOrigin } from '#src/shared/addresses.ts';
import { problem } from '#src/shared/problem.ts';
import { HOUR_SECONDS } from '#src/shared/dates.ts';

const CHECKOUT = {
  kind: 'system',
  why: 'a visitor buys: the order is written for the seller whose photos were priced',
} as const;
/** More refusals would be a search for who has a pass. */
const REFUSALS_AN_HOUR = 10;

export type StoringDeps = Pick<Platform, 'database' | 'limits' | 'outbox'> & {
  origin: SiteOrigin;
  coupons: Pick<CouponUseService, 'reserve'>;
  allowances: Pick<AllowanceUses, 'reserve'>;
  credit: Pick<CreditService, 'reserve'>;
};

/** An order with its offers, and the credit that pays for it; `requireAllowed` refuses a buyer who may not pay by card now. */
type ToStore = {
  order: ordersSql.NewOrder;
  offered: OfferPrice | null;
  credit: readonly SpentCredit[];
  requireAllowed?: (tx: Writer) => Promise<void>;
};

/** The buyer already has this pass, from another order. */
class AlreadyOwned extends Error {
  readonly order: { id: number; vanityId: string };
  constructor(order: AlreadyOwned['order']) {
    super('the buyer has this pass');
    this.order = order;
  }
}

/**
 * Stores an order, and runs `inSameTransaction` after it. Null when its checkout key is already known.
 * @throws conflict for a pass that the buyer has, and for credit that was spent meanwhile; invalid for a code that was used up
 */
export async function storeOrder<Result>(
  ctx: StoringDeps,
  caller: Caller,
  { order, offered, credit, requireAllowed = async () => undefined }: ToStore,
  inSameTransaction: (tx: Writer, stored: ordersSql.StoredOrder) => Promise<Result>,
): Promise<Result | null> {
  return writeUnlessOwned(ctx, caller, async (tx) => {
    const allowing = requireAllowed(tx);
    if (offered) await allowing.then(() => requireNotOwned(tx, passesQueryOf(order, offered)));
    // Sent together; an order that is not allowed is rolled back.
    const [stored] = await Promise.all([ordersSql.insertOrder(tx, order), allowing]);
    if (stored === null) return null;
    const { id } = stored;
    if (offered) await freeze(ctx, tx, { ...order, id }, offered);
    if (caller.family) await insertFamilies(tx, { ...order, id, cards: caller.family.cards });
    await ctx.credit.reserve(tx, id, credit);
    return inSameTransaction(tx, stored);
  });
}

function passesQueryOf(
  { email, checkoutKey: besideKey }: ordersSql.NewOrder,
  { best, question, athletePasses }: OfferPrice,
) {
  const galleryIds = best.offers.flatMap(({ kind, galleryId }) => (kind === 'gallery_pass' ? (galleryId ?? []) : []));
  const athletes = best.offers.flatMap((offer) => {
    const pass = athletePassOf(athletePasses, offer);
    return pass ? { ...pass.athlete, sheetId: pass.sheetId } : [];
  });
  return { galleryIds, athletes, email, today: question.today, besideKey };
}

type Sold = OfferPrice['best']['offers'][number];

const athletePassOf = (passes: OfferPrice['athletePasses'], { athleteKey, sheetId }: Sold) =>
  passes.find((pass) => pass.key === athleteKey && pass.sheetId === sheetId);

/** Refuses passes that the address already has, under a lock, so that two simultaneous orders cannot both buy one. */
export async function requireNotOwned(tx: Writer, wanted: passesSql.OwnPassQuery): Promise<void> {
  if (wanted.galleryIds.length + wanted.athletes.length === 0) return;
  await passesSql.lockPassesOf(tx, wanted.email, wanted);
  const order = await passesSql.findOwnPass(tx, wanted);
  if (order) throw new AlreadyOwned(order);
}

/**
 * Runs a transaction that calls `requireNotOwned`. A buyer who already has the pass gets its receipt again, by email to the
 * address of that order.
 * @throws conflict; too_many
 */
export async function writeUnlessOwned<Result>(
  ctx: StoringDeps,
  caller: Caller,
  work: (tx: Writer) => Promise<Result>,
): Promise<Result> {
  try {
    return await ctx.database.write(CHECKOUT, work);
  } catch (refusal) {
    if (!(refusal instanceof AlreadyOwned)) throw refusal;
    await ctx.limits.take({
      bucket: `own passes:ip:${caller.ip}`,
      limit: REFUSALS_AN_HOUR,
      windowSeconds: HOUR_SECONDS,
    });
    await mailReceipt(ctx, refusal.order.id);
    throw problem('conflict', alreadyYours(refusal.order.vanityId));
  }
}

async function mailReceipt(ctx: StoringDeps, orderId: number): Promise<void> {
  const receipt = await ctx.database.read(CHECKOUT, (db) => receiptsSql.findReceipt(db, { id: orderId }));
  if (!receipt || receipt.status === 'pending') return;
  if (!(await mayTake(ctx.limits, ...freeReceiptLimits(receipt.email)))) return;
  const message = { ...receiptEmail(receipt, ctx.origin), dedupeKey: `receipt-again:${randomToken(16)}` };
  await ctx.database.write(CHECKOUT, (tx) => ctx.outbox.queueEmail(tx, message));
}

async function freeze(ctx: StoringDeps, tx: Writer, order: ordersSql.NewOrder & { id: number }, price: OfferPrice) {
  await freezeOffers(tx, order, frozenOf(price));
  const { included = [] } = price.best;
  await ctx.allowances.reserve(tx, {
    orderId: order.id,
    uses: included.map(({ allowanceId, photoIds }) => ({ allowanceId, photos: photoIds.length })),
  });
  const { reduction } = price.best;
  if (reduction === null || reduction.couponId === null) return;
  const { couponId, savedCents } = reduction;
  await ctx.coupons.reserve(tx, {
    couponId,
    orderId: order.id,
    email: order.email,
    soldCents: order.subtotalCents,
    savedCents,
  });
}

/** Photos that are included with registration, stored as an offer without a price sheet. */
const INCLUDED = {
  kind: 'included' as const,
  name: INCLUDED_WITH_REGISTRATION,
  times: 1,
  priceCents: 0,
  sheetId: null,
  version: null,
  offerId: null,
  galleryId: null,
};

function athleteOf({ athletePasses }: OfferPrice, offer: Sold): { athlete?: PassAthlete } {
  const pass = athletePassOf(athletePasses, offer);
  return pass ? { athlete: pass.athlete } : {};
}

function frozenPass(price: OfferPrice, sold: Sold, offer: number): FrozenOffers['passes'][number] | null {
  const { kind, galleryId, sheetId, paidCents } = sold;
  const common = { offer, galleryId, sheetId, paidCents, orderKey: randomToken(16) };
  const { today } = price.question;
  if (kind === 'gallery_pass' && galleryId !== null)
    return { ...common, kind, validUntil: lastDayOfPass(today), galleries: [{ galleryId, priceCents: paidCents }] };
  const pass = athletePassOf(price.athletePasses, sold);
  if (kind !== 'athlete_pass' || !pass) return null;
  const validUntil = lastDayOfAthletePass(pass, today);
  return { ...common, kind, validUntil, galleries: partsOfPass(pass, paidCents), ...athleteOf(price, sold) };
}

function frozenOf(price: OfferPrice): FrozenOffers {
  const { best, question } = price;
  const { reduction } = best;
  const included = new Set(best.included?.flatMap(({ photoIds }) => photoIds));
  return {
    offers: [
      ...best.offers.map((offer) => {
        const { kind, times, priceCents, sheetId, version, offerId, galleryId } = offer;
        const name = nameOfOffer(price, offer);
        const sold = { kind, name, times, priceCents, sheetId, version, offerId, galleryId };
        return { ...sold, ...athleteOf(price, offer) };
      }),
      ...(included.size > 0 ? [INCLUDED] : []),
    ],
    lines: best.lines.map(({ photoId, singleCents, offer }) => ({
      photoId,
      singleCents,
      offer: included.has(photoId) ? best.offers.length : offer,
    })),
    passes: best.offers.flatMap((offer, at) => frozenPass(price, offer, at) ?? []),
    reduction: reduction && {
      kind: reduction.kind,
      couponId: reduction.couponId,
      percentBp: reduction.percentBp,
      amountCents: reduction.amountCents,
      name: reductionName(reduction, question.coupon),
    },
    asked: askedPriceOf(question, best),
  };
}
