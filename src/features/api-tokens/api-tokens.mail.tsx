/** The email to an organization's members about a new API token. */
import { MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';

export function tokenMadeEmail(
  to: { firstName: string; email: string },
  organization: { name: string; primaryColor: string },
  token: { name: string; madeBy: string },
  dedupeKey: string,
): Email {
  return writeEmail({
    to: to.email,
    dedupeKey,
    subject: `New API token of ${organization.name}`,
    preheader: 'A program can now work for your organization.',
    brand: { name: 'Sideline', accent: organization.primaryColor },
    footer: 'Sent by Sideline to the members of the organization.',
    heading: 'New API token',
    body: (
      <MailParagraph>
        Hello {withoutLinks(to.firstName)}, {withoutLinks(token.madeBy)} created the API token “
        {withoutLinks(token.name)}” for {withoutLinks(organization.name)}. A program with this token can do what it
        allows until you revoke it under Settings, API tokens.
      </MailParagraph>
    ),
    smallPrint: 'Don’t recognize this? Revoke the token and reply to this email right away.',
  });
}
