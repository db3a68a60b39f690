/**
 * Buying credit: the order is stored as pending with its code, charged with an idempotency key that is already stored,
 * and settled like any order. Its code works once the order is paid. However often it is sent, there is one order, one
 * charge and one code.
 */
import { createHash, randomUUID } from 'node:crypto';
import { takeTurnToCharge } from '#src/features/billing/decline-limits.service.ts';
import type { CreditService } from '#src/features/credit/credit.service.ts';
import * as words from '#src/features/credit-shop/credit-shop.contract.ts';
import { creditContent, dayOfGift, offeredToday, type Offered } from '#src/features/credit-shop/credit-shop.rules.ts';
import { sendGiftsJob } from '#src/features/credit-shop/credit-shop.jobs.ts';
import * as shopSql from '#src/features/credit-shop/credit-shop.sql.ts';
import { pay } from '#src/features/orders/charging.service.ts';
import { findExisting, resume, type ExistingOrderContext } from '#src/features/orders/existing-orders.service.ts';
import { limitOrders } from '#src/features/orders/place-order.service.ts';
import type { OrderPlaced } from '#src/features/orders/orders.contract.ts';
import * as ordersSql from '#src/features/orders/orders.sql.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { OwnAccount } from '#src/features/tenancy/processor-keys.service.ts';
import { randomToken } from '#src/platform/secrets.ts';
import { machineDay } from '#src/shared/dates.ts';
import { problem, refuseFields, fieldProblem, type FieldErrors } from '#src/shared/problem.ts';

const CHECKOUT = {
  kind: 'system',
  why: 'a visitor buys credit: the order is written for the seller who offers it',
} as const;

export type BuyingContext = ExistingOrderContext & {
  organizations: Pick<OrganizationService, 'byId'>;
  credit: Pick<CreditService, 'makeCode'>;
};

/** What a seller offers to buyers today; null when it sells no credit. */
async function offeredBy(
  ctx: Pick<BuyingContext, 'database' | 'clock'>,
  seller: Organization,
): Promise<Offered | null> {
  const settings = await ctx.database.read(CHECKOUT, (db) => shopSql.findSettings(db, seller.id));
  return offeredToday(settings, machineDay(ctx.clock.now(), seller.timeZone));
}

/**
 * The seller whose credit pays for photos of this organization today: itself, or else its parent, whose codes work at
 * all its children (A.9). Null when neither sells credit.
 */
export async function soldFor(
  ctx: Pick<BuyingContext, 'database' | 'clock'>,
  seller: Organization,
  parent: Organization,
): Promise<{ seller: Organization; offered: Offered } | null> {
  // Skips the query for sellers that never sold credit.
  if (!seller.takesCodes) return null;
  const own = await offeredBy(ctx, seller);
  if (own) return { seller, offered: own };
  if (parent.kind === 'root' || parent.id !== seller.parentOrganizationId) return null;
  const offered = await offeredBy(ctx, parent);
  return offered && { seller: parent, offered };
}

type Wanted = {
  seller: Organization;
  bonusCents: number;
  bonusUntil: string | null;
  sendOn: string | null;
  contentHash: Buffer;
};

/**
 * Buys credit. `status` is "pending" while the payment is being confirmed.
 * @throws invalid; conflict for a bonus that has changed and for used keys; card_refused with the provider's message;
 * too_many
 */
export async function buy(ctx: BuyingContext, caller: Caller, body: words.BuyCredit): Promise<OrderPlaced> {
  await limitOrders(ctx, caller);
  const contentHash = createHash('sha256').update(creditContent(body)).digest();
  const payment = { order: { user: body.user, checkout_key: body.checkout_key }, stripe_token: body.stripe_token };
  // An existing order stays, even if the offer has changed since.
  const existing = await findExisting(ctx, payment, contentHash);
  if (existing) return resume(ctx, caller, payment, existing);
  const wanted = { ...(await wantedOf(ctx, body)), contentHash };
  const release = await takeTurnToCharge(ctx, caller, body.user.email);
  try {
    const { seller } = wanted;
    const account = seller.canAddCustomPayment ? await ctx.processorKeys.accountOf(seller.id) : null;
    const order = newOrder(body, wanted, account, ctx.clock.now());
    const orderId = await storeOrder(ctx, body, wanted, order);
    if (orderId === null) {
      const other = await findExisting(ctx, payment, contentHash);
      if (!other) throw problem('invalid', words.NO_CREDIT_HERE);
      return await resume(ctx, caller, payment, other);
    }
    const { vanityId, charge } = order;
    const placed = await pay(ctx, caller, payment, { ...charge, account, orderId, vanityId, totalCents: body.amount });
    // Sends a gift for today immediately; if this request dies, the scheduled job sends it.
    if (wanted.sendOn !== null && placed.status === 'paid')
      await ctx.database.write(CHECKOUT, (tx) => ctx.jobs.enqueue(tx, sendGiftsJob, null, { singletonKey: 'next' }));
    return placed;
  } finally {
    release();
  }
}

