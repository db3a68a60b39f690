import { useId } from 'react';
import { cx } from '#src/ui/cx.ts';

export type Bar = {
  /** Label of the whole row, for screen readers and tooltips: "11.21.2026". */
  label: string;
  value: number;
  /** The value as text: "$12.00". */
  text: string;
};

type BarChartProps = {
  /** What is counted; the caption of the table. */
  label: string;
  /** Headers of the label and value columns. */
  heads: readonly [string, string];
  bars: readonly Bar[];
  /** Its height and other styles. */
  className: string;
};

/** Space between bars, as a fraction of a bar. */
const GAP = 0.22;
const HEIGHT = 100;

/** Bars over time. Screen readers get the same numbers as a table. */
export function BarChart({ label, heads, bars, className }: BarChartProps) {
  const id = useId();
  const most = Math.max(0, ...bars.map((bar) => bar.value));
  const tallest = bars.find((bar) => bar.value === most);
  return (
    <figure aria-labelledby={id} className="relative min-w-0">
      <figcaption id={id} className="flex flex-wrap items-baseline justify-between gap-x-4 text-xs text-quiet">
        <span>{label}</span>
        {most > 0 && <span className="whitespace-nowrap tabular-nums">up to {tallest?.text}</span>}
      </figcaption>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${Math.max(1, bars.length)} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={cx('mt-2 block w-full border-b border-line-strong', className)}
      >
        {bars.map((bar, index) => {
          const height = most > 0 ? (Math.max(0, bar.value) / most) * HEIGHT : 0;
          return (
            <g key={bar.label} className="group">
              <title>{`${bar.label}: ${bar.text}`}</title>
              <rect x={index} y={0} width={1} height={HEIGHT} className="fill-transparent group-hover:fill-sunken" />
              {height > 0 && (
                <rect
                  x={index + GAP / 2}
                  y={HEIGHT - Math.max(height, 2)}
                  width={1 - GAP}
                  height={Math.max(height, 2)}
                  className="fill-accent-text"
                />
              )}
            </g>
          );
        })}
      </svg>
      <p aria-hidden="true" className="mt-1 flex flex-wrap justify-between gap-x-2 text-xs text-quiet tabular-nums">
        <span>{bars[0]?.label}</span>
        {bars.length > 1 && <span>{bars.at(-1)?.label}</span>}
      </p>
      <div className="sr-only">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{heads[0]}</th>
              <th scope="col">{heads[1]}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.label}>
                <th scope="row">{bar.label}</th>
                <td>{bar.text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
