import type { SettingsForm } from '#src/features/settings/settings-form.client.ts';
import { ColorField } from '#src/features/settings/ui/settings-color-field.tsx';
import { BillingFields, ContactFields, TaxIdField } from '#src/features/settings/ui/settings-fields.tsx';
import { PictureField } from '#src/features/settings/ui/settings-picture-field.tsx';
import { SettingsSection } from '#src/features/settings/ui/settings-section.tsx';

type SectionProps = { form: SettingsForm };

/** Contact, billing and tax number, which the settings show apart. */
export function OtherContactSection({ form }: SectionProps) {
  return (
    <SettingsSection
      id="contact"
      title="Other contact info"
      hint="Where the organization is reached, and where payouts and emails about money go."
    >
      <ContactFields form={form} />
      <div className="flex flex-col gap-5 border-t border-line pt-5">
        <BillingFields form={form} />
      </div>
      <div className="border-t border-line pt-5">
        <TaxIdField form={form} />
      </div>
    </SettingsSection>
  );
}

/** Logo and home image. */
export function ThemeSection({ form, affiliateId }: SectionProps & { affiliateId: number }) {
  return (
    <SettingsSection id="theme" title="Theme details" hint="The pictures of the organization’s own pages.">
      <PictureField
        form={form}
        affiliateId={affiliateId}
        kind="logo"
        label="Logo"
        hint="PNG or JPEG. A square image with a transparent background looks best."
        frame="size-32 bg-white p-2"
        emptyFrame="size-32"
      />
      <PictureField
        form={form}
        affiliateId={affiliateId}
        kind="home_image"
        label="Home image"
        hint="Exactly 1278 × 500 pixels at 72 DPI, PNG or JPEG. Behind the name, at the top of the page."
        frame="aspect-[1278/500] w-full"
        emptyFrame="h-24 w-full"
      />
    </SettingsSection>
  );
}

export function ColorsSection({ form }: SectionProps) {
  return (
    <SettingsSection id="colors" title="Colors" hint="Written as #0099CC or rgb(0, 153, 204); kept as hex.">
      <div className="max-w-90">
        <ColorField form={form} />
      </div>
    </SettingsSection>
  );
}
