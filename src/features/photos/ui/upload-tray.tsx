import { useEffect, useRef, useState, type RefObject } from 'react';
import { openUploads, useUploadSummary, uploadQueue } from '#src/features/photos/uploads.client.ts';
import { knownOffer, SESSION_ENDED, WAITING_FOR_NETWORK } from '#src/features/photos/upload-tray.contract.ts';
import type { UploadSummary } from '#src/features/photos/upload-summary.rules.ts';
import { UploadNotices } from '#src/features/photos/ui/upload-notices.tsx';
import { UploadRows } from '#src/features/photos/ui/upload-rows.tsx';
import { Button } from '#src/ui/button.tsx';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { cx } from '#src/ui/cx.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import { ChevronDown, CircleAlert, CircleCheck, CloudOff, Pause, Play, RotateCw, X } from '#src/ui/icon.tsx';
import { ProgressBar } from '#src/ui/progress.tsx';
import { Spinner } from '#src/ui/spinner.tsx';

/** What is on its way up: a total, each file, and what to do about those that did not make it. Nothing when there is nothing. */
export function UploadTray({ viewerId }: { viewerId: number | null }) {
  useEffect(() => {
    // Nobody signed in: a session that ended. What is on its way waits for its owner.
    if (viewerId !== null) void openUploads(viewerId);
  }, [viewerId]);
  const summary = useUploadSummary();
  const [isFolded, setFolded] = useState(() => window.matchMedia(PHONE).matches);
  const [isAsking, setAsking] = useState(false);
  const { counts } = summary;
  const inWork = counts.waiting + counts.sending + counts.adding;
  const wrong = counts.failed + counts.refused;
  // Refused files were never on their way; failed ones were.
  const wanted = inWork + counts.added === 0 ? 0 : inWork + counts.added + counts.failed;
  const head = useRef<HTMLDivElement>(null);
  useRoomBelow(head, summary.ids.length > 0);
  // News of trouble unfold it.
  const [toldWrong, setToldWrong] = useState(0);
  if (wrong !== toldWrong) {
    setToldWrong(wrong);
    if (wrong > toldWrong) setFolded(false);
  }
  const waitsFor = summary.hold !== null && inWork > 0;

  function close(): void {
    if (inWork > 0) setAsking(true);
    else uploadQueue().cancelAll();
  }

  return (
    <>
      <p role="status" className="sr-only">
        {spoken(summary)}
      </p>
      {summary.ids.length > 0 && (
        <section
          aria-label="Uploads"
          className="fixed inset-x-0 bottom-0 z-40 flex max-h-[70dvh] flex-col border-line-strong bg-surface shadow-2xl max-md:shadow-none max-md:bottom-[calc(3.5rem+env(safe-area-inset-bottom))] max-md:border-t md:right-auto md:bottom-5 md:left-61 md:w-100 md:rounded-lg md:border"
        >
          <div ref={head}>
            <header className="flex items-center gap-2 py-1 pr-1 pl-4">
              <StateIcon summary={summary} inWork={inWork} />
              <h2 className="min-w-0 flex-1 py-1.5 font-sans text-sm leading-tight font-bold tracking-normal tabular-nums">
                {wanted > 0 &&
                  `${waitsFor ? 'Waiting. ' : summary.isPaused && inWork > 0 ? 'Paused. ' : ''}Uploaded ${counts.added} of ${wanted}`}
                {wanted === 0 && wrong === 0 && 'Already in this gallery'}
                {wrong > 0 && (
                  <span className={cx('block text-danger', wanted > 0 && 'text-xs')}> {wrong} not uploaded</span>
                )}
              </h2>
              {inWork > 0 &&
                (summary.isPaused ? (
                  <IconButton label="Resume uploads" onClick={() => uploadQueue().resume()}>
                    <Play aria-hidden="true" />
                  </IconButton>
                ) : (
                  <IconButton label="Pause uploads" onClick={() => uploadQueue().pause()}>
                    <Pause aria-hidden="true" />
                  </IconButton>
                ))}
              <IconButton
                label={isFolded ? 'Show files' : 'Hide files'}
                aria-expanded={!isFolded}
                onClick={() => setFolded(!isFolded)}
              >
                <ChevronDown aria-hidden="true" className={cx('transition-transform', isFolded && 'rotate-180')} />
              </IconButton>
              <IconButton label={inWork > 0 ? 'Cancel uploads' : 'Close uploads'} onClick={close}>
                <X aria-hidden="true" />
              </IconButton>
            </header>
            {inWork > 0 && (
              <div className="px-4 pb-3">
                <ProgressBar label="All uploads" percent={percentOf(summary)} />
              </div>
            )}
            <UploadNotices summary={summary} inWork={inWork} />
          </div>
          {!isFolded && <UploadRows ids={summary.ids} firstInWork={summary.firstInWork} />}
          {counts.failed > 0 && (
            <div className="flex justify-end border-t border-line px-4 py-2">
              <Button variant="secondary" size="small" onClick={() => uploadQueue().retryAll()}>
                <RotateCw aria-hidden="true" />
                {counts.failed === 1 ? 'Retry 1 photo' : `Retry ${counts.failed} photos`}
              </Button>
            </div>
          )}
        </section>
      )}
      <ConfirmDialog
        open={isAsking}
        title="Cancel uploads?"
        confirmLabel="Cancel uploads"
        cancelLabel="Keep uploading"
        onConfirm={() => {
          uploadQueue().cancelAll();
          setAsking(false);
        }}
        onCancel={() => setAsking(false)}
      >
        {inWork === 1 ? '1 photo is' : `${inWork} photos are`} not up yet. Photos that have arrived stay in the gallery.
      </ConfirmDialog>
    </>
  );
}

