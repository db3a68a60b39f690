/** The refund for some photos or passes of an order: what was paid, less what the others cost without them, with its tax. */
import { refundOfPhotos } from '#src/features/offers/photo-refunds.rules.ts';
import type { PriceQuestion } from '#src/features/offers/price-question.rules.ts';
import * as words from '#src/features/refunds/refunds.contract.ts';
import { amountToGive, type Refundable } from '#src/features/refunds/refunds.rules.ts';
import { cents, portionHalfUp, sumCents, type Cents } from '#src/shared/money.ts';
import { isProblem, problem, type Problem } from '#src/shared/problem.ts';

/** What was bought with an order, and what of it was refunded before, or is being refunded. */
export type SoldThings = {
  subtotalCents: number;
  /** The part that a bonus of credit took off. */
  bonusCents: number;
  taxCents: number;
  taxRatePpm: number;
  lines: readonly { photoId: number; priceCents: number }[];
  passes: readonly { id: number; photoIds: readonly number[] }[];
  backPhotos: readonly number[];
  backPasses: readonly number[];
  /** How it was priced, if offers or a code were used; its passes are in the order of those above. */
  question: PriceQuestion | null;
};

/** `amountCents` null: the amount of the chosen photos and passes, or everything that is left without any. */
export type Wanted = {
  amountCents: Cents | null;
  photoIds: readonly number[];
  passIds: readonly number[];
  /** The photos were never delivered: at least what was paid for each is refunded, with its tax. */
  isUndelivered?: boolean;
};
/** `photoIds`: includes those that a refunded pass covers. `text`: why the amount is not simply their price. */
export type Returned = { amountCents: Cents; text: string | null; photoIds: readonly number[] };

/**
 * The amount of a refund, and why; a problem if nothing can be refunded, or more is requested than is left. `sold` is null
 * if no photo and no pass is chosen.
 */
export function returnedParts(order: Refundable, sold: SoldThings | null, wanted: Wanted): Returned | Problem {
  if (sold === null) {
    const amountCents = amountToGive(order, wanted.amountCents);
    return isProblem(amountCents) ? amountCents : { amountCents, text: null, photoIds: [] };
  }
  const left = amountToGive(order, null);
  if (isProblem(left)) return left;
  const refusal = refusalOf(sold, wanted);
  if (refusal) return refusal;
  const covered = sold.passes.filter(({ id }) => wanted.passIds.includes(id)).flatMap((pass) => pass.photoIds);
  const inOrder = new Set(sold.lines.map(({ photoId }) => photoId));
  const photoIds = [...new Set([...wanted.photoIds, ...covered])].filter(
    (id) => inOrder.has(id) && !sold.backPhotos.includes(id),
  );
  const stays = whatStays(sold, photoIds, wanted.passIds);
  const staysWithTax = stays.keptCents + portionHalfUp(cents(stays.keptCents), sold.taxRatePpm, 1_000_000);
  const before = order.refundedCents + order.inFlightCents;
  // Without donation and bonus.
  const goods = sold.subtotalCents + sold.taxCents - before;
  const least = wanted.isUndelivered ? Math.min(goods, paidFor(sold, photoIds)) : 0;
  const computed = Math.min(left, Math.max(0, least, goods - staysWithTax));
  if (wanted.amountCents === null && computed === 0) return problem('conflict', words.NOTHING_GOES_BACK);
  const amountCents = amountToGive(order, wanted.amountCents ?? cents(computed));
  return isProblem(amountCents) ? amountCents : { amountCents, text: stays.text, photoIds };
}

function paidFor({ lines, taxRatePpm }: SoldThings, photoIds: readonly number[]): number {
  const paid = sumCents(lines.filter((line) => photoIds.includes(line.photoId)).map((line) => cents(line.priceCents)));
  return paid + portionHalfUp(paid, taxRatePpm, 1_000_000);
}

function refusalOf(sold: SoldThings, { photoIds, passIds }: Wanted): Problem | null {
  const photos = sold.lines.map(({ photoId }) => photoId);
  const passes = sold.passes.map(({ id }) => id);
  const fieldOf = (inOrder: readonly number[], back: readonly number[], ids: readonly number[]) => {
    if (ids.some((id) => !inOrder.includes(id))) return [words.NOT_IN_ORDER];
    return ids.some((id) => back.includes(id)) ? [words.REFUNDED_BEFORE] : null;
  };
  const [photo, pass] = [fieldOf(photos, sold.backPhotos, photoIds), fieldOf(passes, sold.backPasses, passIds)];
  const message = photo?.[0] ?? pass?.[0];
  if (message === undefined) return null;
  return problem('invalid', message, {
    errors: { ...(photo ? { photos: photo } : {}), ...(pass ? { passes: pass } : {}) },
  });
}

/** What the rest costs, by the rules and prices of the day of the order. */
function whatStays(sold: SoldThings, photoIds: readonly number[], passIds: readonly number[]) {
  const [back, backPasses] = [new Set([...sold.backPhotos, ...photoIds]), [...sold.backPasses, ...passIds]];
  const kept = sold.lines.filter(({ photoId }) => !back.has(photoId));
  if (sold.question === null)
    return { keptCents: sumCents(kept.map(({ priceCents }) => cents(priceCents))), text: null };
  const order = { ...sold.question, paidCents: sold.subtotalCents + sold.bonusCents, refundedCents: 0 };
  const keptPasses = sold.passes.flatMap(({ id }, at) => (backPasses.includes(id) ? [] : [at]));
  const { keptCents, reason } = refundOfPhotos(
    order,
    kept.map(({ photoId }) => photoId),
    keptPasses,
  );
  // The bonus stays with the rest.
  return { keptCents: Math.max(0, keptCents - sold.bonusCents), text: reason };
}
