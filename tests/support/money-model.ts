/**
 * What the books must say after any history, computed from what happened and from nothing of the product: amounts are whole cents,
 * + debit and - credit (money M1-M11). Small enough to be read at one sitting.
 */
export type ModelOrder = {
  id: number;
  seller: number;
  own: boolean;
  subtotal: number;
  donation: number;
  tax: number;
  shareBps: number;
  /** As booked: the estimate, until the real one was told. */
  fee: number;
  realFee: number;
  refunded: number;
  disputes: Map<string, { amount: number; status: 'open' | 'won' | 'lost' }>;
  /** What living payouts have taken of it, and settlements refunded. */
  paidOut: number;
  /** The living payout that its sale is in. */
  saleIn: number | null;
  goods: Goods;
  /** What of it codes paid; null for none. */
  spent: { code: ModelCode; cents: number; bonus: number; back: number } | null;
  /** Of an order of credit: the code that it bought. It is no sale. */
  bought: ModelCode | null;
  /** Of credit whose charge was lost: what nobody can spend any more. */
  kept: number;
};
/** A code of credit: what nobody has spent of it, and who sold it. */
export type ModelCode = { text: string; seller: number; own: boolean; cents: number; bonus: number };
/** What was bought, and how many of its photos went back, alone or with the pass. */
export type Goods = {
  /** How much less the photos cost by the bonus of a code. */
  bonus: number;
  photoIds: readonly number[];
  single: number;
  offers: Offers | null;
  percentOff: number;
  taxPpm: number;
  passId: number | null;
  isPassBack: boolean;
  back: Set<number>;
};
/** A price sheet, small enough to be priced here once more: a bundle, a pass, and an early bird on everything. */
export type Offers = { bundle: { photos: number; cents: number }; pass: number; earlyBird: number };
export type ModelPayout = {
  id: number;
  seller: number;
  lines: Map<number, number>;
  status: 'created' | 'paid' | 'failed' | 'returned';
};
export type Model = {
  orders: ModelOrder[];
  codes: ModelCode[];
  payouts: ModelPayout[];
  /** Fees of accounts that were upgraded for $89. */
  upgrades: number[];
  /** What the provider sent to our bank. */
  transfers: number[];
  /** What sellers paid us by invoice: `share` of sales over their own accounts, and `lines` of what refunds took beyond their sales. */
  settlements: { seller: number; share: number; lines: Map<number, number> }[];
};

export const UPGRADE_CENTS = 8_900;
const halfUp = (amount: number, rate: number, scale: number) => Math.floor((2 * amount * rate + scale) / (2 * scale));
export const taxOf = (subtotal: number, ppm: number) => halfUp(subtotal, ppm, 1_000_000);
export const feeOf = (total: number) => (total === 0 ? 0 : 30 + halfUp(total, 29, 1_000));
export const totalOf = (order: ModelOrder) => order.subtotal + order.donation + order.tax;
/** What the card was charged, and what of it is not refunded. */
export const chargeOf = (order: ModelOrder) => totalOf(order) - (order.spent?.cents ?? 0);
export const chargeLeft = (order: ModelOrder) => chargeOf(order) - order.refunded + (order.spent?.back ?? 0);

/** What a code pays of a total; null where a card would have to pay less than it can. */
export function creditFor(code: ModelCode | null, total: number): number | null {
  const most = Math.min(total, code?.cents ?? 0);
  const isTooLittle = total > most && total - most < 50;
  const spent = isTooLittle ? Math.max(0, total - 50) : most;
  return total > spent && total - spent < 50 ? null : spent;
}

/**
 * Credit comes back to its code first, and the bonus with the last of all; the provider, who gives back to the card, knows of no codes.
 * Whether the card had a part in it.
 */
export function refundOrder(order: ModelOrder, amount: number, { isOfCard = false } = {}): boolean {
  const { bought, spent } = order;
  order.refunded += amount;
  if (bought) bought.cents -= amount;
  if (bought?.cents === 0) bought.bonus = 0;
  if (!spent) return true;
  const back = isOfCard ? 0 : Math.min(amount, spent.cents - spent.back);
  spent.back += back;
  spent.code.cents += back;
  if (order.refunded === totalOf(order)) spent.code.bonus += spent.bonus;
  return back < amount;
}
/** Nobody spends what a lost charge has bought, or what comes back of it: its seller, who bore the charge, keeps it. */
export function keepLost({ orders }: Model): void {
  for (const order of orders.filter(({ bought }) => bought))
    if (order.bought && ofStatus(order, 'lost') > 0) {
      order.kept += order.bought.cents;
      [order.bought.cents, order.bought.bonus] = [0, 0];
    }
}
/** What of an order may go back: of credit what is not spent. */
export const refundable = (order: ModelOrder) => order.bought?.cents ?? totalOf(order) - order.refunded;

/**
 * What photos of one single price cost with a seller's offers: one by one, in any number of bundles, or with the pass, which may be
 * chosen (`true`) or come by itself where it is no dearer (`null`); and whether it is the pass.
 */
export function priceOf(offers: Offers | null, single: number, photos: number, chosen: boolean | null) {
  if (offers === null) return { cents: single * photos, isPass: false };
  const { bundle, pass } = offers;
  const some = Array.from(
    { length: photos + 1 },
    (_, count) => count * bundle.cents + Math.max(0, photos - count * bundle.photos) * single,
  );
  const best = Math.min(...some);
  const isPass = chosen ?? (single * photos > pass && pass <= best);
  return { cents: isPass ? pass : best, isPass };
}
export const reducedBy = (percent: number, amount: number) => amount - halfUp(amount, percent, 100);

