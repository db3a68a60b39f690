import { cx } from '#src/ui/cx.ts';

type ProgressProps = {
  /** What is in progress; read aloud. */
  label: string;
  /** 0 to 100; null while it is unknown. */
  percent: number | null;
};

/** Progress as a bar. */
export function ProgressBar({ label, percent, className }: ProgressProps & { className?: string }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      className={cx('h-2 overflow-hidden rounded-full bg-line', className)}
    >
      <div
        className={cx(
          'h-full rounded-full bg-accent-text transition-[width] duration-200',
          percent === null && 'animate-pulse',
        )}
        style={{ width: `${percent ?? 100}%` }}
      />
    </div>
  );
}

const RADIUS = 16;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

/** Progress as a ring, for a photo that is downloading or uploading. */
export function ProgressRing({ label, percent }: ProgressProps) {
  return (
    <svg
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      viewBox="0 0 40 40"
      className={cx('size-10 shrink-0 -rotate-90', percent === null && 'animate-spin')}
    >
      <circle cx="20" cy="20" r={RADIUS} fill="none" stroke="currentColor" strokeOpacity="0.25" strokeWidth="4" />
      <circle
        cx="20"
        cy="20"
        r={RADIUS}
        fill="none"
        stroke="currentColor"
        strokeWidth="4"
        strokeLinecap="round"
        strokeDasharray={CIRCUMFERENCE}
        strokeDashoffset={CIRCUMFERENCE * (1 - (percent ?? 25) / 100)}
        className="transition-[stroke-dashoffset] duration-200"
      />
    </svg>
  );
}
