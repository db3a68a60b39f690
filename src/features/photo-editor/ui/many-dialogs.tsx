import { useState, type FormEvent } from 'react';
import type { EditorPhotos } from '#src/features/photo-editor/editor-photos.client.ts';
import { changePhotos, removePhotos, type ManyChanges } from '#src/features/photos/many-photos.client.ts';
import { bulkChangesBody, photosInWords, removeManyQuestion } from '#src/features/photos/photo-grid.contract.ts';
import { REMOVE_PHOTO_QUESTION, REMOVE_PHOTO_TITLE } from '#src/features/photos/photos.contract.ts';
import { parseDollarText, toDollars } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { MoneyField } from '#src/ui/money-field.tsx';
import { TextField } from '#src/ui/text-field.tsx';

type ManyProps = {
  pages: EditorPhotos;
  ids: readonly number[];
  onClose: () => void;
  /** With what was done, in words. */
  onDone: (news: string) => void;
};

/** Checks what is typed by the contract, sends it, and shows what is wrong with it. */
function useManyChanges({ pages, ids }: Pick<ManyProps, 'pages' | 'ids'>, onSaved: () => void) {
  const [problems, setProblems] = useState<string[]>([]);
  const [isBusy, setBusy] = useState(false);
  async function save(event: FormEvent, sent: Record<string, unknown>): Promise<void> {
    event.preventDefault();
    const parsed = bulkChangesBody.safeParse({ ids: ids.slice(0, 1), ...sent });
    if (!parsed.success) return setProblems(parsed.error.issues.map(({ message }) => message));
    const { photo, add_keywords: keywords } = parsed.data;
    const changes: ManyChanges = {
      ...(photo?.price_override === undefined ? {} : { price_override: photo.price_override }),
      ...(keywords === undefined ? {} : { add_keywords: keywords }),
    };
    setProblems([]);
    setBusy(true);
    const answer = await changePhotos(pages.galleryId, ids, changes);
    setBusy(false);
    if (!answer.ok) return setProblems([answer.error]);
    pages.renew([]);
    onSaved();
  }
  return { problems, isBusy, save };
}

export function AddKeywordsToMany({ pages, ids, onClose, onDone }: ManyProps) {
  const [text, setText] = useState('');
  const words = photosInWords(ids.length);
  const { problems, isBusy, save } = useManyChanges({ pages, ids }, () => onDone(`Keywords added to ${words}.`));
  return (
    <Dialog open title="Add keywords" onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => void save(event, { add_keywords: [text] })}
        className="flex flex-col gap-4 pb-2"
      >
        <TextField
          label={`Keywords for ${words}`}
          hint="Separate several with commas. Existing keywords stay."
          data-autofocus=""
          value={text}
          errors={problems}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" busy={isBusy && 'Adding...'} className="self-end">
          Add keywords
        </Button>
      </form>
    </Dialog>
  );
}

export function PriceMany({ pages, ids, onClose, onDone }: ManyProps) {
  const [text, setText] = useState('');
  const words = photosInWords(ids.length);
  const { problems, isBusy, save } = useManyChanges({ pages, ids }, () => onDone(`${words} repriced.`));
  return (
    <Dialog open title="Set price" onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => void save(event, { photo: { price_override: dollarsOf(text) } })}
        className="flex flex-col gap-4 pb-2"
      >
        <MoneyField
          label={`Price of ${words}`}
          placeholder="As the gallery"
          hint="Leave blank to use the gallery’s price."
          data-autofocus=""
          value={text}
          errors={problems}
          onChange={(event) => setText(event.target.value)}
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

/** Null for an empty field; what is no amount is refused by the schema. */
function dollarsOf(text: string): number | null {
  if (text.trim() === '') return null;
  const amount = parseDollarText(text);
  return amount === null ? Number.NaN : toDollars(amount);
}