function StateIcon({ summary, inWork }: { summary: UploadSummary; inWork: number }) {
  if (inWork > 0 && summary.hold !== null)
    return <CloudOff aria-hidden="true" className="size-5 shrink-0 text-quiet" />;
  if (inWork > 0)
    return summary.isPaused ? <Pause aria-hidden="true" className="size-5 shrink-0 text-quiet" /> : <Spinner />;
  if (summary.counts.failed + summary.counts.refused > 0)
    return <CircleAlert aria-hidden="true" className="size-5 shrink-0 text-danger" />;
  return <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-success" />;
}

const PHONE = '(width < 820px)';

/** On phones the tray stands above the tabs: what else sticks there moves up by the height of its head. */
function useRoomBelow(head: RefObject<HTMLElement | null>, isShown: boolean): void {
  useEffect(() => {
    const element = head.current;
    if (!isShown || !element) return;
    const root = document.documentElement;
    const observer = new ResizeObserver(() => root.style.setProperty('--tray-height', `${element.offsetHeight}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.style.removeProperty('--tray-height');
    };
  }, [head, isShown]);
}

/** Said aloud at the beginning and at the end, not at every file. */
function spoken({ counts, hold }: UploadSummary): string {
  const inWork = counts.waiting + counts.sending + counts.adding;
  const wrong = counts.failed + counts.refused;
  if (inWork > 0 && hold !== null) return hold === 'network' ? WAITING_FOR_NETWORK : SESSION_ENDED;
  if (inWork > 0) return 'Uploading photos';
  if (counts.added === 0 && wrong === 0) return counts.known > 0 ? knownOffer(counts.known) : '';
  return [
    `${counts.added} uploaded`,
    ...(counts.known > 0 ? [knownOffer(counts.known)] : []),
    ...(wrong > 0 ? [`${wrong} not uploaded`] : []),
  ].join(', ');
}

function percentOf({ bytes, sentBytes }: UploadSummary): number {
  return bytes === 0 ? 0 : Math.floor((sentBytes / bytes) * 100);
}
