import { useEffect, useRef, useState, type RefObject, type ReactNode } from 'react';
import { openUploads, useUploadSummary, uploadQueue } from '#src/features/uploads/uploads.client.ts';
import { endOf, skippedWords, paceWords, type UploadSummary } from '#src/features/uploads/upload-summary.rules.ts';
import { SESSION_ENDED, WAITING_FOR_NETWORK, knownOffer } from '#src/features/uploads/upload-tray.contract.ts';
import { UploadRows } from '#src/features/uploads/ui/upload-rows.tsx';
import { Button } from '#src/ui/button.tsx';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { cx } from '#src/ui/cx.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import {
  ChevronDown,
  CircleAlert,
  CircleCheck,
  CloudOff,
  Pause,
  Play,
  RotateCw,
  X,
  Images,
  Info,
  LogIn,
  Rocket,
} from '#src/ui/icon.tsx';
import { ProgressBar } from '#src/ui/progress.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Spinner } from '#src/ui/spinner.tsx';
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';
import { HEIC_HELP, ONLY_JPEG_NOT_HEIC } from '#src/features/uploads/uploads.contract.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { counted, formatCount } from '#src/shared/counted.ts';

/**
 * Running uploads, collapsed to one line: a total, then each file. It ends with what was added, what was not and why, and the
 * next step, and stays until it is closed or photos are chosen again.
 */
export function UploadTray({ viewerId }: { viewerId: number | null }) {
  useEffect(() => {
    // No one is signed in because the session ended. Uploads wait for their owner.
    if (viewerId !== null) void openUploads(viewerId);
  }, [viewerId]);
  const summary = useUploadSummary();
  const [isFolded, setFolded] = useState(true);
  const [isAsking, setAsking] = useState(false);
  const { inWork } = summary;
  const isOver = inWork === 0;
  const { headline, details } = isOver ? endOf(summary) : workOf(summary);
  const head = useRef<HTMLDivElement>(null);
  useTrayHeight(head, summary.ids.length > 0);

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
          className="fixed inset-x-0 bottom-0 z-40 flex max-h-[70dvh] flex-col border-line-strong bg-surface shadow-2xl max-md:shadow-none max-md:bottom-[calc(3.5rem+env(safe-area-inset-bottom))] max-md:border-t md:right-5 md:bottom-5 md:left-auto md:w-100 md:rounded-lg md:border"
        >
          <div ref={head}>
            <Head summary={summary} headline={headline} isFolded={isFolded} onFold={setFolded} onClose={close} />
            {/* Below the head in full width: beside its buttons a line of numbers would wrap differently every second. */}
            {details.length > 0 && (
              <div className="-mt-1 px-4 pb-2 text-xs leading-snug text-quiet tabular-nums">
                {details.map((detail) => (
                  <p key={detail} className="wrap-anywhere">
                    {detail}
                  </p>
                ))}
              </div>
            )}
            {inWork > 0 && (
              <div className="px-4 pb-3">
                <ProgressBar label="All uploads" percent={percentOf(summary)} />
              </div>
            )}
            <UploadNotices summary={summary} isFolded={isFolded} />
            {isOver && <NextSteps summary={summary} />}
          </div>
          {!isFolded && <UploadRows ids={summary.ids} firstInWork={summary.firstInWork} />}
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
        {counted(inWork, 'photo is', 'photos are')} not uploaded yet. Uploaded photos stay in the gallery.
      </ConfirmDialog>
    </>
  );
}

type HeadProps = {
  summary: UploadSummary;
  headline: string;
  isFolded: boolean;
  onFold: (isFolded: boolean) => void;
  onClose: () => void;
};

function Head({ summary, headline, isFolded, onFold, onClose }: HeadProps) {
  const { inWork } = summary;
  return (
    <header className="flex items-center gap-2 py-1 pr-1 pl-4">
      <StateIcon summary={summary} />
      <h2 className="min-w-0 flex-1 py-1.5 font-sans text-sm leading-tight font-bold tracking-normal tabular-nums">
        {headline}
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
        onClick={() => onFold(!isFolded)}
      >
        <ChevronDown aria-hidden="true" className={cx('transition-transform', isFolded && 'rotate-180')} />
      </IconButton>
      <IconButton label={inWork > 0 ? 'Cancel uploads' : 'Close uploads'} onClick={onClose}>
        <X aria-hidden="true" />
      </IconButton>
    </header>
  );
}

/** During uploads: how many are done, the speed, and what was skipped. */
function workOf(summary: UploadSummary): { headline: string; details: string[] } {
  const { counts, inWork, checking, hold, isPaused, troubled, bytes, sentBytes, bytesPerSecond } = summary;
  const isLooking = checking === inWork && counts.added === 0 && hold === null;
  const state = hold !== null ? 'Waiting. ' : isPaused ? 'Paused. ' : '';
  const pace = hold !== null || isPaused ? '' : paceWords(bytesPerSecond, bytes - sentBytes);
  const leftOut = [
    ...(counts.known > 0 ? [skippedWords(counts.known)] : []),
    ...(troubled.length > 0 ? [`${formatCount(troubled.length)} not uploaded`] : []),
  ];
  return {
    headline: isLooking
      ? `Checking ${counted(inWork, 'photo', 'photos')}`
      : `${state}Uploaded ${counts.added} of ${inWork + counts.added + counts.failed}`,
    details: [[pace, ...leftOut].filter((part) => part !== '').join(' · ')].filter((line) => line !== ''),
  };
}

