import { lazy, Suspense } from 'react';
import type { WatchTarget } from '#src/features/watches/ui/watch-form.tsx';

const WatchForm = lazy(async () => ({ default: (await import('#src/features/watches/ui/watch-form.tsx')).WatchForm }));

/** The form, loaded when it is shown. */
export function LaterWatchForm({ target }: { target: WatchTarget }) {
  return (
    <Suspense fallback={<p className="text-sm text-quiet">Loading...</p>}>
      <WatchForm target={target} />
    </Suspense>
  );
}
