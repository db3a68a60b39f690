import { useState, type FormEvent } from 'react';
import { changePhoto } from '#src/features/photos/change-photo.client.ts';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { photoChangesBody } from '#src/features/photos/photos.contract.ts';
import { PhotoDownloads, PhotoNumbers } from '#src/features/photos/ui/photo-facts.tsx';
import { KeywordEditor } from '#src/features/photos/ui/keyword-editor.tsx';
import { parseDollarText, toDollars } from '#src/shared/money.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { ErrorList } from '#src/ui/error-list.tsx';
import { RotateCw, Trash } from '#src/ui/icon.tsx';
import { MoneyField } from '#src/ui/money-field.tsx';
import { ratioOf, renditionUrl } from '#src/ui/photo-sources.ts';
import { TextField } from '#src/ui/text-field.tsx';
import { showToast } from '#src/ui/toast.ts';

type PhotoDetailsProps = {
  photo: PhotoFact;
  onChange: (id: number, changes: Partial<PhotoFact>) => void;
  onClose: () => void;
  onRemove: () => void;
  onRotate: () => void;
};

/** Name, price and keywords of one photo. An empty price is the gallery's. */
export function PhotoDetails({ photo, onChange, onClose, onRemove, onRotate }: PhotoDetailsProps) {
  const [name, setName] = useState(photo.name);
  const [price, setPrice] = useState(photo.price_override === null ? '' : photo.price_override.toFixed(2));
  const [errors, setErrors] = useState<FieldErrors>({});
  const [attempt, setAttempt] = useState(0);
  const [isSaving, setSaving] = useState(false);

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    setAttempt((count) => count + 1);
    const parsed = photoChangesBody.safeParse({ photo: { name, price_override: dollarsOf(price) } });
    if (!parsed.success) {
      const found: FieldErrors = {};
      for (const { path, message } of parsed.error.issues) (found[String(path[1])] ??= []).push(message);
      return setErrors(found);
    }
    setErrors({});
    setSaving(true);
    const answer = await changePhoto(photo, parsed.data.photo);
    setSaving(false);
    if (!answer.ok) return setErrors(Object.keys(answer.errors).length > 0 ? answer.errors : { form: [answer.error] });
    onChange(photo.id, answer.data);
    showToast('Saved.', 'success');
    onClose();
  }

  const form = `photo-${photo.id}-form`;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Edit photo"
      footer={
        <>
          <Button variant="danger" onClick={onRemove} className="mr-auto">
            <Trash aria-hidden="true" />
            Remove
          </Button>
          <Button type="submit" form={form} busy={isSaving ? 'Saving...' : false}>
            Save
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5 pb-2">
        <img
          alt=""
          src={renditionUrl(photo.image_url, 640)}
          style={{ aspectRatio: ratioOf(photo) }}
          className="mx-auto max-h-56 max-w-full rounded-sm bg-sunken object-contain"
        />
        <div className="flex flex-wrap justify-center gap-2">
          <Button variant="secondary" size="small" onClick={onRotate}>
            <RotateCw aria-hidden="true" />
            Rotate
          </Button>
          <PhotoDownloads photo={photo} />
        </div>
        <PhotoNumbers photo={photo} />
        <form id={form} noValidate onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
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
            hint="Leave it empty to use the gallery’s price."
            value={price}
            errors={errors['price_override']}
            onChange={(event) => setPrice(event.target.value)}
          />
        </form>
        <KeywordEditor photo={photo} onChange={(keywords) => onChange(photo.id, { keywords })} />
      </div>
    </Dialog>
  );
}

/** Null for an empty field; what is no amount is refused by the schema. */
function dollarsOf(text: string): number | null {
  if (text.trim() === '') return null;
  const amount = parseDollarText(text);
  return amount === null ? Number.NaN : toDollars(amount);
}
