import { lazy, Suspense, useState, type ComponentType } from 'react';
import { useInBrowser } from '#src/ui/use-in-browser.ts';

/** A page that lost its connection while loading has no tray, and still works. */
const UploadTray = lazy<ComponentType<{ viewerId: number | null }>>(() =>
  import('#src/features/uploads/ui/upload-tray.tsx').then(
    ({ UploadTray: tray }) => ({ default: tray }),
    () => ({ default: () => null }),
  ),
);

/**
 * The tray's place in the shell. Its code is loaded with the first working page, never with a public one; from then on it
 * stays, so that uploads continue and are visible on every page.
 */
export function UploadTraySlot({ wanted, viewerId }: { wanted: boolean; viewerId: number | null }) {
  const isBrowser = useInBrowser();
  const [wasWanted, setWasWanted] = useState(wanted);
  if (wanted && !wasWanted) setWasWanted(true);
  if (!isBrowser || !wasWanted) return null;
  return (
    <Suspense fallback={null}>
      <UploadTray viewerId={viewerId} />
    </Suspense>
  );
}
