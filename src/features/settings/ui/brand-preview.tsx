import type { GalleryCardFacts } from '#src/features/galleries/listed-gallery.rules.ts';
import { contrastWords } from '#src/features/settings/settings-colors.contract.ts';
import { GalleryCard } from '#src/features/home/ui/gallery-card.tsx';
import { TeamBanner } from '#src/features/branding/ui/team-banner.tsx';
import { accentTokens } from '#src/shared/color.ts';
import { contrast } from '#src/shared/oklch.ts';
import { Button } from '#src/ui/button.tsx';
import { accentStyle } from '#src/web/accent-style.ts';

export type PreviewGallery = GalleryCardFacts;

type BrandPreviewProps = {
  name: string;
  /** `#RRGGBB`, before it is saved. */
  color: string;
  logoUrl: string | null;
  homeImageUrl: string | null;
  /** The newest gallery that visitors see. */
  gallery: PreviewGallery | null;
};

/** The organization's own page in colors that are not saved yet, made of the pieces that the page itself is made of. */
export function BrandPreview({ name, color, logoUrl, homeImageUrl, gallery }: BrandPreviewProps) {
  const tokens = accentTokens(color);
  const ratio = Math.min(
    contrast(tokens.light.accent, tokens.light.onAccent),
    contrast(tokens.dark.accent, tokens.dark.onAccent),
  );
  const isDarkened = tokens.light.accent.toUpperCase() !== color.toUpperCase();
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="text-sm font-semibold">How it looks</figcaption>
      <div
        inert
        aria-hidden="true"
        style={accentStyle(tokens)}
        className="accented overflow-hidden rounded-lg border border-line bg-paper"
      >
        <TeamBanner name={name} logoUrl={logoUrl} homeImageUrl={homeImageUrl}>
          <p className="text-sm">Photos of our games, for everyone who was there.</p>
        </TeamBanner>
        <div className="grid items-start gap-5 p-5 sm:grid-cols-[minmax(0,18rem)_minmax(0,1fr)]">
          {gallery ? (
            <GalleryCard gallery={gallery} level={3} urgency="soon" />
          ) : (
            <div className="grid aspect-[3/2] place-items-center rounded-lg bg-accent-tint text-sm font-semibold text-accent-text">
              Your first gallery
            </div>
          )}
          <div className="flex flex-col items-start gap-3 text-sm">
            <Button>Add to Cart</Button>
            <span className="font-semibold text-accent-text underline">A link of your page</span>
            <span className="rounded-full bg-accent-tint px-3 py-1 font-semibold text-accent-text">23</span>
          </div>
        </div>
      </div>
      <p role="status" className="text-xs text-pretty text-quiet">
        {contrastWords({ own: contrast(color, '#ffffff'), used: ratio, isDarkened })}
      </p>
    </figure>
  );
}
