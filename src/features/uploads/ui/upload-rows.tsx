import { useEffect, useRef, useState } from 'react';
import type { UploadQueue } from '#src/features/uploads/upload-queue.client.ts';
import { uploadQueue, useUploadRow } from '#src/features/uploads/uploads.client.ts';
import type { UploadRow } from '#src/features/uploads/upload-summary.rules.ts';
import { cx } from '#src/ui/cx.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import { CircleAlert, CircleCheck, Images, RotateCw, X } from '#src/ui/icon.tsx';
import { ProgressRing } from '#src/ui/progress.tsx';

/** Every row has the same height, so that positions are known without measuring. */
const ROW_PX = 64;
const SHOWN_PX = 288;
/** Rows rendered above and below the visible ones. */
const SPARE = 3;

type UploadRowsProps = {
  ids: readonly number[];
  firstInWork: number;
  /** The window's own by default. */
  queue?: UploadQueue;
};

/** The files; of 300 only the visible ones are rendered. The list follows the work, unless someone is scrolling it. */
export function UploadRows({ ids, firstInWork, queue = uploadQueue() }: UploadRowsProps) {
  const [top, setTop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = box.current;
    if (!list || list.matches(':hover, :focus-within')) return;
    // Keeps one finished row visible above; at the end those that need their owner.
    list.scrollTop = Math.max(0, firstInWork - 1) * ROW_PX;
  }, [firstInWork]);
  const from = Math.max(0, Math.floor(top / ROW_PX) - SPARE);
  const shown = ids.slice(from, Math.ceil((top + SHOWN_PX) / ROW_PX) + SPARE);
  return (
    <div
      ref={box}
      role="region"
      aria-label="Files"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard (axe: scrollable-region-focusable)
      tabIndex={0}
      className="min-h-0 overflow-y-auto overscroll-contain border-t border-line"
      style={{ maxHeight: SHOWN_PX }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <ul className="relative" style={{ height: ids.length * ROW_PX }}>
        {shown.map((id, index) => (
          <Row
            key={id}
            id={id}
            queue={queue}
            top={(from + index) * ROW_PX}
            place={from + index + 1}
            count={ids.length}
          />
        ))}
      </ul>
    </div>
  );
}

type RowProps = { id: number; queue: UploadQueue; top: number; place: number; count: number };

function Row({ id, queue, top, place, count }: RowProps) {
  const row = useUploadRow(id, queue);
  if (!row) return null;
  return (
    <li
      aria-setsize={count}
      aria-posinset={place}
      className="absolute inset-x-0 flex items-center gap-3 pr-1 pl-4"
      style={{ top, height: ROW_PX }}
    >
      <span className="grid size-10 shrink-0 place-items-center text-accent-text">
        <Sign row={row} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-semibold">{row.name}</p>
        <p
          title={row.problem ?? undefined}
          className={cx(
            'line-clamp-2 text-xs leading-tight',
            row.stage === 'failed' || row.stage === 'refused' ? 'text-danger' : 'text-quiet',
          )}
        >
          {stateOf(row)}
        </p>
      </div>
      {row.stage === 'known' && (
        <button
          type="button"
          aria-label={`Upload again: ${row.name}`}
          onClick={() => queue.retry(id)}
          className="min-h-11 shrink-0 rounded px-2 text-xs font-semibold underline underline-offset-4"
        >
          Upload again
        </button>
      )}
      {row.stage === 'failed' && (
        <IconButton label={`Retry ${row.name}`} onClick={() => queue.retry(id)}>
          <RotateCw aria-hidden="true" />
        </IconButton>
      )}
      {row.stage !== 'adding' && row.stage !== 'added' && (
        <IconButton
          label={
            row.stage === 'refused' || row.stage === 'failed' || row.stage === 'known'
              ? `Dismiss ${row.name}`
              : `Cancel ${row.name}`
          }
          onClick={() => queue.remove(id)}
        >
          <X aria-hidden="true" />
        </IconButton>
      )}
    </li>
  );
}

function Sign({ row }: { row: UploadRow }) {
  if (row.stage === 'added') return <CircleCheck aria-hidden="true" className="size-6 text-success" />;
  if (row.stage === 'known') return <Images aria-hidden="true" className="size-6 text-quiet" />;
  if (row.stage === 'failed' || row.stage === 'refused')
    return <CircleAlert aria-hidden="true" className="size-6 text-danger" />;
  return (
    <ProgressRing
      label={`Upload of ${row.name}`}
      percent={row.bytes === 0 ? 0 : Math.round((row.sentBytes / row.bytes) * 100)}
    />
  );
}

function stateOf(row: UploadRow): string {
  const sizes = (bytes: number) =>
    row.bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  switch (row.stage) {
    case 'waiting':
      return row.problem === null ? 'Waiting' : 'Waiting to try again';
    case 'sending':
      return `${sizes(row.sentBytes)} of ${sizes(row.bytes)}`;
    case 'adding':
      return 'Adding to the gallery';
    case 'added':
      return 'Uploaded';
    default:
      return row.problem ?? '';
  }
}
