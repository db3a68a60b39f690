import type { ComponentProps } from 'react';
import { passwordHint } from '#src/features/sign-in/passwords.contract.ts';
import type { SettingsForm } from '#src/features/settings/settings-form.client.ts';
import { mayType, type SettingsValues } from '#src/features/settings/settings-form.rules.ts';
import * as words from '#src/features/tenancy/settings-words.contract.ts';
import { Pair, SettingsSection } from '#src/features/settings/ui/settings-layout.tsx';
import { slugOf } from '#src/shared/slug.ts';
import { MoneyField } from '#src/ui/form/money-field.tsx';
import { Select } from '#src/ui/form/select.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { readColor, type SettingsAnswer } from '#src/features/settings/settings.contract.ts';
import { Notice } from '#src/ui/notice.tsx';
import { PasswordField } from '#src/ui/form/password-field.tsx';
import { Checkbox } from '#src/ui/form/checkbox.tsx';
import { DEFAULT_ACCENT } from '#src/shared/color.ts';
import { Button } from '#src/ui/button.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';

type FieldProps = { form: SettingsForm };

/** Text fields with their attributes. */
const TEXTS = {
  name: { label: 'Organization name', required: true, maxLength: 200 },
  contact_name: { label: 'Contact name', required: true, maxLength: 200, autoComplete: 'name' },
  contact_email: { label: 'Contact email', type: 'email', inputMode: 'email', autoComplete: 'email', maxLength: 254 },
  contact_phone_number: { label: 'Contact phone number', type: 'tel', autoComplete: 'tel', maxLength: 40 },
  billing_name: { label: 'Billing name', maxLength: 200 },
  billing_address: { label: 'Billing address', maxLength: 300, autoComplete: 'street-address' },
  billing_city: { label: 'Billing city', maxLength: 100, autoComplete: 'address-level2' },
  billing_state: { label: 'Billing state', maxLength: 50, autoComplete: 'address-level1' },
  billing_zip: { label: 'Billing zip', maxLength: 10, inputMode: 'numeric', autoComplete: 'postal-code' },
  billing_email: { label: 'Billing email', type: 'email', inputMode: 'email', maxLength: 254 },
  billing_phone_number: { label: 'Billing phone number', type: 'tel', maxLength: 40 },
} as const satisfies Partial<Record<keyof SettingsValues, ComponentProps<typeof TextField>>>;

function Text({ form, name }: FieldProps & { name: keyof typeof TEXTS }) {
  return <TextField {...TEXTS[name]} {...form.field(name)} />;
}

/** `address`: the start of links, up to the path. */
export function ProfileSection({ form, isParent, address }: FieldProps & { isParent: boolean; address: string }) {
  const { values, saved } = form;
  const moves = values.domain_name.toLowerCase() !== saved.domain_name.toLowerCase();
  return (
    <SettingsSection id="profile" title="Profile" hint="How families find you and what they call you.">
      <Text form={form} name="name" />
      <Text form={form} name="contact_name" />
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
            'The address of a parent organization can’t be changed.'
          ) : (
            <>
              Your page: <span className="font-semibold break-all text-ink">{`${address}${values.domain_name}`}</span>
              {moves && <span className="mt-1 block font-semibold text-warning">{words.OLD_LINKS_LEAD_ON}</span>}
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
    <SettingsSection id="contact" title="Contact" hint="Where we reach you. This does not change your login.">
      <ContactFields form={form} />
    </SettingsSection>
  );
}

export function ContactFields({ form }: FieldProps) {
  return (
    <Pair>
      <Text form={form} name="contact_email" />
      <Text form={form} name="contact_phone_number" />
    </Pair>
  );
}

export function BillingSection({ form }: FieldProps) {
  return (
    <SettingsSection
      id="billing"
      title="Billing"
      hint="Where payouts and emails about money go. We may ask for your password when the name or the address changes."
    >
      <BillingFields form={form} />
    </SettingsSection>
  );
}

