import { lazy, Suspense, useState, useSyncExternalStore, type ComponentType } from 'react';

/** A page that lost its connection while it opened has no tray; it is no reason to have no page. */
const UploadTray = lazy<ComponentType<{ viewerId: number | null }>>(() =>
  import('#src/features/uploads/ui/upload-tray.tsx').then(
    ({ UploadTray: tray }) => ({ default: tray }),
    () => ({ default: () => null }),
  ),
);

/**
 * The tray's place in the shell. Its code comes with the first working page, never with a public one; from then on it
 * stays, so that uploads go on and are seen wherever their owner looks meanwhile.
 */
export function UploadTraySlot({ wanted, viewerId }: { wanted: boolean; viewerId: number | null }) {
  const isBrowser = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
  const [wasWanted, setWasWanted] = useState(wanted);
  if (wanted && !wasWanted) setWasWanted(true);
  if (!isBrowser || !wasWanted) return null;
  return (
    <Suspense fallback={null}>
      <UploadTray viewerId={viewerId} />
    </Suspense>
  );
}
