import { useId, useState, type FormEvent } from 'react';
import {
  ENTERPRISE_PLAN,
  keepsText,
  PLANS,
  PREMIUM_PLAN,
  priceText,
  type Plan,
} from '#src/features/tenancy/plans.rules.ts';
import {
  endsSubscription,
  KEEPS_NOT_VALID,
  TERMS_SAVED,
  type PlanId,
  type TermsAnswer,
} from '#src/features/codes/terms.contract.ts';
import { changedFields } from '#src/shared/form-values.ts';
import { publicDay } from '#src/shared/dates.ts';
import { Button } from '#src/ui/button.tsx';
import { Checkbox } from '#src/ui/form/checkbox.tsx';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { api, unchecked, messagesOf } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';

type TermsFormProps = {
  start: TermsAnswer;
  timeZone: string;
  /** The specification's flag belongs to parents; children accept codes of their parent. */
  isParent: boolean;
  /** The surrounding page shows name and limits of the plan. */
  onSaved: (terms: TermsAnswer) => void;
};

const valuesOf = (terms: TermsAnswer) => ({
  plan: terms.plan,
  keeps_percent: String(terms.keeps_percent),
  takes_promo_codes: terms.takes_promo_codes,
  reports_buyer_columns: terms.reports_buyer_columns,
  shown_on_home_page: terms.shown_on_home_page,
});
type Values = ReturnType<typeof valuesOf>;

/** Only changes are sent; the share is sent with its plan. */
function changedTerms(values: Values, kept: Values) {
  const { plan, keeps_percent: keeps, ...flags } = values;
  const isContract = plan === 'enterprise';
  const changesPlan = plan !== kept.plan || (isContract && keeps !== kept.keeps_percent);
  return {
    ...(changesPlan ? { plan } : {}),
    ...(changesPlan && isContract ? { keeps_percent: percentOf(keeps) } : {}),
    ...Object.fromEntries(Object.entries(flags).filter(([name, value]) => value !== kept[name as keyof Values])),
  };
}

/** Plan, share and flags: a form of its own, because each change is agreed with someone and logged. */
export function TermsForm({ start, timeZone, isParent, onSaved }: TermsFormProps) {
  const [saved, setSaved] = useState(start);
  const form = useForm(() => valuesOf(start));
  const { values, set } = form;
  const [message, setMessage] = useState('');
  const [isAsking, setAsking] = useState(false);
  const { subscription } = saved;
  const kept = valuesOf(saved);

  async function save(): Promise<void> {
    setAsking(false);
    const done = await form.send(async () => {
      const body = { terms: changedTerms(values, kept) };
      const answer = await api('PUT /api/v1/organizations/{id}/terms', {
        params: { id: saved.id },
        body: unchecked(body),
      });
      setMessage(answer.ok ? TERMS_SAVED : messagesOf(answer).join(' '));
      return answer;
    });
    if (!done) return;
    setSaved(done.data);
    form.setValues(valuesOf(done.data));
    onSaved(done.data);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (subscription && values.plan === 'enterprise') setAsking(true);
    else void save();
  }

  const choose = (plan: PlanId) =>
    set({ plan, keeps_percent: plan === 'enterprise' && kept.plan !== 'enterprise' ? '' : kept.keeps_percent });

  return (
    <form method="dialog" noValidate aria-label="Plan and flags" onSubmit={submit} className="flex flex-col gap-5">
      {subscription && <Subscription subscription={subscription} timeZone={timeZone} />}
      <fieldset className="flex flex-col">
        <legend className="mb-1 text-sm font-semibold">Plan</legend>
        {PLANS.map((plan) => (
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
            {...form.field('keeps_percent')}
          />
        </div>
      )}
      <Flags values={values} isParent={isParent} onChange={set} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          type="submit"
          variant="secondary"
          busy={form.isSending && 'Saving...'}
          disabled={changedFields(values, kept).length === 0}
        >
          Save plan and flags
        </Button>
        <p role="status" className={form.errors['keeps_percent'] ? 'sr-only' : 'min-w-0 flex-1 text-sm text-quiet'}>
          {message}
        </p>
      </div>
      <ConfirmDialog
        open={isAsking}
        title="End the subscription?"
        confirmLabel="Switch to Enterprise"
        onConfirm={() => void save()}
        onCancel={() => setAsking(false)}
      >
        {subscription && endsSubscription(dayOf(subscription.paid_until, timeZone))}
      </ConfirmDialog>
    </form>
  );
}

type SubscriptionProps = { subscription: NonNullable<TermsAnswer['subscription']>; timeZone: string };

function Subscription({ subscription, timeZone }: SubscriptionProps) {
  return (
    <Notice>
      {`Pays ${subscription.plan === 'premium' ? PREMIUM_PLAN.name : ENTERPRISE_PLAN.name} yearly, until ${dayOf(subscription.paid_until, timeZone)}.`}
      {!subscription.renews && ' It does not renew.'}
      {subscription.status === 'past_due' && ' The card was declined at the last renewal.'}
    </Notice>
  );
}

type FlagsProps = { values: Values; isParent: boolean; onChange: (part: Partial<Values>) => void };

function Flags({ values, isParent, onChange }: FlagsProps) {
  return (
    <div className="flex flex-col border-t border-line pt-3">
      <Checkbox
        label="Promo codes"
        hint={
          isParent
            ? 'People who sign up below this organization may use a promo code instead of a card.'
            : 'Applies to organizations with their own sign-up page: parents.'
        }
        checked={values.takes_promo_codes}
        onChange={(event) => onChange({ takes_promo_codes: event.target.checked })}
      />
      <Checkbox
        label="Names, dates and emails in the admin report"
        hint="Adds those columns to the rows of this organization."
        checked={values.reports_buyer_columns}
        onChange={(event) => onChange({ reports_buyer_columns: event.target.checked })}
      />
      <Checkbox
        label="Show on the home page"
        hint={`Its newest open galleries may be examples on Sideline's home page. ${
          isParent
            ? 'Turn this on for each affiliate below it.'
            : "An organization that signed up itself is listed on its parent's home page only with this."
        }`}
        checked={values.shown_on_home_page}
        onChange={(event) => onChange({ shown_on_home_page: event.target.checked })}
      />
    </div>
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

/** The page's date format. */
const dayOf = (moment: string, timeZone: string) => publicDay(new Date(moment), timeZone);

/** A plan that the office gives costs nothing. */
function priceNote(plan: Plan): string {
  if (plan.byContract) return 'By contract';
  return plan.id === 'free'
    ? priceText(plan)
    : `${priceText(plan)} when an account buys it; nothing is charged from here`;
}

/** For other text a value that the API refuses with its own message. */
function percentOf(text: string): number | string {
  const tidy = text.trim().replace(/\s*%$/, '');
  return /^\d+(\.\d+)?$/.test(tidy) ? Number(tidy) : KEEPS_NOT_VALID;
}
