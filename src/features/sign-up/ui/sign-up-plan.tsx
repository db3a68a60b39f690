/** Step 2 of signing up: which plan, how it is paid, and what is agreed to. */
import type { Ref } from 'react';
import { AGE_AND_PLACE, CARD_NEEDS_SCRIPT } from '#src/features/sign-up/sign-up.contract.ts';
import { paysByCard, type SignUpValues } from '#src/features/sign-up/sign-up-form.rules.ts';
import { PlanChoice } from '#src/features/sign-up/ui/plan-choice.tsx';
import { PromoField } from '#src/features/sign-up/ui/promo-field.tsx';
import type { CardHandle, CardSetup } from '#src/features/billing/card-entry.contract.ts';
import { CardEntry } from '#src/features/billing/ui/card-entry.tsx';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Checkbox } from '#src/ui/checkbox.tsx';
import { ErrorList } from '#src/ui/error-list.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { TextField } from '#src/ui/text-field.tsx';

type SignUpPlanProps = {
  values: SignUpValues;
  errors: FieldErrors;
  /** What the card's provider or the bank said, told at the card. */
  refusal: { messages: readonly string[]; attempt: number };
  offersFree: boolean;
  takesPromoCodes: boolean;
  cardSetup: CardSetup;
  /** Only once it is seen (a card provider may bring scripts), then kept with what was typed. */
  hasCard: boolean;
  card: Ref<CardHandle>;
  onChange: (change: Partial<SignUpValues>) => void;
  /** Enter in a field whose form cannot be sent yet. */
  onEnter: () => void;
};

export function SignUpPlan(props: SignUpPlanProps) {
  const { values, errors, refusal, offersFree, takesPromoCodes, cardSetup, hasCard, card, onChange, onEnter } = props;
  const isPaid = paysByCard(values);
  return (
    <div className="flex flex-col gap-6">
      <PlanChoice
        values={values}
        errors={errors['freeTier'] ?? []}
        offersFree={offersFree}
        onChoose={(isFree) => onChange({ isFree })}
      />
      {takesPromoCodes && !values.isFree && (
        <PromoField
          code={values.promoCode}
          acceptedCode={values.acceptedCode}
          errors={errors['promoCode'] ?? []}
          onType={(promoCode) => onChange({ promoCode })}
          onAccept={(acceptedCode) => onChange({ acceptedCode })}
        />
      )}
      <noscript>
        <Notice tone="warning">{CARD_NEEDS_SCRIPT}</Notice>
      </noscript>
      {/* Kept while it is hidden, so that no one types a card twice. */}
      {hasCard && (
        <section
          aria-labelledby="card-heading"
          hidden={!isPaid}
          className="flex flex-col gap-5 noscript:hidden [&[hidden]]:hidden"
        >
          <h3 id="card-heading" className="text-lg">
            Card
          </h3>
          <ErrorList {...refusal} />
          <CardEntry id="sign-up-card" ref={card} zip={values.zip} errors={errors} {...cardSetup} />
          <TextField
            label="Zip"
            name="zip"
            inputMode="numeric"
            autoComplete="postal-code"
            maxLength={10}
            value={values.zip}
            errors={errors['zip']}
            onChange={(event) => onChange({ zip: event.target.value })}
            onKeyDown={(event) => event.key === 'Enter' && onEnter()}
          />
        </section>
      )}
      <div className="flex flex-col border-t border-line pt-4">
        <Checkbox
          label={<Agreement />}
          name="agree_to_terms"
          checked={values.agrees}
          errors={errors['agreeToTerms']}
          onChange={(event) => onChange({ agrees: event.target.checked })}
        />
        <Checkbox
          label={AGE_AND_PLACE}
          name="confirm_age_and_place"
          checked={values.confirmsAge}
          errors={errors['confirmAgeAndPlace']}
          onChange={(event) => onChange({ confirmsAge: event.target.checked })}
        />
      </div>
    </div>
  );
}

/** Opened beside the form, which would be lost otherwise. */
function Agreement() {
  return (
    <>
      I agree to the <Legal to="/terms-of-use">Terms of Use</Legal>, the <Legal to="/privacy">Privacy Policy</Legal> and
      the <Legal to="/user-agreement">User Agreement</Legal>.
    </>
  );
}

function Legal({ to, children }: { to: string; children: string }) {
  return (
    <a href={to} target="_blank" rel="noopener" className="underline decoration-line-strong underline-offset-4">
      {children}
    </a>
  );
}
