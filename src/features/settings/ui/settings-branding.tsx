import { useState } from 'react';
import { contrastWords, readColor } from '#src/features/settings/settings.contract.ts';
import type { SettingsForm } from '#src/features/settings/settings-form.client.ts';
import { ColorField } from '#src/features/settings/ui/settings-fields.tsx';
import { PictureField } from '#src/features/settings/ui/settings-picture-field.tsx';
import { SettingsSection } from '#src/features/settings/ui/settings-layout.tsx';
import type { GalleryCardFacts } from '#src/features/galleries/gallery-cards.rules.ts';
import { GalleryCard } from '#src/features/home/ui/gallery-card.tsx';
import { TeamBanner } from '#src/features/branding/ui/team-banner.tsx';
import { formatCount } from '#src/shared/counted.ts';
import { accentTokens } from '#src/shared/color.ts';
import { contrast } from '#src/shared/oklch.ts';
import { Button } from '#src/ui/button.tsx';
import { accentStyle } from '#src/web/frame/accent-style.ts';
import type { SponsorSlot } from '#src/features/branding/sponsors.contract.ts';
import { TextField } from '#src/ui/form/text-field.tsx';

type BrandingProps = { form: SettingsForm; affiliateId: number; gallery: PreviewGallery | null };

/** Logo, home image and color, with a preview of the real page. */
export function BrandingSection({ form, affiliateId, gallery }: BrandingProps) {
  const { values } = form;
  const [logo, setLogo] = useState<string | null>(null);
  const [home, setHome] = useState<string | null>(null);
  const color = readColor(values.primary_color) ?? form.saved.primary_color;
  return (
    <SettingsSection
      id="branding"
      title="Branding"
      hint="Your colors and images, on all your pages. Nothing changes until you click Update."
    >
      <div className="grid gap-6 sm:grid-cols-2">
        <PictureField form={form} affiliateId={affiliateId} kind="logo" onShown={setLogo} />
        <ColorField form={form} />
      </div>
      <PictureField form={form} affiliateId={affiliateId} kind="home_image" onShown={setHome} />
      <BrandPreview name={values.name} color={color} logoUrl={logo} homeImageUrl={home} gallery={gallery} />
    </SettingsSection>
  );
}

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

/** The organization's own page in unsaved colors, built from the page's own components. */
function BrandPreview({ name, color, logoUrl, homeImageUrl, gallery }: BrandPreviewProps) {
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
            <GalleryCard gallery={gallery} urgency="soon" />
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

type SponsorsSectionProps = {
  form: SettingsForm;
  affiliateId: number;
  /** Of the last 30 days. */
  seen: Record<SponsorSlot, { impressions: number; clicks: number }>;
};

/** Two banners with their links (specification A§5 "Images"). */
export function SponsorsSection({ form, affiliateId, seen }: SponsorsSectionProps) {
  const link = { inputMode: 'url', maxLength: 2_000, placeholder: 'https://', autoComplete: 'off' } as const;
  return (
    <SettingsSection
      id="sponsors"
      title="Sponsor ads"
      hint="A thank-you to your sponsor on your pages: one banner for wide screens, one for phones."
    >
      <div className="flex flex-col gap-4">
        <PictureField form={form} affiliateId={affiliateId} kind="tablet_ad" />
        <TextField label="Link of the tablet and desktop ad" {...link} {...form.field('tablet_display_url')} />
        <Seen {...seen.tablet} />
      </div>
      <div className="flex flex-col gap-4 border-t border-line pt-5">
        <PictureField form={form} affiliateId={affiliateId} kind="mobile_ad" />
        <TextField label="Link of the mobile ad" {...link} {...form.field('mobile_display_url')} />
        <Seen {...seen.mobile} />
      </div>
    </SettingsSection>
  );
}

/** The figures for the sponsor; empty before anyone has seen the banner. */
function Seen({ impressions, clicks }: { impressions: number; clicks: number }) {
  if (impressions === 0 && clicks === 0) return null;
  const times = (count: number) => (count === 1 ? 'once' : `${formatCount(count)} times`);
  return (
    <p className="text-xs text-quiet tabular-nums">
      {`Last 30 days: seen ${times(impressions)}, ${clicks === 0 ? 'not clicked yet' : `followed ${times(clicks)}`}.`}
    </p>
  );
}
