import { readCodes, storeCodes } from '#src/features/cart/typed-codes.client.ts';
import { MAX_CODES } from '#src/features/coupons/coupons.contract.ts';

/** One code more for the next order at this seller, in this tab; the oldest go. */
export function keepCode(sellerId: number, code: string): void {
  storeCodes(sellerId, [...readCodes(sellerId).filter((other) => other !== code), code].slice(-MAX_CODES));
}
