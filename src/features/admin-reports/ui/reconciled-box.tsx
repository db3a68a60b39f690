import { useId, useState } from 'react';
import { saveReconciled } from '#src/features/admin-reports/admin-report.client.ts';
import { showToast } from '#src/ui/toast.ts';

type ReconciledBoxProps = {
  orderId: number;
  reconciled: boolean;
  /** Beside the box; where the column's head says it, the label is for listeners only. */
  showsLabel?: boolean;
  onSaved: (orderId: number, reconciled: boolean) => void;
};

/** Ticks an order off at once and puts the box back when that could not be saved (specification A§8, "Marking order"). */
export function ReconciledBox({ orderId, reconciled, showsLabel = false, onSaved }: ReconciledBoxProps) {
  const id = useId();
  const [wanted, setWanted] = useState<boolean | null>(null);
  const isSaving = wanted !== null;

  async function save(next: boolean): Promise<void> {
    setWanted(next);
    const problem = await saveReconciled(orderId, next);
    setWanted(null);
    if (problem === null) onSaved(orderId, next);
    else showToast(problem, 'error');
  }

  return (
    <span className="inline-flex items-center gap-1 align-middle">
      {/* 44 px for a finger around a box of a checkbox's size. */}
      <span className="-m-2.5 inline-grid size-11 place-items-center">
        <input
          id={id}
          type="checkbox"
          aria-label={`Reconciled, order ${orderId}`}
          checked={wanted ?? reconciled}
          aria-busy={isSaving || undefined}
          onChange={(event) => {
            if (!isSaving) void save(event.target.checked);
          }}
          className="size-5.5 accent-accent-text"
        />
      </span>
      {showsLabel && (
        <label htmlFor={id} className="pl-2 text-sm">
          Reconciled
        </label>
      )}
    </span>
  );
}
