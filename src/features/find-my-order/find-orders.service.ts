/**
 * Buyers who lost a receipt get it again, only at the address that they bought with, so that no one else learns anything. The
 * response never reveals whether there are orders; the worker looks them up, and emails are limited per sender, per address and
 * per day (threat 31).
 */
import { createHash } from 'node:crypto';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { FOUND_AT_MOST, FOUND_MONTHS, NO_RECEIPT_YET } from '#src/features/find-my-order/find-orders.contract.ts';
import { foundOrdersEmail } from '#src/features/find-my-order/find-orders.mail.tsx';
import * as findOrdersSql from '#src/features/find-my-order/find-orders.sql.ts';
import { ORDER_NOT_FOUND } from '#src/features/orders/orders.contract.ts';
import { sendFoundOrdersJob } from '#src/features/find-my-order/find-orders.jobs.ts';
import { receiptEmail } from '#src/features/orders/receipt.mail.tsx';
import { isVanityId } from '#src/features/orders/receipt.rules.ts';
import { freeReceiptLimits } from '#src/features/orders/receipts.service.ts';
import * as receiptsSql from '#src/features/orders/receipts.sql.ts';
import { mayTake } from '#src/platform/limits/rate-limits.ts';
import type { Platform } from '#src/platform/platform.ts';
import { randomToken } from '#src/platform/secrets.ts';
import type { SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#src/shared/dates.ts';

const BUYERS = {
  kind: 'system',
  why: 'orders are looked up by the address they were bought with, and sent to that address only',
} as const;

/** Of one sender. */
const SEARCHES_AN_HOUR = 10;
const RESENDS_AN_HOUR = 20;
/** Searches for one address that send an email. */
const SEARCHES_OF_ADDRESS = { hour: 3, day: 6 };
/** Of one order, to its own address. */
const RESENDS_OF_ORDER = { hour: 3, day: 6 };
/** Of all senders together. */
const EMAILS_A_DAY = 5_000;

type FindOrdersDeps = Pick<Platform, 'database' | 'limits' | 'jobs' | 'outbox'> & {
  origin: SiteOrigin;
};

export type FindOrders = ReturnType<typeof createFindOrders>;

/**
 * Queues the search for orders of an address; the response and its duration are the same for every address.
 * @throws too_many for a sender who tries many
 */
export async function askForOrders(ctx: FindOrdersDeps, caller: Caller, email: string): Promise<void> {
  await ctx.limits.take({
    bucket: `find-orders:ip:${caller.ip}`,
    limit: SEARCHES_AN_HOUR,
    windowSeconds: HOUR_SECONDS,
  });
  const address = createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 32);
  const mayAsk = await mayTake(
    ctx.limits,
    { bucket: `find-orders:hour:${address}`, limit: SEARCHES_OF_ADDRESS.hour, windowSeconds: HOUR_SECONDS },
    { bucket: `find-orders:day:${address}`, limit: SEARCHES_OF_ADDRESS.day, windowSeconds: DAY_SECONDS },
  );
  if (mayAsk) await ctx.database.write(BUYERS, (tx) => ctx.jobs.enqueue(tx, sendFoundOrdersJob, { email }));
}

/** Handler of `sendFoundOrdersJob`: one email with all of them, or none. */
export async function sendFoundOrders(ctx: FindOrdersDeps, email: string): Promise<void> {
  const orders = await ctx.database.read(BUYERS, (db) =>
    findOrdersSql.listOfBuyer(db, email, { months: FOUND_MONTHS, atMost: FOUND_AT_MOST }),
  );
  const [first] = orders;
  // Counted only if an email is sent: asking for other people's addresses does not use up their emails.
  if (
    !first ||
    !(await mayTake(ctx.limits, { bucket: 'find-orders:all', limit: EMAILS_A_DAY, windowSeconds: DAY_SECONDS }))
  )
    return;
  // To the address as it was typed for the purchase, not as it is typed now.
  const message = foundOrdersEmail(first.email, orders, ctx.origin, `orders-found:${randomToken(16)}`);
  await ctx.database.write(BUYERS, (tx) => ctx.outbox.queueEmail(tx, message));
}

/** Emails the receipt of a paid order again, to its own address. @throws not_found; conflict while it is not paid; too_many */
export async function resendReceipt(ctx: FindOrdersDeps, caller: Caller, vanityId: string): Promise<void> {
  await ctx.limits.take({ bucket: `resend:ip:${caller.ip}`, limit: RESENDS_AN_HOUR, windowSeconds: HOUR_SECONDS });
  const receipt = isVanityId(vanityId)
    ? await ctx.database.read(BUYERS, (db) => receiptsSql.findReceipt(db, { vanityId }))
    : null;
  if (!receipt) throw notFound(ORDER_NOT_FOUND);
  if (receipt.status === 'pending' || receipt.status === 'failed') throw problem('conflict', NO_RECEIPT_YET);
  await ctx.limits.take({
    bucket: `resend:hour:${vanityId}`,
    limit: RESENDS_OF_ORDER.hour,
    windowSeconds: HOUR_SECONDS,
  });
  await ctx.limits.take({ bucket: `resend:day:${vanityId}`, limit: RESENDS_OF_ORDER.day, windowSeconds: DAY_SECONDS });
  for (const share of freeReceiptLimits(receipt.email)) await ctx.limits.take(share);
  const message = { ...receiptEmail(receipt, ctx.origin), dedupeKey: `receipt-again:${randomToken(16)}` };
  await ctx.database.write(BUYERS, (tx) => ctx.outbox.queueEmail(tx, message));
}

export const createFindOrders = (deps: FindOrdersDeps) => bind(deps, { askForOrders, sendFoundOrders, resendReceipt });
