import { useEffect, type FormEvent, type RefObject } from 'react';
import { changePhoto } from '#src/features/photos/photo-calls.client.ts';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { photoChangesBody, type PhotoChanges } from '#src/features/photos/photos.contract.ts';
import { typedDollars } from '#src/shared/form-values.ts';
import { errorsOf } from '#src/shared/validators.ts';
import { Button } from '#src/ui/button.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { MoneyField } from '#src/ui/form/money-field.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { showToast } from '#src/ui/toast.ts';
import { useForm } from '#src/web/use-form.ts';

/** Saves what was typed before another photo is shown; false when it cannot be saved. */
export type SaveOnLeave = RefObject<(() => Promise<boolean>) | null>;

type NamePriceFormProps = {
  photo: PhotoFact;
  saveOnLeaveRef: SaveOnLeave;
  onSaved: (answer: PhotoFact, changes: PhotoChanges) => void;
};

/** Name and price of one photo. An empty price means the gallery's. */
export function NamePriceForm({ photo, saveOnLeaveRef, onSaved }: NamePriceFormProps) {
  const keptPrice = photo.price_override === null ? '' : photo.price_override.toFixed(2);
  const form = useForm({ name: photo.name, price_override: keptPrice }, (values) => parse(values).errors);
  const isChanged = form.values.name !== photo.name || form.values.price_override !== keptPrice;

  async function save(): Promise<boolean> {
    const { changes } = parse(form.values);
    const answer = await form.send(() => changePhoto(photo, changes));
    if (answer) onSaved(answer.data, changes);
    return answer !== null;
  }

  useEffect(() => {
    saveOnLeaveRef.current = isChanged ? save : null;
    return () => {
      saveOnLeaveRef.current = null;
    };
  });

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (await save()) showToast('Saved.', 'success');
  }

  return (
    <form
      method="dialog"
      noValidate
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-4 border-t border-line pt-4"
    >
      <ErrorList messages={Object.values(form.errors).flat()} attempt={form.attempt} />
      <TextField label="Name" maxLength={200} {...form.field('name')} />
      <MoneyField
        label="Price of this photo"
        placeholder="Same as the gallery"
        hint="Leave blank to use the gallery’s price."
        {...form.field('price_override')}
      />
      <Button type="submit" variant="secondary" className="self-end" busy={form.isSending && 'Saving...'}>
        Save
      </Button>
    </form>
  );
}

/** The changes to send, and their problems. */
function parse({ name, price_override }: { name: string; price_override: string }) {
  const parsed = photoChangesBody.safeParse({ photo: { name, price_override: typedDollars(price_override) } });
  return { changes: parsed.data?.photo ?? {}, errors: errorsOf(parsed.error) };
}
