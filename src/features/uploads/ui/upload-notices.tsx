import type { ReactNode } from 'react';
import { uploadQueue } from '#src/features/uploads/uploads.client.ts';
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';
import { knownOffer, SESSION_ENDED, WAITING_FOR_NETWORK } from '#src/features/uploads/upload-tray.contract.ts';
import { HEIC_HELP, ONLY_JPEG_NOT_HEIC } from '#src/features/uploads/uploads.contract.ts';
import type { UploadSummary } from '#src/features/uploads/upload-summary.rules.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { CloudOff, Images, Info, LogIn, Rocket } from '#src/ui/icon.tsx';

/** What concerns all uploads: why they wait, what their owner may decide, and that they are not kept. */
export function UploadNotices({
  summary,
  inWork,
  isFolded,
}: {
  summary: UploadSummary;
  inWork: number;
  /** Only what stops the work. */
  isFolded: boolean;
}) {
  const { counts, hold, keepingTrouble, upgradePath, troubled } = summary;
  return (
    <>
      {hold === 'network' && inWork > 0 && <Line icon={CloudOff}>{WAITING_FOR_NETWORK}</Line>}
      {hold === 'session' && (
        <Line
          icon={LogIn}
          action={
            // In its own tab, so that nothing is lost here; this one hears of it.
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
