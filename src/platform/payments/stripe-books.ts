/** Stripe's books as the platform reads them: its balance transactions, and its payouts with their contents. */
import type Stripe from 'stripe';
import type { BookLine, BookRange } from '#src/platform/payments/payments.ts';
import { idOf, KEY_NAME } from '#src/platform/payments/stripe-charges.ts';
import { cents } from '#src/shared/money.ts';

const LINES_A_PAGE = 500;
const STRIPES_LIMIT = 100;

/** Page by page. Manual payouts do not list their charges. @throws Stripe's faults */
export async function* readStripeBooks(stripe: Stripe, range: BookRange): AsyncGenerator<readonly BookLine[]> {
  const created = { gte: secondsOf(range.from), lt: secondsOf(range.to) };
  let page: BookLine[] = [];
  const all = stripe.balanceTransactions.list({ created, limit: STRIPES_LIMIT, expand: ['data.source'] });
  for await (const line of all) {
    if (line.type === 'payout') continue;
    page.push(lineOf(line));
    if (page.length < LINES_A_PAGE) continue;
    yield page;
    page = [];
  }
  for await (const payout of stripe.payouts.list({ created, limit: STRIPES_LIMIT })) {
    if (payout.status === 'failed' || payout.status === 'canceled') continue;
    page.push({
      ...UNATTRIBUTED,
      ref: payout.id,
      kind: 'payout',
      at: new Date(payout.created * 1000),
      amountCents: cents(-payout.amount),
      feeCents: cents(0),
      partsCents: payout.automatic ? await sumOfParts(stripe, payout.id) : null,
    });
  }
  if (page.length > 0) yield page;
}

const secondsOf = (moment: Date) => Math.ceil(moment.getTime() / 1000);
const UNATTRIBUTED = { chargeRef: null, idempotencyKey: null, orderRef: null, partsCents: null };

async function sumOfParts(stripe: Stripe, payout: string) {
  let sum = 0;
  for await (const part of stripe.balanceTransactions.list({ payout, limit: STRIPES_LIMIT }))
    if (part.type !== 'payout') sum += part.net;
  return cents(sum);
}

function lineOf(line: Stripe.BalanceTransaction): BookLine {
  return {
    ...UNATTRIBUTED,
    ...aboutOf(line),
    ref: line.id,
    at: new Date(line.created * 1000),
    amountCents: cents(line.amount),
    feeCents: cents(line.fee),
  };
}

type About = Pick<BookLine, 'kind'> & Partial<Pick<BookLine, 'chargeRef' | 'idempotencyKey' | 'orderRef' | 'feeCents'>>;

function aboutOf({ source }: Stripe.BalanceTransaction): About {
  if (source === null || typeof source === 'string') return { kind: 'other' };
  switch (source.object) {
    case 'charge': {
      const { metadata } = source;
      return {
        kind: 'charge',
        chargeRef: idOf(source.payment_intent) ?? source.id,
        idempotencyKey: metadata[KEY_NAME] ?? null,
        orderRef: metadata['order'] ?? null,
      };
    }
    case 'refund':
      return { kind: 'refund', chargeRef: idOf(source.payment_intent) };
    case 'dispute':
      return { kind: 'dispute', chargeRef: idOf(source.payment_intent) };
    default:
      return { kind: 'other' };
  }
}
