/** The email that invites someone to send photos. */
import { withoutLinks } from '#src/platform/mail/foreign-words.ts';
import { createElement as h, Fragment } from 'react';
import {
  MailButton,
  MailHeading,
  MailLink,
  MailParagraph,
  renderEmail,
  type MailBrand,
} from '#src/platform/mail/mail-kit.ts';
import type { Email } from '#src/platform/mail/mail.ts';

type Invite = {
  to: string;
  /** Who invites, as a person. */
  invitedBy: string;
  gallery: string;
  brand: MailBrand;
  /** Carries the personal key. */
  link: string;
  /** Of the legal pages. */
  termsLink: string;
  licenseLink: string;
  dedupeKey: string;
};

/** Who invites, to which gallery, one button. An answer goes to no one: the address of the inviting person is not ours to give. */
export function inviteEmail(invite: Invite): Email {
  const { link } = invite;
  // Anyone may open an organization and invite anyone: none of its words may be a link.
  const [gallery, invitedBy] = [withoutLinks(invite.gallery), withoutLinks(invite.invitedBy)];
  const brand = { ...invite.brand, name: withoutLinks(invite.brand.name) };
  const rendered = renderEmail({
    subject: `${brand.name} asks for your photos of ${gallery}`,
    preheader: `${invitedBy} invites you to add your photos.`,
    brand,
    footer: `Sent by ${brand.name} with Sideline, because ${invitedBy} typed your address. The link is yours alone; please do not pass it on.`,
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: 'Add your photos' }),
      h(MailParagraph, {
        children: `${invitedBy} of ${brand.name} invites you to send the photos you took for the gallery “${gallery}”. No account is needed.`,
      }),
      h(MailButton, { brand, href: link, children: 'Send your photos' }),
      h(MailParagraph, {
        children: `${brand.name} reviews your photos before anyone else sees them. With the same link you can check their status and withdraw them.`,
      }),
      h(MailParagraph, {
        quiet: true,
        children: h(
          Fragment,
          null,
          'By sending photos you agree to our ',
          h(MailLink, { href: invite.termsLink, children: 'Terms' }),
          ' and our ',
          h(MailLink, { href: invite.licenseLink, children: 'Customer License' }),
          '. Don’t know what this is about? You can ignore this email.',
        ),
      }),
    ),
  });
  return { ...rendered, to: invite.to, dedupeKey: invite.dedupeKey };
}
