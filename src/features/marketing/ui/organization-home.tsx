import type { ReactNode } from 'react';
import { Link } from 'react-router';
import defaultHome from '#src/features/marketing/assets/default-home.jpg?url';
import type { PhotoPreview } from '#src/features/galleries/galleries.contract.ts';
import { TeamBanner } from '#src/features/branding/ui/team-banner.tsx';
import type { AccentTokens } from '#src/shared/color.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { FieldLines } from '#src/ui/form/field-lines.tsx';
import { Images } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { renditionUrl, srcSetOf } from '#src/ui/photos/photo-sources.ts';
import { placeholderStyle } from '#src/ui/photos/thumbhash.ts';
import { accentStyle } from '#src/web/frame/accent-style.ts';

export type AffiliateCardFacts = {
  id: number;
  name: string;
  path: string;
  logoUrl: string | null;
  cover: PhotoPreview | null;
  accent: AccentTokens;
};

type OrganizationHomeProps = {
  name: string;
  logoUrl: string | null;
  homeImageUrl: string | null;
  affiliates: readonly AffiliateCardFacts[];
  notice: ReactNode;
};

/** The home page of a parent organization: its picture, its call to action, its teams. */
export function OrganizationHome({ name, logoUrl, homeImageUrl, affiliates, notice }: OrganizationHomeProps) {
  return (
    <Main edgeToEdge className="pb-6">
      {notice}
      <TeamBanner size="home" name={name} logoUrl={logoUrl} homeImageUrl={homeImageUrl ?? defaultHome}>
        <p className="mt-3 max-w-xl text-lg text-pretty">
          Find your team, look through the photos and take your favorites home. Every picture you buy supports the teams
          of {name}.
        </p>
        <p className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-3">
          <LinkButton to="/sign-up" size="large">
            Sign Up
          </LinkButton>
          <span className="max-w-xs text-sm text-pretty">Run a team? Create your own galleries with {name}.</span>
        </p>
      </TeamBanner>
      <section aria-labelledby="teams" className="mx-auto max-w-content px-5 pt-10">
        <h2 id="teams" className="text-xl">
          Teams and groups
        </h2>
        {affiliates.length === 0 ? (
          <EmptyState icon={<Images />} title="The first team is coming soon" level={3}>
            {name} has no teams here yet.
          </EmptyState>
        ) : (
          <ul className="mt-5 grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
            {affiliates.map((affiliate, index) => (
              <li key={affiliate.id} className="grid">
                <AffiliateCard affiliate={affiliate} eager={index < 3} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </Main>
  );
}

function AffiliateCard({ affiliate, eager }: { affiliate: AffiliateCardFacts; eager: boolean }) {
  return (
    <article
      className="accented relative flex flex-col overflow-hidden rounded-lg border border-line bg-surface transition-colors hover:border-line-strong has-[a:focus-visible]:outline-3 has-[a:focus-visible]:outline-offset-2"
      style={accentStyle(affiliate.accent)}
    >
      <div className="relative isolate aspect-[3/2] overflow-clip bg-accent text-on-accent">
        {affiliate.cover ? (
          <Cover photo={affiliate.cover} eager={eager} />
        ) : (
          <FieldLines className="absolute inset-0 size-full opacity-25" />
        )}
      </div>
      <div className="flex flex-1 items-center gap-3 border-t-4 border-accent p-4">
        {affiliate.logoUrl && (
          <img
            src={affiliate.logoUrl}
            alt=""
            width={44}
            height={44}
            loading="lazy"
            className="size-11 shrink-0 rounded object-contain"
          />
        )}
        <h3 className="min-w-0 text-lg leading-snug">
          <Link to={`/${affiliate.path}`} className="outline-none after:absolute after:inset-0">
            {affiliate.name}
          </Link>
        </h3>
      </div>
    </article>
  );
}

function Cover({ photo, eager }: { photo: PhotoPreview; eager: boolean }) {
  const source = { imageUrl: photo.image_url, width: photo.width, height: photo.height };
  return (
    <img
      alt=""
      loading={eager ? 'eager' : 'lazy'}
      src={renditionUrl(source.imageUrl, 480)}
      srcSet={srcSetOf(source)}
      sizes="(width < 600px) 90vw, (width < 1100px) 45vw, 390px"
      style={placeholderStyle(photo.thumbhash)}
      className="absolute inset-0 size-full bg-cover object-cover"
    />
  );
}
