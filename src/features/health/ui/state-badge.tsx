import type { State, Tone } from '#src/features/health/health.rules.ts';
import { Badge } from '#src/ui/badge.tsx';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from '#src/ui/icon.tsx';

const LOOK = {
  ok: { tone: 'success', icon: <CircleCheck aria-hidden="true" /> },
  warning: { tone: 'warning', icon: <TriangleAlert aria-hidden="true" /> },
  danger: { tone: 'danger', icon: <CircleAlert aria-hidden="true" /> },
  neutral: { tone: 'neutral', icon: <Info aria-hidden="true" /> },
} as const satisfies Record<Tone, unknown>;

/** A state as word, shape and color. */
export function StateBadge({ state: { tone, word } }: { state: State }) {
  const look = LOOK[tone];
  return (
    <Badge tone={look.tone}>
      {look.icon}
      {word}
    </Badge>
  );
}
