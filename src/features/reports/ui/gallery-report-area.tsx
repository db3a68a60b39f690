import { useEffect, useState } from 'react';
import { REPORTING_ERROR, type GalleryReport } from '#src/features/reports/reports.contract.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { STEP_HEADS } from '#src/features/reports/ui/chart-of-sales.tsx';
import { BarChart, type Bar } from '#src/features/reports/ui/bar-chart.tsx';
import { dollarText } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { ChartColumn } from '#src/ui/icon.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { renditionUrl } from '#src/ui/photos/photo-sources.ts';
import { api } from '#src/web/api-client.ts';
import { formatCount } from '#src/shared/counted.ts';

type GalleryReportAreaProps = { galleryId: number; affiliateId: number };

const PERIODS: readonly { days: ReportDays; name: string }[] = [
  { days: '30', name: 'Last 30 days' },
  { days: 'all', name: 'All time' },
];

type Step = Omit<GalleryReport['steps'][number], 'day'>;
type Measure = { key: keyof Step; name: string; text: (value: number) => string };

const MEASURES: readonly Measure[] = [
  { key: 'sales', name: 'Sales', text: dollarText },
  { key: 'donations', name: 'Donations', text: dollarText },
  { key: 'photos', name: 'Photos sold', text: formatCount },
  { key: 'likes', name: 'Likes', text: formatCount },
  { key: 'votes', name: 'Votes', text: formatCount },
  { key: 'visits', name: 'Visits', text: formatCount },
];

/**
 * A gallery's activity over time: sales, donations, photos, likes, votes and visits, and its best sellers (specification A§2,
 * the area "reports" of the editor).
 */
export function GalleryReportArea({ galleryId }: GalleryReportAreaProps) {
  const { days, report, problem, isLoading, choose, again } = useGalleryReport(galleryId);
  return (
    <div aria-busy={isLoading} className="@container flex min-w-0 flex-col gap-5">
      <div role="group" aria-label="Period" className="flex flex-wrap gap-2">
        {PERIODS.map((period) => (
          <Button
            key={period.days}
            variant={period.days === days ? 'primary' : 'secondary'}
            size="small"
            aria-pressed={period.days === days}
            onClick={() => choose(period.days)}
          >
            {period.name}
          </Button>
        ))}
      </div>
      {problem !== null && (
        <div role="alert" className="flex flex-col items-start gap-3">
          <Notice tone="warning">{problem}</Notice>
          <Button variant="secondary" size="small" onClick={again}>
            Try again
          </Button>
        </div>
      )}
      {report === null && problem === null && <Waiting />}
      {report && (
        <div className={cx('flex min-w-0 flex-col gap-6 transition-opacity', isLoading && 'opacity-60')}>
          <ReportBody report={report} isAllTime={days === 'all'} />
        </div>
      )}
    </div>
  );
}

function ReportBody({ report, isAllTime }: { report: GalleryReport; isAllTime: boolean }) {
  const [key, setKey] = useState<Measure['key']>('sales');
  const chosen = MEASURES.find((measure) => measure.key === key) ?? MEASURES[0];
  const { totals, steps, unit } = report;
  if (!chosen) return null;
  if (MEASURES.every((measure) => totals[measure.key] === 0))
    return (
      <EmptyState icon={<ChartColumn />} title={isAllTime ? 'No activity yet' : 'A quiet month'}>
        Share the gallery’s link with families: visits, likes and sales are counted here from then on.
      </EmptyState>
    );
  const bars: Bar[] = steps.map((step) => ({
    label: shownDay(step.day),
    value: step[chosen.key],
    text: chosen.text(step[chosen.key]),
  }));
  return (
    <>
      <div role="group" aria-label="Shown over time" className="grid grid-cols-2 gap-2 @md:grid-cols-3">
        {MEASURES.map((measure) => (
          <button
            key={measure.key}
            type="button"
            aria-pressed={measure.key === key}
            onClick={() => setKey(measure.key)}
            className={cx(
              'flex min-h-16 min-w-0 flex-col-reverse justify-end rounded border px-3 py-2 text-left transition-colors',
              measure.key === key
                ? 'border-accent-text bg-accent-tint'
                : 'border-line bg-surface hover:border-line-strong',
            )}
          >
            <span className="text-xs text-quiet">{measure.name}</span>
            <span className="font-display text-lg leading-tight font-bold tabular-nums">
              {measure.text(totals[measure.key])}
            </span>
          </button>
        ))}
      </div>
      <BarChart
        label={`${chosen.name} per ${unit}`}
        heads={[STEP_HEADS[unit], chosen.name]}
        bars={bars}
        className="h-32"
      />
      <BestSellers photos={report.best_sellers} />
    </>
  );
}

