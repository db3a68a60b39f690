/** Which columns a file must have, and what may be in them. */
import type { ImportKind } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { COLUMNS } from '#src/features/bulk-imports/csv-columns.rules.ts';

const HINTS: Record<ImportKind, readonly string[]> = {
  users: [
    'orgname is the name of an existing parent organization.',
    'Without a password, people get an invitation by email and choose their own. With one, they must change it at their first login.',
  ],
  galleries: [
    'orgname and domain_name must both belong to one organization.',
    'hideGallery, watermark, passwordRequired, allowContributions and allowVoting take yes or no.',
    'Organizations on the free tier have one active gallery.',
  ],
};

export function ColumnList({ kind }: { kind: ImportKind }) {
  const required = new Set<string>(COLUMNS[kind].required);
  return (
    <aside aria-labelledby="columns" className="rounded-lg border border-line bg-surface p-5 text-sm">
      <h2 id="columns" className="text-base">
        Columns of the file
      </h2>
      <ul className="mt-3 flex flex-wrap gap-1.5">
        {COLUMNS[kind].all.map((name) => (
          <li key={name} className="rounded-sm bg-sunken px-2 py-0.5 font-mono text-xs">
            {name}
            {required.has(name) && (
              <span className="text-danger">
                <span aria-hidden="true"> *</span>
                <span className="sr-only"> (required)</span>
              </span>
            )}
          </li>
        ))}
      </ul>
      <ul className="mt-3 flex list-disc flex-col gap-1.5 pl-5 text-quiet">
        <li>
          The first row names the columns, in any order; those with <span className="text-danger">*</span> must be
          there.
        </li>
        {HINTS[kind].map((hint) => (
          <li key={hint}>{hint}</li>
        ))}
      </ul>
    </aside>
  );
}
