import { useId } from 'react';
import type { CouponAnswer, CouponKind } from '#src/features/coupons/coupon-editing.contract.ts';
import { formatCount } from '#src/shared/counted.ts';
import { parseDollarText, toDollars } from '#src/shared/money.ts';
import { FormDialog } from '#src/ui/confirm-dialog.tsx';
import { Checkbox } from '#src/ui/form/checkbox.tsx';
import { MoneyField } from '#src/ui/form/money-field.tsx';
import { Select } from '#src/ui/form/select.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { api, unchecked } from '#src/web/api-client.ts';
import { type Form, useForm } from '#src/web/use-form.ts';

/** What a code can be limited to. */
export type CouponChoices = {
  galleries: readonly { id: number; name: string }[];
  sheets: readonly { id: number; name: string }[];
};

type CouponFormProps = {
  organizationId: number;
  /** Null for a new one. */
  coupon: CouponAnswer | null;
  choices: CouponChoices;
  /** In the seller's zone, "2026-10-05". */
  today: string;
  onClose: () => void;
  onSaved: (coupon: CouponAnswer) => void;
};

const textOf = (value: number | null | undefined) => (value === null || value === undefined ? '' : String(value));
const moneyOf = (dollars: number | undefined) => (dollars ? dollars.toFixed(2) : '');

const startOf = (coupon: CouponAnswer | null) => ({
  kind: coupon?.kind ?? ('percent' as CouponKind),
  value: coupon?.kind === 'amount' ? moneyOf(coupon.value) : textOf(coupon?.value),
  code: coupon?.code ?? '',
  max_uses: textOf(coupon?.max_uses),
  max_per_person: textOf(coupon?.max_per_person),
  minimum: moneyOf(coupon?.minimum),
  first_day: coupon?.first_day ?? '',
  last_day: coupon?.last_day ?? '',
  gallery_ids: coupon?.gallery_ids ?? [],
  sheet_ids: coupon?.sheet_ids ?? [],
});
type Values = ReturnType<typeof startOf>;

/** Text that is not a number stays text, so that the API refuses it with a sentence. */
function numberOf(text: string): number | string | null {
  const tidy = text.trim().replaceAll(/[,%\s]/g, '');
  if (tidy === '') return null;
  return /^\d+(\.\d+)?$/.test(tidy) ? Number(tidy) : tidy;
}

function dollarsOf(text: string): number | string | null {
  if (text.trim() === '') return null;
  const amount = parseDollarText(text);
  return amount === null ? text : toDollars(amount);
}

function bodyOf({ kind, value, minimum, max_uses: uses, max_per_person: perPerson, ...rest }: Values) {
  return {
    coupon: {
      ...rest,
      kind,
      value: kind === 'amount' ? dollarsOf(value) : numberOf(value),
      minimum: dollarsOf(minimum),
      max_uses: numberOf(uses),
      max_per_person: numberOf(perPerson),
    },
  };
}

/** What a code gives, how often, when and where. */
export function CouponForm({ organizationId, coupon, choices, today, onClose, onSaved }: CouponFormProps) {
  const form = useForm(() => startOf(coupon));
  const { values } = form;

  async function submit(): Promise<void> {
    const saved = await form.send((given) =>
      coupon === null
        ? api('POST /api/v1/affiliates/{id}/coupons', {
            params: { id: organizationId },
            body: unchecked(bodyOf(given)),
          })
        : api('PUT /api/v1/affiliates/{id}/coupons/{couponId}', {
            params: { id: organizationId, couponId: coupon.id },
            body: unchecked(bodyOf(given)),
          }),
    );
    if (saved) onSaved(saved.data);
  }

  return (
    <FormDialog
      title={coupon === null ? 'Create a code' : `Change ${coupon.code}`}
      action={coupon === null ? { label: 'Create code', busy: 'Creating...' } : { label: 'Save', busy: 'Saving...' }}
      isSending={form.isSending}
      onSubmit={() => void submit()}
      onClose={onClose}
      problem={form.errors['form']}
    >
      <Gives form={form} />
      <TextField
        label="Code"
        maxLength={40}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        hint="4 to 24 letters and digits, like HAWKS20. Leave blank and we’ll choose one."
        {...form.field('code')}
      />
      <Limits form={form} coupon={coupon} today={today} />
      <Chosen
        label="Only for some galleries"
        from={choices.galleries}
        chosen={values.gallery_ids}
        errors={form.errors['gallery_ids']}
        onChange={(ids) => form.set({ gallery_ids: ids })}
      />
      <Chosen
        label="Only for some price sheets"
        from={choices.sheets}
        chosen={values.sheet_ids}
        errors={form.errors['sheet_ids']}
        onChange={(ids) => form.set({ sheet_ids: ids })}
      />
    </FormDialog>
  );
}

