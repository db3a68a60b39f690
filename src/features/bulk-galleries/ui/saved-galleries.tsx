import type { SavedGallery } from '#src/features/bulk-galleries/bulk-galleries.client.ts';
import { CircleCheck } from '#src/ui/icon.tsx';

/** What this page has saved so far, with the way back to each. */
export function SavedGalleries({ galleries }: { galleries: readonly SavedGallery[] }) {
  if (galleries.length === 0) return null;
  return (
    <section aria-label="Saved galleries" className="rounded-lg border border-success bg-success-tint p-4">
      <h2 className="flex items-center gap-2 text-base">
        <CircleCheck aria-hidden="true" className="size-5 text-success" />
        Saved ({galleries.length})
      </h2>
      <ul className="mt-2 grid gap-x-6 gap-y-1 text-sm lg:grid-cols-2">
        {galleries.map(({ id, name, organization, address }) => (
          <li key={id} className="flex min-h-8 min-w-0 flex-wrap items-center gap-x-2">
            <a href={address} className="min-w-0 truncate font-semibold text-ink underline underline-offset-4">
              {name}
            </a>
            <span className="min-w-0 truncate text-ink">{organization}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
