import { useId, useState, type FormEvent, type RefObject } from 'react';
import { deleteKeyword } from '#src/features/photos/photo-calls.client.ts';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import {
  DELETE_KEYWORD_FAILED,
  DELETE_KEYWORD_QUESTION,
  KEYWORD_REQUIRED,
  type KeywordAnswer,
} from '#src/features/photos/photos.contract.ts';
import { missingIn, type Keywording } from '#src/features/photo-editor/keywording.client.ts';
import { MAX_KEYWORD_CHARACTERS } from '#src/shared/photo-limits.ts';
import { Button } from '#src/ui/button.tsx';
import { Plus, X } from '#src/ui/icon.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { showToast } from '#src/ui/toast.ts';
import { ConfirmCall } from '#src/web/confirm-call.tsx';

type PhotoKeywordsProps = {
  photo: PhotoFact;
  keywording: Keywording;
  field: RefObject<HTMLInputElement | null>;
  /** Enter in the empty field. */
  onNext: () => void;
};

/** Keywords that buyers search for: typed, or chosen from the last used. Each is saved immediately. */
export function PhotoKeywords({ photo, keywording, field, onNext }: PhotoKeywordsProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const heading = useId();
  const waiting = missingIn(photo, keywording.waiting(photo.id));
  const offered = missingIn(photo, keywording.offered).filter((name) => !waiting.includes(name));

  /** Enter in the empty field moves on; the button does not. */
  function submit(event: FormEvent): void {
    event.preventDefault();
    const isBlank = text.replaceAll(',', '').trim() === '';
    const isPressed = (event.nativeEvent as SubmitEvent).submitter === document.activeElement;
    if (isBlank && !isPressed) return onNext();
    const found = isBlank ? KEYWORD_REQUIRED : keywording.add(photo, text);
    setProblem(found);
    if (found === null) setText('');
    field.current?.focus();
  }

  return (
    <section aria-labelledby={heading} className="flex flex-col gap-3">
      <h2 id={heading} className="font-sans text-sm font-semibold tracking-normal">
        Keywords
      </h2>
      <KeywordChips photo={photo} waiting={waiting} labelledBy={heading} keywording={keywording} />
      <form method="dialog" noValidate onSubmit={submit} className="flex items-end gap-3">
        <div className="min-w-0 flex-1">
          <TextField
            ref={field}
            label="Add keywords"
            placeholder="23, goal, goalkeeper"
            autoComplete="off"
            autoCapitalize="none"
            enterKeyHint={text === '' ? 'next' : 'done'}
            maxLength={MAX_KEYWORD_CHARACTERS * 10}
            value={text}
            errors={problem === null ? undefined : [problem]}
            onChange={(event) => {
              setText(event.target.value);
              setProblem(null);
            }}
          />
        </div>
        <Button type="submit" variant="secondary">
          Add
        </Button>
      </form>
      {offered.length > 0 && (
        <ul aria-label="Keywords used before" className="flex flex-wrap gap-2">
          {offered.map((name) => (
            <li key={name} className="max-w-full">
              <button
                type="button"
                aria-label={`Add ${name}`}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => keywording.add(photo, name)}
                className="flex min-h-11 max-w-full items-center gap-1 rounded-full bg-sunken px-3 text-sm font-semibold hover:bg-accent-tint pointer-fine:min-h-9 [&_svg]:size-3.5 [&_svg]:shrink-0"
              >
                <Plus aria-hidden="true" />
                <span className="truncate">{name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className="text-xs text-pretty text-quiet">
        Enter adds. Enter again<span className="max-lg:hidden"> (or Page Down)</span> goes to the next photo.
      </p>
    </section>
  );
}

type KeywordChipsProps = {
  photo: PhotoFact;
  waiting: readonly string[];
  labelledBy: string;
  keywording: Keywording;
};

function KeywordChips({ photo, waiting, labelledBy, keywording }: KeywordChipsProps) {
  const [toDelete, setToDelete] = useState<KeywordAnswer | null>(null);
  const close = () => setToDelete(null);
  if (photo.keywords.length + waiting.length === 0) return <p className="text-sm text-quiet">None yet</p>;
  const chip = 'flex max-w-full items-center rounded-full border border-line-strong pl-3 text-sm';
  return (
    <>
      <ul aria-labelledby={labelledBy} className="flex flex-wrap gap-2">
        {photo.keywords.map((keyword) => (
          <li key={keyword.id} className={chip}>
            <span className="truncate">{keyword.name}</span>
            <button
              type="button"
              aria-label={`Delete keyword ${keyword.name}`}
              onClick={() => setToDelete(keyword)}
              className="grid size-11 shrink-0 place-items-center rounded-full hover:bg-sunken pointer-fine:size-9"
            >
              <X aria-hidden="true" className="size-4" />
            </button>
          </li>
        ))}
        {waiting.map((name) => (
          <li key={name} className={`${chip} min-h-11 pr-3 text-quiet pointer-fine:min-h-9`}>
            <span className="truncate">{name}</span>
          </li>
        ))}
      </ul>
      {toDelete && (
        <ConfirmCall
          title={`Delete “${toDelete.name}”?`}
          confirmLabel="Delete keyword"
          busy="Deleting..."
          call={() => deleteKeyword(photo, toDelete.id)}
          onDone={() => {
            close();
            const left = photo.keywords.filter(({ id }) => id !== toDelete.id);
            keywording.changed(photo.id, left);
          }}
          onRefused={() => {
            close();
            showToast(DELETE_KEYWORD_FAILED, 'error');
          }}
          onCancel={close}
        >
          {DELETE_KEYWORD_QUESTION}
        </ConfirmCall>
      )}
    </>
  );
}
