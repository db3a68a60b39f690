import type { FormEvent } from 'react';
import { MAX_SHEET_NAME } from '#src/features/offers/offers.contract.ts';
import type { PriceSheetForm } from '#src/features/prices-desk/price-sheet.client.ts';
import { OfferRows } from '#src/features/prices-desk/ui/offer-rows.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { Switch } from '#src/ui/form/switch.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { StickySaveBar } from '#src/ui/leave-guard.tsx';

type SheetFormProps = {
  form: PriceSheetForm;
  isNew: boolean;
  /** The organization may have others below it. */
  mayShare: boolean;
  /** In the seller's zone. */
  today: string;
  onSubmit: () => void;
};

/** Name, offers and rules of a price sheet. A bar with a save button appears on the first change. */
export function SheetForm({ form, isNew, mayShare, today, onSubmit }: SheetFormProps) {
  const { values, errors, set } = form;
  function submit(event: FormEvent): void {
    event.preventDefault();
    onSubmit();
  }
  return (
    <form method="dialog" noValidate aria-label="Price sheet" onSubmit={submit} className="flex min-w-0 flex-col gap-6">
      <ErrorList messages={[...new Set(Object.values(errors).flat())]} attempt={form.attempt} />
      <TextField
        label="Name"
        required
        maxLength={MAX_SHEET_NAME}
        placeholder="Hawks fall"
        hint="Only you see it."
        {...form.field('name')}
      />
      <section aria-labelledby="offers" className="flex flex-col gap-3">
        <h2 id="offers" className="text-lg">
          Offers
        </h2>
        <p className="text-sm text-pretty text-quiet">
          Buyers always get the best price automatically. Drag a row to change the order of the offers on the gallery’s
          page.
        </p>
        <OfferRows rows={values.offers} errors={errors} onChange={(offers) => set({ offers })} />
      </section>
      <Rules form={form} mayShare={mayShare} today={today} />
      <SaveBar form={form} isNew={isNew} />
    </form>
  );
}

function Rules({ form, mayShare, today }: Pick<SheetFormProps, 'form' | 'mayShare' | 'today'>) {
  const { values, errors, set } = form;
  return (
    <section aria-labelledby="rules" className="flex flex-col gap-3">
      <h2 id="rules" className="text-lg">
        Rules
      </h2>
      <Switch
        label="Photos with a higher price of their own take part"
        hint="Otherwise “3 for $10” cannot be used for a $20 team portrait. Passes include it."
        checked={values.ownPrices}
        onChange={({ target }) => set({ ownPrices: target.checked })}
      />
      <Switch
        label="Early bird"
        hint="A percentage off everything, up to and including a day."
        checked={values.isEarly}
        onChange={({ target }) => set({ isEarly: target.checked })}
      />
      {values.isEarly && (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3">
          <TextField
            label="Percent off"
            required
            inputMode="decimal"
            autoComplete="off"
            value={values.percent}
            errors={errors['early_bird.percent']}
            onChange={({ target }) => set({ percent: target.value })}
          />
          <TextField
            label="Last day"
            required
            type="date"
            min={today}
            value={values.lastDay}
            errors={errors['early_bird.last_day']}
            onChange={({ target }) => set({ lastDay: target.value })}
          />
        </div>
      )}
      {mayShare && (
        <Switch
          label="Share with teams"
          hint="Your teams may choose this price sheet; only you can change it."
          checked={values.isShared}
          onChange={({ target }) => set({ isShared: target.checked })}
        />
      )}
    </section>
  );
}

function SaveBar({ form, isNew }: Pick<SheetFormProps, 'form' | 'isNew'>) {
  const { stage, isChanged } = form;
  const isSaved = stage === 'saved';
  const remark = isNew ? 'Not saved yet.' : 'Unsaved changes.';
  return (
    <StickySaveBar
      changed={isChanged || isNew || isSaved}
      busy={stage === 'saving' && 'Saving...'}
      saveLabel={isSaved ? 'Saved' : 'Save price sheet'}
      {...(isNew || !isChanged ? {} : { onDiscard: () => form.discard() })}
    >
      {isSaved && !isChanged ? 'Everything is saved.' : remark}
    </StickySaveBar>
  );
}
