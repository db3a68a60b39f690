import { useEffect, useState } from 'react';
import type { MarkProgress } from '#src/features/pictures/pixels.contract.ts';
import { ProgressBar } from '#src/ui/progress.tsx';
import { callApi } from '#src/web/api-client.ts';

const ASK_EVERY_MS = 3_000;

type MarkingProgressProps = {
  affiliateId: number;
  /** Counts the saves that changed the mark; nothing is shown before the first. */
  round: number;
};

/** How far the photos have come that are being marked anew. Goes on its own when all are. */
export function MarkingProgress({ affiliateId, round }: MarkingProgressProps) {
  const [progress, setProgress] = useState<MarkProgress | null>(null);
  useEffect(() => {
    if (round === 0) return;
    const stopped = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function ask(): Promise<void> {
      const answer = await callApi<MarkProgress>('GET', `/api/v1/affiliates/${affiliateId}/watermark_progress`);
      if (stopped.signal.aborted) return;
      if (answer.ok) setProgress(answer.data);
      // A missed answer is asked for again; someone who may not know it any more is not.
      const goesOn = answer.ok ? answer.data.done < answer.data.total : answer.retryAfterSeconds !== null;
      if (goesOn) timer = setTimeout(() => void ask(), ASK_EVERY_MS);
    }
    void ask();
    return () => {
      stopped.abort();
      clearTimeout(timer);
    };
  }, [affiliateId, round]);

  if (progress === null || progress.total === 0) return null;
  const { done, total } = progress;
  const count = (value: number) => value.toLocaleString('en-US');
  if (done >= total)
    return (
      <p role="status" className="text-sm font-semibold text-success">
        {total === 1 ? 'The photo carries' : `All ${count(total)} photos carry`} the new mark.
      </p>
    );
  const words = `Photos are being watermarked again: ${count(done)} of ${count(total)}`;
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm">{words}. Until then they have the old watermark.</p>
      <ProgressBar label={words} percent={Math.floor((done / total) * 100)} />
    </div>
  );
}
