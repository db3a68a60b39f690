import { KEYS, MOST_USED_KEYS } from '#src/features/tagging-desk/tagging-desk.contract.ts';
import { Dialog } from '#src/ui/dialog.tsx';

const KEY = 'rounded border border-line-strong px-1.5 py-0.5 font-sans text-xs font-semibold';

/** For those who type here for the first time; not with a number pad. */
export function KeyHints() {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-quiet pointer-coarse:hidden">
      {MOST_USED_KEYS.map(([key, what]) => (
        <span key={key}>
          <kbd className={KEY}>{key}</kbd> {what}
        </span>
      ))}
    </p>
  );
}

/** All keys of the tagging desk. */
export function KeyHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keys">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
        {KEYS.map(([keys, what]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className={KEY}>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