function Waiting() {
  return (
    <div role="status" className="flex flex-col gap-6">
      <span className="sr-only">Loading the report</span>
      <div className="grid grid-cols-2 gap-2 @md:grid-cols-3">
        {MEASURES.map(({ key }) => (
          <Skeleton key={key} className="h-16" />
        ))}
      </div>
      <Skeleton className="h-44" />
    </div>
  );
}

/** The best-selling photos. */
function BestSellers({ photos }: { photos: GalleryReport['best_sellers'] }) {
  if (photos.length === 0) return null;
  return (
    <div>
      <h2 className="text-base font-bold">Best sellers</h2>
      <ol className="mt-2 divide-y divide-line border-t border-line">
        {photos.map((photo) => (
          <li key={photo.id} className="flex min-w-0 items-center gap-3 py-2 text-sm">
            <img
              alt=""
              loading="lazy"
              decoding="async"
              width={photo.width}
              height={photo.height}
              src={renditionUrl(photo.image_url, 320)}
              className="size-14 shrink-0 rounded bg-sunken object-cover"
            />
            <span className="min-w-0 flex-1 font-semibold break-words">{photo.name}</span>
            <span className="shrink-0 text-right tabular-nums">
              <strong className="block font-bold">
                {photo.sold === 1 ? 'Sold once' : `Sold ${formatCount(photo.sold)} times`}
              </strong>
              <span className="text-quiet">{dollarText(photo.sales)}</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Offline, session ended, too many requests: these messages say what to do. */
const SELF_EXPLANATORY = new Set([0, 401, 429, 503]);

type ReportDays = '30' | 'all';

type ReportState = {
  days: ReportDays;
  /** The visible report: still the previous one while another is loading, null before the first. */
  report: GalleryReport | null;
  problem: string | null;
  isLoading: boolean;
  choose: (days: ReportDays) => void;
  again: () => void;
};

function useGalleryReport(galleryId: number): ReportState {
  const [requested, setRequested] = useState<{ days: ReportDays; times: number }>({ days: '30', times: 0 });
  const [answer, setAnswer] = useState<{
    to: object | null;
    report: GalleryReport | null;
    problem: string | null;
  }>({ to: null, report: null, problem: null });
  useEffect(() => {
    const stop = new AbortController();
    api('GET /api/v1/galleries/{id}/report', {
      params: { id: galleryId },
      query: { days: requested.days },
      signal: stop.signal,
    })
      .then((result) =>
        setAnswer((before) =>
          result.ok
            ? { to: requested, report: result.data, problem: null }
            : {
                to: requested,
                report: before.report,
                problem: SELF_EXPLANATORY.has(result.status) ? result.error : REPORTING_ERROR,
              },
        ),
      )
      // Only an aborted call throws.
      .catch(() => undefined);
    return () => stop.abort();
  }, [galleryId, requested]);
  const isLoading = answer.to !== requested;
  return {
    days: requested.days,
    report: answer.report,
    problem: isLoading ? null : answer.problem,
    isLoading,
    choose: (days) => setRequested({ days, times: 0 }),
    again: () => setRequested(({ days, times }) => ({ days, times: times + 1 })),
  };
}
