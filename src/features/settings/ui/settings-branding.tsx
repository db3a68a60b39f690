import { useState } from 'react';
import { readColor } from '#src/features/settings/settings-colors.contract.ts';
import type { SettingsForm } from '#src/features/settings/settings-form.client.ts';
import { BrandPreview, type PreviewGallery } from '#src/features/settings/ui/brand-preview.tsx';
import { ColorField } from '#src/features/settings/ui/settings-color-field.tsx';
import { PictureField } from '#src/features/settings/ui/settings-picture-field.tsx';
import { SettingsSection } from '#src/features/settings/ui/settings-section.tsx';

type BrandingProps = { form: SettingsForm; affiliateId: number; gallery: PreviewGallery | null };

/** Logo, home image and color, with a look at the real page as it would be. */
export function BrandingSection({ form, affiliateId, gallery }: BrandingProps) {
  const { values } = form;
  const [logo, setLogo] = useState<string | null>(null);
  const [home, setHome] = useState<string | null>(null);
  const color = readColor(values.primary_color) ?? form.saved.primary_color;
  return (
    <SettingsSection
      id="branding"
      title="Branding"
      hint="Your colors and images, on all your pages. Nothing changes until you press Update."
    >
      <div className="grid gap-6 sm:grid-cols-2">
        <PictureField
          form={form}
          affiliateId={affiliateId}
          kind="logo"
          label="Logo"
          hint="PNG or JPEG. A square image with a transparent background looks best."
          frame="size-32 bg-white p-2"
          emptyFrame="size-32"
          onShown={setLogo}
        />
        <ColorField form={form} />
      </div>
      <PictureField
        form={form}
        affiliateId={affiliateId}
        kind="home_image"
        label="Home image"
        hint="Exactly 1278 × 500 pixels at 72 DPI, PNG or JPEG. Behind your name, at the top of your page."
        frame="aspect-[1278/500] w-full"
        emptyFrame="h-24 w-full"
        onShown={setHome}
      />
      <BrandPreview name={values.name} color={color} logoUrl={logo} homeImageUrl={home} gallery={gallery} />
    </SettingsSection>
  );
}
