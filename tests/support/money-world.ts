/** The product with a provider that loses responses on demand; plays one step of a history and keeps the model in step. */
import { randomUUID } from 'node:crypto';
import { salesByGallery, salesByPhoto } from '#src/features/orders/orders.rules.ts';
import { createChargeStatus } from '#src/features/refunds/charge-status.service.ts';
import type { SheetContent } from '#src/features/offers/best-price.rules.ts';
import { createCredit } from '#src/features/credit/credit.service.ts';
import { createLedgerService } from '#src/features/ledger/ledger.service.ts';
import { createApp, type App } from '#src/app.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { placeOrderBody } from '#src/features/orders/orders.contract.ts';
import type { PaymentProvider } from '#src/platform/payments/payments.ts';
import type { SandboxProvider } from '#src/platform/payments/sandbox-provider.ts';
import { sealText } from '#src/platform/secrets.ts';
import { cents, type Cents } from '#src/shared/money.ts';
import {
  feeOf,
  isDisputed,
  priceOf,
  reducedBy,
  returnOf,
  taxOf,
  totalOf,
  UPGRADE_CENTS,
  type Model,
  type ModelOrder,
  type Offers,
} from '#tests/support/money-model.ts';
import { payoutSteps } from '#tests/support/money-payouts.ts';
import { pick, refusable, type Loss, type Purchase, type Step } from '#tests/support/money-steps.ts';
import { POOR_CARD } from '#tests/support/payer.ts';
import { cartOf, openShop, type Shop } from '#tests/support/shop-goods.ts';
import { makeCoupon, useSheet } from '#tests/support/shop-sheets.ts';
import type { TestServer } from '#tests/support/test-server.ts';
import { closeDispute, openDispute } from '#tests/support/sandbox-books.ts';

const TAX_PPM = 68_750;
const SHARE_BPS = 1_875;
const PRICES = [333, 0, 1_250] as const;
/** Of the seller with taxes, and of the one with an account of its own. */
const OFFERS: readonly (Offers | null)[] = [
  { bundle: { photos: 2, cents: 501 }, pass: 1_299, earlyBird: 10 },
  null,
  { bundle: { photos: 2, cents: 2_000 }, pass: 2_999, earlyBird: 0 },
];
/** A code of each seller with offers. */
const CODE = { code: 'FIFTH', kind: 'percent', value: 2_000 } as const;
const sheetOf = ({ bundle, pass, earlyBird }: Offers): SheetContent => ({
  offers: [
    { id: 1, kind: 'bundle', photos: bundle.photos, priceCents: bundle.cents },
    { id: 2, kind: 'gallery_pass', priceCents: pass },
  ],
  ownPricesTakePart: false,
  earlyBird: earlyBird === 0 ? null : { percent: earlyBird, lastDay: '2099-12-31' },
});
const CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123', zip: '55401' };
const VISITOR: Caller = { actor: { kind: 'visitor' }, visitorId: null, unlocks: new Map(), ip: '203.0.113.9' };

const addressOf = (name: string) => ({ email: `${name}@families.test`, confirm_email: `${name}@families.test` });

function sandboxOf({ platform: { sandbox } }: TestServer): SandboxProvider {
  if (!sandbox) throw new Error('histories are played with the sandbox');
  return sandbox;
}

