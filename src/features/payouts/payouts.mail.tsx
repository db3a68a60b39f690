/** Emails about payouts: to the organization when one was sent, to the platform's admins when one has failed. */
import { MailFacts, MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';
import { formatCount } from '#src/shared/counted.ts';
import { publicDay } from '#src/shared/dates.ts';
import { formatDollars } from '#src/shared/money.ts';

type Payout = {
  id: number;
  to: string;
  organizationName: string;
  amountCents: number;
  orderCount: number;
  link: string;
};

const amountOf = (payout: Payout) => formatDollars(payout.amountCents);
const ordersOf = ({ orderCount }: Payout) => ({
  name: orderCount === 1 ? 'Order' : 'Orders',
  value: formatCount(orderCount),
});

/** "Your money is on its way to the bank", with the period in which its orders were sold. */
export function payoutPaidEmail(
  payout: Payout & { reference: string; salesFrom: Date | null; salesTo: Date | null; timeZone: string },
): Email {
  const heading = `${amountOf(payout)} for ${payout.organizationName}`;
  const { salesFrom, salesTo, timeZone } = payout;
  const days = salesFrom && salesTo ? [publicDay(salesFrom, timeZone), publicDay(salesTo, timeZone)] : [];
  return writeEmail({
    to: payout.to,
    dedupeKey: `payout-paid-${payout.id}`,
    subject: heading,
    preheader: `Your payout was sent: ${payout.reference}`,
    heading: withoutLinks(heading),
    body: (
      <>
        <MailParagraph>We sent the money that your photos and donations earned.</MailParagraph>
        <MailFacts
          rows={[
            { name: 'Amount', value: amountOf(payout) },
            ...(days.length === 0 ? [] : [{ name: 'Sold', value: [...new Set(days)].join(' to ') }]),
            ordersOf(payout),
            { name: 'Reference', value: payout.reference },
          ]}
        />
      </>
    ),
    button: { label: 'See your reports', href: payout.link },
  });
}

/** To the organization: its transfer was returned to us. */
export function payoutReturnedEmail(
  payout: Payout & { reference: string; reason: string; billingLink: string },
): Email {
  return writeEmail({
    to: payout.to,
    dedupeKey: `payout-returned-${payout.id}`,
    subject: `Returned by the bank: ${amountOf(payout)} for ${payout.organizationName}`,
    preheader: 'Nothing is lost: it comes with your next payout.',
    heading: 'The bank returned a payout',
    body: (
      <>
        <MailParagraph>
          The money we sent you came back to us. Nothing is lost: we still owe it to you, and it comes with your next
          payout. Please check in your settings who is paid, and at which address.
        </MailParagraph>
        <MailFacts
          rows={[
            { name: 'Amount', value: amountOf(payout) },
            { name: 'Reference', value: payout.reference },
            { name: 'Why', value: payout.reason },
          ]}
        />
      </>
    ),
    button: { label: 'Check your settings', href: payout.billingLink },
  });
}

/** To a platform admin. */
export function payoutFailedEmail(payout: Payout & { reason: string; recipient: number }): Email {
  return writeEmail({
    to: payout.to,
    dedupeKey: `payout-failed-${payout.id}-${payout.recipient}`,
    subject: `A payout has failed: ${amountOf(payout)} for ${payout.organizationName}`,
    preheader: 'Its orders are due again.',
    heading: 'A payout has failed',
    body: (
      <>
        <MailParagraph>Its orders are due again and appear in the next review.</MailParagraph>
        <MailFacts
          rows={[
            { name: 'Payout', value: String(payout.id) },
            { name: 'Organization', value: withoutLinks(payout.organizationName) },
            { name: 'Amount', value: amountOf(payout) },
            ordersOf(payout),
            { name: 'Why', value: payout.reason },
          ]}
        />
      </>
    ),
    button: { label: 'Review the payouts', href: payout.link },
  });
}
