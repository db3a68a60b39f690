/** Whether an imported ledger adds up (only sums are kept, however many rows there are), and which codes stay valid. */
import { problemsOf, readValue, type CouponPlan } from '#src/features/coupons/coupon-editing.rules.ts';
import { MAX_USES } from '#src/features/coupons/coupon-editing.contract.ts';
import type { RowOf } from '#src/features/imports/imports.contract.ts';

type Facts = Record<string, unknown>;
const LISTED_AT_MOST = 5;

/** Takes rows one by one; `problems` at the end. */
export function createBooksCheck() {
  const postings = new Map<unknown, number>();
  const lines = new Map<unknown, number>();
  const payouts = new Map<unknown, number>();
  const codes = new Map<unknown, number>();
  const orders: Facts[] = [];
  const paid: Facts[] = [];
  const add = (sums: Map<unknown, number>, key: unknown, amount: unknown) =>
    void sums.set(key, (sums.get(key) ?? 0) + Number(amount));
  return {
    take(dataset: string, facts: Facts): void {
      if (dataset === 'ledger') add(postings, facts['posting_id'], facts['amount_cents']);
      if (dataset === 'order_lines' || dataset === 'passes') add(lines, facts['order_id'], facts['price_cents']);
      if (dataset === 'payout_lines') add(payouts, facts['payout_id'], facts['amount_cents']);
      const { id, kind, subtotal_cents, tax_cents, donation_cents, total_cents, refunded_cents, amount_cents } = facts;
      if (dataset === 'orders')
        orders.push({ id, kind, subtotal_cents, tax_cents, donation_cents, total_cents, refunded_cents });
      if (dataset === 'credit_movements') add(codes, facts['code_id'], facts['cents']);
      if (dataset === 'payouts') paid.push({ id, amount_cents });
    },
    problems(): string[] {
      const found = [
        ...[...postings].filter(([, sum]) => sum !== 0).map(([id, sum]) => `posting ${String(id)} is off by ${sum}`),
        ...orders
          .filter(
            (order) =>
              // Orders of credit have no lines.
              (order['kind'] !== 'credit' && Number(order['subtotal_cents']) !== (lines.get(order['id']) ?? 0)) ||
              Number(order['total_cents']) !==
                Number(order['subtotal_cents']) + Number(order['tax_cents']) + Number(order['donation_cents']) ||
              Number(order['refunded_cents']) > Number(order['total_cents']),
          )
          .map((order) => `order ${String(order['id'])} is not the sum of its parts`),
        ...[...codes].filter(([, sum]) => sum < 0).map(([id, sum]) => `credit code ${String(id)} has ${sum}`),
        ...paid
          .filter((payout) => Number(payout['amount_cents']) !== (payouts.get(payout['id']) ?? 0))
          .map((payout) => `payout ${String(payout['id'])} is not the sum of its lines`),
      ];
      return found.length > LISTED_AT_MOST
        ? [...found.slice(0, LISTED_AT_MOST), `and ${found.length - LISTED_AT_MOST} more`]
        : found;
    },
  };
}

/** New ids by those of the other installation. */
type NewIds = ReadonlyMap<number, number>;

/**
 * A code to continue with, for its galleries and sheets with their new ids, and with its remaining uses. Null for one
 * that has ended, has no remaining gallery or sheet, or would be refused if it were created today.
 */
export function couponToContinue(
  coupon: RowOf<'coupons'>,
  { galleries, sheets, today }: { galleries: NewIds; sheets: NewIds; today: string },
): CouponPlan | null {
  const { kind, max_uses: most } = coupon;
  const newIds = (ids: readonly number[] | null, newById: NewIds) => ids && ids.flatMap((id) => newById.get(id) ?? []);
  const plan = {
    kind,
    // The other kinds are stored in hundredths.
    value: readValue(kind, kind === 'photos' ? coupon.value : coupon.value / 100),
    maxUses: most === null ? null : most - coupon.uses,
    maxPerPerson: coupon.max_per_person,
    minimumCents: coupon.minimum_cents,
    firstDay: coupon.first_day,
    lastDay: coupon.last_day,
    galleryIds: newIds(coupon.gallery_ids, galleries),
    sheetIds: newIds(coupon.sheet_ids, sheets),
  };
  const isOver =
    coupon.ended_at !== null ||
    (plan.maxUses !== null && (plan.maxUses < 1 || plan.maxUses > MAX_USES)) ||
    plan.galleryIds?.length === 0 ||
    plan.sheetIds?.length === 0;
  if (isOver || Object.keys(problemsOf(plan, { today, before: null })).length > 0) return null;
  return plan as CouponPlan;
}
