import { useState, type FormEvent } from 'react';
import { TAX_RATE_NOT_VALID, TAX_STATES, type TaxRateAnswer } from '#src/features/taxes/tax-table.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { IconButton } from '#src/ui/icon-button.tsx';
import { Plus, Trash } from '#src/ui/icon.tsx';
import { Select } from '#src/ui/form/select.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { api, unchecked, messagesOf } from '#src/web/api-client.ts';
import { useForm, type Form } from '#src/web/use-form.ts';

type TaxTableProps = { organizationId: number; start: readonly TaxRateAnswer[] };

const BLANK = { state: '', zip_prefix: '', rate: '', jurisdiction: '' };
const nameOf = ({ state, zip_prefix }: Pick<TaxRateAnswer, 'state' | 'zip_prefix'>) => `${state}:${zip_prefix}`;

/** The rates of a parent organization. Each row has its own form and is saved immediately. */
export function TaxTable({ organizationId, start }: TaxTableProps) {
  const [rates, setRates] = useState(start);
  const form = useForm(BLANK);
  const [message, setMessage] = useState('');
  const [removing, setRemoving] = useState(false);
  const params = { id: organizationId };

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    const added = await form.send(async (values) => {
      const body = { ...values, rate: numberOf(values.rate) };
      const answer = await api('PUT /api/v1/organizations/{id}/tax_rates', { params, body: unchecked(body) });
      setMessage(answer.ok ? `${placeOf(answer.data)}: ${answer.data.rate}% saved.` : messagesOf(answer).join(' '));
      return answer;
    });
    if (!added) return;
    form.setValues(BLANK);
    setRates((now) =>
      [...now.filter((rate) => nameOf(rate) !== nameOf(added.data)), added.data].toSorted((a, b) =>
        nameOf(a) < nameOf(b) ? -1 : 1,
      ),
    );
  }

  async function remove(rate: TaxRateAnswer): Promise<void> {
    setRemoving(true);
    form.clear();
    const query = { state: rate.state, zip_prefix: rate.zip_prefix };
    const answer = await api('DELETE /api/v1/organizations/{id}/tax_rates', { params, query });
    setRemoving(false);
    const isGone = answer.ok || answer.status === 404;
    setMessage(isGone ? `${placeOf(rate)}: removed.` : messagesOf(answer).join(' '));
    if (isGone) setRates((now) => now.filter((each) => nameOf(each) !== nameOf(rate)));
  }

  return (
    <div className="flex flex-col gap-4">
      <Rates rates={rates} isBusy={removing || form.isSending} onRemove={(rate) => void remove(rate)} />
      <form
        method="dialog"
        noValidate
        aria-label="New tax rate"
        onSubmit={(event) => void add(event)}
        className="flex flex-col gap-4"
      >
        <NewRateFields form={form} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit" variant="secondary" size="small" busy={form.isSending && 'Adding...'}>
            <Plus aria-hidden="true" />
            Add rate
          </Button>
          {/* The problem is already shown under its field. */}
          <p role="status" className={isShownAtField(form) ? 'sr-only' : 'min-w-0 text-sm text-quiet'}>
            {message}
          </p>
        </div>
      </form>
    </div>
  );
}

const isShownAtField = ({ errors }: Form<typeof BLANK>) => Object.keys(errors).some((field) => field in BLANK);

type RatesProps = {
  rates: readonly TaxRateAnswer[];
  isBusy: boolean;
  onRemove: (rate: TaxRateAnswer) => void;
};

function Rates({ rates, isBusy, onRemove }: RatesProps) {
  if (rates.length === 0)
    return <p className="text-sm text-quiet">No sales tax is charged. Add a rate for each place where you must.</p>;
  return (
    <ul aria-label="Tax rates" className="divide-y divide-line rounded border border-line">
      {rates.map((rate) => (
        <li key={nameOf(rate)} className="flex items-center gap-3 py-1 pr-1 pl-3 text-sm">
          <span className="min-w-0 flex-1">
            <strong className="font-semibold">{placeOf(rate)}</strong>
            <span className="block text-xs text-quiet">{rate.jurisdiction}</span>
          </span>
          <span className="font-semibold tabular-nums">{rate.rate} %</span>
          <IconButton label={`Remove the rate of ${placeOf(rate)}`} disabled={isBusy} onClick={() => onRemove(rate)}>
            <Trash aria-hidden="true" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

function NewRateFields({ form }: { form: Form<typeof BLANK> }) {
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <Select label="State" {...form.field('state')}>
          <option value="">Everywhere</option>
          {TAX_STATES.map((state) => (
            <option key={state}>{state}</option>
          ))}
        </Select>
        <TextField
          label="Zip begins with"
          inputMode="numeric"
          maxLength={5}
          autoComplete="off"
          placeholder="Any"
          {...form.field('zip_prefix')}
        />
        <TextField
          label="Rate in percent"
          inputMode="decimal"
          maxLength={8}
          autoComplete="off"
          placeholder="6.875"
          {...form.field('rate')}
        />
      </div>
      <TextField
        label="What it is for"
        maxLength={100}
        autoComplete="off"
        placeholder="Minnesota sales tax"
        hint="Buyers see it next to the tax. The longest zip that matches an order applies; donations are never taxed."
        {...form.field('jurisdiction')}
      />
    </>
  );
}

function placeOf({ state, zip_prefix }: Pick<TaxRateAnswer, 'state' | 'zip_prefix'>): string {
  if (zip_prefix === '') return state === '' ? 'Everywhere' : state;
  return `${state === '' ? '' : `${state}, `}zips ${zip_prefix}${zip_prefix.length < 5 ? '…' : ''}`;
}

/** Null for blank text; text that is not a number stays text, so that the API refuses it with a sentence. */
function numberOf(text: string): number | string | null {
  const tidy = text.trim().replace(/\s*%$/, '');
  if (tidy === '') return null;
  return /^\d+(\.\d+)?$/.test(tidy) ? Number(tidy) : TAX_RATE_NOT_VALID;
}
