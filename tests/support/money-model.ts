/**
 * The expected books after any history, computed only from the events and not by the product: amounts are whole cents,
 * + debit and - credit (money M1-M11). Short enough to be read in one go.
 */
export type ModelOrder = {
  id: number;
  seller: number;
  own: boolean;
  subtotal: number;
  donation: number;
  tax: number;
  shareBps: number;
  /** As booked: the estimate, until the real one is known. */
  fee: number;
  realFee: number;
  refunded: number;
  disputes: Map<string, { amount: number; status: 'open' | 'won' | 'lost' }>;
  /** What payouts in force have taken of it, and refunds after them. */
  paidOut: number;
  /** The payout in force that contains its sale. */
  saleIn: number | null;
  goods: Goods;
  /** The part of it that codes paid; null for none. */
  spent: { code: ModelCode; cents: number; bonus: number; back: number } | null;
  /** Of an order of credit: the code that it bought. It is not a sale. */
  bought: ModelCode | null;
  /** Of credit whose charge was lost, in part or in full: what its seller kept of the code. */
  kept: number;
  keptBonus: number;
};
/** A code of credit: its unspent amount, its seller, and the bonus that it was sold with. */
export type ModelCode = {
  text: string;
  seller: number;
  own: boolean;
  cents: number;
  bonus: number;
  soldBonus: number;
};
/** What was bought, and how many of its photos were refunded, alone or with the pass. */
export type Goods = {
  /** How much a code's bonus reduced the price of the photos. */
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
/** A price sheet, small enough to be priced again here: a bundle, a pass, and an early bird on everything. */
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
  /** What the provider paid out to our bank. */
  transfers: number[];
  /**
   * What sellers paid us by invoice: `share` of sales over their own accounts, and `lines` of refunds beyond their
   * sales.
   */
  settlements: { seller: number; share: number; lines: Map<number, number> }[];
};

export const UPGRADE_CENTS = 8_900;
const halfUp = (amount: number, rate: number, scale: number) => Math.floor((2 * amount * rate + scale) / (2 * scale));
export const taxOf = (subtotal: number, ppm: number) => halfUp(subtotal, ppm, 1_000_000);
export const feeOf = (total: number) => (total === 0 ? 0 : 30 + halfUp(total, 29, 1_000));
export const totalOf = (order: ModelOrder) => order.subtotal + order.donation + order.tax;
/** What the card was charged, and how much of it is not refunded. */
export const chargeOf = (order: ModelOrder) => totalOf(order) - (order.spent?.cents ?? 0);
export const chargeLeft = (order: ModelOrder) => chargeOf(order) - order.refunded + (order.spent?.back ?? 0);

/** How much of a total a code pays that may spend this much; null if a card would have to pay less than its minimum. */
export function creditFor(available: number, total: number): number | null {
  const most = Math.min(total, available);
  const isTooLittle = total > most && total - most < 50;
  const spent = isTooLittle ? Math.max(0, total - 50) : most;
  return total > spent && total - spent < 50 ? null : spent;
}

/**
 * Credit returns to its code first, and the bonus last; the provider, which refunds the card, knows no codes. Whether
 * the card paid a part of it.
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
/** What disputes of this much still take of the code that an order bought: the money, and its part of the bonus, rounded up. */
function takenOf(order: ModelOrder, disputed: number): { cents: number; bonus: number } {
  const isAll = disputed + order.refunded >= order.subtotal;
  const bonus = order.bought?.soldBonus ?? 0;
  const part = isAll ? bonus : Math.ceil((bonus * disputed) / order.subtotal);
  return { cents: disputed - order.kept, bonus: disputed === 0 ? 0 : Math.max(0, part - order.keptBonus) };
}
/** The seller, who paid for a lost dispute, keeps of the code what the bank took, now or when it is refunded to the code. */
export function keepLost({ orders }: Model): void {
  for (const order of orders) {
    const code = order.bought;
    if (!code) continue;
    const taken = takenOf(order, ofStatus(order, 'lost'));
    const [kept, keptBonus] = [Math.min(code.cents, taken.cents), Math.min(code.bonus, taken.bonus)];
    [order.kept, order.keptBonus] = [order.kept + kept, order.keptBonus + keptBonus];
    [code.cents, code.bonus] = [code.cents - kept, code.bonus - keptBonus];
  }
}
/** What of a code can be spent: what is disputed cannot, before it is decided either. */
export function spendableOf({ orders }: Model, code: ModelCode): { cents: number; bonus: number } {
  const order = orders.find(({ bought }) => bought === code);
  const held = order ? takenOf(order, disputedOf(order)) : { cents: 0, bonus: 0 };
  return { cents: Math.max(0, code.cents - held.cents), bonus: Math.max(0, code.bonus - held.bonus) };
}
/** How much of an order may be refunded: of credit what is not spent. */
export const refundable = (order: ModelOrder) => order.bought?.cents ?? totalOf(order) - order.refunded;

/**
 * The price of photos with one single price and a seller's offers: one by one, in any number of bundles, or with the
 * pass, which may be chosen (`true`) or added automatically if it is not more expensive (`null`); and whether it is the
 * pass.
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

/** The refund for these photos, or for the pass and therefore for all. */
export function returnOf(order: ModelOrder, photos: number, withPass: boolean): number {
  const { photoIds, single, offers, percentOff, taxPpm, passId, isPassBack, back, bonus } = order.goods;
  const left = withPass ? 0 : photoIds.length - back.size - photos;
  const full = priceOf(offers, single, left, passId !== null && !withPass && !isPassBack).cents;
  const stays = Math.max(0, reducedBy(percentOff, full) - bonus);
  const given = order.subtotal + order.tax - stays - taxOf(stays, taxPpm) - order.refunded;
  return Math.min(totalOf(order) - order.refunded, Math.max(0, given));
}

/** Each party's part after refunds: the tax and the share are rounded down, the seller bears the rest. */
function partsOf(order: ModelOrder) {
  const held = disputedOf(order);
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

/** What of an order's charge is disputed or lost. */
export const disputedOf = (order: ModelOrder) => ofStatus(order, 'open') + ofStatus(order, 'lost');

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

/** What a seller owes us now: its lines are the open amounts of its orders, and their sum is negative. */
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
