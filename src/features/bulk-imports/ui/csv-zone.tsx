/** Takes one CSV file: dragged onto it, or chosen. */
import { useEffect, useEffectEvent, useId, useRef, useState, type DragEvent } from 'react';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { Upload } from '#src/ui/icon.tsx';

type CsvZoneProps = {
  onChosen: (files: File[]) => void;
  /** Why it takes nothing right now ("Uploading your CSV..."); null when it does. */
  busy: string | null;
};

export function CsvZone({ onChosen, busy }: CsvZoneProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const hint = useId();
  const takes = busy === null;
  function take(input: HTMLInputElement): void {
    const files = [...(input.files ?? [])];
    // The same file can be chosen again.
    input.value = '';
    if (files.length > 0) onChosen(files);
  }
  const takeWaiting = useEffectEvent(() => {
    if (picker.current) take(picker.current);
  });
  // A file that was chosen before the page's script was ready waits in the field.
  useEffect(() => {
    if (takes) takeWaiting();
  }, [takes]);
  const over = (event: DragEvent, value: boolean) => {
    event.preventDefault();
    setIsOver(value && takes);
  };
  return (
    <div
      onDragEnter={(event) => over(event, true)}
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, event.currentTarget.contains(event.relatedTarget as Node | null))}
      onDrop={(event) => {
        over(event, false);
        if (takes) onChosen([...event.dataTransfer.files]);
      }}
      className={cx(
        'flex flex-col items-center justify-center gap-4 rounded-lg border-2 border-dashed px-5 py-12 text-center transition-colors',
        isOver ? 'border-accent-text bg-accent-tint' : 'border-line-strong bg-surface',
      )}
    >
      <Button onClick={() => picker.current?.click()} busy={busy ?? false} aria-describedby={hint}>
        <Upload aria-hidden="true" />
        Choose a CSV file
      </Button>
      <p id={hint} className="text-sm text-quiet">
        {isOver ? 'Drop it here.' : 'Or drag it onto this field. One .csv file, up to 20 MB and 10,000 rows.'}
      </p>
      <input
        ref={picker}
        type="file"
        accept=".csv,text/csv"
        hidden
        disabled={!takes}
        aria-label="CSV file"
        onChange={(event) => take(event.target)}
      />
    </div>
  );
}
