/** Emails about refunds: to the buyer, and to the person who requested one. */
import { orderPath, type Receipt } from '#src/features/orders/receipt.rules.ts';
import { MailFacts, MailParagraph, MailParagraphs, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { formatDollars } from '#src/shared/money.ts';

/** `closes`: photos or passes were refunded with it. */
type SentRefund = { id: number; amountCents: number; creditCents: number; closes: boolean };

/** Credit is returned to its code immediately, and before the card gets anything. */
function goesBack({ amountCents, creditCents }: SentRefund, card: string): string {
  const toCard = `goes back to ${card}. Banks usually show it within 5 to 10 days.`;
  if (creditCents === 0) return `It ${toCard}`;
  if (creditCents === amountCents) return 'It is back on the credit code that you paid with, and you can spend it now.';
  return `${formatDollars(creditCents)} is back on the credit code that you paid with. ${formatDollars(amountCents - creditCents)} ${toCard}`;
}

/** Once for each refund, whichever process learns of it. `receipt`: the order after the refund is booked. */
export function refundEmail(receipt: Receipt, refund: SentRefund, origin: SiteOrigin): Email {
  const { seller } = receipt;
  const brand = { name: seller.name, accent: seller.accent };
  const amount = formatDollars(refund.amountCents);
  const isWhole = receipt.refundedCents >= receipt.totalCents;
  const card = !receipt.card?.last4 ? 'your card' : `your card ending in ${receipt.card.last4}`;
  return writeEmail({
    to: receipt.email,
    dedupeKey: `refund-${refund.id}`,
    subject: `You’ve been refunded ${amount} for your order from ${seller.name}`,
    preheader: goesBack(refund, card),
    brand,
    heading: `${amount} is on its way back to you.`,
    body: (
      <>
        <MailParagraph>{goesBack(refund, card)}</MailParagraph>
        <MailFacts
          rows={[
            { name: 'Order', value: String(receipt.id) },
            { name: 'You paid', value: formatDollars(receipt.totalCents) },
            { name: 'Total refunded', value: formatDollars(receipt.refundedCents) },
            { name: 'Total paid', value: formatDollars(receipt.totalCents - receipt.refundedCents) },
          ]}
          sumLast
        />
        <MailParagraph>
          {receipt.kind === 'credit'
            ? 'What was refunded can no longer be spent.'
            : isWhole
              ? 'The order was refunded in full, so its downloads are closed.'
              : refund.closes
                ? 'The downloads of what was refunded are closed. You keep everything else.'
                : 'You keep your photos: the downloads of this order stay open.'}
        </MailParagraph>
      </>
    ),
    button: { label: 'Open your order', href: siteUrl(origin, seller.hostLabel, orderPath(receipt)) },
  });
}

type DecidedRequest = {
  id: number;
  state: 'given' | 'declined';
  /** The refunded amount. */
  amountCents: number | null;
  note: string;
  to: string;
};

/** The answer to the person who asked, once for each request. */
export function requestDecidedEmail(receipt: Receipt, request: DecidedRequest, origin: SiteOrigin): Email {
  const { seller } = receipt;
  const brand = { name: seller.name, accent: seller.accent };
  const given = request.state === 'given';
  const amount = request.amountCents === null ? '' : formatDollars(request.amountCents);
  const heading = given ? `${amount} of order ${receipt.id} was refunded` : `Order ${receipt.id} was not refunded`;
  return writeEmail({
    to: request.to,
    dedupeKey: `refund-request-${request.id}`,
    subject: heading,
    preheader: given ? 'We emailed the buyer.' : 'The answer to your request.',
    brand,
    heading,
    body: (
      <>
        <MailParagraph>
          {given
            ? 'You requested this refund. We emailed the buyer, and it is in your reports.'
            : 'You requested a refund of this order. We reviewed and declined it.'}
        </MailParagraph>
        <MailParagraphs text={request.note} quoted />
        <MailFacts
          rows={[
            { name: 'Buyer', value: withoutLinks(`${receipt.firstName} ${receipt.lastName}`) },
            { name: 'Total', value: formatDollars(receipt.totalCents) },
            { name: 'Total refunded', value: formatDollars(receipt.refundedCents) },
          ]}
        />
      </>
    ),
    button: {
      label: 'Open your orders',
      href: siteUrl(origin, seller.hostLabel, `/${seller.path}/orders?search=${receipt.id}`),
    },
  });
}
