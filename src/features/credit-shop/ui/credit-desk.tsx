/** Credit for its seller: what is offered, and the balance of each code. The codes themselves are their buyers'. */
import { useState, type FormEvent } from 'react';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import type { CreditPage, SettingsAnswer, SoldCode } from '#src/features/credit-shop/credit-shop.contract.ts';
import { publicDay } from '#src/shared/dates.ts';
import { parseDollarText, toDollars, dollarText } from '#src/shared/money.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { FormDialog } from '#src/ui/confirm-dialog.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { MoneyField } from '#src/ui/form/money-field.tsx';
import { Switch } from '#src/ui/form/switch.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { ShowMore } from '#src/ui/paging.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api, unchecked } from '#src/web/api-client.ts';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { useForm } from '#src/web/use-form.ts';
import { useMoreRows } from '#src/web/use-more-rows.ts';

type CreditDeskProps = {
  organizationId: number;
  /** Of its pages. */
  path: string;
  first: CreditPage;
  /** In the seller's zone. */
  today: string;
  timeZone: string;
  /** Platform admins pay out small balances. */
  mayPayOut: boolean;
};

const PLACES = [0, 1, 2, 3];
const moneyOf = (dollars: number | undefined) => (dollars ? dollars.toFixed(2) : '');
const startOf = ({ active, amounts, bonus_until: until }: SettingsAnswer) => ({
  active,
  ...Object.fromEntries(
    PLACES.flatMap((at) => [
      [`amounts.${at}.amount`, moneyOf(amounts[at]?.amount)],
      [`amounts.${at}.bonus`, moneyOf(amounts[at]?.bonus)],
    ]),
  ),
  bonus_until: until ?? '',
});
type Values = { active: boolean; bonus_until: string } & Record<string, string | boolean>;

/** Text that is not an amount stays text, so that the API refuses it with a sentence. */
function dollarsOf(text: string): number | string {
  const amount = parseDollarText(text);
  return amount === null ? text : toDollars(amount);
}

const filledRows = (values: Values) => PLACES.filter((at) => String(values[`amounts.${at}.amount`]).trim() !== '');

/** Without blank rows. */
function bodyOf(values: Values) {
  const amounts = filledRows(values).map((at) => {
    const bonus = String(values[`amounts.${at}.bonus`]);
    return {
      amount: dollarsOf(String(values[`amounts.${at}.amount`])),
      bonus: bonus.trim() === '' ? 0 : dollarsOf(bonus),
    };
  });
  return { credit: { active: values.active, amounts, bonus_until: values.bonus_until || null } };
}

/** The problems of a call in the rows of the form, which has blank ones, too. */
function inRows(errors: FieldErrors, values: Values): FieldErrors {
  const rows = filledRows(values);
  const nameOf = (field: string) => field.replace(/^amounts\.(\d+)/, (_all, at) => `amounts.${rows[Number(at)]}`);
  return Object.fromEntries(Object.entries(errors).map(([field, messages]) => [nameOf(field), messages]));
}

export function CreditDesk({ organizationId, path, first, today, timeZone, mayPayOut }: CreditDeskProps) {
  const {
    rows: codes,
    setRows,
    more,
  } = useMoreRows(first, 'codes', (query) =>
    api('GET /api/v1/affiliates/{id}/credit', { params: { id: organizationId }, query }),
  );
  const [paying, setPaying] = useState<SoldCode | null>(null);
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <OfferForm organizationId={organizationId} path={path} settings={first.settings} today={today} />
      <section aria-labelledby="codes-heading" className="flex flex-col gap-3">
        <h2 id="codes-heading" className="text-lg">
          Sold
        </h2>
        {codes.length === 0 ? (
          <p className="text-sm text-quiet">Nothing has been sold yet.</p>
        ) : (
          <ul aria-label="Sold credit" className="flex flex-col gap-2">
            {codes.map((code) => (
              <li key={code.id} className="rounded-lg border border-line bg-surface p-4">
                <CodeRow
                  code={code}
                  timeZone={timeZone}
                  onPayOut={mayPayOut && code.left > 0 && code.left < 10 ? () => setPaying(code) : null}
                />
              </li>
            ))}
          </ul>
        )}
        <ShowMore {...more} />
      </section>
      {paying && (
        <PayOutDialog
          code={paying}
          onClose={() => setPaying(null)}
          onDone={(message) => {
            setRows((known) => known.map((each) => (each.id === paying.id ? { ...each, left: 0 } : each)));
            setPaying(null);
            showToast(message, 'success');
          }}
        />
      )}
    </div>
  );
}

