/** `/privacy`: what the product knows about whom, and why (specification P§2.1; rules 2, 5, 8, 9). */
import { Link } from 'react-router';
import { MINIMUM_AGE, PRIVACY_LAST_MODIFIED } from '#src/features/marketing/legal.contract.ts';
import { LegalPage, LegalSection } from '#src/features/marketing/ui/legal-page.tsx';
import { sitePageMeta } from '#src/web/site-page-meta.ts';
import type { Route } from './+types/privacy.page.ts';

export function meta({ matches }: Route.MetaArgs) {
  return sitePageMeta(matches, {
    path: '/privacy',
    title: 'Privacy Policy · Sideline',
    description:
      'What Sideline knows about visitors, buyers, contributors and account holders, why, and what you can ask of us.',
  });
}

const SECTIONS = (
  <>
    <LegalSection id="what-we-collect" title="What we collect">
      <ul>
        <li>
          <strong>Visitors:</strong> what every web server sees (address, browser, time), used to keep the site running
          and safe. Likes and votes are counted with a random number in a cookie, not with a name.
        </li>
        <li>
          <strong>Buyers:</strong> name, email address, zip code when something is charged, and what was ordered. Buyers
          don’t need an account.
        </li>
        <li>
          <strong>Account holders:</strong> name, email address, a password that we keep only as a hash, the
          organization and its contact, billing and tax details.
        </li>
        <li>
          <strong>Contributors:</strong> name, email address and, if they give them, a website and an Instagram name.
          Only the organization sees them; a name is shown as a credit only if the contributor asked for it.
        </li>
        <li>
          <strong>People who write to us:</strong> what they write, and how to reply.
        </li>
      </ul>
    </LegalSection>
    <LegalSection id="photos" title="Photos and what is inside them">
      <p>
        Cameras write data into photos. The public sees only the time a photo was taken. The pictures we show carry none
        of the camera’s data, and where a photo was taken is removed from the copies that buyers download.
      </p>
      <p>We do not recognize faces, and we do not use photos to train anything.</p>
    </LegalSection>
    <LegalSection id="cards" title="Cards">
      <p>
        Card numbers go from your browser straight to our payment provider. We never see them and keep only the brand,
        the last four digits and, for yearly plans, the expiry and the provider’s reference.
      </p>
    </LegalSection>
    <LegalSection id="cookies" title="Cookies and storage in your browser">
      <p>Only what the site needs to work:</p>
      <ul>
        <li>a cookie that keeps you logged in,</li>
        <li>a cookie that remembers a gallery whose password you entered, for this browser session,</li>
        <li>a cookie with a random number, so that a like or a vote counts once,</li>
        <li>a cookie that remembers which of your children’s cards you opened, for 180 days,</li>
        <li>your cart, the photos you liked and who is logged in, kept in your browser’s own storage,</li>
        <li>
          what you typed at checkout, without your card, kept until the order, and when you sent photos to a team, kept
          until the tab is closed,
        </li>
        <li>
          the names of photos that you sent to a team, so that none is sent twice, and your name and email until we know
          that they have arrived; they are removed when you open an invite again after 30 days without photos.
        </li>
      </ul>
      <p>There are no advertising cookies. Banners of sponsors are counted in total, never per person.</p>
    </LegalSection>
    <LegalSection id="why" title="What we use it for">
      <p>
        To show galleries, take orders, deliver downloads, send receipts and the emails you ask for, pay organizations,
        answer questions, prevent abuse and keep the records the law requires. Nothing else, and we never sell data.
      </p>
    </LegalSection>
    <LegalSection id="sharing" title="Who else sees it">
      <ul>
        <li>
          <strong>The organization</strong> you buy from or contribute to sees your order or contribution. It is
          responsible for what it does with it.
        </li>
        <li>
          <strong>Services that work for us:</strong> hosting, storage, mail and card payments, only as far as they
          need.
        </li>
        <li>
          <strong>Authorities,</strong> when the law requires it.
        </li>
      </ul>
    </LegalSection>
    <LegalSection id="children" title="Children">
      <p>
        No one under {MINIMUM_AGE} may use Sideline without a parent or guardian acting for them, and we do not
        knowingly collect data from younger children. If this happens, tell us and we will delete it.
      </p>
      <p>
        Many photos here show children at play. Organizations decide what is shown, can keep galleries private or behind
        a password, and must have the consent they need. A parent who wants a photo removed can ask the organization or
        us.
      </p>
    </LegalSection>
    <LegalSection id="how-long" title="How long we keep it">
      <p>
        Accounts and photos as long as the account exists; orders as long as tax and bookkeeping rules require, and so
        that buyers can download what they paid for; logs for a short time. What is deleted disappears from the site
        immediately, and from backups as they expire.
      </p>
    </LegalSection>
    <LegalSection id="your-choices" title="Your choices">
      <p>
        You may ask what we know about you, have it corrected, receive a copy, or have it deleted unless the law
        requires us to keep it. We reply to the email address we have for you. <Link to="/contact">Contact Us</Link>; it
        costs nothing.
      </p>
    </LegalSection>
    <LegalSection id="security" title="Security">
      <p>
        Traffic is encrypted, passwords are hashed, gallery passwords and card keys are encrypted in storage, and photos
        are kept in private storage that checks who may see each one. No system is perfect. If something happens that
        affects you, we will tell you.
      </p>
    </LegalSection>
    <LegalSection id="united-states" title="United States">
      <p>
        Sideline is for people located in the United States; please do not use it from elsewhere. The{' '}
        <Link to="/terms-of-use">Terms of Use</Link> say more.
      </p>
    </LegalSection>
    <LegalSection id="changes" title="Changes">
      <p>When this policy changes, we update the date above and notify account holders if the change affects them.</p>
    </LegalSection>
  </>
);

export default function PrivacyPage() {
  return (
    <LegalPage
      title="Privacy Policy"
      dated={PRIVACY_LAST_MODIFIED}
      summary="We know what we need to show, sell and deliver photos, and nothing more. We sell no data, follow no one around, and never see a card number."
      sections={SECTIONS}
    />
  );
}
