/** To members: a sold photo was withdrawn because a family asked for it. It names no child, no photo and no buyer. */
import { MailParagraph, writeEmail, type MailBrand } from '#src/platform/mail/mail-kit.tsx';
import type { Email } from '#src/platform/mail/mail.ts';
import { formatCount } from '#src/shared/counted.ts';

export function soldWithdrawnEmail(facts: {
  to: string;
  brand: MailBrand;
  /** Identifies the change, so that one change sends one email. */
  changeKey: string;
  photos: number;
  link: string;
}): Email {
  const { photos } = facts;
  const what = photos === 1 ? 'A photo that was sold' : `${formatCount(photos)} photos that were sold`;
  return writeEmail({
    to: facts.to,
    dedupeKey: `sold-withdrawn-${facts.changeKey}-${facts.to}`,
    subject: photos === 1 ? 'A sold photo was withdrawn' : 'Sold photos were withdrawn',
    preheader: 'Would you like to refund the buyers?',
    brand: facts.brand,
    footer: `Sent to you because you manage ${facts.brand.name} on Sideline.`,
    heading: 'Would you like to refund the buyers?',
    body: (
      <MailParagraph>
        {what} can no longer be downloaded because a family does not want their child to be published. The receipts
        still name {photos === 1 ? 'the photo' : 'the photos'}.
      </MailParagraph>
    ),
    button: { label: 'See the orders', href: facts.link },
  });
}
