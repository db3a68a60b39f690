import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Contribution, HandedOver } from '#src/features/contributors/contribution.client.ts';
import { CONTRIBUTE_KEY_UNKNOWN } from '#src/features/galleries/galleries.contract.ts';
import { PHOTOS_STAY_HERE } from '#src/features/contributors/contributors.contract.ts';
import { useUploadSummary } from '#src/features/uploads/uploads.client.ts';
import { WAITING_FOR_NETWORK } from '#src/features/uploads/upload-tray.contract.ts';
import { HEIC_HELP, ONLY_JPEG_NOT_HEIC } from '#src/features/uploads/uploads.contract.ts';
import { UploadRows } from '#src/features/uploads/ui/upload-rows.tsx';
import { Button } from '#src/ui/button.tsx';
import { ErrorList } from '#src/ui/error-list.tsx';
import { ProgressBar } from '#src/ui/progress.tsx';

type ProgressProps = {
  contribution: Contribution;
  onDone: (accepted: number) => void;
  /** Back to the form; what was typed is still there. */
  onBack: () => void;
};

/** The photos on their way; when all are up they are handed over by themselves. */
export function ContributionProgress({ contribution, onDone, onBack }: ProgressProps) {
  const { queue } = contribution;
  const { counts, bytes, sentBytes, ids, firstInWork, hold } = useUploadSummary(queue);
  const [refusal, setRefusal] = useState<Exclude<HandedOver, { accepted: number }> | null>(null);
  const [isHandingOver, setHandingOver] = useState(false);
  const [total] = useState(ids.length);
  const inWork = counts.waiting + counts.sending + counts.adding;
  const wrong = counts.failed + counts.refused;
  const stored = contribution.storedCount();
  // A dead link is told once, not only in every row.
  const why = [...new Set(ids.map((id) => queue.row(id)?.problem).filter((text) => typeof text === 'string'))];
  const isInviteOver = counts.failed > 0 && why.includes(CONTRIBUTE_KEY_UNKNOWN);

  async function handOver(): Promise<void> {
    wasAsked.current = true;
    setRefusal(null);
    setHandingOver(true);
    const answer = await contribution.handOver();
    setHandingOver(false);
    if ('accepted' in answer) onDone(answer.accepted);
    else setRefusal(answer);
  }
  const wasAsked = useRef(false);
  const handOverWhenUp = useEffectEvent(() => {
    const now = queue.summary().counts;
    if (wasAsked.current || queue.isBusy() || now.failed + now.refused > 0 || contribution.storedCount() === 0) return;
    wasAsked.current = true;
    void handOver();
  });
  useEffect(() => queue.watchSummary(() => handOverWhenUp()), [queue]);

  const percent = bytes === 0 ? 100 : Math.floor((sentBytes / bytes) * 100);
  return (
    <section aria-label="Uploads" className="flex flex-col gap-5">
      <div className="flex flex-col gap-3">
        <p role="status" className="text-lg font-bold">
          {isHandingOver ? 'Handing over' : stateOf({ inWork, wrong, isAway: hold === 'network' })}
        </p>
        <p className="text-sm text-quiet tabular-nums">
          {Math.min(stored, total)} of {total === 1 ? '1 photo' : `${total} photos`} uploaded. Please keep this page
          open.
        </p>
        <ProgressBar label="All uploads" percent={isHandingOver ? null : percent} />
      </div>
      {isInviteOver && <ErrorList heading={CONTRIBUTE_KEY_UNKNOWN} messages={[PHOTOS_STAY_HERE]} />}
      {refusal && (
        <ErrorList
          heading={refusal.messages[0] ?? ''}
          messages={refusal.mayRetry ? refusal.messages.slice(1) : [PHOTOS_STAY_HERE]}
        />
      )}
      {ids.length > 0 && (
        <div className="overflow-hidden rounded border border-line [&>div]:border-t-0">
          <UploadRows ids={ids} firstInWork={firstInWork} queue={queue} />
        </div>
      )}
      {why.includes(ONLY_JPEG_NOT_HEIC) && <p className="text-sm text-quiet">{HEIC_HELP}</p>}
      <div className="flex flex-wrap gap-3">
        {refusal?.mayRetry && <Button onClick={() => void handOver()}>Try again</Button>}
        {inWork === 0 && !isInviteOver && (
          <NextSteps
            failed={counts.failed}
            stored={wrong > 0 && !isHandingOver ? stored : 0}
            onRetry={() => queue.retryAll()}
            onSend={() => void handOver()}
          />
        )}
        {!isHandingOver && (
          <Button variant="quiet" className="first:-ml-4" onClick={onBack}>
            {inWork > 0 ? 'Cancel' : 'Back'}
          </Button>
        )}
      </div>
    </section>
  );
}

function stateOf({ inWork, wrong, isAway }: { inWork: number; wrong: number; isAway: boolean }): string {
  if (inWork > 0) return isAway ? WAITING_FOR_NETWORK : 'Uploading';
  return wrong > 0 ? 'Not all photos are uploaded' : 'Uploaded';
}

type NextStepsProps = { failed: number; stored: number; onRetry: () => void; onSend: () => void };

/** Once more, or without those that failed. */
function NextSteps({ failed, stored, onRetry, onSend }: NextStepsProps) {
  return (
    <>
      {failed > 0 && <Button onClick={onRetry}>{failed === 1 ? 'Retry 1 photo' : `Retry ${failed} photos`}</Button>}
      {stored > 0 && (
        <Button variant="secondary" onClick={onSend}>
          {stored === 1 ? 'Send the 1 that is uploaded' : `Send the ${stored} that are uploaded`}
        </Button>
      )}
    </>
  );
}
