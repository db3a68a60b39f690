import { useId, useRef, useState, type FormEvent } from 'react';
import { addKeywords, deleteKeyword } from '#src/features/photos/change-photo.client.ts';
import {
  ADD_KEYWORD_FAILED,
  DELETE_KEYWORD_FAILED,
  DELETE_KEYWORD_QUESTION,
  KEYWORD_REQUIRED,
  MAX_KEYWORD_CHARACTERS,
  type KeywordAnswer,
  type PhotoAnswer,
} from '#src/features/photos/photos.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { X } from '#src/ui/icon.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { showToast } from '#src/ui/toast.ts';

/** What buyers find a photo by. Each is kept at once. */
export function KeywordEditor({
  photo,
  onChange,
}: {
  photo: Pick<PhotoAnswer, 'id' | 'gallery_id' | 'keywords'>;
  onChange: (keywords: KeywordAnswer[]) => void;
}) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  const [doomed, setDoomed] = useState<KeywordAnswer | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const heading = useId();

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (text.replaceAll(',', '').trim() === '') return setProblem(KEYWORD_REQUIRED);
    setAdding(true);
    const answer = await addKeywords(photo, text);
    setAdding(false);
    if (answer.ok) {
      setProblem(null);
      setText('');
      onChange(answer.data.keywords);
      field.current?.focus();
    } else if (answer.status === 422) setProblem(answer.error);
    else showToast(ADD_KEYWORD_FAILED, 'error');
  }

  async function remove(): Promise<void> {
    if (!doomed) return;
    setDeleting(true);
    const answer = await deleteKeyword(photo, doomed.id);
    setDeleting(false);
    setDoomed(null);
    if (answer.ok) onChange(photo.keywords.filter(({ id }) => id !== doomed.id));
    else showToast(DELETE_KEYWORD_FAILED, 'error');
  }

  return (
    <section aria-labelledby={heading} className="flex flex-col gap-3 border-t border-line pt-4">
      <h3 id={heading} className="font-sans text-sm font-semibold tracking-normal">
        Keywords
      </h3>
      {photo.keywords.length > 0 && (
        <ul aria-labelledby={heading} className="flex flex-wrap gap-2">
          {photo.keywords.map((keyword) => (
            <li
              key={keyword.id}
              className="flex max-w-full items-center rounded-full border border-line-strong pl-3 text-sm"
            >
              <span className="truncate">{keyword.name}</span>
              <button
                type="button"
                aria-label={`Delete keyword ${keyword.name}`}
                onClick={() => setDoomed(keyword)}
                className="grid size-11 shrink-0 place-items-center rounded-full hover:bg-sunken pointer-fine:size-9"
              >
                <X aria-hidden="true" className="size-4" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form noValidate onSubmit={(event) => void add(event)} className="flex items-end gap-3">
        <div className="min-w-0 flex-1">
          <TextField
            ref={field}
            label="Add keywords"
            placeholder="23, goal, goalkeeper"
            maxLength={MAX_KEYWORD_CHARACTERS * 10}
            value={text}
            errors={problem === null ? undefined : [problem]}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <Button type="submit" variant="secondary" busy={isAdding ? 'Adding...' : false}>
          Add
        </Button>
      </form>
      <ConfirmDialog
        open={doomed !== null}
        title={`Delete “${doomed?.name ?? ''}”?`}
        confirmLabel="Delete keyword"
        busy={isDeleting ? 'Deleting...' : false}
        onConfirm={() => void remove()}
        onCancel={() => setDoomed(null)}
      >
        {DELETE_KEYWORD_QUESTION}
      </ConfirmDialog>
    </section>
  );
}
