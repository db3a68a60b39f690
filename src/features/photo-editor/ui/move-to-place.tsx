import { useState, type FormEvent } from 'react';
import { ORDER_STILL_LOADING, placeProblem } from '#src/features/photos/photo-grid.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { TextField } from '#src/ui/text-field.tsx';

type MoveToPlaceProps = {
  name: string;
  /** From 1, as people count. */
  place: number;
  total: number;
  /** So many places are known by now. */
  known: number;
  onClose: () => void;
  onPlace: (place: number) => void;
};

/** For moves that are too far to drag. */
export function MoveToPlace({ name, place, total, known, onClose, onPlace }: MoveToPlaceProps) {
  const [text, setText] = useState(String(place));
  const [problem, setProblem] = useState<string | null>(null);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const wanted = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
    const wrong = placeProblem(wanted, total) ?? (wanted > known ? ORDER_STILL_LOADING : null);
    if (wrong === null) onPlace(wanted);
    else setProblem(wrong);
  }

  return (
    <Dialog open title="Move to place…" onClose={onClose}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4 pb-2">
        <p className="text-sm text-pretty wrap-anywhere text-quiet">
          {name} is at position {place.toLocaleString('en-US')} of {total.toLocaleString('en-US')}.
        </p>
        <TextField
          label="Place"
          inputMode="numeric"
          autoComplete="off"
          data-autofocus=""
          value={text}
          errors={problem === null ? [] : [problem]}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" className="self-end">
          Move photo
        </Button>
      </form>
    </Dialog>
  );
}