/** Three sellers: on the platform's account with taxes, with free photos, and on its own account. */
export async function openWorld(server: TestServer, admin: Caller, adminToken: string) {
  const own = (text: string, values: unknown[] = []) => server.data.ownerQuery<Record<string, number>>(text, values);
  const shops: Shop[] = [];
  for (const priceCents of PRICES) shops.push(await openShop(server.data, { priceCents, shareBps: SHARE_BPS }));
  const [taxed, , custom] = shops as [Shop, Shop, Shop];
  for (const [at, shop] of shops.entries()) {
    const offers = OFFERS[at] ?? null;
    if (offers === null) continue;
    await useSheet(server.data, shop, sheetOf(offers));
    await makeCoupon(server.data, shop, CODE);
  }
  await own(
    `insert into tax_rates (organization_id, state, zip_prefix, rate_ppm, jurisdiction) values ($1, 'MN', '', $2, 'Minnesota')`,
    [taxed.parentId, TAX_PPM],
  );
  await own(`update organizations set can_add_custom_payment = true, stripe_pk = 'pk_test_own' where id = $1`, [
    custom.sellerId,
  ]);
  await own('update organization_private set stripe_sk_encrypted = $2 where organization_id = $1', [
    custom.sellerId,
    sealText(server.platform.keys.processorKeys, 'sk_test_own'),
  ]);
  const sandbox = sandboxOf(server);
  /** What happens to the charges of a card entry; `lost`: their keys, for anyone who finds out. */
  const troubles = new Map<string, { loss: Loss; hidesFee: boolean; lost: string[] }>();
  const trouble: { refund: Loss } = { refund: 'none' };
  const crash = () => Promise.reject(new Error('the process was killed here'));
  const payments: PaymentProvider = {
    ...sandbox,
    async charge(request) {
      const own = 'token' in request.source ? troubles.get(request.source.token) : undefined;
      if (own && own.loss !== 'none') own.lost.push(request.idempotencyKey);
      if (own?.loss === 'before') return crash();
      const outcome = await sandbox.charge(request);
      if (own?.loss === 'after') return crash();
      return own?.hidesFee && outcome.state === 'succeeded' ? { ...outcome, feeCents: null } : outcome;
    },
    async refund(request) {
      if (trouble.refund === 'before') return crash();
      const outcome = await sandbox.refund(request);
      return trouble.refund === 'after' ? crash() : outcome;
    },
  };
  const app: App = createApp({ ...server.platform, payments });
  const model: Model = { orders: [], payouts: [], upgrades: [], transfers: [], settlements: [] };

  const sending = payoutSteps({ app, model, sellerIds: shops.map(({ sellerId }) => sellerId), server, admin });
  const chargeStatus = createChargeStatus({
    ...server.platform,
    payments,
    credit: createCredit(server.platform),
    ledger: createLedgerService(server.platform),
    settlement: app.orders,
    countSale: async (tx, sale) => {
      await app.photos.recordSales(tx, salesByPhoto(sale));
      await app.galleries.recordSales(tx, salesByGallery(sale));
    },
  });
  const chargeOf = async (orderId: number) => {
    const rows = await server.data.ownerQuery<{ ref: string }>(
      `select provider_ref as ref from payment_attempts where order_id = $1 and kind = 'charge' and state = 'succeeded'`,
      [orderId],
    );
    return rows[0]?.ref ?? '';
  };
  /** Anyone who looks at a charge books its real fee, too. */
  const feeIsTold = (order: ModelOrder) => void (order.fee = order.realFee);
  /** The provider tells twice at once, as webhooks do. */
  async function tell(order: ModelOrder): Promise<void> {
    const ref = await chargeOf(order.id);
    await Promise.all([chargeStatus.lookAt(ref), chargeStatus.lookAt(ref)]);
    feeIsTold(order);
  }
  /** Returns what the model knows of the order; null where no one paid. */
  async function place(step: Purchase): Promise<ModelOrder | null> {
    const shop = pick(shops, step.seller);
    if (!shop) return null;
    const price = PRICES[shops.indexOf(shop)] ?? 0;
    const photos = shop.photoIds.slice(0, step.photos);
    const offers = OFFERS[shops.indexOf(shop)] ?? null;
    const [pass, code] = [step.pass && offers !== null, step.code && offers !== null];
    const full = priceOf(offers, price, photos.length, pass || null);
    const percentOff = code ? CODE.value / 100 : (offers?.earlyBird ?? 0);
    const subtotal = reducedBy(percentOff, full.cents);
    const taxPpm = step.taxed && shop === shops[0] ? TAX_PPM : 0;
    const tax = taxOf(subtotal, taxPpm);
    const total = subtotal + step.donation + tax;
    if (total > 0 && total < 50) return null;
    const token = await sandbox.createToken(step.card === 'good' ? CARD : { ...CARD, number: POOR_CARD });
    const cart = cartOf(shop, {
      photos,
      price: price / 100,
      token: total === 0 ? null : token,
      // Nobody has a pass already.
      user: { zip: taxPpm > 0 ? '55401' : '10001', ...addressOf(randomUUID()) },
      order: {
        checkout_key: `history-${randomUUID()}`,
        donation: step.donation === 0 ? '' : `$${(step.donation / 100).toFixed(2)}`,
        donation_gallery_id: step.donation === 0 ? null : shop.galleryId,
        subtotal: subtotal / 100,
        taxes: tax / 100,
      },
    });
    const passes = pass ? [{ kind: 'gallery_pass', gallery_id: shop.galleryId }] : [];
    const body = placeOrderBody.parse({ ...cart, passes, codes: code ? [CODE.code] : [] });
    const trouble = {
      loss: total === 0 ? ('none' as const) : step.loss,
      hidesFee: step.lateFee !== 0,
      lost: [] as string[],
    };
    troubles.set(token.id, trouble);
    /** The request ends with the process; the others wait until the outcome is known. */
    const press = async () => {
      await app.orders.place(VISITOR, body).catch(() => undefined);
      for (let key = trouble.lost.shift(); key !== undefined; key = trouble.lost.shift()) await app.orders.recover(key);
    };
    await Promise.all(Array.from({ length: step.twice ? 3 : 1 }, press));
    troubles.delete(token.id);
    const [row] = await server.data.ownerQuery<{ id: number; status: string }>(
      'select id, status from orders where checkout_key = $1',
      [body.order.checkout_key],
    );
    if (!row) throw new Error('an order was not kept');
    const shouldPay = total === 0 || (step.card === 'good' && step.loss !== 'before');
    if (row.status !== (shouldPay ? 'paid' : 'failed')) throw new Error(`order ${row.id} is ${row.status}`);
    if (!shouldPay) return null;
    const own = shop === shops[2] && total > 0;
    const [sold] = await server.data.ownerQuery<{ id: number }>('select id from passes where order_id = $1', [row.id]);
    if ((sold !== undefined) !== full.isPass) throw new Error(`order ${row.id} has ${sold ? 'a' : 'no'} pass`);
    const isLate = step.lateFee !== 0 && total > 0 && step.loss === 'none';
    const fee = own ? 0 : feeOf(total);
    if (isLate)
      await server.data.ownerQuery('update sandbox_provider.charges set fee_cents = fee_cents + $2 where id = $1', [
        await chargeOf(row.id),
        step.lateFee,
      ]);
    return {
      id: row.id,
      seller: shop.sellerId,
      own,
      subtotal,
      donation: step.donation,
      tax,
      shareBps: SHARE_BPS,
      fee,
      realFee: own || !isLate ? fee : fee + step.lateFee,
      refunded: 0,
      disputes: new Map(),
      paidOut: 0,
      saleIn: null,
      goods: {
        photoIds: photos,
        single: price,
        offers,
        percentOff,
        taxPpm,
        passId: sold?.id ?? null,
        isPassBack: false,
        back: new Set(),
      },
    };
  }

  async function buy({ carts }: Extract<Step, { do: 'buy' }>): Promise<void> {
    const bought = await Promise.all(carts.map(place));
    model.orders.push(...bought.filter((order) => order !== null).toSorted((a, b) => a.id - b.id));
  }

  async function refund(step: Extract<Step, { do: 'refund' }>): Promise<void> {
    const order = pick(model.orders, step.order);
    if (!order) return;
    const left = totalOf(order) - order.refunded;
    const amount = step.part >= 100 ? null : Math.max(1, Math.floor((totalOf(order) * step.part) / 100));
    const given = Math.min(amount ?? left, left);
    const isRefused = left === 0 || isDisputed(order) || (amount !== null && amount > left);
    if (step.elsewhere) {
      if (isRefused) return;
      const request = { idempotencyKey: randomUUID(), chargeId: await chargeOf(order.id), amountCents: cents(given) };
      await sandbox.refund(request);
      order.refunded += given;
      return tell(order);
    }
    if (await give(order, step, { amountCents: amount === null ? null : cents(amount), isRefused }))
      order.refunded += given;
  }

  /** The same refund some times at once, whatever is lost of its answers; false where it must be refused, and was. */
  async function give(
    order: ModelOrder,
    { loss, times }: { loss: Loss; times: number },
    {
      isRefused,
      ...refund
    }: { amountCents: Cents | null; photoIds?: number[]; passIds?: number[]; isRefused: boolean },
  ): Promise<boolean> {
    trouble.refund = loss;
    const wanted = { ...refund, reason: 'A history', idempotencyKey: randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: times }, () => refusable(app.refunds.give(admin, String(order.id), wanted))),
    );
    trouble.refund = 'none';
    if (answers.some((answer) => (answer === null) !== isRefused))
      throw new Error(`a refund ${JSON.stringify(refund)} of order ${order.id} was ${isRefused ? 'given' : 'refused'}`);
    const [pending] = answers.filter((answer) => answer?.refund.state === 'pending');
    if (pending) await Promise.all([app.refunds.recover(pending.refund.id), app.refunds.recover(pending.refund.id)]);
    if (!isRefused) feeIsTold(order);
    return !isRefused;
  }

  /** Photos by their places, or the pass and with it all. */
  async function giveBack(step: Extract<Step, { do: 'give back' }>): Promise<void> {
    const order = pick(model.orders, step.order);
    if (!order) return;
    const { photoIds, passId, back } = order.goods;
    const withPass = step.pass && passId !== null;
    const wanted = [...new Set(step.photos.flatMap((at) => pick(photoIds, at) ?? []))];
    const photos = withPass ? [] : wanted;
    const amount = returnOf(order, photos.length, withPass);
    const wasBack = withPass ? order.goods.isPassBack : photos.some((id) => back.has(id));
    const isRefused = isDisputed(order) || wasBack || amount === 0;
    const parts = { amountCents: null, photoIds: photos, passIds: withPass ? [passId] : [] };
    if (!(await give(order, step, { ...parts, isRefused }))) return;
    order.refunded += amount;
    for (const id of withPass ? photoIds : photos) back.add(id);
    if (withPass) order.goods.isPassBack = true;
  }

  async function dispute(step: Extract<Step, { do: 'dispute' }>): Promise<void> {
    const order = pick(model.orders, step.order);
    if (!order || order.own || isDisputed(order) || order.refunded >= totalOf(order)) return;
    const left = totalOf(order) - order.refunded;
    const amount = step.half ? Math.max(1, Math.floor(left / 2)) : left;
    const id = await openDispute(server.data, await chargeOf(order.id), amount);
    order.disputes.set(id, { amount, status: 'open' });
    await tell(order);
  }

  async function close(step: Extract<Step, { do: 'close' }>): Promise<void> {
    const order = pick(
      model.orders.filter((each) => [...each.disputes.values()].some(({ status }) => status === 'open')),
      step.order,
    );
    const [open] = [...(order?.disputes ?? [])].filter(([, { status }]) => status === 'open');
    if (!order || !open) return;
    const status = step.won ? 'won' : 'lost';
    await closeDispute(server.data, open[0], status);
    open[1].status = status;
    await tell(order);
  }

  async function upgrade(): Promise<void> {
    const [club] = await server.data.ownerQuery<{ id: number }>(
      `insert into organizations (kind, name, domain_name, free_tier) values ('organization', 'Club', $1, true) returning id`,
      [`club-${randomUUID().slice(0, 13)}`],
    );
    const payload = { type: 'upgrade', affiliate_id: club?.id ?? 0, token: await sandbox.createToken(CARD) };
    const answers = await Promise.all(
      [1, 2].map(() => server.call({ method: 'POST', url: '/api/v1/charges/', as: adminToken, payload })),
    );
    if (!answers.some(({ statusCode }) => statusCode === 200)) throw new Error(`not upgraded: ${answers[0]?.body}`);
    model.upgrades.push(feeOf(UPGRADE_CENTS));
  }

  async function transfer(): Promise<void> {
    await app.reconciliation.runNightly();
    const [sent] = await server.data.ownerQuery<{ amount: number | null }>(
      'select sum(amount_cents)::bigint as amount from sandbox_provider.payouts',
    );
    const known = model.transfers.reduce((sum, amount) => sum + amount, base.sent);
    const fresh = Number(sent?.amount ?? 0) - known;
    if (fresh !== 0) model.transfers.push(fresh);
  }

  const [before] = await own(
    `select (select coalesce(sum(amount_cents), 0)::bigint from sandbox_provider.payouts) as sent,
            (select coalesce(max(id), 0) from ledger_entries) as entries`,
  );
  const base = { sent: before?.['sent'] ?? 0, entries: before?.['entries'] ?? 0 };

  return {
    app,
    model,
    /** What the books have gained since this world began, by account; those of nothing are left out. */
    async gained(): Promise<Record<string, number>> {
      const rows = await server.data.ownerQuery<{ name: string; balance: number }>(
        `select a.kind || coalesce(':' || a.organization_id, '') as name, sum(e.amount_cents)::bigint as balance
           from ledger_entries e join ledger_accounts a on a.id = e.account_id where e.id > $1 group by 1`,
        [base.entries],
      );
      return Object.fromEntries(
        rows.filter(({ balance }) => balance !== 0).map(({ name, balance }) => [name, balance]),
      );
    },
    /** Charges whose fee no one has told are asked after, as the worker does each minute. */
    async hearFees(): Promise<void> {
      await app.webhooks.sweep();
      for (const order of model.orders) feeIsTold(order);
    },
    play(step: Step): Promise<void> {
      switch (step.do) {
        case 'buy':
          return buy(step);
        case 'refund':
          return refund(step);
        case 'give back':
          return giveBack(step);
        case 'dispute':
          return dispute(step);
        case 'close':
          return close(step);
        case 'pay out':
          return sending.payOut(step);
        case 'decide':
          return sending.decide(step);
        case 'return':
          return sending.giveBack(step);
        case 'settle':
          return sending.settle(step);
        case 'upgrade':
          return upgrade();
        case 'transfer':
          return transfer();
      }
    },
  };
}
