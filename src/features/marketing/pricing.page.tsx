/** `/pricing`: the plans side by side, with answers and contacts (specification P§2.1, P§9). */
import { FREE_PLAN, percentText, PREMIUM_PLAN, priceText } from '#src/features/tenancy/plans.rules.ts';
import { NET_PAYMENT_DAYS } from '#src/features/marketing/legal.contract.ts';
import {
  ClosingCall,
  PageOpening,
  Question,
  Questions,
  Section,
  TextLink,
} from '#src/features/marketing/ui/page-parts.tsx';
import { ComparisonTable, PlanCards } from '#src/features/marketing/ui/plans.tsx';
import { Main } from '#src/ui/main.tsx';
import { sitePageMeta } from '#src/web/site-page-meta.ts';
import type { Route } from './+types/pricing.page.ts';

export function meta({ matches }: Route.MetaArgs) {
  return sitePageMeta(matches, {
    path: '/pricing',
    title: 'Pricing · Sideline',
    description: `Free: ${priceText(FREE_PLAN)}. Premium: ${priceText(PREMIUM_PLAN)}. Enterprise by contract. What each plan includes, side by side.`,
  });
}

const FAQ = (
  <>
    <Question ask="What does it cost to start?">
      Nothing. {FREE_PLAN.name} is {priceText(FREE_PLAN)}, asks for no card and has one active gallery with up to{' '}
      {FREE_PLAN.maxPhotosPerGallery} photos.
    </Question>
    <Question ask="How do you make money?">
      From a share of what you sell. You keep {percentText(PREMIUM_PLAN.sellerKeepsBps)} of donations and photo sales,
      less card fees, on both {FREE_PLAN.name} and {PREMIUM_PLAN.name}. If you give photos away, no one pays anything.
    </Question>
    <Question ask="What are the card fees?">
      What the card provider takes: about 30 cents and 2.9% of each order. One order of five photos costs one fee, not
      five. The actual fee of every order is in your report.
    </Question>
    <Question ask="Can I change my plan later?">
      Yes. Upgrade from your dashboard whenever you need a second gallery; everything stays where it is.{' '}
      {PREMIUM_PLAN.name} is paid once a year.
    </Question>
    <Question ask="What if I don’t renew?">
      Stop it in your settings at any time: {PREMIUM_PLAN.name} stays until the end of the year that you paid for, and
      then you go back to {FREE_PLAN.name}. Its limits apply to what is new; nothing you have is deleted, and buyers
      keep their downloads.
    </Question>
    <Question ask="Do buyers need an account?">
      No. They choose, pay and download, on any phone. The link in their receipt keeps working.
    </Question>
    <Question ask="Whose photos are they?">
      Yours. Buyers get a license for personal, non-commercial use. The{' '}
      <TextLink to="/customerlicense">Customer License</TextLink> and the{' '}
      <TextLink to="/user-agreement">User Agreement</TextLink> have the details.
    </Question>
    <Question ask="When do I get paid?">
      A sale is due when its hold for refunds and disputes is over; your report shows every sale from the first minute,
      and names that day. Net amounts are paid within {NET_PAYMENT_DAYS} days of becoming due, to the billing address in
      your settings.
    </Question>
  </>
);

export default function PricingPage() {
  return (
    <Main edgeToEdge>
      <PageOpening
        title="Start free. Pay when there is more to show."
        lead={`One gallery costs nothing, for good. A whole season of them is ${priceText(PREMIUM_PLAN)}.`}
      />
      <section aria-label="Plans" className="mx-auto max-w-content px-5 pt-10 sm:pt-14">
        <PlanCards level={2} />
      </section>
      <Section
        id="compare"
        title="Compare the plans"
        lead="Every plan has the whole gallery. They differ in how much they hold."
      >
        <ComparisonTable />
      </Section>
      <Section id="questions" title="Frequently asked questions" beside className="border-t border-line bg-surface">
        <Questions>{FAQ}</Questions>
      </Section>
      <ClosingCall title="More than one club?" links={[['/contact', "Let's chat"]]}>
        Leagues, districts and photographers with many clubs get wholesale rates and a share by contract.
      </ClosingCall>
    </Main>
  );
}
