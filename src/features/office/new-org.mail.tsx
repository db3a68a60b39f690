/** The email that welcomes the contact of a new organization: its address, and how to log in. Never a password. */
import { MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';

type Welcome = {
  to: { firstName: string; email: string };
  organizationName: string;
  /** `https://lakeside.…/` */
  address: string;
  loginLink: string;
  forgotLink: string;
  dedupeKey: string;
};

export function welcomeEmail({ to, organizationName, address, loginLink, forgotLink, dedupeKey }: Welcome): Email {
  return writeEmail({
    to: to.email,
    dedupeKey,
    subject: `${organizationName} is on Sideline`,
    preheader: `Its own address: ${address}`,
    footer: 'Sent by Sideline because your organization was created with this email address.',
    heading: 'Welcome',
    body: (
      <>
        <MailParagraph>
          Hello {withoutLinks(to.firstName)}, {withoutLinks(organizationName)} now has its own address: {address}
        </MailParagraph>
        <MailParagraph>You manage it. Log in as {to.email} with the password you were given.</MailParagraph>
      </>
    ),
    button: { label: 'Log in', href: loginLink },
    smallPrint: `Weren’t given one, or want to choose your own? Do so at ${forgotLink}`,
  });
}
