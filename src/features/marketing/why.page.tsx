/** `/why`: the product's benefits for a club, shown with its own kind of photos (specification P§2.1). */
import { HeroCollage } from '#src/features/marketing/ui/hero-collage.tsx';
import type { ReactNode } from 'react';
import { percentText, platformShareBps, PREMIUM_PLAN } from '#src/features/tenancy/plans.rules.ts';
import { divideSale } from '#src/features/ledger/ledger.rules.ts';
import { photosInTurn } from '#src/features/marketing/photos-in-turn.rules.ts';
import { ClosingCall, PageOpening, Section, TextLink } from '#src/features/marketing/ui/page-parts.tsx';
import { PhotoPanel, picturesFor, type ShownPicture } from '#src/features/marketing/ui/shown-pictures.tsx';
import { cents, formatDollars, ZERO } from '#src/shared/money.ts';
import { cx } from '#src/ui/cx.ts';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { requestContext } from '#src/web/app-context.ts';
import { sitePageMeta } from '#src/web/site-page-meta.ts';
import type { Route } from './+types/why.page.ts';

/** Three photos at $4.00 and $5.00 for the team. */
const EXAMPLE = { photos: 3, priceCents: cents(400), donationCents: cents(500) };

/** How many photos the opening shows, and the stories after it. */
const [COLLAGE, STORIES] = [5, 3];

export function meta({ matches }: Route.MetaArgs) {
  return sitePageMeta(matches, {
    path: '/why',
    title: 'Why Sideline · Galleries that pay for the team',
    description:
      'Families find their photos, the team earns from them, and the volunteer with the camera is done in one evening.',
  });
}

export async function loader({ context }: Route.LoaderArgs) {
  const galleries = await context.get(requestContext).app.galleryLists.showcase(6);
  const subtotalCents = cents(EXAMPLE.photos * EXAMPLE.priceCents);
  const division = divideSale({
    subtotalCents,
    taxCents: ZERO,
    donationCents: EXAMPLE.donationCents,
    shareBps: platformShareBps(PREMIUM_PLAN),
    feeCents: null,
  });
  return {
    collage: photosInTurn(galleries, COLLAGE),
    photos: photosInTurn(galleries, STORIES, COLLAGE),
    money: {
      paid: formatDollars(division.totalCents),
      cardFee: formatDollars(division.feeCents),
      share: formatDollars(division.shareCents),
      kept: formatDollars(division.organizationCents),
    },
  };
}

export default function WhyPage({ loaderData: { collage, photos, money } }: Route.ComponentProps) {
  return (
    <Main edgeToEdge>
      <PageOpening
        title="The pictures are taken. Let them do some good."
        lead="After every game the best moments sit on a parent’s phone or a card in a drawer. Sideline brings them to the families who look for them, and brings the money back to the team."
        actions={
          <>
            <LinkButton to="/sign-up?plan=free" size="large">
              Start for free
            </LinkButton>
            <LinkButton to="/pricing" size="large" variant="secondary">
              See the plans
            </LinkButton>
          </>
        }
        beside={<HeroCollage photos={collage} />}
      />
      <Stories pictures={picturesFor(photos, STORIES, COLLAGE)} />
      <Section
        id="money"
        title="Where the money goes"
        lead={`You keep ${percentText(PREMIUM_PLAN.sellerKeepsBps)} of photo sales and donations, less card fees. Here is one order, to the cent.`}
        className="mt-12 border-y border-line bg-surface sm:mt-16"
      >
        <MoneyExample
          order={`A parent buys ${EXAMPLE.photos} photos at ${formatDollars(EXAMPLE.priceCents)} and adds ${formatDollars(EXAMPLE.donationCents)} for the team.`}
          money={money}
        />
      </Section>
      <Section id="who" title="Made for people with something else to do">
        <ul className="grid gap-x-10 gap-y-7 sm:grid-cols-2 lg:grid-cols-4">
          {FOR_WHOM.map(({ title, text }) => (
            <li key={title} className="border-t-4 border-accent pt-4">
              <h3 className="text-lg">{title}</h3>
              <p className="mt-1 text-pretty text-quiet">{text}</p>
            </li>
          ))}
        </ul>
      </Section>
      <ClosingCall
        title="One gallery, this weekend"
        links={[
          ['/sign-up', 'Sign Up'],
          ['/talk-to-expert', 'Talk to an expert'],
        ]}
      >
        Put the last game up and send the link to the team. It costs nothing to see what happens.
      </ClosingCall>
    </Main>
  );
}

