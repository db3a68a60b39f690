import type { Cents } from '#src/shared/money.ts';
import { formatDollars } from '#src/shared/money.ts';

/** An amount as people read it: "$1,234.50". */
export function Price({ cents }: { cents: Cents }) {
  return <span className="tabular-nums">{formatDollars(cents)}</span>;
}