/** @throws invalid, with all problems by field; conflict */
async function wantedOf(ctx: BuyingContext, body: words.BuyCredit): Promise<Omit<Wanted, 'contentHash'>> {
  const seller = await ctx.organizations.byId(body.org_id);
  const offered = seller && (await offeredBy(ctx, seller));
  if (!seller || !offered) throw fieldProblem({ org_id: [words.NO_CREDIT_HERE] });
  const chosen = offered.amounts.find(({ cents }) => cents === body.amount);
  const sendOn = body.gift ? dayOfGift(body.gift, machineDay(ctx.clock.now(), seller.timeZone)) : null;
  const errors: FieldErrors = {};
  if (!chosen) errors['amount'] = [words.AMOUNT_NOT_OFFERED];
  if (body.gift && sendOn === null) errors['gift.send_on'] = [words.DAY_NOT_VALID];
  if (!body.stripe_token) errors['stripe_token'] = [words.CARD_REQUIRED];
  refuseFields(errors);
  const bonusCents = chosen?.bonusCents ?? 0;
  if (body.bonus !== undefined && body.bonus !== bonusCents) throw problem('conflict', words.BONUS_CHANGED);
  return { seller, bonusCents, bonusUntil: bonusCents > 0 ? offered.bonusUntil : null, sendOn };
}

/** Stores order, charge, code and gift in one transaction. Null when the checkout key is already known. */
async function storeOrder(
  ctx: BuyingContext,
  { gift }: words.BuyCredit,
  wanted: Wanted,
  order: ReturnType<typeof newOrder>,
) {
  const { seller, bonusCents, bonusUntil, sendOn } = wanted;
  return ctx.database.write(CHECKOUT, async (tx) => {
    const stored = await ordersSql.insertOrder(tx, order);
    if (stored === null) return null;
    const orderId = stored.id;
    const { subtotalCents: paidCents, processor } = order;
    const codeId = await ctx.credit.makeCode(tx, {
      organizationId: seller.id,
      orderId,
      paidCents,
      bonusCents,
      bonusUntil,
      processor,
    });
    if (gift && sendOn)
      await shopSql.insertGift(tx, {
        codeId,
        organizationId: seller.id,
        name: gift.name,
        email: gift.email,
        message: gift.message ?? '',
        sendOn,
      });
    return orderId;
  });
}

/** No tax and no share: those come with the photos that are bought with it. */
function newOrder(body: words.BuyCredit, { seller, contentHash }: Wanted, account: OwnAccount | null, createdAt: Date) {
  const { user, amount, checkout_key: checkoutKey } = body;
  return {
    vanityId: randomToken(16),
    organizationId: seller.id,
    checkoutKey,
    contentHash,
    firstName: user.first_name,
    lastName: user.last_name,
    email: user.email,
    zip: user.zip || null,
    subtotalCents: amount,
    taxCents: 0,
    donationCents: 0,
    donationGalleryId: null,
    taxRatePpm: 0,
    taxReason: 'prepaid credit',
    shareBps: 0,
    processor: account ? 'custom' : 'platform',
    kind: 'credit',
    creditCents: 0,
    bonusCents: 0,
    createdAt,
    lines: [],
    charge: { idempotencyKey: randomUUID(), amountCents: amount, accountSecret: account?.secretSealed ?? null },
  } satisfies ordersSql.NewOrder;
}
