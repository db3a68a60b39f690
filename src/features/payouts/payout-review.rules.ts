/** What an admin reviews before paying out: who gets how much, what is held and why. Amounts are integer cents. */
import type { Payee } from '#src/features/payouts/payouts.rules.ts';
import { DAY_MS } from '#src/shared/dates.ts';

/**
 * One organization with open amounts. `due` are sales past the hold time, `carry` what refunds, disputes and late fees changed
 * of others.
 */
export type OpenAccount = {
  organizationId: number;
  name: string;
  path: string;
  /** The label of its host: the parent's path, or its own. */
  hostLabel: string;
  due: number;
  dueOrders: number;
  dueFrom: Date | null;
  dueTo: Date | null;
  carry: number;
  tooNew: number;
  tooNewOrders: number;
  /** When the first of them was paid. */
  tooNewFrom: Date | null;
  disputed: number;
  disputedOrders: number;
  /** Whether the search wants it; the sums are of all. */
  isFound: boolean;
};

type Of = { organizationId: number; name: string };

export type HeldWhy = 'too_new' | 'disputed' | 'negative_balance' | 'own_account' | 'debt';
export type Held = Of & {
  why: HeldWhy;
  amount: number;
  orders: number;
  /** For `too_new`: when the first of these orders is past its hold time. */
  until: Date | null;
  /** The organization's total debt, which it pays by invoice; 0 without one, and set on one row only. */
  owesCents: number;
};
/** What an organization owes us: our share of sales on its own Stripe account, and refunds beyond its sales. */
export type Debtor = Of & { owesCents: number };
const READY_AT_MOST = 200;
const HELD_AT_MOST = 100;
/** Own accounts, and debts. */
export const OTHERS_AT_MOST = 100;

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const comesTo = (account: OpenAccount) => account.due + account.carry;

export type Review = ReturnType<typeof reviewOf>;

/**
 * `accounts`: the largest sum due first. No one is sent zero or less (money M7). The lists have what was searched for, up to
 * their lengths; of `ownAccounts` and `debts` one more than `OTHERS_AT_MOST` if there are more.
 */
export function reviewOf(
  accounts: readonly OpenAccount[],
  ownAccounts: readonly (Of & { orders: number })[],
  { reviewedAt, holdDays, debts = [] }: { reviewedAt: Date; holdDays: number; debts?: readonly Debtor[] },
) {
  const due = accounts.filter((account) => comesTo(account) > 0);
  const dueFound = due.filter(({ isFound }) => isFound);
  const held = accounts.flatMap((account) => heldOf(account, holdDays));
  const heldFound = accounts.filter(({ isFound }) => isFound).flatMap((account) => heldOf(account, holdDays));
  const own = ownAccounts
    .slice(0, OTHERS_AT_MOST)
    .map((account): Held => ({ ...NOTHING_HELD, ...account, why: 'own_account' }));
  const rows = [...heldFound.toSorted((a, b) => b.amount - a.amount).slice(0, HELD_AT_MOST), ...own];
  return {
    /** Sent with the request: orders that become due later are left for the next time. */
    reviewedAt: reviewedAt.toISOString(),
    holdDays,
    ready: dueFound.slice(0, READY_AT_MOST).map(readyOf),
    readySums: {
      amount: sum(due.map(comesTo)),
      organizations: due.length,
      orders: sum(due.map((account) => account.dueOrders)),
    },
    /** Due organizations beyond the longest list; they follow when the others are paid. */
    moreReady: Math.max(0, dueFound.length - READY_AT_MOST),
    held: withDebts(rows, debts.slice(0, OTHERS_AT_MOST)),
    heldSums: {
      amount: sum(held.map((each) => each.amount)),
      organizations: new Set(held.map((each) => each.organizationId)).size,
    },
    hasMoreHeld:
      heldFound.length > HELD_AT_MOST || ownAccounts.length > OTHERS_AT_MOST || debts.length > OTHERS_AT_MOST,
  };
}

export type Ready = ReturnType<typeof readyOf>;

/** To be paid out: `amount` is `sales` plus what was carried over from before. */
function readyOf(account: OpenAccount) {
  const { organizationId, name, path, hostLabel } = account;
  return {
    organizationId,
    name,
    path,
    hostLabel,
    amount: comesTo(account),
    sales: account.due,
    carry: account.carry,
    orders: account.dueOrders,
    salesFrom: account.dueFrom,
    salesTo: account.dueTo,
  };
}

const NOTHING_HELD = { amount: 0, orders: 0, until: null, owesCents: 0 };
const DEBT_ROWS: readonly HeldWhy[] = ['own_account', 'negative_balance'];

/** Each debt is listed once: beside its reason if that is listed, and else in its own row. */
function withDebts(rows: readonly Held[], debts: readonly Debtor[]): Held[] {
  const open = new Map(debts.map((debt) => [debt.organizationId, debt]));
  const listed = rows.map((row) => {
    const debt = DEBT_ROWS.includes(row.why) ? open.get(row.organizationId) : undefined;
    if (!debt) return row;
    open.delete(row.organizationId);
    return { ...row, owesCents: debt.owesCents };
  });
  const others = [...open.values()].map((debt): Held => ({ ...NOTHING_HELD, ...debt, why: 'debt' }));
  return [...listed, ...others];
}

function heldOf(account: OpenAccount, holdDays: number): Held[] {
  const { organizationId, name, tooNewFrom } = account;
  const of = { organizationId, name, ...NOTHING_HELD };
  const balance = comesTo(account);
  const until = tooNewFrom && new Date(tooNewFrom.getTime() + holdDays * DAY_MS);
  const held: Held[] = [];
  if (account.tooNewOrders > 0)
    held.push({ ...of, why: 'too_new', amount: account.tooNew, orders: account.tooNewOrders, until });
  if (account.disputedOrders > 0)
    held.push({ ...of, why: 'disputed', amount: account.disputed, orders: account.disputedOrders });
  if (balance <= 0 && (account.carry < 0 || account.due > 0))
    held.push({ ...of, why: 'negative_balance', amount: balance, orders: account.dueOrders });
  return held;
}

/** What members see above their payouts, in cents. */
export type Outlook = {
  paidCents: number;
  onTheWayCents: number;
  /** Past its hold time, in the next payout; negative when more was refunded than is due. */
  dueCents: number;
  /** Still within the hold time. */
  tooNewCents: number;
  disputedCents: number;
  /** When the first amount within the hold time is due. */
  nextDueAt: Date | null;
  holdDays: number;
  /** Of the organization itself. */
  payee: Payee;
};
