/** Emails about money that is given back: to the buyer, and to whoever asked for it. */
import { createElement as h, Fragment } from 'react';
import { orderPath, type Receipt } from '#src/features/orders/receipt.rules.ts';
import { withoutLinks } from '#src/platform/mail/foreign-words.ts';
import { MailButton, MailFacts, MailHeading, MailParagraph, renderEmail } from '#src/platform/mail/mail-kit.ts';
import type { Email } from '#src/platform/mail/mail.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { cents, formatDollars } from '#src/shared/money.ts';

const dollars = (amountCents: number) => formatDollars(cents(amountCents));

/** Once per refund, whoever finds out that it was given. `receipt`: the order as it is booked after it. */
export function refundEmail(receipt: Receipt, refund: { id: number; amountCents: number }, origin: SiteOrigin): Email {
  const { seller } = receipt;
  const brand = { name: seller.name, accent: seller.accent };
  const amount = dollars(refund.amountCents);
  const isWhole = receipt.refundedCents >= receipt.totalCents;
  const card = !receipt.card?.last4 ? 'your card' : `your card ending in ${receipt.card.last4}`;
  const rendered = renderEmail({
    subject: `${amount} of your order from ${seller.name} was given back`,
    preheader: `It goes back to ${card}, usually within 5 to 10 days.`,
    brand,
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: `${amount} is on its way back to you.` }),
      h(MailParagraph, { children: `It goes back to ${card}. Banks usually show it within 5 to 10 days.` }),
      h(MailFacts, {
        rows: [
          { name: 'Order', value: String(receipt.id) },
          { name: 'You paid', value: dollars(receipt.totalCents) },
          { name: 'Given back in all', value: dollars(receipt.refundedCents) },
          { name: 'Paid in the end', value: dollars(receipt.totalCents - receipt.refundedCents) },
        ],
        sumLast: true,
      }),
      h(MailParagraph, {
        children: isWhole
          ? 'The order was given back in full, so its downloads are closed.'
          : 'Your photos stay yours: the downloads of this order are open as before.',
      }),
      h(MailButton, {
        brand,
        href: siteUrl(origin, seller.hostLabel, orderPath(receipt)),
        children: 'Open your order',
      }),
    ),
  });
  return { ...rendered, to: receipt.email, dedupeKey: `refund-${refund.id}` };
}

export type DecidedRequest = {
  id: number;
  state: 'given' | 'declined';
  /** What was given. */
  amountCents: number | null;
  note: string;
  to: string;
};

/** The answer to whoever asked, once per request. */
export function requestDecidedEmail(receipt: Receipt, request: DecidedRequest, origin: SiteOrigin): Email {
  const { seller } = receipt;
  const brand = { name: seller.name, accent: seller.accent };
  const given = request.state === 'given';
  const amount = request.amountCents === null ? '' : dollars(request.amountCents);
  const heading = given ? `${amount} of order ${receipt.id} was given back` : `Order ${receipt.id} was not refunded`;
  const rendered = renderEmail({
    subject: heading,
    preheader: given ? 'The buyer was told by email.' : 'The answer to your request.',
    brand,
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: heading }),
      h(MailParagraph, {
        children: given
          ? 'You asked for this refund. The buyer was told by email, and your reports show it.'
          : 'You asked for a refund of this order. It was looked at and declined.',
      }),
      ...request.note
        .split(/\n\s*\n/)
        .filter((text) => text !== '')
        .map((text, index) => h(MailParagraph, { key: `n${index}`, children: `“${text}”` })),
      h(MailFacts, {
        rows: [
          { name: 'Buyer', value: withoutLinks(`${receipt.firstName} ${receipt.lastName}`) },
          { name: 'Total', value: dollars(receipt.totalCents) },
          { name: 'Given back in all', value: dollars(receipt.refundedCents) },
        ],
      }),
      h(MailButton, {
        brand,
        href: siteUrl(origin, seller.hostLabel, `/${seller.path}/orders?search=${receipt.id}`),
        children: 'Open your orders',
      }),
    ),
  });
  return { ...rendered, to: request.to, dedupeKey: `refund-request-${request.id}` };
}