/** What an owner can do with added photos, and about the others. */
function NextSteps({ summary }: { summary: UploadSummary }) {
  const { counts, editorPath, troubled } = summary;
  // Following a link closes the tray, unless some photos were not added.
  const follow = () => troubled.length === 0 && uploadQueue().cancelAll();
  const goesOn = counts.added > 0 && editorPath !== null;
  if (!goesOn && counts.failed === 0) return null;
  return (
    <div className="flex flex-wrap gap-2 border-t border-line px-4 py-2.5">
      {counts.failed > 0 && (
        <Button variant="secondary" size="small" onClick={() => uploadQueue().retryAll()}>
          <RotateCw aria-hidden="true" />
          {counts.failed === 1 ? 'Retry 1 photo' : `Retry ${counts.failed} photos`}
        </Button>
      )}
      {goesOn && (
        <>
          <LinkButton to={`${editorPath}?area=share`} size="small" onClick={follow}>
            Share gallery
          </LinkButton>
          <LinkButton to={`${editorPath}?area=settings`} size="small" variant="secondary" onClick={follow}>
            Set price
          </LinkButton>
        </>
      )}
    </div>
  );
}

function StateIcon({ summary: { counts, inWork, hold, isPaused } }: { summary: UploadSummary }) {
  if (inWork > 0 && hold !== null) return <CloudOff aria-hidden="true" className="size-5 shrink-0 text-quiet" />;
  if (inWork > 0) return isPaused ? <Pause aria-hidden="true" className="size-5 shrink-0 text-quiet" /> : <Spinner />;
  if (counts.added + counts.known === 0)
    return <CircleAlert aria-hidden="true" className="size-5 shrink-0 text-danger" />;
  return <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-success" />;
}

/** The height of the tray's head: messages move up by it, and on phones, where the tray is above the tabs, other sticky elements. */
function useTrayHeight(head: RefObject<HTMLElement | null>, isShown: boolean): void {
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

/** Announced at the beginning and at the end, not for every file. */
function spoken(summary: UploadSummary): string {
  const { inWork, hold, ids } = summary;
  if (ids.length === 0) return '';
  if (inWork > 0 && hold !== null) return hold === 'network' ? WAITING_FOR_NETWORK : SESSION_ENDED;
  if (inWork > 0) return 'Uploading photos';
  const { headline, details } = endOf(summary);
  return [headline, ...details].join('. ');
}

function percentOf({ bytes, sentBytes }: UploadSummary): number {
  return bytes === 0 ? 0 : Math.floor((sentBytes / bytes) * 100);
}

type UploadNoticesProps = {
  summary: UploadSummary;
  /** Only what stops the work. */
  isFolded: boolean;
};

/** Notices about all uploads: why they wait, what their owner may decide, and that they are not stored. */
function UploadNotices({ summary, isFolded }: UploadNoticesProps) {
  const { counts, inWork, hold, keepingTrouble, upgradePath, troubled } = summary;
  return (
    <>
      {hold === 'network' && inWork > 0 && <Line icon={CloudOff}>{WAITING_FOR_NETWORK}</Line>}
      {hold === 'session' && (
        <Line
          icon={LogIn}
          action={
            // In a new tab, so that nothing is lost here; this one is notified.
            <a href="/login" target="_blank" rel="noreferrer" className={SMALL}>
              Log In
            </a>
          }
        >
          {SESSION_ENDED}
        </Line>
      )}
      {upgradePath !== null && (
        <Line
          icon={Rocket}
          action={
            <a href={upgradePath} target="_blank" rel="noreferrer" className={SMALL}>
              Upgrade
            </a>
          }
        >
          {UPGRADE_FOR_MORE_PHOTOS}
        </Line>
      )}
      {(inWork === 0 || !isFolded) && troubled.some(({ problem }) => problem === ONLY_JPEG_NOT_HEIC) && (
        <Line icon={Info}>{HEIC_HELP}</Line>
      )}
      {counts.known > 0 && !isFolded && (
        <Line
          icon={Images}
          action={
            <Button variant="quiet" size="small" onClick={() => uploadQueue().insistAll()}>
              Upload again
            </Button>
          }
        >
          {knownOffer(counts.known)}
        </Line>
      )}
      {keepingTrouble !== null && inWork > 0 && <Line icon={Info}>{keepingTrouble}</Line>}
    </>
  );
}

const SMALL = buttonStyle({ variant: 'secondary', size: 'small' });

function Line({ icon: Sign, action, children }: { icon: typeof Info; action?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-4 py-2.5 text-sm">
      <Sign aria-hidden="true" className="size-5 shrink-0 text-quiet" />
      <p className="min-w-0 flex-1 basis-44">{children}</p>
      {action && <div className="flex flex-wrap gap-2">{action}</div>}
    </div>
  );
}
