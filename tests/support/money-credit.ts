/** The steps of a history that buy prepaid credit, and the codes that its visitors spend. */
import { randomUUID } from 'node:crypto';
import type { App } from '#src/app.ts';
import { buyCreditBody } from '#src/features/credit-shop/credit-shop.contract.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { SandboxProvider } from '#src/platform/payments/sandbox-provider.ts';
import { offerCredit, orderOf } from '#tests/support/credit-codes.ts';
import { feeOf, spendableOf, type Model, type ModelCode } from '#tests/support/money-model.ts';
import { pick, type CreditPurchase, type Loss, type Purchase } from '#tests/support/money-steps.ts';
import { POOR_CARD } from '#tests/support/payer.ts';
import { BUYER, type Shop } from '#tests/support/shop-goods.ts';
import type { TestServer } from '#tests/support/test-server.ts';

export const CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123', zip: '55401' };
export const VISITOR: Caller = {
  actor: { kind: 'visitor' },
  visitorId: null,
  unlocks: new Map(),
  ip: '203.0.113.9',
};
export const addressOf = (name: string) => ({
  email: `${name}@families.test`,
  confirm_email: `${name}@families.test`,
});

/** `token`: the card entry by which the provider knows which reply to lose; `twice`: three times concurrently. */
export type Sending = {
  token: string;
  checkoutKey: string;
  loss: Loss;
  hidesFee?: boolean;
  twice: boolean;
  send: () => Promise<unknown>;
};

/** Credit of this seller or its parent; of carts that are sent concurrently, each code is in one. */
export function codeFor(model: Model, { credit }: Purchase, shop: Shop, taken: Set<ModelCode>): ModelCode | null {
  if (credit === null) return null;
  const open = model.codes.filter(
    (code) =>
      !taken.has(code) &&
      spendableOf(model, code).cents + spendableOf(model, code).bonus > 0 &&
      (code.seller === shop.sellerId || (!code.own && code.seller === shop.parentId)),
  );
  const code = pick(open, credit) ?? null;
  if (code) taken.add(code);
  return code;
}

type World = {
  server: TestServer;
  app: App;
  model: Model;
  sellerIds: readonly number[];
  ownAccount: number;
  sandbox: SandboxProvider;
  sendAll(sending: Sending): Promise<{ id: number; status: string; vanityId: string }>;
};

/** Someone buys credit; it has no share and no tax, and the seller pays the fee. */
export async function buyCredit(world: World, step: CreditPurchase): Promise<void> {
  const { server, app, model, sandbox } = world;
  const { cents: amount, bonus, card, loss, twice } = step;
  const seller = pick(world.sellerIds, step.seller) ?? 0;
  await offerCredit(server, seller, [[amount, bonus]]);
  const token = await sandbox.createToken(card === 'good' ? CARD : { ...CARD, number: POOR_CARD });
  const body = buyCreditBody.parse({
    org_id: seller,
    amount: amount / 100,
    user: { ...BUYER, ...addressOf(randomUUID()) },
    checkout_key: `history-${randomUUID()}`,
    stripe_token: token,
  });
  const send = () => app.creditShop.buy(VISITOR, body);
  const row = await world.sendAll({ token: token.id, checkoutKey: body.checkout_key, loss, twice, send });
  const shouldPay = card === 'good' && loss !== 'before';
  if (row.status !== (shouldPay ? 'paid' : 'failed')) throw new Error(`order of credit ${row.id} is ${row.status}`);
  if (!shouldPay) return;
  const own = seller === world.ownAccount;
  const text = (await orderOf(server, row.vanityId)).credit_sold?.code ?? '';
  const bought: ModelCode = { text, seller, own, cents: amount, bonus, soldBonus: bonus };
  const fee = own ? 0 : feeOf(amount);
  model.codes.push(bought);
  model.orders.push({
    id: row.id,
    seller,
    own,
    subtotal: amount,
    donation: 0,
    tax: 0,
    shareBps: 0,
    fee,
    realFee: fee,
    refunded: 0,
    disputes: new Map(),
    paidOut: 0,
    saleIn: null,
    spent: null,
    bought,
    kept: 0,
    keptBonus: 0,
    goods: {
      bonus: 0,
      photoIds: [],
      single: 0,
      offers: null,
      percentOff: 0,
      taxPpm: 0,
      passId: null,
      isPassBack: false,
      back: new Set(),
    },
  });
}
