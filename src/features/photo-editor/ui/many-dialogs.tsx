import { useState, type FormEvent } from 'react';
import type { EditorPhotos } from '#src/features/photo-editor/editor-photos.client.ts';
import { changePhotos, removePhotos, type ManyChanges } from '#src/features/photos/many-photos.client.ts';
import { bulkChangesBody, photosInWords, removeManyQuestion } from '#src/features/photos/photo-grid.contract.ts';
import { REMOVE_PHOTO_QUESTION, REMOVE_PHOTO_TITLE } from '#src/features/photos/photos.contract.ts';
import { typedDollars } from '#src/shared/form-values.ts';
import { errorsOf } from '#src/shared/validators.ts';
import { Button } from '#src/ui/button.tsx';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { MoneyField } from '#src/ui/money-field.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { useForm } from '#src/web/use-form.ts';

type ManyProps = {
  pages: EditorPhotos;
  ids: readonly number[];
  onClose: () => void;
  /** With what was done, in words. */
  onDone: (news: string) => void;
};

/** What is typed, as the call takes it: checked by the contract, and sent for all photos. */
function useManyChanges(
  { pages, ids, onDone }: ManyProps,
  sentOf: (text: string) => Record<string, unknown>,
  news: string,
) {
  const parse = (text: string) => bulkChangesBody.safeParse({ ids: ids.slice(0, 1), ...sentOf(text) });
  const form = useForm({ text: '' }, ({ text }) => errorsOf(parse(text).error));

  async function save(): Promise<void> {
    const { photo, add_keywords: keywords } = parse(form.values.text).data ?? {};
    const changes: ManyChanges = {
      ...(photo?.price_override === undefined ? {} : { price_override: photo.price_override }),
      ...(keywords === undefined ? {} : { add_keywords: keywords }),
    };
    if (!(await form.send(() => changePhotos(pages.galleryId, ids, changes)))) return;
    pages.renew([]);
    onDone(news);
  }

  return {
    field: { ...form.field('text'), 'data-autofocus': '', errors: Object.values(form.errors).flat() },
    isBusy: form.isSending,
    submit(event: FormEvent): void {
      event.preventDefault();
      void save();
    },
  };
}

export function AddKeywordsToMany(props: ManyProps) {
  const words = photosInWords(props.ids.length);
  const sentOf = (text: string) => ({ add_keywords: [text] });
  const { field, isBusy, submit } = useManyChanges(props, sentOf, `Keywords added to ${words}.`);
  return (
    <Dialog open title="Add keywords" onClose={props.onClose}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4 pb-2">
        <TextField
          label={`Keywords for ${words}`}
          hint="Separate several with commas. Existing keywords stay."
          {...field}
        />
        <Button type="submit" busy={isBusy && 'Adding...'} className="self-end">
          Add keywords
        </Button>
      </form>
    </Dialog>
  );
}

export function PriceMany(props: ManyProps) {
  const words = photosInWords(props.ids.length);
  const sentOf = (text: string) => ({ photo: { price_override: typedDollars(text) } });
  const { field, isBusy, submit } = useManyChanges(props, sentOf, `${words} repriced.`);
  return (
    <Dialog open title="Set price" onClose={props.onClose}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4 pb-2">
        <MoneyField
          label={`Price of ${words}`}
          placeholder="As the gallery"
          hint="Leave blank to use the gallery’s price."
          {...field}
        />
        <Button type="submit" busy={isBusy && 'Saving...'} className="self-end">
          Save price
        </Button>
      </form>
    </Dialog>
  );
}

/** Asks once, naming how many; buyers keep their downloads. */
export function RemoveMany({ pages, ids, onClose, onDone }: ManyProps) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const words = photosInWords(ids.length);
  async function remove(): Promise<void> {
    setBusy(true);
    setProblem(null);
    const answer = await removePhotos(pages.galleryId, ids);
    setBusy(false);
    if (!answer.ok) return setProblem(answer.error);
    pages.remove(ids);
    onDone(`${words} removed.`);
  }
  return (
    <ConfirmDialog
      open
      title={ids.length === 1 ? REMOVE_PHOTO_TITLE : `Remove ${words}?`}
      confirmLabel={`Remove ${words}`}
      busy={isBusy && 'Removing...'}
      problem={problem}
      onConfirm={() => void remove()}
      onCancel={onClose}
    >
      {ids.length === 1 ? REMOVE_PHOTO_QUESTION : removeManyQuestion(ids.length)}
    </ConfirmDialog>
  );
}
