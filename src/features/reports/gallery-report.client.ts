/** Brings a gallery's report into the browser when its area is opened, and again when other days are asked for. */
import { useEffect, useState } from 'react';
import { REPORTING_ERROR, type GalleryReport } from '#src/features/reports/reports.contract.ts';
import { callApi } from '#src/web/api-client.ts';

/** No connection, an ended session, too much at once: what is to be done is in these sentences. */
const SAYS_WHY = new Set([0, 401, 429, 503]);

export type ReportDays = '30' | 'all';

export type ReportState = {
  days: ReportDays;
  /** The report that is shown: of other days than `days` while those are on their way, null before the first. */
  report: GalleryReport | null;
  problem: string | null;
  isLoading: boolean;
  choose: (days: ReportDays) => void;
  again: () => void;
};

export function useGalleryReport(galleryId: number): ReportState {
  const [asked, setAsked] = useState<{ days: ReportDays; times: number }>({ days: '30', times: 0 });
  const [answer, setAnswer] = useState<{
    to: object | null;
    report: GalleryReport | null;
    problem: string | null;
  }>({ to: null, report: null, problem: null });
  useEffect(() => {
    const stop = new AbortController();
    callApi<GalleryReport>('GET', `/api/v1/galleries/${galleryId}/report?days=${asked.days}`, { signal: stop.signal })
      .then((said) =>
        setAnswer((before) =>
          said.ok
            ? { to: asked, report: said.data, problem: null }
            : { to: asked, report: before.report, problem: SAYS_WHY.has(said.status) ? said.error : REPORTING_ERROR },
        ),
      )
      // Only a call that was taken back throws.
      .catch(() => undefined);
    return () => stop.abort();
  }, [galleryId, asked]);
  const isLoading = answer.to !== asked;
  return {
    days: asked.days,
    report: answer.report,
    problem: isLoading ? null : answer.problem,
    isLoading,
    choose: (days) => setAsked({ days, times: 0 }),
    again: () => setAsked(({ days, times }) => ({ days, times: times + 1 })),
  };
}