function Gives({ form }: { form: Form<Values> }) {
  const { kind } = form.values;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Select label="What is it worth?" data-autofocus="" {...form.field('kind')}>
        <option value="percent">A percentage off</option>
        <option value="amount">An amount off</option>
        <option value="photos">Photos free</option>
      </Select>
      {kind === 'amount' ? (
        <MoneyField label="Amount" required {...form.field('value')} />
      ) : (
        <TextField
          label={kind === 'percent' ? 'Percent' : 'Photos'}
          required
          inputMode={kind === 'percent' ? 'decimal' : 'numeric'}
          maxLength={6}
          autoComplete="off"
          {...form.field('value')}
        />
      )}
    </div>
  );
}

type LimitsProps = { form: Form<Values> } & Pick<CouponFormProps, 'coupon' | 'today'>;

/** How often, when, and from which order amount. */
function Limits({ form, coupon, today }: LimitsProps) {
  return (
    <>
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
        <TextField
          label="Orders in total"
          inputMode="numeric"
          maxLength={7}
          autoComplete="off"
          hint={coupon === null ? 'Leave blank for no limit.' : `Used ${formatCount(coupon.uses)} so far.`}
          {...form.field('max_uses')}
        />
        <TextField
          label="Orders per person"
          inputMode="numeric"
          maxLength={7}
          autoComplete="off"
          hint="Counted by email address. Someone with several can order more often, within “Orders in total”."
          {...form.field('max_per_person')}
        />
        <TextField label="First day" type="date" {...form.field('first_day')} />
        <TextField label="Last day" type="date" min={today} hint="Included." {...form.field('last_day')} />
      </div>
      <MoneyField
        label="Minimum order"
        hint="What the photos cost after bundles and before the code. Leave blank for no minimum."
        {...form.field('minimum')}
      />
    </>
  );
}

type ChosenProps = {
  label: string;
  from: readonly { id: number; name: string }[];
  chosen: readonly number[];
  errors: readonly string[] | undefined;
  onChange: (ids: number[]) => void;
};

/** Collapsed while the code is for all; empty without choices. */
function Chosen({ label, from, chosen, errors = [], onChange }: ChosenProps) {
  const id = useId();
  if (from.length === 0) return null;
  return (
    <details open={chosen.length > 0 || errors.length > 0} className="rounded border border-line px-4">
      <summary className="min-h-11 cursor-pointer py-2.5 text-sm font-semibold">
        {label}
        <span className="font-normal text-quiet">{chosen.length > 0 ? ` (${chosen.length})` : ''}</span>
      </summary>
      <fieldset aria-describedby={`${id}-problem`} className="max-h-60 overflow-y-auto pb-2">
        <legend className="sr-only">{label}</legend>
        {from.map((one) => (
          <Checkbox
            key={one.id}
            label={one.name}
            checked={chosen.includes(one.id)}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, one.id] : chosen.filter((each) => each !== one.id))
            }
          />
        ))}
      </fieldset>
      <p id={`${id}-problem`} role="alert" className="pb-2 text-xs font-semibold text-danger empty:hidden">
        {errors.join(' ')}
      </p>
    </details>
  );
}
