import type { FormStatus } from '#src/features/bulk-galleries/bulk-galleries.rules.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { cx } from '#src/ui/cx.ts';
import { ChevronDown, CircleAlert, CircleCheck, ExternalLink, X } from '#src/ui/icon.tsx';
import { IconButton } from '#src/ui/icon-button.tsx';

type BulkGalleryHeadProps = {
  title: string;
  name: string;
  status: FormStatus;
  statusWords: string;
  bodyId: string;
  isFolded: boolean;
  onFold: (isFolded: boolean) => void;
  onRemove: (() => void) | null;
  /** Null until there is something to see. */
  publicView: string | null;
};

const TONE: Record<FormStatus, string> = {
  blank: 'text-quiet',
  unsaved: 'text-quiet',
  saving: 'text-quiet',
  saved: 'text-success',
  changed: 'text-warning',
  failed: 'text-danger',
};

/** Name and state of a gallery among several; a press folds it away. */
export function BulkGalleryHead(props: BulkGalleryHeadProps) {
  const { title, name, status, statusWords, bodyId, isFolded, onFold, onRemove, publicView } = props;
  const Icon = { saved: CircleCheck, failed: CircleAlert }[status as string];
  return (
    <header className="flex items-center gap-1 px-2 py-1.5 sm:gap-3 sm:px-3">
      <h2 className="min-w-0 flex-1 text-base">
        <button
          type="button"
          aria-expanded={!isFolded}
          aria-controls={bodyId}
          onClick={() => onFold(!isFolded)}
          className="flex min-h-12 w-full items-center gap-3 rounded px-2 text-start hover:bg-sunken"
        >
          <ChevronDown
            aria-hidden="true"
            className={cx('size-5 shrink-0 text-quiet transition-transform', isFolded && '-rotate-90')}
          />
          <span className="min-w-0">
            <span className="block truncate">
              {title}
              {name.trim() !== '' && <span className="font-normal text-quiet"> · {name}</span>}
            </span>
            <span className={cx('flex items-center gap-1 font-sans text-xs font-semibold', TONE[status])}>
              {Icon && <Icon aria-hidden="true" className="size-3.5" />}
              {statusWords}
            </span>
          </span>
        </button>
      </h2>
      {publicView !== null && (
        <a
          href={publicView}
          target="_blank"
          rel="noopener"
          aria-label={`Public view of ${title}`}
          className={buttonStyle({ variant: 'secondary', size: 'small' })}
        >
          <ExternalLink aria-hidden="true" />
          <span className="max-sm:hidden">Public view</span>
        </a>
      )}
      {onRemove && (
        <IconButton label={publicView === null ? `Remove ${title}` : `Close ${title}`} onClick={onRemove}>
          <X aria-hidden="true" />
        </IconButton>
      )}
    </header>
  );
}
