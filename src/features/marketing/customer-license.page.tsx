/** `/customerlicense`: what a buyer may do with a photo (specification P§1, P§2.1). */
import { Link } from 'react-router';
import { LegalPage, LegalSection } from '#src/features/marketing/ui/legal-page.tsx';
import { sitePageMeta } from '#src/web/site-page-meta.ts';
import type { Route } from './+types/customer-license.page.ts';

export function meta({ matches }: Route.MetaArgs) {
  return sitePageMeta(matches, {
    path: '/customerlicense',
    title: 'Customer License · Sideline',
    description:
      'What a photo’s license fee buys: the picture without the watermark, for personal, non-commercial use.',
  });
}

const SECTIONS = (
  <>
    <LegalSection id="what-you-buy" title="What you buy">
      <p>
        When you order a photo on Sideline you buy a license to use it, not the photo itself. The photographer, or the
        organization for which it was taken, keeps the copyright.
      </p>
      <p>
        The license is yours alone. It cannot be sold or passed on, and others may use the same photo under licenses of
        their own.
      </p>
    </LegalSection>
    <LegalSection id="license-fee" title="The license fee">
      <p>
        The license fee is the price shown next to each photo. Organizations set it, and some photos cost nothing: an
        order of $0.00 gives you the same license.
      </p>
      <p>
        Taxes, where they apply, and a donation, if you choose to add one, are on separate lines at checkout. A donation
        is a gift to the organization and buys no further rights.
      </p>
    </LegalSection>
    <LegalSection id="watermark" title="The watermark">
      <p>
        Photos for sale may be shown with a watermark. After payment you download the full photo with the watermark
        removed. Previews with a watermark are for choosing only: they may not be copied, and the watermark may not be
        removed.
      </p>
    </LegalSection>
    <LegalSection id="permitted-uses" title="Permitted uses">
      <p>
        You may use the photo for yourself, your family and your friends, and for nothing commercial. For example, you
        may
      </p>
      <ul>
        <li>keep it on your own devices and make copies to be safe,</li>
        <li>print it at home or have a print shop print it, in any size and number you need for yourself,</li>
        <li>give prints away, put it in an album, on a card or on a wall,</li>
        <li>show it on your personal pages on social networks,</li>
        <li>use it in a school project or a team’s slide show that no one pays for,</li>
        <li>crop it, turn it or make it black and white for any of these.</li>
      </ul>
    </LegalSection>
    <LegalSection id="not-permitted" title="What is not permitted">
      <p>Without the written consent of the organization and the photographer you may not</p>
      <ul>
        <li>sell the photo, or anything that it is printed on,</li>
        <li>use it in advertising, for a business, or to endorse anything,</li>
        <li>pass the file to a stock library, a data set or a service that recognizes faces,</li>
        <li>say that you took it, or remove the photographer’s credit,</li>
        <li>use it to harm, shame or mislead, especially when children are in the picture.</li>
      </ul>
    </LegalSection>
    <LegalSection id="how-long" title="How long it lasts">
      <p>
        The license does not expire. It ends if you break these rules or if the whole license fee is refunded; please
        delete the file then. The link in your receipt opens your downloads, so keep it, and keep a copy of each photo.
      </p>
    </LegalSection>
    <LegalSection id="money" title="Where the money goes">
      <p>
        License fees and donations are for the benefit of the organization that sells the photo, after the share of its
        plan and card fees. Checkout states the share that applies to your order before you pay.
      </p>
    </LegalSection>
    <LegalSection id="something-wrong" title="If something is wrong">
      <p>
        A photo that will not open, a charge you don’t recognize, a picture of your child that should not be there:
        write to the organization, whose address is on its pages, or <Link to="/contact">to us</Link>. The{' '}
        <Link to="/terms-of-use">Terms of Use</Link> apply as well.
      </p>
    </LegalSection>
  </>
);

export default function CustomerLicensePage() {
  return (
    <LegalPage
      title="Customer License"
      summary="Pay the license fee, and the photo comes without its watermark. It is yours to print, share and keep for personal, non-commercial use."
      sections={SECTIONS}
    />
  );
}
