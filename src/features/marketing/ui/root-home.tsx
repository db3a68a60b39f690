import { HeroCollage } from '#src/features/marketing/ui/hero-collage.tsx';
import type { ReactNode } from 'react';
import { PREMIUM_PLAN, percentText } from '#src/features/tenancy/plans.rules.ts';
import type { GalleryCardFacts } from '#src/features/galleries/gallery-cards.rules.ts';
import { GalleryCard } from '#src/features/home/ui/gallery-card.tsx';
import { photosInTurn } from '#src/features/marketing/photos-in-turn.rules.ts';
import { ClosingCall, Section, TextLink } from '#src/features/marketing/ui/page-parts.tsx';
import { PlanCards } from '#src/features/marketing/ui/plans.tsx';
import { Download, Heart, Images, Lock, Search, ShoppingBag, Upload } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';

/** The product's own home page. */
export function RootHome({ examples, notice }: { examples: readonly GalleryCardFacts[]; notice: ReactNode }) {
  return (
    <Main edgeToEdge>
      {notice}
      <Hero examples={examples} />
      {examples.length > 0 && <Examples galleries={examples} />}
      <Reasons />
      <Features />
      <Plans />
      <Closing />
    </Main>
  );
}

function Hero({ examples }: { examples: readonly GalleryCardFacts[] }) {
  const photos = photosInTurn(examples, 5);
  return (
    <header className="border-b border-line">
      <div className="mx-auto grid max-w-content items-center gap-x-12 gap-y-8 px-5 py-10 sm:py-16 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <div>
          <h1 className="text-3xl leading-[1.04] tracking-tight sm:text-[3.75rem]">Galleries that pay for the team</h1>
          <p className="mt-5 max-w-lg text-lg text-pretty text-quiet">
            Someone always takes the pictures. Put them where every family can find them, sell or give them away, and
            let each one help with jerseys, goals and bus rides.
          </p>
          <div className="mt-7 flex flex-wrap gap-3">
            <LinkButton to="/sign-up?plan=free" size="large">
              Start for free
            </LinkButton>
            <LinkButton to={examples.length > 0 ? '#examples' : '/why'} size="large" variant="secondary">
              {examples.length > 0 ? 'See real galleries' : 'Why Sideline'}
            </LinkButton>
          </div>
        </div>
        <HeroCollage photos={photos} />
      </div>
    </header>
  );
}

function Examples({ galleries }: { galleries: readonly GalleryCardFacts[] }) {
  return (
    <Section
      id="examples"
      title="Straight from the field"
      lead="Galleries that clubs opened here recently. Go in, look around, put a photo in the cart."
    >
      <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {galleries.map((gallery) => (
          <li key={gallery.id} className="grid">
            <GalleryCard gallery={gallery} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const REASONS = [
  {
    icon: Heart,
    title: 'The money stays with the team',
    text: `Clubs keep ${percentText(PREMIUM_PLAN.sellerKeepsBps)} of photo sales and donations, less card fees, and see every cent in their report.`,
  },
  {
    icon: ShoppingBag,
    title: 'Bought in under a minute',
    text: 'No account, no app. A grandmother finds the picture on her phone, pays, and has it.',
  },
  {
    icon: Upload,
    title: 'Hundreds of photos at once',
    text: 'Drop a whole afternoon from the bleachers. The order, the sizes and the watermark take care of themselves.',
  },
] as const;

function Reasons() {
  return (
    <Section id="why" title="Why clubs choose Sideline" className="border-y border-line bg-surface">
      <ul className="grid gap-x-10 gap-y-8 md:grid-cols-3">
        {REASONS.map(({ icon: Icon, title, text }) => (
          <li key={title}>
            <span
              aria-hidden="true"
              className="grid size-12 place-items-center rounded-full bg-accent-tint text-accent-text"
            >
              <Icon className="size-5" />
            </span>
            <h3 className="mt-4 text-lg">{title}</h3>
            <p className="mt-1.5 text-pretty text-quiet">{text}</p>
          </li>
        ))}
      </ul>
      <p className="mt-5 text-sm [&>a]:inline-flex [&>a]:min-h-11 [&>a]:items-center">
        <TextLink to="/why">More reasons</TextLink>
      </p>
    </Section>
  );
}

const FEATURES = [
  {
    icon: Search,
    title: 'Found by name or number',
    text: 'Keywords find a family’s photos among thousands.',
  },
  {
    icon: Lock,
    title: 'Open, private or behind a password',
    text: 'You decide who sees each gallery; the server enforces it.',
  },
  {
    icon: Images,
    title: 'Watermark until purchase',
    text: 'Visitors see it on previews. Buyers download the picture without it.',
  },
  {
    icon: Heart,
    title: 'Goals and donations',
    text: 'A quiet bar shows how far the team has come; buyers may add a little more.',
  },
  {
    icon: Upload,
    title: 'Photos from everyone',
    text: 'Parents add theirs with a link, and nothing shows before the owner approves it.',
  },
  {
    icon: Download,
    title: 'One tap per photo',
    text: 'Orders stay open: the download works today and after the season.',
  },
] as const;

function Features() {
  return (
    <Section id="features" title="Everything a gallery needs">
      <ul className="grid gap-x-10 gap-y-7 sm:grid-cols-2 lg:grid-cols-3">
        {FEATURES.map(({ icon: Icon, title, text }) => (
          <li key={title} className="flex gap-4">
            <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent-text" />
            <div>
              <h3 className="font-sans text-base font-bold tracking-normal">{title}</h3>
              <p className="mt-0.5 text-sm text-pretty text-quiet">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Plans() {
  return (
    <Section
      id="plans"
      title="Plans"
      lead="Start with one gallery. Pay once a year when there are more."
      className="border-t border-line"
    >
      <PlanCards />
      <p className="mt-3 text-sm [&>a]:inline-flex [&>a]:min-h-11 [&>a]:items-center">
        <TextLink to="/pricing">Compare the plans</TextLink>
      </p>
    </Section>
  );
}

function Closing() {
  return (
    <ClosingCall
      title="The next game is already on its way"
      links={[
        ['/sign-up', 'Sign Up'],
        ['/talk-to-expert', 'Talk to an expert'],
      ]}
    >
      Bring the photos from the last one. Families are looking for them.
    </ClosingCall>
  );
}
