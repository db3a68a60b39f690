/** Emails to people who were given access to an organization, or lost it. */
import { createElement as h, Fragment } from 'react';
import { withoutLinks } from '#src/platform/mail/foreign-words.ts';
import { MailButton, MailHeading, MailParagraph, renderEmail } from '#src/platform/mail/mail-kit.ts';
import type { Email } from '#src/platform/mail/mail.ts';

type Recipient = { firstName: string; email: string };
type Place = { name: string; primaryColor: string };

/** To someone who has an account and a password already. `link` opens what they look after now. */
export function accessGivenEmail(to: Recipient, place: Place, link: string, dedupeKey: string): Email {
  const brand = { name: 'Sideline', accent: place.primaryColor };
  const rendered = renderEmail({
    subject: `You now manage ${place.name} on Sideline`,
    preheader: 'You sign in with your existing account.',
    brand,
    footer: 'Sent by Sideline to the owner of the account.',
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: 'One more team' }),
      h(MailParagraph, {
        children: `Hello ${withoutLinks(to.firstName)}, you have access to ${withoutLinks(place.name)} now: its galleries, settings and sales. You sign in with ${to.email}, as before.`,
      }),
      h(MailButton, { brand, href: link, children: 'Open it' }),
      h(MailParagraph, { quiet: true, children: 'Didn’t expect this? Please reply to this email.' }),
    ),
  });
  return { ...rendered, to: to.email, dedupeKey };
}

export function accessTakenEmail(to: Recipient, place: Place, dedupeKey: string): Email {
  const rendered = renderEmail({
    subject: `Your access to ${place.name} has ended`,
    preheader: 'Your account stays yours.',
    brand: { name: 'Sideline', accent: place.primaryColor },
    footer: 'Sent by Sideline to the owner of the account.',
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: 'Your access has ended' }),
      h(MailParagraph, {
        children: `Hello ${withoutLinks(to.firstName)}, you can no longer sign in for ${withoutLinks(place.name)}. Your account stays yours, and so does everything else you manage with it.`,
      }),
      h(MailParagraph, { quiet: true, children: 'Think this is a mistake? Please reply to this email.' }),
    ),
  });
  return { ...rendered, to: to.email, dedupeKey };
}
