import type { SettingsForm } from '#src/features/settings/settings-form.client.ts';
import type { SponsorSlot } from '#src/features/branding/sponsors.contract.ts';
import { PictureField } from '#src/features/settings/ui/settings-picture-field.tsx';
import { SettingsSection } from '#src/features/settings/ui/settings-section.tsx';
import { TextField } from '#src/ui/text-field.tsx';

/** Two banners with their links (specification A§5 "Images"). */
export function SponsorsSection({
  form,
  affiliateId,
  seen,
}: {
  form: SettingsForm;
  affiliateId: number;
  /** Of the last 30 days. */
  seen: Record<SponsorSlot, { impressions: number; clicks: number }>;
}) {
  const link = { inputMode: 'url', maxLength: 2_000, placeholder: 'https://', autoComplete: 'off' } as const;
  return (
    <SettingsSection
      id="sponsors"
      title="Sponsor ads"
      hint="A thank-you to your sponsor on your pages: one banner for wide screens, one for phones."
    >
      <div className="flex flex-col gap-4">
        <PictureField
          form={form}
          affiliateId={affiliateId}
          kind="tablet_ad"
          label="Tablet and desktop ad"
          hint="Exactly 728 × 90 pixels, PNG or JPEG."
          frame="aspect-[728/90] w-full max-w-182"
        />
        <TextField label="Link of the tablet and desktop ad" {...link} {...form.field('tablet_display_url')} />
        <Seen {...seen.tablet} />
      </div>
      <div className="flex flex-col gap-4 border-t border-line pt-5">
        <PictureField
          form={form}
          affiliateId={affiliateId}
          kind="mobile_ad"
          label="Mobile ad"
          hint="Exactly 300 × 250 pixels, PNG or JPEG."
          frame="aspect-[300/250] w-75"
        />
        <TextField label="Link of the mobile ad" {...link} {...form.field('mobile_display_url')} />
        <Seen {...seen.mobile} />
      </div>
    </SettingsSection>
  );
}

/** What to tell the sponsor. Nothing before anyone has seen the banner. */
function Seen({ impressions, clicks }: { impressions: number; clicks: number }) {
  if (impressions === 0 && clicks === 0) return null;
  const times = (count: number) => (count === 1 ? 'once' : `${count.toLocaleString('en-US')} times`);
  return (
    <p className="text-xs text-quiet tabular-nums">
      {`Last 30 days: seen ${times(impressions)}, ${clicks === 0 ? 'not clicked yet' : `followed ${times(clicks)}`}.`}
    </p>
  );
}
