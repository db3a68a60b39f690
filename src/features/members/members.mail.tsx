/** Emails to people who were given access to an organization, or lost it. */
import { MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';

type Recipient = { firstName: string; email: string };
type Place = { name: string; primaryColor: string };

const FOOTER = 'Sent by Sideline to the owner of the account.';
const brandOf = (place: Place) => ({ name: 'Sideline', accent: place.primaryColor });

/** To someone who already has an account and a password. `link` opens the organization. */
export function accessGivenEmail(to: Recipient, place: Place, link: string, dedupeKey: string): Email {
  return writeEmail({
    to: to.email,
    dedupeKey,
    subject: `You now manage ${place.name} on Sideline`,
    preheader: 'Log in with your existing account.',
    brand: brandOf(place),
    footer: FOOTER,
    heading: 'One more team',
    body: (
      <MailParagraph>
        Hello {withoutLinks(to.firstName)}, you now have access to {withoutLinks(place.name)}: its galleries, settings
        and sales. Log in with {to.email}, as before.
      </MailParagraph>
    ),
    button: { label: 'Open it', href: link },
    smallPrint: 'Didn’t expect this? Please reply to this email.',
  });
}

export function accessTakenEmail(to: Recipient, place: Place, dedupeKey: string): Email {
  return writeEmail({
    to: to.email,
    dedupeKey,
    subject: `Your access to ${place.name} has ended`,
    preheader: 'You keep your account.',
    brand: brandOf(place),
    footer: FOOTER,
    heading: 'Your access has ended',
    body: (
      <MailParagraph>
        Hello {withoutLinks(to.firstName)}, you can no longer log in for {withoutLinks(place.name)}. You keep your
        account and everything else you manage with it.
      </MailParagraph>
    ),
    smallPrint: 'Think this is a mistake? Please reply to this email.',
  });
}
