/** Emails that notify members of an organization of changed card keys (rule 47), and of where its payouts go. */
import { MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';

export function keysChangedEmail(
  to: { firstName: string; email: string },
  organization: { name: string; primaryColor: string },
  dedupeKey: string,
): Email {
  return writeEmail({
    to: to.email,
    dedupeKey,
    subject: `Card keys of ${organization.name} were changed`,
    preheader: 'New orders are paid with the new keys.',
    brand: { name: 'Sideline', accent: organization.primaryColor },
    footer: 'Sent by Sideline to the members of the organization.',
    heading: 'New card keys',
    body: (
      <MailParagraph>
        Hello {withoutLinks(to.firstName)}, {withoutLinks(organization.name)} has new card keys. New orders are paid to
        their account.
      </MailParagraph>
    ),
    smallPrint: 'Didn’t make this change? Reply to this email right away.',
  });
}

export function payeeChangedEmail(
  to: { firstName: string; email: string },
  organization: { name: string; primaryColor: string },
  dedupeKey: string,
): Email {
  return writeEmail({
    to: to.email,
    dedupeKey,
    subject: `The payee of ${organization.name} was changed`,
    preheader: 'Payouts are made to the new name and address.',
    brand: { name: 'Sideline', accent: organization.primaryColor },
    footer: 'Sent by Sideline to the members of the organization.',
    heading: 'New payee',
    body: (
      <MailParagraph>
        Hello {withoutLinks(to.firstName)}, the billing name or address of {withoutLinks(organization.name)} was changed
        in its settings. Payouts are made to the new one.
      </MailParagraph>
    ),
    smallPrint: 'Didn’t make this change? Reply to this email right away.',
  });
}
