/** The email that notifies members of an organization that its card keys have changed (rule 47). */
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
