/**
 * The product with a provider that loses responses on demand; performs one step of a history and keeps the model in
 * sync.
 */
import { randomUUID } from 'node:crypto';
import { createChargeStatus } from '#src/features/refunds/charge-status.service.ts';
import { createCredit } from '#src/features/credit/credit.service.ts';
import { createLedgerService } from '#src/features/ledger/ledger.service.ts';
import { createApp, type App } from '#src/app.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { placeOrderBody } from '#src/features/orders/orders.contract.ts';
import type { PaymentProvider } from '#src/platform/payments/payments.ts';
import type { SandboxProvider } from '#src/platform/payments/sandbox-provider.ts';
import { cents, type Cents } from '#src/shared/money.ts';
import {
  chargeLeft,
  creditFor,
  disputedOf,
  feeOf,
  isDisputed,
  keepLost,
  priceOf,
  reducedBy,
  refundable,
  refundOrder,
  returnOf,
  spendableOf,
  taxOf,
  totalOf,
  UPGRADE_CENTS,
  type Model,
  type ModelCode,
  type ModelOrder,
} from '#tests/support/money-model.ts';
import { addressOf, buyCredit, CARD, codeFor, VISITOR, type Sending } from '#tests/support/money-credit.ts';
import { payoutSteps } from '#tests/support/money-payouts.ts';
import { pick, refusable, type Loss, type Purchase, type Step } from '#tests/support/money-steps.ts';
import { POOR_CARD } from '#tests/support/payer.ts';
import { CODE, OFFERS, openShops, PRICES, SHARE_BPS, TAX_PPM } from '#tests/support/money-shops.ts';
import { cartOf } from '#tests/support/shop-goods.ts';
import type { TestServer } from '#tests/support/test-server.ts';
import { closeDispute, openDispute } from '#tests/support/sandbox-books.ts';

function sandboxOf({ platform: { sandbox } }: TestServer): SandboxProvider {
  if (!sandbox) throw new Error('histories are played with the sandbox');
  return sandbox;
}

