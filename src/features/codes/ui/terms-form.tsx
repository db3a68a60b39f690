import { useId, useState, type FormEvent } from 'react';
import {
  ENTERPRISE_PLAN,
  FREE_PLAN,
  keepsText,
  PREMIUM_PLAN,
  priceText,
  type Plan,
} from '#src/features/billing/plans.rules.ts';
import {
  endsSubscription,
  SHARE_NOT_VALID,
  TERMS_SAVED,
  type PlanId,
  type TermsAnswer,
} from '#src/features/codes/terms.contract.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { publicDay } from '#src/shared/dates.ts';
import { Button } from '#src/ui/button.tsx';
import { Checkbox } from '#src/ui/checkbox.tsx';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { callApi, messagesOf } from '#src/web/api-client.ts';

type TermsFormProps = {
  start: TermsAnswer;
  timeZone: string;
  /** The specification's flag is of parents; children take codes of their parent. */
  isParent: boolean;
  /** The page around shows name and limits of the plan. */
  onSaved: (terms: TermsAnswer) => void;
};

const CHOICES: readonly Plan[] = [FREE_PLAN, PREMIUM_PLAN, ENTERPRISE_PLAN];
const valuesOf = (terms: TermsAnswer) => ({
  plan: terms.plan,
  keeps: String(terms.keeps_percent),
  promo: terms.takes_promo_codes,
  columns: terms.reports_buyer_columns,
  homePage: terms.shown_on_home_page,
});

/** Plan, share and flags: a form of its own, because each change of it is agreed with somebody and logged. */
export function TermsForm({ start, timeZone, isParent, onSaved }: TermsFormProps) {
  const [saved, setSaved] = useState(start);
  const [values, setValues] = useState(() => valuesOf(start));
  const [errors, setErrors] = useState<FieldErrors>({});
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState(false);
  const [asks, setAsks] = useState(false);
  const { subscription } = saved;
  const kept = valuesOf(saved);
  const isChanged = (Object.keys(kept) as (keyof typeof kept)[]).some((field) => kept[field] !== values[field]);

  async function save(): Promise<void> {
    setAsks(false);
    setBusy(true);
    const speaksOfPlan = values.plan !== kept.plan || (values.plan === 'enterprise' && values.keeps !== kept.keeps);
    const answer = await callApi<TermsAnswer>('PUT', `/api/v1/organizations/${saved.id}/terms`, {
      body: {
        terms: {
          ...(speaksOfPlan ? { plan: values.plan } : {}),
          ...(speaksOfPlan && values.plan === 'enterprise' ? { keeps_percent: percentOf(values.keeps) } : {}),
          ...(values.promo === kept.promo ? {} : { takes_promo_codes: values.promo }),
          ...(values.columns === kept.columns ? {} : { reports_buyer_columns: values.columns }),
          ...(values.homePage === kept.homePage ? {} : { shown_on_home_page: values.homePage }),
        },
      },
    });
    setBusy(false);
    setErrors(answer.ok ? {} : bare(answer.errors));
    setSaid(answer.ok ? TERMS_SAVED : messagesOf(answer).join(' '));
    if (!answer.ok) return;
    setSaved(answer.data);
    setValues(valuesOf(answer.data));
    onSaved(answer.data);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (subscription && values.plan === 'enterprise') setAsks(true);
    else void save();
  }

  function choose(plan: PlanId): void {
    setValues((now) => ({
      ...now,
      plan,
      keeps: plan === 'enterprise' && kept.plan !== 'enterprise' ? '' : kept.keeps,
    }));
  }

  return (
    <form noValidate aria-label="Plan and flags" onSubmit={submit} className="flex flex-col gap-5">
      {subscription && (
        <Notice>
          {`Pays ${subscription.plan === 'premium' ? PREMIUM_PLAN.name : ENTERPRISE_PLAN.name} yearly, until ${dayOf(subscription.paid_until, timeZone)}.`}
          {subscription.status === 'past_due' && ' The card was declined at the last renewal.'}
        </Notice>
      )}
      <fieldset className="flex flex-col">
        <legend className="mb-1 text-sm font-semibold">Plan</legend>
        {CHOICES.map((plan) => (
          <PlanChoice key={plan.id} plan={plan} checked={values.plan === plan.id} onChoose={() => choose(plan.id)} />
        ))}
      </fieldset>
      {values.plan === 'enterprise' && (
        <div className="max-w-60">
          <TextField
            label="Keeps, in percent"
            required
            inputMode="decimal"
            maxLength={6}
            autoComplete="off"
            hint="Before card fees. Applies to orders from now on."
            value={values.keeps}
            errors={errors['keeps_percent']}
            onChange={(event) => setValues((now) => ({ ...now, keeps: event.target.value }))}
          />
        </div>
      )}
      <div className="flex flex-col border-t border-line pt-3">
        <Checkbox
          label="Promo codes"
          hint={
            isParent
              ? 'People who sign up below this organization may use a promo code instead of a card.'
              : 'Applies to organizations with their own sign-up page: parents.'
          }
          checked={values.promo}
          onChange={(event) => setValues((now) => ({ ...now, promo: event.target.checked }))}
        />
        <Checkbox
          label="Names, dates and emails in the admin report"
          hint="Adds those columns to the rows of this organization."
          checked={values.columns}
          onChange={(event) => setValues((now) => ({ ...now, columns: event.target.checked }))}
        />
        <Checkbox
          label="Show on the home page"
          hint={`Its newest open galleries may be examples on Sideline's home page. ${
            isParent
              ? 'Affiliates below it are ticked one by one.'
              : "An account that signed up by itself is listed on its parent's home only with this."
          }`}
          checked={values.homePage}
          onChange={(event) => setValues((now) => ({ ...now, homePage: event.target.checked }))}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" variant="secondary" busy={busy ? 'Saving...' : false} disabled={!isChanged}>
          Save plan and flags
        </Button>
        <p role="status" className={Object.keys(errors).length > 0 ? 'sr-only' : 'min-w-0 flex-1 text-sm text-quiet'}>
          {said}
        </p>
      </div>
      <ConfirmDialog
        open={asks}
        title="End the subscription?"
        confirmLabel="Agree Enterprise"
        onConfirm={() => void save()}
        onCancel={() => setAsks(false)}
      >
        {subscription && endsSubscription(dayOf(subscription.paid_until, timeZone))}
      </ConfirmDialog>
    </form>
  );
}

