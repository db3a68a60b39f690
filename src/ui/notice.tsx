import type { ReactNode } from 'react';
import { cx } from '#src/ui/cx.ts';
import { CircleCheck, Info, TriangleAlert } from '#src/ui/icon.tsx';

const TONES = {
  info: { look: 'border-line bg-surface', icon: <Info aria-hidden="true" className="text-accent-text" /> },
  success: {
    look: 'border-success bg-success-tint',
    icon: <CircleCheck aria-hidden="true" className="text-success" />,
  },
  warning: {
    look: 'border-warning bg-warning-tint',
    icon: <TriangleAlert aria-hidden="true" className="text-warning" />,
  },
};

type NoticeProps = {
  tone?: keyof typeof TONES;
  /** Instead of the tone's own. */
  icon?: ReactNode;
  children: ReactNode;
};

/** A notice that stays on the page ("Test mode"). Errors of a form are shown by the error list. */
export function Notice({ tone = 'info', icon, children }: NoticeProps) {
  const { look, icon: usual } = TONES[tone];
  return (
    <div
      className={cx(
        'flex gap-3 rounded border p-3.5 text-sm text-ink [&>svg]:mt-px [&>svg]:size-5 [&>svg]:shrink-0',
        look,
      )}
    >
      {icon ?? usual}
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
