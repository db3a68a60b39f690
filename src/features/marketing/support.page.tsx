/** `/support`: answers for buyers, teams and contributors, and contacts (specification P§2.1). */
import { FREE_PLAN, PREMIUM_PLAN, priceText } from '#src/features/tenancy/plans.rules.ts';
import { NET_PAYMENT_DAYS } from '#src/features/marketing/legal.contract.ts';
import {
  ClosingCall,
  PageOpening,
  Question,
  Questions,
  Section,
  TextLink,
} from '#src/features/marketing/ui/page-parts.tsx';
import { ASK_TO_HIDE } from '#src/features/takedowns/takedowns.contract.ts';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { sitePageMeta } from '#src/web/site-page-meta.ts';
import type { Route } from './+types/support.page.ts';

export function meta({ matches }: Route.MetaArgs) {
  return sitePageMeta(matches, {
    path: '/support',
    title: 'Support · Sideline',
    description: 'Help with buying and downloading photos, running galleries, adding photos, and with your account.',
  });
}

const BUYERS = (
  <>
    <Question ask="How do I find our photos?">
      Open the team’s page and choose the gallery of the event. Type a jersey number, a name or a word into the search:
      it looks through the keywords on each photo.
    </Question>
    <Question ask="I paid. Where are my photos?">
      On the order page that opened after you paid, and at the link in the receipt we emailed you. Click the arrow on a
      photo to download it, without the watermark and in full size. If you don’t see the email, check your spam folder,
      or have us send the links again: <TextLink to="/find-my-order">Find my order</TextLink>.
    </Question>
    <Question ask="The gallery asks for a password.">
      The team chose it and shares it with its families. We don’t give it out; ask the coach or the person who sent the
      link.
    </Question>
    <Question ask="What can I do with a photo?">
      Print it, frame it, share it with family and friends: anything personal and non-commercial. The{' '}
      <TextLink to="/customerlicense">Customer License</TextLink> has the details.
    </Question>
    <Question ask="I was charged twice, or the wrong amount.">
      Clicking the button twice does not charge you twice, so please check both receipts first. Then{' '}
      <TextLink to="/contact">write to us</TextLink> with the order number and the last four digits of the card, never
      the whole number.
    </Question>
    <Question ask="My child is in a photo and should not be.">
      Open the photo and choose “{ASK_TO_HIDE}”. You don’t need an account; the team answers by email, and it can hide
      the photo right away. If you cannot find the photo anymore, <TextLink to="/contact">write to us</TextLink>.
    </Question>
  </>
);

const TEAMS = (
  <>
    <Question ask="How do I get started?">
      <TextLink to="/sign-up">Sign up</TextLink>, create a gallery, drop your photos into it and send the link to the
      team. On {FREE_PLAN.name} it costs nothing.
    </Question>
    <Question ask="Which files can I upload?">
      JPEG photos of up to 10 MB each, as cameras and phones make them, hundreds at a time. If the connection drops, the
      upload continues where it stopped.
    </Question>
    <Question ask="Why can’t I create a second gallery?">
      {FREE_PLAN.name} has one active gallery with up to {FREE_PLAN.maxPhotosPerGallery} photos. {PREMIUM_PLAN.name} has
      no limits and is {priceText(PREMIUM_PLAN)}; upgrade from your dashboard.{' '}
      <TextLink to="/pricing">Compare the plans</TextLink>.
    </Question>
    <Question ask="How do I set prices?">
      Each gallery has a price per photo, and any photo can have its own. $0.00 gives photos away. With a goal on the
      gallery, buyers see how far the team has come and may add a donation.
    </Question>
    <Question ask="When are we paid?">
      A sale is due when its hold for refunds and disputes is over; your report names that day. Net amounts are paid
      within {NET_PAYMENT_DAYS} days of becoming due, to the billing address in your settings. What was sold, what it
      cost and what is left is in your report; the rules are in the{' '}
      <TextLink to="/user-agreement">User Agreement</TextLink>.
    </Question>
    <Question ask="I forgot my password.">
      <TextLink to="/forgot-password">Ask for a new one</TextLink>. The email may have been delivered to your spam
      folder, and its link works for an hour.
    </Question>
  </>
);

const CONTRIBUTORS = (
  <>
    <Question ask="How do I add my photos to a gallery?">
      Open the link or scan the code that the team gave you, or press “Add your photos to this gallery” where it is
      shown. You don’t need an account.
    </Question>
    <Question ask="I added photos but don’t see them.">
      The team reviews them first. They appear as soon as someone there approves them.
    </Question>
    <Question ask="Who sees my name and address?">
      Only the team. Your name is shown as a credit if you want; your email never is. See the{' '}
      <TextLink to="/privacy">Privacy Policy</TextLink>.
    </Question>
  </>
);

const CHAPTERS = [
  { id: 'buying', title: 'Buying photos', answers: BUYERS },
  { id: 'teams', title: 'Running galleries', answers: TEAMS },
  { id: 'contributing', title: 'Adding photos', answers: CONTRIBUTORS },
] as const;

export default function SupportPage() {
  return (
    <Main edgeToEdge>
      <PageOpening
        title="Support"
        lead="Short answers first. If you don’t find yours, write to us: a person will read it."
        actions={CHAPTERS.map(({ id, title }) => (
          <LinkButton key={id} to={`#${id}`} variant="secondary">
            {title}
          </LinkButton>
        ))}
      />
      {CHAPTERS.map(({ id, title, answers }) => (
        <Section key={id} id={id} title={title} beside className="pb-0 sm:pb-0">
          <Questions>{answers}</Questions>
        </Section>
      ))}
      <div className="h-12 sm:h-16" />
      <ClosingCall title="Still stuck?" links={[['/contact', 'Contact Us']]}>
        Tell us what you did and what you saw. Please never send a password or a card number.
      </ClosingCall>
    </Main>
  );
}
