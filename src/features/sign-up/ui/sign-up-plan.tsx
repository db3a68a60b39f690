/** Step 2 of signing up: plan, payment, and terms. */
import { useId, useState, type Ref } from 'react';
import { AGE_AND_PLACE, CARD_NEEDS_SCRIPT } from '#src/features/sign-up/sign-up.contract.ts';
import { FREE_TIER_TEXT, paysByCard, type SignUpValues } from '#src/features/sign-up/sign-up-form.rules.ts';
import type { CardHandle, CardSetup } from '#src/features/billing/card-entry.contract.ts';
import { CardEntry } from '#src/features/billing/ui/card-entry.tsx';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Checkbox } from '#src/ui/form/checkbox.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { FREE_PLAN, keepsText, PREMIUM_PLAN, priceText, type Plan } from '#src/features/tenancy/plans.rules.ts';
import { formatDollars, ZERO } from '#src/shared/money.ts';
import { Card } from '#src/ui/card.tsx';
import { cx } from '#src/ui/cx.ts';
import { CircleAlert } from '#src/ui/icon.tsx';
import { PROMO_CODE_MAX, PROMO_CODE_NOT_VALID } from '#src/features/billing/billing.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { CONTROL } from '#src/ui/form/control-style.ts';
import { Field } from '#src/ui/form/field.tsx';
import { api } from '#src/web/api-client.ts';

type SignUpPlanProps = {
  values: SignUpValues;
  errors: FieldErrors;
  /** The message of the card's provider or the bank, shown at the card. */
  refusal: { messages: readonly string[]; attempt: number };
  offersFree: boolean;
  takesPromoCodes: boolean;
  cardSetup: CardSetup;
  /** Loaded when it is visible (a card provider may add scripts), then kept with its values. */
  hasCard: boolean;
  card: Ref<CardHandle>;
  onChange: (change: Partial<SignUpValues>) => void;
  /** Enter in a form that cannot be submitted yet. */
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

/** Opened in a new tab, to keep the form. */
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

const CHOICES = [
  { plan: FREE_PLAN, label: 'Free tier', hint: `${FREE_TIER_TEXT}. No card needed.` },
  { plan: PREMIUM_PLAN, label: PREMIUM_PLAN.name, hint: 'As many galleries and photos as you like.' },
] as const;

type PlanChoiceProps = {
  values: SignUpValues;
  errors: readonly string[];
  /** Only below the root organization; elsewhere there is only one plan. */
  offersFree: boolean;
  onChoose: (isFree: boolean) => void;
};

function PlanChoice({ values, errors, offersFree, onChoose }: PlanChoiceProps) {
  const chosen = values.isFree ? FREE_PLAN : PREMIUM_PLAN;
  const isPaid = paysByCard(values);
  return (
    <div className="flex flex-col gap-3">
      {offersFree ? (
        <fieldset>
          <legend className="text-sm font-semibold">Plan</legend>
          <div className="mt-2 grid gap-3 sm:grid-cols-2">
            {CHOICES.map(({ plan, label, hint }) => (
              <PlanCard
                key={plan.id}
                plan={plan}
                label={label}
                hint={hint}
                isChosen={plan === chosen}
                onChoose={() => onChoose(plan === FREE_PLAN)}
              />
            ))}
          </div>
        </fieldset>
      ) : (
        <Card className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 p-4">
          <p className="font-semibold">{chosen.name}</p>
          <p className="text-sm text-quiet">{priceText(chosen)}</p>
          <p className="w-full text-xs text-pretty text-quiet">{CHOICES[1].hint}</p>
          <input type="hidden" name="plan" value="premium" />
        </Card>
      )}
      {errors.map((message) => (
        <p key={message} role="alert" className="flex gap-1.5 text-xs font-semibold text-danger">
          <CircleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
          {message}
        </p>
      ))}
      <p className="text-xs text-pretty text-quiet">{keepsText(chosen)}.</p>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line pt-3 font-semibold tabular-nums">
        <span>Due today</span>
        <span>{formatDollars(isPaid ? PREMIUM_PLAN.yearlyPriceCents : ZERO)}</span>
      </p>
      {isPaid && <p className="text-xs text-quiet">Renews each year with the same card.</p>}
    </div>
  );
}

type PlanCardProps = { plan: Plan; label: string; hint: string; isChosen: boolean; onChoose: () => void };

/** The whole card can be clicked. */
function PlanCard({ plan, label, hint, isChosen, onChoose }: PlanCardProps) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className={cx(
        'flex cursor-pointer items-start gap-3 rounded border p-4 transition-colors has-checked:border-accent has-checked:bg-accent-tint has-checked:ring-1 has-checked:ring-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text',
        isChosen ? '' : 'border-line-strong bg-surface hover:bg-sunken',
      )}
    >
      <input
        type="radio"
        id={id}
        name="plan"
        value={plan.id}
        checked={isChosen}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-hint`}
        onChange={onChoose}
        className="mt-[calc(0.8125rem-11px)] size-5.5 shrink-0 accent-accent-text"
      />
      <span className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span id={`${id}-name`} className="font-semibold">
            {label}
          </span>
          <span className="text-sm font-semibold tabular-nums">{priceText(plan)}</span>
        </span>
        <span id={`${id}-hint`} className="text-xs text-pretty text-quiet">
          {hint}
        </span>
      </span>
    </label>
  );
}

type PromoFieldProps = {
  code: string;
  /** The code that pays for the account, once the server has accepted it. */
  acceptedCode: string | null;
  errors: readonly string[];
  onType: (code: string) => void;
  onAccept: (code: string) => void;
};

function PromoField({ code, acceptedCode, errors, onType, onAccept }: PromoFieldProps) {
  const [isApplying, setApplying] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function apply() {
    const typed = code.trim();
    if (typed === '') return;
    setApplying(true);
    setProblem(null);
    const answer = await api('POST /api/v1/promocode/', { body: { promo_code: typed } });
    setApplying(false);
    if (!answer.ok) setProblem(answer.error);
    else if (!answer.data.status) setProblem(PROMO_CODE_NOT_VALID);
    else onAccept(typed);
  }

  return (
    <div className="flex flex-col gap-3">
      <Field label="Promo code" errors={problem === null ? errors : [problem]}>
        {(control) => (
          <div className="flex gap-2">
            <input
              {...control}
              type="text"
              name="promo_code"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={PROMO_CODE_MAX}
              value={code}
              onChange={(event) => {
                setProblem(null);
                onType(event.target.value);
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                void apply();
              }}
              className={`${CONTROL} min-w-0 flex-1 uppercase`}
            />
            <Button variant="secondary" busy={isApplying && 'Applying...'} onClick={() => void apply()}>
              Apply
            </Button>
          </div>
        )}
      </Field>
      <div role="status" className="empty:sr-only">
        {acceptedCode !== null && <Notice tone="success">This code pays for your account. No card is needed.</Notice>}
      </div>
    </div>
  );
}
