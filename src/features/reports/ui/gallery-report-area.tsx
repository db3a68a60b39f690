import { useState } from 'react';
import { useGalleryReport, type ReportDays } from '#src/features/reports/gallery-report.client.ts';
import type { GalleryReport } from '#src/features/reports/reports.contract.ts';
import { BestSellers } from '#src/features/reports/ui/best-sellers.tsx';
import { shownDay } from '#src/shared/day-range.ts';
import { cents, formatDollars } from '#src/shared/money.ts';
import { BarChart, type Bar } from '#src/ui/bar-chart.tsx';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { ChartColumn } from '#src/ui/icon.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';

type GalleryReportAreaProps = { galleryId: number; affiliateId: number };

const PERIODS: readonly { days: ReportDays; name: string }[] = [
  { days: '30', name: 'Last 30 days' },
  { days: 'all', name: 'All time' },
];
const STEP_HEADS = { day: 'Day', week: 'Week from', month: 'Month from' } as const;

type Step = Omit<GalleryReport['steps'][number], 'day'>;
type Measure = { key: keyof Step; name: string; text: (value: number) => string };

const count = (value: number) => value.toLocaleString('en-US');
const dollars = (value: number) => formatDollars(cents(Math.round(value * 100)));
const MEASURES: readonly Measure[] = [
  { key: 'sales', name: 'Sales', text: dollars },
  { key: 'donations', name: 'Donations', text: dollars },
  { key: 'photos', name: 'Photos sold', text: count },
  { key: 'likes', name: 'Likes', text: count },
  { key: 'votes', name: 'Votes', text: count },
  { key: 'visits', name: 'Visits', text: count },
];

/** What a gallery did over time: sales, donations, photos, likes, votes and visits, and what sold best (specification A§2, the area "reports" of the editor). */
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
      <EmptyState icon={<ChartColumn />} title={isAllTime ? 'Nothing happened yet' : 'A quiet month'}>
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