const FOR_WHOM = [
  { title: 'Clubs and teams', text: 'Jerseys, goals, bus rides. The season’s photos pay for part of the next one.' },
  { title: 'Schools and PTOs', text: 'Concerts, plays, field days. Closed galleries that only families can open.' },
  { title: 'Leagues', text: 'One home for all teams, each with its own galleries, prices and report.' },
  {
    title: 'Local events',
    text: 'Fun runs, fairs, parades. People find themselves and leave something for the cause.',
  },
] as const;

type StoryProps = { title: string; picture: ShownPicture | undefined; flipped?: boolean; children: ReactNode };

/** A picture next to some text; every second one is mirrored. */
function Story({ title, picture, flipped = false, children }: StoryProps) {
  return (
    <section className="mx-auto grid max-w-content items-center gap-x-14 gap-y-6 px-5 pt-12 sm:pt-16 md:grid-cols-2">
      <PhotoPanel picture={picture} className={cx('aspect-[3/2]', flipped && 'md:order-last')} />
      <div>
        <h2 className="text-xl sm:text-2xl">{title}</h2>
        <div className="mt-3 flex max-w-prose flex-col gap-3 text-pretty text-quiet">{children}</div>
      </div>
    </section>
  );
}

function Stories({ pictures }: { pictures: ReturnType<typeof picturesFor> }) {
  return (
    <>
      <Story picture={pictures[0]} title="Families find their own">
        <p>
          No one scrolls through a thousand pictures of other people’s children. A jersey number, a name or “goalkeeper”
          brings up the right ones, and the next game’s are at the same address.
        </p>
        <p>
          No app, no account. A grandmother opens the link, taps the picture she likes, and has it under a minute later.
        </p>
      </Story>
      <Story picture={pictures[1]} title="The volunteer is done in an evening" flipped>
        <p>
          Drop three hundred photos from the bleachers and go get something to eat. They arrive one by one, even when
          the connection drops, and sort themselves by the time they were taken.
        </p>
        <p>
          Sizes, watermark and downloads take care of themselves. Other parents add theirs with a link, and nothing
          shows before you approve it.
        </p>
      </Story>
      <Story picture={pictures[2]} title="You decide who sees what">
        <p>
          Open to everyone, known only to those who have the link, or behind a password you give the team. When a
          gallery is closed, its pictures are closed to everyone, search engines and clever neighbors included.
        </p>
        <p>
          Where a photo was taken is never shown to visitors. What we keep, and what we do not, is in the{' '}
          <TextLink to="/privacy">Privacy Policy</TextLink>.
        </p>
      </Story>
    </>
  );
}

type MoneyExampleProps = {
  /** What was bought, in a sentence. */
  order: string;
  /** Dollars as text, calculated by the rules that book real orders. */
  money: { paid: string; cardFee: string; share: string; kept: string };
};

/** One order and where its money goes, as a small bill. */
export function MoneyExample({ order, money }: MoneyExampleProps) {
  const lines = [
    { name: 'The parent pays', value: money.paid },
    { name: 'Card fee', value: `− ${money.cardFee}` },
    { name: 'Sideline', value: `− ${money.share}` },
  ];
  return (
    <div className="grid items-center gap-x-14 gap-y-5 md:grid-cols-2">
      <p className="max-w-md font-display text-lg font-semibold text-balance sm:text-xl">{order}</p>
      <dl className="rounded-lg border border-line bg-paper px-5 py-2 tabular-nums">
        {lines.map(({ name, value }) => (
          <div key={name} className="flex justify-between gap-4 border-b border-line py-2.5 text-sm">
            <dt className="text-quiet">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className="flex items-baseline justify-between gap-4 py-3">
          <dt className="font-semibold">The team keeps</dt>
          <dd className="font-display text-xl font-semibold text-accent-text">{money.kept}</dd>
        </div>
      </dl>
    </div>
  );
}
