import { lazy, Suspense } from 'react';
import type { NavIconName } from '#src/web/navigation.ts';

const NavPicture = lazy(async () => ({ default: (await import('#src/web/frame/nav-pictures.tsx')).NavPicture }));

/** The icon of a members' page; public pages have none. Its space is reserved until it is loaded. */
export function NavIcon({ name }: { name: NavIconName | null }) {
  if (!name) return null;
  return (
    <Suspense fallback={<svg aria-hidden="true" />}>
      <NavPicture name={name} />
    </Suspense>
  );
}

/** How many items wait behind a link; nothing if there are none. */
export function NavCount({ count }: { count: number | null }) {
  return count ? (
    <span className="rounded-full bg-danger-tint px-1.5 py-0.5 text-xs leading-none font-bold text-danger tabular-nums">
      {count}
    </span>
  ) : null;
}
