/** `/terms-of-use`, route name `Terms`: the rules for everyone who uses the site (specification P§1, 5; rules 18, 43). */
import { Link } from 'react-router';
import { GOVERNING_STATE, LIABILITY_CAP, MINIMUM_AGE } from '#src/features/marketing/legal.contract.ts';
import { LegalPage, LegalSection } from '#src/features/marketing/ui/legal-page.tsx';
import { sitePageMeta } from '#src/web/site-page-meta.ts';
import type { Route } from './+types/terms-of-use.page.ts';

export function meta({ matches }: Route.MetaArgs) {
  return sitePageMeta(matches, {
    path: '/terms-of-use',
    title: 'Terms of Use · Sideline',
    description:
      'The rules for using Sideline: who may use it, buying photos, donations, conduct, copyright and liability.',
  });
}

const SECTIONS = (
  <>
    <LegalSection id="agreement" title="By using Sideline, you agree">
      <p>
        Sideline shows and sells photos of local events for clubs, schools and other organizations. By using it you
        agree to these terms and to the <Link to="/privacy">Privacy Policy</Link>. Organizations and contributors also
        agree to the <Link to="/user-agreement">User and Contributor Agreement</Link>.
      </p>
    </LegalSection>
    <LegalSection id="age-and-place" title="Age and place">
      <p>
        You must be {MINIMUM_AGE} or older to use Sideline, unless a parent or guardian acts for you, and you must be
        located in the United States.
      </p>
      <p>A parent or guardian who acts for a child is responsible for what is done in the child’s name.</p>
    </LegalSection>
    <LegalSection id="buying" title="Buying photos">
      <p>
        You buy a license for personal, non-commercial use. The <Link to="/customerlicense">Customer License</Link> says
        what that includes. Prices are shown next to the photos; taxes and the total are shown at checkout before you
        pay.
      </p>
      <p>
        Photos are delivered immediately, as downloads. Please check previews before you buy. If a download does not
        work or a charge is wrong, the organization or we will fix it; refunds go back to the card that paid.
      </p>
    </LegalSection>
    <LegalSection id="money" title="Donations, and where the money goes">
      <p>
        Sales and donations benefit the organization whose gallery you buy from. Checkout states which share of your
        order it receives before you pay, less card fees.
      </p>
      <p>
        A donation is a gift to that organization. Whether it is deductible depends on the organization; its Tax ID is
        on your receipt when it has one.
      </p>
    </LegalSection>
    <LegalSection id="accounts" title="Accounts">
      <p>
        Give accurate information, keep your password to yourself, and tell us if someone else uses your account. You
        are responsible for what happens under it.
      </p>
    </LegalSection>
    <LegalSection id="conduct" title="Fair use">
      <p>Please do not</p>
      <ul>
        <li>copy previews, remove watermarks or download photos you have not been given or bought,</li>
        <li>try to enter private galleries, guess passwords or addresses, or use other people’s links,</li>
        <li>collect photos or data by machine, or use them to identify people,</li>
        <li>disturb the site, get around its limits or put harmful files on it,</li>
        <li>harass anyone, especially the young people in the photos.</li>
      </ul>
    </LegalSection>
    <LegalSection id="contributions" title="Photos that you add">
      <p>
        If a gallery accepts photos from everyone, add only those you took or may share. The organization reviews them
        before they become public. The <Link to="/user-agreement">User and Contributor Agreement</Link> applies.
      </p>
    </LegalSection>
    <LegalSection id="copyright" title="Copyright and removal requests">
      <p>
        If a photo here is yours and was published without permission, or shows you or your child and should not, write
        to the organization or <Link to="/contact">to us</Link> with the address of the photo and the reason. We look
        into every such request, and remove what does not belong here.
      </p>
    </LegalSection>
    <LegalSection id="others" title="Partners and other sites">
      <p>
        Print shops, sponsors and other sites that are linked here have their own terms. What you arrange with them is
        between you and them.
      </p>
    </LegalSection>
    <LegalSection id="liability" title="No warranty, limited liability">
      <p>
        Sideline is provided “as is.” To the extent permitted by law, our total liability is capped at {LIABILITY_CAP}{' '}
        you paid us, and we are not liable for lost profits or other indirect damages. Nothing here limits rights that
        cannot be waived by law.
      </p>
    </LegalSection>
    <LegalSection id="law" title="Governing law">
      <p>
        The law of the State of {GOVERNING_STATE}, United States, applies, and its courts decide disputes that we cannot
        settle by talking first.
      </p>
    </LegalSection>
    <LegalSection id="changes" title="Changes and questions">
      <p>
        We may change these terms; the version on this page applies to what you do after it is posted. Questions:{' '}
        <Link to="/contact">Contact Us</Link>.
      </p>
    </LegalSection>
  </>
);

export default function TermsOfUsePage() {
  return (
    <LegalPage
      title="Terms of Use"
      summary="Be 13 or older, or have a parent with you. Be in the United States. Be fair to the people in the pictures and to those who took them."
      sections={SECTIONS}
    />
  );
}
