/** Sends refunds from the browser, each under its own key. */
import type { RefundGiven } from '#src/features/refunds/refunds.contract.ts';
import { callApi, type ApiResult } from '#src/web/api-client.ts';

/** A uuid also where the page has no `crypto.randomUUID` (plain http). */
export function newRefundKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export function sendRefund(
  orderId: number,
  refund: { amount: number | null; reason: string; key: string },
): Promise<ApiResult<RefundGiven>> {
  const body = { amount: refund.amount, reason: refund.reason, refund_key: refund.key };
  return callApi<RefundGiven>('POST', `/api/v1/orders/${orderId}/refunds`, { body });
}