/** What goes back with these photos, or with the pass and so with all. */
export function returnOf(order: ModelOrder, photos: number, withPass: boolean): number {
  const { photoIds, single, offers, percentOff, taxPpm, passId, isPassBack, back, bonus } = order.goods;
  const left = withPass ? 0 : photoIds.length - back.size - photos;
  const full = priceOf(offers, single, left, passId !== null && !withPass && !isPassBack).cents;
  const stays = Math.max(0, reducedBy(percentOff, full) - bonus);
  const given = order.subtotal + order.tax - stays - taxOf(stays, taxPpm) - order.refunded;
  return Math.min(totalOf(order) - order.refunded, Math.max(0, given));
}

/** What each party has after refunds: the tax and the share are rounded down, the seller bears the rest. */
function partsOf(order: ModelOrder) {
  const held = sum([...order.disputes.values()].filter(({ status }) => status !== 'won').map(({ amount }) => amount));
  if (order.bought) return { share: 0, tax: 0, earned: order.kept - order.fee - held };
  const total = totalOf(order);
  const share = halfUp(order.subtotal + order.donation, order.shareBps, 10_000);
  const back = (part: number) => (total === 0 ? 0 : Math.floor((part * order.refunded) / total));
  const [shareBack, taxBack] = [back(share), back(order.tax)];
  return {
    share: share - shareBack,
    tax: order.tax - taxBack,
    earned: order.subtotal + order.donation - share - order.fee - (order.refunded - shareBack - taxBack) - held,
  };
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const ofStatus = (order: ModelOrder, status: string) =>
  sum([...order.disputes.values()].filter((dispute) => dispute.status === status).map(({ amount }) => amount));

/** What is owed for an order and not in a payout. */
export const payableOf = (order: ModelOrder) =>
  order.own || totalOf(order) === 0 ? 0 : partsOf(order).earned - order.paidOut;
export const isDisputed = (order: ModelOrder) => [...order.disputes.values()].some(({ status }) => status !== 'won');
export const mayPayOut = (order: ModelOrder) =>
  !order.own && order.saleIn === null && ofStatus(order, 'open') === 0 && payableOf(order) > 0;

/** The lines of the payout that one call makes for a seller; null for none. */
export function linesOf(orders: readonly ModelOrder[], seller: number): Map<number, number> | null {
  const lines = new Map<number, number>();
  for (const order of orders.filter((each) => each.seller === seller)) {
    const payable = payableOf(order);
    const isCarried = payable !== 0 && (order.saleIn !== null || payable < 0);
    if (mayPayOut(order) || isCarried) lines.set(order.id, payable);
  }
  const hasSale = orders.some((order) => order.seller === seller && mayPayOut(order));
  return hasSale && sum([...lines.values()]) > 0 ? lines : null;
}

/** What a seller owes us now: its lines are what is open of its orders, and together are negative. */
export function debtOf({ orders, settlements }: Model, seller: number): Model['settlements'][number] {
  const own = orders.filter((order) => order.seller === seller);
  const shares = sum(own.filter((order) => order.own && totalOf(order) > 0).map((order) => partsOf(order).share));
  const paid = sum(settlements.filter((each) => each.seller === seller).map(({ share }) => share));
  const lines = new Map(own.map((order) => [order.id, payableOf(order)] as const).filter(([, cents]) => cents !== 0));
  const isDebt = sum([...lines.values()]) < 0;
  return { seller, share: Math.max(0, shares - paid), lines: isDebt ? lines : new Map() };
}

/** Every account with its balance, by `kind` and, for a seller's own, `kind:seller`; zero balances are left out. */
export function balancesOf({
  orders,
  codes,
  payouts,
  upgrades,
  transfers,
  settlements,
}: Model): Record<string, number> {
  const balances: Record<string, number> = {};
  const add = (name: string, amount: number) => (balances[name] = (balances[name] ?? 0) + amount);
  for (const order of orders.filter((each) => totalOf(each) > 0)) {
    const { share, tax } = partsOf(order);
    add('platform_fee', -share);
    if (order.own) {
      add(`provider_clearing:${order.seller}`, share);
      continue;
    }
    add('tax_payable', -tax);
    add('provider_clearing', chargeLeft(order) - order.fee - ofStatus(order, 'lost'));
    add(`dispute_hold:${order.seller}`, -ofStatus(order, 'open'));
    add(`org_payable:${order.seller}`, -payableOf(order));
  }
  for (const { seller, own, cents } of codes) if (!own) add(`credit_liability:${seller}`, -cents);
  for (const { seller, lines, status } of payouts) {
    if (status === 'created') add(`payout_in_transit:${seller}`, -sum([...lines.values()]));
    if (status === 'paid') add('bank', -sum([...lines.values()]));
  }
  for (const { seller, share, lines } of settlements) {
    add('bank', share - sum([...lines.values()]));
    add(`provider_clearing:${seller}`, -share);
  }
  for (const fee of upgrades) {
    add('provider_clearing', UPGRADE_CENTS - fee);
    add('provider_fee', fee);
    add('platform_revenue', -UPGRADE_CENTS);
  }
  for (const amount of transfers) {
    add('bank', amount);
    add('provider_clearing', -amount);
  }
  return Object.fromEntries(Object.entries(balances).filter(([, amount]) => amount !== 0));
}
