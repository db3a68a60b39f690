import type { ReactNode } from 'react';
import { cx } from '#src/ui/cx.ts';

const TONES = {
  neutral: 'bg-sunken text-quiet',
  accent: 'bg-accent-tint text-accent-text',
  success: 'bg-success-tint text-success',
  warning: 'bg-warning-tint text-warning',
  danger: 'bg-danger-tint text-danger',
};

/** A short label of a state; the color only supports the text. */
export function Badge({ tone = 'neutral', children }: { tone?: keyof typeof TONES; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 rounded-sm px-2 py-0.5 text-xs font-semibold whitespace-nowrap [&_svg]:size-3.5',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}
