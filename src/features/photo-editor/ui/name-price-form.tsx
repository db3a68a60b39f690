import { useEffect, useState, type FormEvent, type RefObject } from 'react';
import { changePhoto } from '#src/features/photo-editor/change-photo.client.ts';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { photoChangesBody, type PhotoChanges } from '#src/features/photos/photos.contract.ts';
import { parseDollarText, toDollars } from '#src/shared/money.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { ErrorList } from '#src/ui/error-list.tsx';
import { MoneyField } from '#src/ui/money-field.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { showToast } from '#src/ui/toast.ts';

/** Saves what was typed before another photo comes; false when it cannot be saved. */
export type SaveOnLeave = RefObject<(() => Promise<boolean>) | null>;

type NamePriceFormProps = {
  photo: PhotoFact;
  saveOnLeaveRef: SaveOnLeave;
  onSaved: (answer: PhotoFact, changes: PhotoChanges) => void;
};

/** Name and price of one photo. An empty price is the gallery's. */
export function NamePriceForm({ photo, saveOnLeaveRef, onSaved }: NamePriceFormProps) {
  const keptPrice = photo.price_override === null ? '' : photo.price_override.toFixed(2);
  const [name, setName] = useState(photo.name);
  const [price, setPrice] = useState(keptPrice);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [attempt, setAttempt] = useState(0);
  const [isSaving, setSaving] = useState(false);
  const isChanged = name !== photo.name || price !== keptPrice;

  async function save(): Promise<boolean> {
    setAttempt((count) => count + 1);
    const parsed = photoChangesBody.safeParse({ photo: { name, price_override: dollarsOf(price) } });
    if (!parsed.success) {
      const found: FieldErrors = {};
      for (const { path, message } of parsed.error.issues) (found[String(path[1])] ??= []).push(message);
      setErrors(found);
      return false;
    }
    setErrors({});
    setSaving(true);
    const answer = await changePhoto(photo, parsed.data.photo);
    setSaving(false);
    if (!answer.ok) setErrors(Object.keys(answer.errors).length > 0 ? answer.errors : { form: [answer.error] });
    else onSaved(answer.data, parsed.data.photo);
    return answer.ok;
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
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4 border-t border-line pt-4">
      <ErrorList messages={Object.values(errors).flat()} attempt={attempt} />
      <TextField
        label="Name"
        value={name}
        maxLength={200}
        errors={errors['name']}
        onChange={(event) => setName(event.target.value)}
      />
      <MoneyField
        label="Price of this photo"
        placeholder="As the gallery"
        hint="Leave blank to use the gallery’s price."
        value={price}
        errors={errors['price_override']}
        onChange={(event) => setPrice(event.target.value)}
      />
      <Button type="submit" variant="secondary" className="self-end" busy={isSaving ? 'Saving...' : false}>
        Save
      </Button>
    </form>
  );
}

/** Null for an empty field; what is no amount is refused by the schema. */
function dollarsOf(text: string): number | null {
  if (text.trim() === '') return null;
  const amount = parseDollarText(text);
  return amount === null ? Number.NaN : toDollars(amount);
}
