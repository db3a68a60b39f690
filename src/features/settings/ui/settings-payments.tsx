import type { SettingsForm } from '#src/features/settings/settings-form.client.ts';
import { Pair, SettingsSection } from '#src/features/settings/ui/settings-section.tsx';
import { Checkbox } from '#src/ui/checkbox.tsx';
import { TextField } from '#src/ui/text-field.tsx';

type PaymentsProps = {
  form: SettingsForm;
  /** `role_id` 2: only they see and switch 'Allow' (rule 7). */
  isAdmin: boolean;
  secret: { isSet: boolean; last4: string | null };
};

/** Card keys of the organization's own. Nothing, where neither the viewer nor the permission makes it theirs. */
export function PaymentsSection({ form, isAdmin, secret }: PaymentsProps) {
  const allowed = form.values.can_add_custom_payment;
  if (!isAdmin && !allowed) return null;
  return (
    <SettingsSection
      id="payments"
      title="Custom payment processing"
      hint="Cards are charged over the organization’s own Stripe account. Changing the keys asks for your password."
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
            placeholder={secret.isSet ? `••••${secret.last4 ?? ''}` : 'sk_live_…'}
            hint={
              secret.isSet
                ? `The current key ends in ${secret.last4 ?? ''}. Leave blank for no change.`
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