/** Three sellers: on the platform's account with taxes, with free photos, and on its own account. */
export async function openWorld(server: TestServer, admin: Caller, adminToken: string) {
  const own = (text: string, values: unknown[] = []) => server.data.ownerQuery<Record<string, number>>(text, values);
  const { shops, taxed, custom } = await openShops(server);
  const sandbox = sandboxOf(server);
  /** What happens to the charges of a card entry; `lost`: their keys, for later checks. */
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
  const model: Model = { orders: [], codes: [], payouts: [], upgrades: [], transfers: [], settlements: [] };

  // What the parent owes after it sold credit, too.
  const sellerIds = [...shops.map(({ sellerId }) => sellerId), taxed.parentId];
  const sending = payoutSteps({ app, model, sellerIds, server, admin });
  const chargeStatus = createChargeStatus({
    ...server.platform,
    payments,
    credit: createCredit(server.platform),
    ledger: createLedgerService(server.platform),
    settlement: app.orders,
    photos: app.photos,
    galleries: app.galleries,
  });
  const chargeOf = async (orderId: number) => {
    const rows = await server.data.ownerQuery<{ ref: string }>(
      `select provider_ref as ref from payment_attempts where order_id = $1 and kind = 'charge' and state = 'succeeded'`,
      [orderId],
    );
    return rows[0]?.ref ?? '';
  };
  /** Every check of a charge books its real fee, too. */
  const feeIsTold = (order: ModelOrder) => void (order.fee = order.realFee);
  /** The provider sends each event twice concurrently, as webhooks do. */
  async function tell(order: ModelOrder): Promise<void> {
    const ref = await chargeOf(order.id);
    await Promise.all([chargeStatus.checkCharge(ref), chargeStatus.checkCharge(ref)]);
    feeIsTold(order);
  }
  /** Returns the model's record of the order; null if no one paid. */
  async function place(step: Purchase, takes: Set<ModelCode>): Promise<ModelOrder | null> {
    const shop = pick(shops, step.seller);
    if (!shop) return null;
    const [price = 0, offers = null] = [PRICES[shops.indexOf(shop)], OFFERS[shops.indexOf(shop)]];
    const photos = shop.photoIds.slice(0, step.photos);
    const [pass, code] = [step.pass && offers !== null, step.code && offers !== null];
    const full = priceOf(offers, price, photos.length, pass || null);
    const percentOff = code ? CODE.value / 100 : (offers?.earlyBird ?? 0);
    const credit = codeFor(model, step, shop, takes);
    const available = credit && spendableOf(model, credit);
    const bonus = Math.min(reducedBy(percentOff, full.cents), available?.bonus ?? 0);
    const subtotal = reducedBy(percentOff, full.cents) - bonus;
    const taxPpm = step.taxed && shop === shops[0] ? TAX_PPM : 0;
    const tax = taxOf(subtotal, taxPpm);
    const total = subtotal + step.donation + tax;
    const spentCents = creditFor(available?.cents ?? 0, total);
    if (spentCents === null) return null;
    const charge = total - spentCents;
    const token = await sandbox.createToken(step.card === 'good' ? CARD : { ...CARD, number: POOR_CARD });
    const cart = cartOf(shop, {
      photos,
      price: price / 100,
      token: charge === 0 ? null : token,
      // No one has a pass already.
      user: { zip: taxPpm > 0 ? '55401' : '10001', ...addressOf(randomUUID()) },
      order: {
        checkout_key: `history-${randomUUID()}`,
        donation: step.donation === 0 ? '' : `$${(step.donation / 100).toFixed(2)}`,
        donation_gallery_id: step.donation === 0 ? null : shop.galleryId,
        subtotal: subtotal / 100,
        taxes: tax / 100,
        charge: charge / 100,
      },
    });
    const passes = pass ? [{ kind: 'gallery_pass', gallery_id: shop.galleryId }] : [];
    const body = placeOrderBody.parse({
      ...cart,
      passes,
      codes: [...(code ? [CODE.code] : []), ...(credit ? [credit.text] : [])],
    });
    const row = await sendAll({
      token: token.id,
      checkoutKey: body.order.checkout_key,
      loss: charge === 0 ? 'none' : step.loss,
      hidesFee: step.lateFee !== 0,
      twice: step.twice,
      send: () => app.orders.place(VISITOR, body),
    });
    const shouldPay = charge === 0 || (step.card === 'good' && step.loss !== 'before');
    if (row.status !== (shouldPay ? 'paid' : 'failed')) throw new Error(`order ${row.id} is ${row.status}`);
    if (!shouldPay) return null;
    if (credit) [credit.cents, credit.bonus] = [credit.cents - spentCents, credit.bonus - bonus];
    const own = shop === shops[2] && total > 0;
    const [sold] = await server.data.ownerQuery<{ id: number }>('select id from passes where order_id = $1', [row.id]);
    if ((sold !== undefined) !== full.isPass) throw new Error(`order ${row.id} has ${sold ? 'a' : 'no'} pass`);
    const isLate = step.lateFee !== 0 && charge > 0 && step.loss === 'none';
    const fee = own ? 0 : feeOf(charge);
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
      spent: credit && spentCents + bonus > 0 ? { code: credit, cents: spentCents, bonus, back: 0 } : null,
      bought: null,
      kept: 0,
      keptBonus: 0,
      goods: {
        bonus,
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

  /**
   * Sends an order once, or three times concurrently. The request ends with the process; the others wait until the
   * outcome is known.
   */
  async function sendAll({ token, checkoutKey, loss, hidesFee = false, twice, send }: Sending) {
    const trouble = { loss, hidesFee, lost: [] as string[] };
    troubles.set(token, trouble);
    const press = async () => {
      await send().catch(() => undefined);
      for (let key = trouble.lost.shift(); key !== undefined; key = trouble.lost.shift()) await app.orders.recover(key);
    };
    await Promise.all(Array.from({ length: twice ? 3 : 1 }, press));
    troubles.delete(token);
    const [row] = await server.data.ownerQuery<{ id: number; status: string; vanityId: string }>(
      'select id, status, vanity_id as "vanityId" from orders where checkout_key = $1',
      [checkoutKey],
    );
    if (!row) throw new Error('an order was not kept');
    return row;
  }

  async function buy({ carts }: Extract<Step, { do: 'buy' }>): Promise<void> {
    const takes = new Set<ModelCode>();
    const bought = await Promise.all(carts.map((cart) => place(cart, takes)));
    model.orders.push(...bought.filter((order) => order !== null).toSorted((a, b) => a.id - b.id));
  }

  async function refund(step: Extract<Step, { do: 'refund' }>): Promise<void> {
    const order = pick(model.orders, step.order);
    if (!order) return;
    const left = refundable(order);
    const amount = step.part >= 100 ? null : Math.max(1, Math.floor((totalOf(order) * step.part) / 100));
    const given = Math.min(amount ?? left, left);
    const isRefused = left === 0 || isDisputed(order) || (amount !== null && amount > left);
    if (step.elsewhere) {
      const fromCard = Math.min(given, chargeLeft(order));
      if (isRefused || fromCard === 0) return;
      const chargeId = await chargeOf(order.id);
      await sandbox.refund({ idempotencyKey: randomUUID(), chargeId, amountCents: cents(fromCard) });
      refundOrder(order, fromCard, { isOfCard: true });
      keepLost(model);
      return tell(order);
    }
    if (await give(order, step, { amountCents: amount === null ? null : cents(amount), isRefused }))
      bookRefund(order, given);
  }

  /** If the card paid a part, its charge is checked. */
  function bookRefund(order: ModelOrder, amount: number): void {
    if (refundOrder(order, amount)) feeIsTold(order);
    keepLost(model);
  }

  /**
   * Sends the same refund several times concurrently, whatever answers are lost; false if it must be refused, and was.
   */
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
    return !isRefused;
  }

  /** Photos by their places, or the pass and with it all. */
  async function refundPhotos(step: Extract<Step, { do: 'refund photos' }>): Promise<void> {
    const order = pick(model.orders, step.order);
    if (!order || order.bought) return;
    const { photoIds, passId, back } = order.goods;
    const withPass = step.pass && passId !== null;
    const wanted = [...new Set(step.photos.flatMap((at) => pick(photoIds, at) ?? []))];
    const photos = withPass ? [] : wanted;
    const amount = returnOf(order, photos.length, withPass);
    const wasBack = withPass ? order.goods.isPassBack : photos.some((id) => back.has(id));
    const isRefused = isDisputed(order) || wasBack || amount === 0;
    const parts = { amountCents: null, photoIds: photos, passIds: withPass ? [passId] : [] };
    if (!(await give(order, step, { ...parts, isRefused }))) return;
    bookRefund(order, amount);
    for (const id of withPass ? photoIds : photos) back.add(id);
    if (withPass) order.goods.isPassBack = true;
  }

  async function dispute(step: Extract<Step, { do: 'dispute' }>): Promise<void> {
    const order = pick(model.orders, step.order);
    const left = order ? chargeLeft(order) - disputedOf(order) : 0;
    if (!order || order.own || left <= 0) return;
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
    keepLost(model);
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
    /** Changes of the books since this world began, by account; zero changes are left out. */
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
    /** Charges with an unknown fee are checked, as the worker does every minute. */
    async hearFees(): Promise<void> {
      await app.providerEvents.sweep();
      for (const order of model.orders) feeIsTold(order);
    },
    play(step: Step): Promise<void> {
      switch (step.do) {
        case 'buy':
          return buy(step);
        case 'buy credit':
          return buyCredit({ server, app, model, sellerIds, sandbox, sendAll, ownAccount: custom.sellerId }, step);
        case 'refund':
          return refund(step);
        case 'refund photos':
          return refundPhotos(step);
        case 'dispute':
          return dispute(step);
        case 'close':
          return close(step);
        case 'pay out':
          return sending.payOut(step);
        case 'decide':
          return sending.decide(step);
        case 'return':
          return sending.returnPayout(step);
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
