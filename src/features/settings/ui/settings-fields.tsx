import type { SettingsForm } from '#src/features/settings/settings-form.client.ts';
import { mayType } from '#src/features/settings/settings-form.rules.ts';
import {
  MAX_DEFAULT_PRICE_CENTS,
  MAX_TAX_ID_CHARACTERS,
  OLD_LINKS_LEAD_ON,
  TIME_ZONE_NAMES,
  TIME_ZONES,
} from '#src/features/tenancy/settings-words.contract.ts';
import { Pair, SettingsSection } from '#src/features/settings/ui/settings-section.tsx';
import { slugOf } from '#src/shared/slug.ts';
import { MoneyField } from '#src/ui/money-field.tsx';
import { Select } from '#src/ui/select.tsx';
import { TextField } from '#src/ui/text-field.tsx';

type FieldProps = { form: SettingsForm };

/** `address`: how links begin, up to the path. */
export function ProfileSection({ form, isParent, address }: FieldProps & { isParent: boolean; address: string }) {
  const { values, saved } = form;
  const moves = values.domain_name.toLowerCase() !== saved.domain_name.toLowerCase();
  return (
    <SettingsSection id="profile" title="Profile" hint="How families find you and what they call you.">
      <TextField label="Organization name" required maxLength={200} {...form.field('name')} />
      <TextField label="Contact name" required maxLength={200} autoComplete="name" {...form.field('contact_name')} />
      <TextField
        label="Domain name"
        required
        disabled={isParent}
        maxLength={63}
        autoCapitalize="none"
        spellCheck={false}
        autoComplete="off"
        hint={
          isParent ? (
            'The address of a parent organization stays as it is.'
          ) : (
            <>
              Your page: <span className="font-semibold break-all text-ink">{`${address}${values.domain_name}`}</span>
              {moves && <span className="mt-1 block font-semibold text-warning">{OLD_LINKS_LEAD_ON}</span>}
            </>
          )
        }
        {...form.field('domain_name')}
        onBlur={() => form.set({ domain_name: slugOf(values.domain_name) })}
      />
    </SettingsSection>
  );
}

export function ContactSection({ form }: FieldProps) {
  return (
    <SettingsSection
      id="contact"
      title="Contact"
      hint="Where we reach you. This is not your login: that stays as it is."
    >
      <ContactFields form={form} />
    </SettingsSection>
  );
}

export function ContactFields({ form }: FieldProps) {
  return (
    <Pair>
      <TextField
        label="Contact email"
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={254}
        {...form.field('contact_email')}
      />
      <TextField
        label="Contact phone number"
        type="tel"
        autoComplete="tel"
        maxLength={40}
        {...form.field('contact_phone_number')}
      />
    </Pair>
  );
}

export function BillingSection({ form }: FieldProps) {
  return (
    <SettingsSection id="billing" title="Billing" hint="Where payouts and emails about money go.">
      <BillingFields form={form} />
    </SettingsSection>
  );
}

export function BillingFields({ form }: FieldProps) {
  return (
    <>
      <TextField label="Billing name" maxLength={200} {...form.field('billing_name')} />
      <TextField
        label="Billing address"
        maxLength={300}
        autoComplete="street-address"
        {...form.field('billing_address')}
      />
      <div className="grid items-start gap-5 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <TextField label="Billing city" maxLength={100} autoComplete="address-level2" {...form.field('billing_city')} />
        <TextField
          label="Billing state"
          maxLength={50}
          autoComplete="address-level1"
          {...form.field('billing_state')}
        />
        <TextField
          label="Billing zip"
          maxLength={10}
          inputMode="numeric"
          autoComplete="postal-code"
          {...form.field('billing_zip')}
        />
      </div>
      <Pair>
        <TextField
          label="Billing email"
          type="email"
          inputMode="email"
          maxLength={254}
          {...form.field('billing_email')}
        />
        <TextField label="Billing phone number" type="tel" maxLength={40} {...form.field('billing_phone_number')} />
      </Pair>
    </>
  );
}

export function PriceSection({ form }: FieldProps) {
  const price = form.field('default_photo_price');
  return (
    <SettingsSection id="price" title="Photo price" hint="New galleries start with it. Each gallery can have its own.">
      <div className="max-w-60">
        <MoneyField
          label="Default photo price"
          required
          hint="Up to $100."
          {...price}
          onChange={(event) => {
            // What is over the limit cannot be typed (specification A§5).
            if (mayType(event.target.value, MAX_DEFAULT_PRICE_CENTS)) price.onChange(event);
          }}
        />
      </div>
    </SettingsSection>
  );
}

export function TimeZoneSection({ form }: FieldProps) {
  return (
    <SettingsSection
      id="time-zone"
      title="Time zone"
      hint="Days in galleries, statistics and reports use this time zone."
    >
      <div className="max-w-90">
        <Select label="Time zone" {...form.field('time_zone')}>
          {TIME_ZONES.map((zone) => (
            <option key={zone} value={zone}>
              {TIME_ZONE_NAMES[zone]}
            </option>
          ))}
        </Select>
      </div>
    </SettingsSection>
  );
}

export function TaxIdField({ form }: FieldProps) {
  return (
    <div className="max-w-60">
      <TextField
        label="Tax ID"
        maxLength={MAX_TAX_ID_CHARACTERS}
        autoComplete="off"
        placeholder="12-3456789"
        hint="Shown on your buyers’ receipts."
        {...form.field('tax_id')}
      />
    </div>
  );
}
