import { RESET, RESETTING } from '#src/features/settings/single-edit.contract.ts';
import { Button } from '#src/ui/button.tsx';

type EditBarProps = {
  isChanged: boolean;
  isResetting: boolean;
  /** Text while saving, false otherwise. */
  busy: string | false;
  saveLabel: string;
  onReset: () => void;
};

/** Both buttons of the Single User Update, always at hand at the bottom; Update submits the form around it. */
export function EditBar({ isChanged, isResetting, busy, saveLabel, onReset }: EditBarProps) {
  return (
    <div className="sticky-bar sticky bottom-0 z-20 -mx-5 flex flex-wrap items-center justify-between gap-3 border-t border-line bg-surface px-5 py-3 max-md:bottom-[calc(3.5rem+var(--tray-height,0px))]">
      <p role="status" className="text-sm text-quiet">
        {isChanged ? 'Unsaved changes.' : 'Everything is saved.'}
      </p>
      <div className="ml-auto flex gap-3">
        <Button variant="secondary" onClick={onReset} busy={isResetting ? RESETTING : false} disabled={busy !== false}>
          {RESET}
        </Button>
        <Button type="submit" busy={busy} disabled={isResetting}>
          {saveLabel}
        </Button>
      </div>
    </div>
  );
}
