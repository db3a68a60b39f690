/** The row of links on every page of the platform's office. */
import { useLocation } from 'react-router';
import { TabLinks } from '#src/ui/tab-links.tsx';
import { OFFICE_ROOMS } from '#src/web/office-rooms.ts';

/** Stands below the page's header; the page that is open is marked, also below it (`/admin/pay-outs/7`). */
export function OfficeNav() {
  const { pathname } = useLocation();
  const tabs = OFFICE_ROOMS.map(({ label, page }) => {
    const to = `/${page}`;
    return { label, to, current: pathname === to || pathname.startsWith(`${to}/`) };
  });
  return <TabLinks label="Office" tabs={tabs} />;
}
