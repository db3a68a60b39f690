/** Finding orders by email address, and sending a receipt again. */
import * as z from 'zod/mini';
import { EMAIL_NOT_VALID, EMAIL_REQUIRED } from '#src/features/orders/orders.contract.ts';
import { hasVisibleText, isEmail } from '#src/shared/validators.ts';

/** Said to everyone, whether the address has orders or not (rule 12). */
export const ORDERS_MAIL_SENT =
  'If photos were ordered with this address, we’ve emailed you the links. Please check your spam folder too.';
export const RECEIPT_SENT = 'We emailed the receipt. Please check your spam folder too.';
export const NO_RECEIPT_YET = 'There is no receipt yet because this order has not been paid.';

/** The email lists orders of this many months. */
export const FOUND_MONTHS = 24;
/** Newest first; older orders are in their own receipts. */
export const FOUND_AT_MOST = 30;

export const findOrdersBody = z.strictObject({
  email: z.string({ error: EMAIL_REQUIRED }).check(
    z.trim(),
    z.refine(hasVisibleText, { error: EMAIL_REQUIRED, abort: true }),
    z.refine((text) => text.length <= 254 && isEmail(text), { error: EMAIL_NOT_VALID }),
  ),
});
