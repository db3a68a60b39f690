/** The email that invites someone to send photos. */
import {
  MailButton,
  MailLink,
  MailParagraph,
  plainBrand,
  writeEmail,
  type MailBrand,
} from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';

type Invite = {
  to: string;
  /** The inviting person's name. */
  invitedBy: string;
  gallery: string;
  brand: MailBrand;
  /** Contains the personal key. */
  link: string;
  /** To the legal pages. */
  termsLink: string;
  licenseLink: string;
  dedupeKey: string;
};

/** Who invites, to which gallery, one button. Replies go to no one: the inviting person's address is not shared. */
export function inviteEmail({ to, link, termsLink, licenseLink, dedupeKey, ...typed }: Invite): Email {
  // Anyone may open an organization and invite anyone, so links in its texts are removed.
  const [gallery, invitedBy] = [withoutLinks(typed.gallery), withoutLinks(typed.invitedBy)];
  const brand = plainBrand(typed.brand);
  return writeEmail({
    to,
    dedupeKey,
    subject: `${brand.name} asks for your photos of ${gallery}`,
    preheader: `${invitedBy} invites you to add your photos.`,
    brand,
    footer: `Sent by ${brand.name} with Sideline because ${invitedBy} entered your address. The link is for you only; please don’t share it.`,
    heading: 'Add your photos',
    body: (
      <>
        <MailParagraph>
          {invitedBy} of {brand.name} invites you to send the photos you took for the gallery “{gallery}”. No account is
          needed.
        </MailParagraph>
        <MailButton brand={brand} href={link}>
          Send your photos
        </MailButton>
        <MailParagraph>
          {brand.name} reviews your photos before anyone else sees them. With the same link you can check their status
          and withdraw them.
        </MailParagraph>
      </>
    ),
    smallPrint: (
      <>
        By sending photos you agree to our <MailLink href={termsLink}>Terms</MailLink> and our{' '}
        <MailLink href={licenseLink}>Customer License</MailLink>. Don’t know what this is about? You can ignore this
        email.
      </>
    ),
  });
}
