/** The newest imports of one kind, of all platform admins. */
import type { BulkAnswer } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { ResultLinks } from '#src/features/bulk-imports/ui/import-status.tsx';
import { publicMoment } from '#src/shared/dates.ts';
import { Badge } from '#src/ui/badge.tsx';

const TONES = { created: 'success', skipped: 'neutral', failed: 'danger', waiting: 'accent' } as const;
const RESULTS = ['created', 'skipped', 'failed', 'waiting'] as const;

export function RecentImports({ imports, timeZone }: { imports: readonly BulkAnswer[]; timeZone: string }) {
  return (
    <section aria-labelledby="recent-imports" className="mt-10">
      <h2 id="recent-imports" className="text-lg">
        Recent imports
      </h2>
      {imports.length === 0 ? (
        <p className="mt-2 text-sm text-quiet">None yet. Start with the demo file; it has every column.</p>
      ) : (
        <ul className="mt-3 divide-y divide-line rounded-lg border border-line bg-surface">
          {imports.map((each) => (
            <li key={each.import_id} className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3">
              <div className="min-w-0 flex-1 basis-64">
                <p className="font-semibold break-words">{each.file_name}</p>
                <p className="text-xs text-quiet tabular-nums">
                  {publicMoment(new Date(each.started_at ?? ''), timeZone)} · {each.started_by}
                </p>
              </div>
              <p className="flex flex-wrap gap-2 tabular-nums">
                {RESULTS.filter((result) => each[result] > 0).map((result) => (
                  <Badge key={result} tone={TONES[result]}>
                    {each[result].toLocaleString('en-US')} {result}
                  </Badge>
                ))}
              </p>
              <div className="flex flex-wrap gap-2">
                <ResultLinks answer={each} size="small" />
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