function PlanChoice({ plan, checked, onChoose }: { plan: Plan; checked: boolean; onChoose: () => void }) {
  const id = useId();
  return (
    <div className="flex min-h-11 items-start gap-3 py-2 text-sm">
      <input
        type="radio"
        name="plan"
        id={id}
        value={plan.id}
        checked={checked}
        aria-describedby={`${id}-hint`}
        onChange={onChoose}
        className="size-5.5 shrink-0 accent-accent-text"
      />
      <div>
        <label htmlFor={id} className="font-semibold">
          {plan.name}
        </label>
        <p id={`${id}-hint`} className="text-xs text-quiet">{`${priceNote(plan)}. ${keepsText(plan)}.`}</p>
      </div>
    </div>
  );
}

/** As the rest of the page writes days. */
const dayOf = (moment: string, timeZone: string) => publicDay(new Date(moment), timeZone);

/** Given by the office, no plan costs anything. */
function priceNote(plan: Plan): string {
  if (plan.byContract) return 'By contract';
  return plan.id === 'free'
    ? priceText(plan)
    : `${priceText(plan)} when an account buys it; nothing is charged from here`;
}

/** Text that is no number stays text, so that the call refuses it in words. */
function percentOf(text: string): number | string {
  const tidy = text.trim().replace(/\s*%$/, '');
  return /^\d+(\.\d+)?$/.test(tidy) ? Number(tidy) : SHARE_NOT_VALID;
}

/** `terms.keeps_percent` of the call is the form's `keeps_percent`. */
function bare(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([field, messages]) => [field.replace(/^.*\./, ''), messages]));
}