function CodeRow({ code, timeZone, onPayOut }: { code: SoldCode; timeZone: string; onPayOut: (() => void) | null }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <p className="min-w-0">
        <strong className="font-mono">••••{code.last4}</strong>
        <span className="block text-sm text-quiet">
          Order {code.order_id}, {publicDay(new Date(code.bought_at), timeZone)}
          {code.is_gift && ', a gift'}
        </span>
      </p>
      <p className="text-sm tabular-nums">
        Bought {dollarText(code.bought)}
        {code.bonus > 0 && ` and ${dollarText(code.bonus)} bonus`} · <strong>{dollarText(code.left)} left</strong>
      </p>
      {onPayOut && (
        <Button variant="secondary" size="small" onClick={onPayOut}>
          Pay out the balance
        </Button>
      )}
    </div>
  );
}

type PayOutDialogProps = { code: SoldCode; onClose: () => void; onDone: (message: string) => void };

function PayOutDialog({ code, onClose, onDone }: PayOutDialogProps) {
  const form = useForm({});
  const stepUp = useStepUp();
  async function payOut(): Promise<void> {
    const done = await form.send(() =>
      stepUp.send(() => api('POST /api/v1/credit/{id}/pay_out', { params: { id: code.id } })),
    );
    if (done) onDone(done.data.message);
  }
  return (
    <>
      <FormDialog
        title={`Pay out ${dollarText(code.left)}?`}
        action={{ label: 'Pay out the balance', busy: 'Paying out...' }}
        isSending={form.isSending}
        problem={form.errors['form']}
        onSubmit={() => void payOut()}
        onClose={onClose}
      >
        <p className="text-quiet">
          The code ••••{code.last4} will have no balance. Send the money to its buyer yourself; it is recorded as paid
          from the bank.
        </p>
      </FormDialog>
      <ConfirmPassword open={stepUp.needsPassword} onDone={stepUp.onDone} />
    </>
  );
}

type OfferFormProps = { organizationId: number; path: string; settings: SettingsAnswer; today: string };

function OfferForm({ organizationId, path, settings, today }: OfferFormProps) {
  const [isSold, setIsSold] = useState(settings.active);
  const form = useForm<Values>(() => startOf(settings));
  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    const saved = await form.send(async (values) => {
      const answer = await api('PUT /api/v1/affiliates/{id}/credit', {
        params: { id: organizationId },
        body: unchecked(bodyOf(values)),
      });
      return answer.ok ? answer : { ...answer, errors: inRows(answer.errors, values) };
    });
    if (!saved) return;
    form.setValues(startOf(saved.data));
    setIsSold(saved.data.active);
    showToast('Saved.', 'success');
  }
  const field = (name: string) => ({
    name,
    value: String(form.values[name]),
    errors: form.errors[name],
    onChange: (event: { target: { value: string } }) => form.set({ [name]: event.target.value }),
  });
  return (
    <form method="dialog" noValidate onSubmit={(event) => void save(event)}>
      <Card className="flex flex-col gap-5 p-5">
        <ErrorList messages={Object.values(form.errors).flat()} attempt={form.attempt} />
        <Switch
          label="Sell credit"
          hint="Families pay before photo day, or give photos as a gift."
          checked={form.values.active}
          onChange={(event) => form.set({ active: event.target.checked })}
        />
        {/* The page is there once credit is sold. */}
        {isSold && (
          <a href={`/${path}/credit`} className="self-start text-sm font-semibold text-accent-text hover:underline">
            Open the page where it is sold
          </a>
        )}
        {PLACES.map((at) => (
          <div key={at} className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] items-start gap-4">
            <MoneyField label={`Amount ${at + 1}`} {...field(`amounts.${at}.amount`)} />
            <MoneyField label={`Bonus on amount ${at + 1}`} {...field(`amounts.${at}.bonus`)} />
          </div>
        ))}
        <TextField
          label="Bonuses can be spent until"
          type="date"
          min={today}
          hint="Leave blank for no end. Paid credit never expires."
          {...field('bonus_until')}
        />
        <Button type="submit" className="self-start" busy={form.isSending && 'Saving...'}>
          Save
        </Button>
      </Card>
    </form>
  );
}
