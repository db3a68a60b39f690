/** `/user-agreement`: what organizations and contributors agree to (specification P§2.1, P§9; rule 18). */
import { Link } from 'react-router';
import { FREE_PLAN, PLANS, PREMIUM_PLAN, keepsText, priceText, type Plan } from '#src/features/tenancy/plans.rules.ts';
import {
  GOVERNING_STATE,
  LIABILITY_CAP,
  NET_PAYMENT_DAYS,
  USER_AGREEMENT_EFFECTIVE,
} from '#src/features/marketing/legal.contract.ts';
import { galleriesText, photosText } from '#src/features/marketing/plan-words.rules.ts';
import { LegalPage, LegalSection } from '#src/features/marketing/ui/legal-page.tsx';
import { sitePageMeta } from '#src/web/site-page-meta.ts';
import type { Route } from './+types/user-agreement.page.ts';

export function meta({ matches }: Route.MetaArgs) {
  return sitePageMeta(matches, {
    path: '/user-agreement',
    title: 'User and Contributor Agreement · Sideline',
    description:
      'What organizations and contributors agree to: photos and rights, storage, fees, payment and liability.',
  });
}

const allotment = (plan: Plan) => `${plan.name}: ${galleriesText(plan)}, ${photosText(plan)}`.toLowerCase();
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const SECTIONS = (
  <>
    <LegalSection id="who" title="Who this is between">
      <p>
        This agreement is between Sideline and everyone who puts photos here: organizations that open an account
        (“users”) and people who add photos to an organization’s gallery (“contributors”). Anyone who opens an account
        confirms that they may act for the organization.
      </p>
      <p>
        The <Link to="/terms-of-use">Terms of Use</Link> and the <Link to="/privacy">Privacy Policy</Link> are part of
        it.
      </p>
    </LegalSection>
    <LegalSection id="storage" title="Storage allotment">
      <p>Each account has a storage allotment, which depends on its plan:</p>
      <ul>
        {PLANS.map((plan) => (
          <li key={plan.id}>{sentence(allotment(plan))}.</li>
        ))}
      </ul>
      <p>
        A photo is one JPEG file of at most 10 MB. Photos of contributors count toward the allotment of the gallery.
        When an allotment is used up, nothing is deleted: new photos wait until there is space or a larger plan.
      </p>
      <p>We keep your photos with care, but Sideline is not your only archive. Keep your originals.</p>
    </LegalSection>
    <LegalSection id="your-photos" title="Your photos stay yours">
      <p>
        You keep every right in your photos. You allow us to store them, to make smaller and watermarked versions, to
        show them where your gallery says so, to license them to buyers under the{' '}
        <Link to="/customerlicense">Customer License</Link>, and to deliver what was bought. This permission ends when
        you delete a photo, except for buyers who already have it.
      </p>
      <p>
        You promise that you took the photos or may license them, and that the people in them, or the parents of
        children, have agreed where the law requires it.
      </p>
    </LegalSection>
    <LegalSection id="invite-links" title="Contributors and invite links">
      <p>
        A gallery can have an invite link. <strong>Anyone with the invite link can upload</strong> to that gallery,
        without an account, until the organization changes or turns off the link. Share it with that in mind.
      </p>
      <p>
        Contributed photos become public only after the organization has reviewed them. Contributors give the
        organization the same permission for their photos that “<a href="#your-photos">Your photos stay yours</a>” gives
        to us, and the organization sets the price and receives the money.
      </p>
    </LegalSection>
    <LegalSection id="rules" title="What may not be uploaded">
      <ul>
        <li>Photos that you have no right to publish.</li>
        <li>Anything unlawful, hateful, violent or sexual, and any photo that exposes or endangers a child.</li>
        <li>Harmful files: viruses, disguised programs, attempts to get around limits.</li>
      </ul>
    </LegalSection>
    <LegalSection id="fees" title="License fees and the platform fee">
      <p>
        You set the license fee of each photo, from $0 upward. Our platform fee is taken from the license fee, and from
        donations made with an order. What you keep is:
      </p>
      <ul>
        {PLANS.map((plan) => (
          <li key={plan.id}>
            {plan.name} ({priceText(plan)}): {keepsText(plan).charAt(0).toLowerCase() + keepsText(plan).slice(1)}.
          </li>
        ))}
      </ul>
      <p>
        The share is fixed for each order when it is placed; a later change of plan does not affect it. You pay the
        payment provider’s card fees. You are responsible for declaring taxes on your sales and donations.
      </p>
    </LegalSection>
    <LegalSection id="payment" title="Payment to you">
      <p>
        Net amounts, which are license fees and donations less the platform fee, card fees and refunds, are paid within{' '}
        {NET_PAYMENT_DAYS} days of becoming due. Your report shows each sale and its status, to the cent.
      </p>
      <p>
        Refunds and chargebacks are deducted from your next payment. Organizations that use their own card keys are paid
        directly by their provider.
      </p>
    </LegalSection>
    <LegalSection id="plans" title="Plans and renewal">
      <p>
        {FREE_PLAN.name} costs nothing. {PREMIUM_PLAN.name} is {priceText(PREMIUM_PLAN)}, paid in advance, and renews
        each year until you stop it in your settings. If a renewal cannot be paid, the account returns to{' '}
        {FREE_PLAN.name}: its limits apply to what is new, and nothing you have is deleted. Enterprise accounts have
        their own contract, which takes precedence over this page.
      </p>
    </LegalSection>
    <LegalSection id="ending" title="Ending an account">
      <p>
        You may stop at any time. We may suspend an account that breaks this agreement, and tell you why. What we owe
        you is still paid, and buyers keep the downloads they paid for.
      </p>
    </LegalSection>
    <LegalSection id="liability" title="No warranty, limited liability">
      <p>
        Sideline is provided “as is.” We work to keep it running and your photos safe, but we do not promise that it
        never fails, or that photos will sell.
      </p>
      <p>
        To the extent permitted by law, our total liability to you is capped at {LIABILITY_CAP} paid under this
        agreement, and neither side is liable to the other for lost profits or other indirect damages.
      </p>
    </LegalSection>
    <LegalSection id="law" title="Governing law">
      <p>
        The law of the State of {GOVERNING_STATE}, United States, governs this agreement, without regard to its conflict
        of law rules. Its courts decide disputes that we cannot settle by talking first.
      </p>
    </LegalSection>
    <LegalSection id="changes" title="Changes and questions">
      <p>
        When we change this agreement, we show the new date above and notify account holders by email before it applies.
        Questions are welcome: <Link to="/contact">Contact Us</Link>.
      </p>
    </LegalSection>
  </>
);

export default function UserAgreementPage() {
  return (
    <LegalPage
      title="User and Contributor Agreement"
      dated={USER_AGREEMENT_EFFECTIVE}
      summary="Your photos stay yours. You decide who sees them and what they cost; we show, sell and deliver them for a share, and pay you the rest."
      sections={SECTIONS}
    />
  );
}
