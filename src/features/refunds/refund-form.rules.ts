/** What can be wrong with a refund that is asked for or given, before it is sent. */
import { AMOUNT_NOT_VALID, moreThanLeft, REASON_REQUIRED } from '#src/features/refunds/refunds.contract.ts';
import { formatDollars, parseDollarText, type Cents } from '#src/shared/money.ts';
import type { FieldErrors } from '#src/shared/problem.ts';

/** As it is typed; the amount is dollars. */
export type RefundValues = { amount: string; reason: string };

/** `left`: how much of the order can still be refunded. */
export function refundProblems({ amount: text, reason }: RefundValues, left: Cents): FieldErrors {
  const amount = parseDollarText(text);
  return {
    ...(amount === null || amount === 0 ? { amount: [AMOUNT_NOT_VALID] } : {}),
    ...(amount !== null && amount > left ? { amount: [moreThanLeft(formatDollars(left))] } : {}),
    ...(reason.trim() === '' ? { reason: [REASON_REQUIRED] } : {}),
  };
}
