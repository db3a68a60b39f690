/** The row of links on every page of the platform's office. */
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { TabLinks } from '#src/ui/tab-links.tsx';
import { OFFICE_ROOMS } from '#src/web/office-rooms.ts';

/** Stands below the page's header; the page that is open is marked, also below it (`/admin/pay-outs/7`), and in sight on phones. */
export function OfficeNav() {
  const { pathname } = useLocation();
  const box = useRef<HTMLDivElement>(null);
  const tabs = OFFICE_ROOMS.map(({ label, page }) => {
    const to = `/${page}`;
    return { label, to, current: pathname === to || pathname.startsWith(`${to}/`) };
  });
  // The row scrolls in itself where it is too long.
  useEffect(() => {
    const row = box.current?.querySelector('nav');
    const current = row?.querySelector<HTMLElement>('[aria-current]');
    if (row && current) row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
  }, [pathname]);
  return (
    <div ref={box}>
      <TabLinks label="Office" tabs={tabs} />
    </div>
  );
}
