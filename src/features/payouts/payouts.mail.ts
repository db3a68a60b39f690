/** Emails about payouts: to the organization when one was sent, to the platform's admins when one has failed. */
import { createElement as h, Fragment } from 'react';
import { withoutLinks } from '#src/platform/mail/foreign-words.ts';
import {
  MailButton,
  MailFacts,
  MailHeading,
  MailParagraph,
  renderEmail,
  type MailBrand,
} from '#src/platform/mail/mail-kit.ts';
import type { Email } from '#src/platform/mail/mail.ts';
import { publicDay } from '#src/shared/dates.ts';
import { cents, formatDollars } from '#src/shared/money.ts';

const PLATFORM_BRAND: MailBrand = { name: 'Sideline', accent: '#0099CC' };

type Told = {
  id: number;
  to: string;
  organizationName: string;
  amountCents: number;
  orderCount: number;
  link: string;
};

const dollarsOf = (amountCents: number) => formatDollars(cents(amountCents));

/** "Your money is on its way to the bank": with the time in which its orders were sold. */
export function payoutPaidEmail(
  told: Told & { reference: string; salesFrom: Date | null; salesTo: Date | null; timeZone: string },
): Email {
  const amount = dollarsOf(told.amountCents);
  const days =
    told.salesFrom && told.salesTo
      ? [publicDay(told.salesFrom, told.timeZone), publicDay(told.salesTo, told.timeZone)]
      : [];
  const rendered = renderEmail({
    subject: `${amount} for ${told.organizationName}`,
    preheader: `Your payout was sent: ${told.reference}`,
    brand: PLATFORM_BRAND,
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: `${amount} for ${withoutLinks(told.organizationName)}` }),
      h(MailParagraph, { children: 'We sent the money that your photos and donations earned.' }),
      h(MailFacts, {
        rows: [
          { name: 'Amount', value: amount },
          ...(days.length === 0 ? [] : [{ name: 'Sold', value: [...new Set(days)].join(' to ') }]),
          { name: told.orderCount === 1 ? 'Order' : 'Orders', value: told.orderCount.toLocaleString('en-US') },
          { name: 'Reference', value: told.reference },
        ],
      }),
      h(MailButton, { brand: PLATFORM_BRAND, href: told.link, children: 'See your reports' }),
    ),
  });
  return { ...rendered, to: told.to, dedupeKey: `payout-paid-${told.id}` };
}

/** To the organization: the transfer it was told of has come back to us. */
export function payoutReturnedEmail(told: Told & { reference: string; reason: string }): Email {
  const amount = dollarsOf(told.amountCents);
  const rendered = renderEmail({
    subject: `Returned by the bank: ${amount} for ${told.organizationName}`,
    preheader: 'Nothing is lost: it comes with your next payout.',
    brand: PLATFORM_BRAND,
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: 'The bank returned a payout' }),
      h(MailParagraph, {
        children:
          'The money we sent you came back to us. Nothing is lost: it is owed to you as before and comes with your next payout. Please check that we have the right account.',
      }),
      h(MailFacts, {
        rows: [
          { name: 'Amount', value: amount },
          { name: 'Reference', value: told.reference },
          { name: 'Why', value: told.reason },
        ],
      }),
      h(MailButton, { brand: PLATFORM_BRAND, href: told.link, children: 'See your reports' }),
    ),
  });
  return { ...rendered, to: told.to, dedupeKey: `payout-returned-${told.id}` };
}

/** To a platform admin. */
export function payoutFailedEmail(told: Told & { reason: string; recipient: number }): Email {
  const amount = dollarsOf(told.amountCents);
  const rendered = renderEmail({
    subject: `A payout has failed: ${amount} for ${told.organizationName}`,
    preheader: 'Its orders are due again.',
    brand: PLATFORM_BRAND,
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: 'A payout has failed' }),
      h(MailParagraph, { children: 'Its orders are due again and appear in the next review.' }),
      h(MailFacts, {
        rows: [
          { name: 'Payout', value: String(told.id) },
          { name: 'Organization', value: withoutLinks(told.organizationName) },
          { name: 'Amount', value: amount },
          { name: told.orderCount === 1 ? 'Order' : 'Orders', value: told.orderCount.toLocaleString('en-US') },
          { name: 'Why', value: told.reason },
        ],
      }),
      h(MailButton, { brand: PLATFORM_BRAND, href: told.link, children: 'Look at the payouts' }),
    ),
  });
  return { ...rendered, to: told.to, dedupeKey: `payout-failed-${told.id}-${told.recipient}` };
}