export function BillingFields({ form }: FieldProps) {
  return (
    <>
      <Text form={form} name="billing_name" />
      <Text form={form} name="billing_address" />
      <div className="grid items-start gap-5 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <Text form={form} name="billing_city" />
        <Text form={form} name="billing_state" />
        <Text form={form} name="billing_zip" />
      </div>
      <Pair>
        <Text form={form} name="billing_email" />
        <Text form={form} name="billing_phone_number" />
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
            // A value over the limit cannot be typed (specification A§5).
            if (mayType(event.target.value, words.MAX_DEFAULT_PRICE_CENTS)) price.onChange(event);
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
          {words.TIME_ZONES.map((zone) => (
            <option key={zone} value={zone}>
              {words.TIME_ZONE_NAMES[zone]}
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
        maxLength={words.MAX_TAX_ID_CHARACTERS}
        autoComplete="off"
        placeholder="12-3456789"
        hint="Shown on your buyers’ receipts."
        {...form.field('tax_id')}
      />
    </div>
  );
}

type PasswordSectionProps = {
  form: SettingsForm;
  people: SettingsAnswer['user_details'];
  /** Whose password it is; null if the organization has no members. */
  userId: number | null;
  /** The viewer may choose the member: a platform admin, at another organization. */
  chooses: boolean;
  onChoose: (userId: number) => void;
  passwordMin: number;
};

export function PasswordSection({ form, people, userId, chooses, onChoose, passwordMin }: PasswordSectionProps) {
  return (
    <SettingsSection
      id="password"
      title="Password"
      hint={
        chooses
          ? 'Email of a member of this organization.'
          : 'Your own login password. Your other devices are logged out.'
      }
    >
      {userId === null ? (
        <Notice>{words.NO_USER_FOR_PASSWORD}</Notice>
      ) : (
        <>
          {chooses && (
            <Select
              label="Whose password"
              value={String(userId)}
              onChange={(event) => onChoose(Number(event.target.value))}
            >
              {people.map(({ id, first_name, last_name, email }) => (
                <option key={id} value={id}>{`${first_name} ${last_name} (${email})`}</option>
              ))}
            </Select>
          )}
          <Pair>
            <PasswordField
              label="New password"
              autoComplete="new-password"
              hint={`${words.LEAVE_BLANK} ${passwordHint(passwordMin)}`}
              {...form.field('password')}
            />
            <PasswordField
              label="Confirm password"
              autoComplete="new-password"
              hint={words.LEAVE_BLANK}
              {...form.field('confirm_password')}
            />
          </Pair>
          {!chooses && (
            <LinkButton variant="quiet" to="/users/me" className="-ml-3 self-start">
              Change your email address
            </LinkButton>
          )}
        </>
      )}
    </SettingsSection>
  );
}

type PaymentsProps = {
  form: SettingsForm;
  /** `role_id` 2: only platform admins see and switch 'Allow' (rule 7). */
  isAdmin: boolean;
  keys: SettingsAnswer['processor_info'];
};

/** The organization's own card keys; hidden without the permission, unless the viewer may give it. */
export function PaymentsSection({ form, isAdmin, keys }: PaymentsProps) {
  const last4 = keys.stripe_sk_last4 ?? '';
  const allowed = form.values.can_add_custom_payment;
  if (!isAdmin && !allowed) return null;
  return (
    <SettingsSection
      id="payments"
      title="Custom payment processing"
      hint="Cards are charged on the organization’s own Stripe account. Changing the keys needs your password."
    >
      {isAdmin && (
        <Checkbox
          label="Allow"
          hint="Members of this organization may enter their own keys."
          checked={allowed}
          onChange={(event) => form.set({ can_add_custom_payment: event.target.checked })}
        />
      )}
      {allowed && (
        <Pair>
          <TextField
            label="Secret key"
            type="password"
            autoComplete="off"
            spellCheck={false}
            maxLength={300}
            placeholder={keys.stripe_sk_set ? `••••${last4}` : 'sk_live_…'}
            hint={
              keys.stripe_sk_set
                ? `The current key ends in ${last4}. Leave blank for no change.`
                : 'Starts with sk_ or rk_. Never shown again.'
            }
            {...form.field('stripe_sk')}
          />
          <TextField
            label="Public key"
            autoComplete="off"
            spellCheck={false}
            maxLength={300}
            placeholder="pk_live_…"
            hint="Starts with pk_, in the same mode: both test or both live."
            {...form.field('stripe_pk')}
          />
        </Pair>
      )}
    </SettingsSection>
  );
}

/** The color that an organization chooses: picked, or typed as hex or `rgb(…)`. */
export function ColorField({ form }: { form: SettingsForm }) {
  const { values } = form;
  const color = readColor(values.primary_color) ?? form.saved.primary_color;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-end gap-3">
        <label className="flex flex-col gap-1.5 text-sm font-semibold">
          <span className="sr-only">Pick the primary color</span>
          <input
            type="color"
            value={color.toLowerCase()}
            onChange={(event) => form.set({ primary_color: event.target.value.toUpperCase() })}
            className="h-11 w-14 cursor-pointer rounded border border-line-strong bg-surface p-1"
          />
        </label>
        <div className="min-w-0 flex-1">
          <TextField
            label="Primary color"
            maxLength={30}
            autoComplete="off"
            spellCheck={false}
            {...form.field('primary_color')}
            onBlur={() => form.set({ primary_color: readColor(values.primary_color) ?? values.primary_color })}
          />
        </div>
      </div>
      {color !== DEFAULT_ACCENT && (
        <Button
          variant="quiet"
          size="small"
          className="-ml-3 self-start"
          onClick={() => form.set({ primary_color: DEFAULT_ACCENT })}
        >
          Back to {DEFAULT_ACCENT}
        </Button>
      )}
      <p className="text-xs text-quiet">The secondary color is always white.</p>
    </div>
  );
}
