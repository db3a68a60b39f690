import {
  Building,
  ChartColumn,
  Images,
  LayoutDashboard,
  LogOut,
  Plus,
  Receipt,
  Settings,
  Star,
  Users,
} from '#src/ui/icon.tsx';
import type { NavIconName } from '#src/web/navigation.ts';

const ICONS = {
  dashboard: LayoutDashboard,
  'new-gallery': Plus,
  upgrade: Star,
  reports: ChartColumn,
  settings: Settings,
  sales: Receipt,
  'bulk-gallery': Images,
  'bulk-accounts': Users,
  'new-org': Building,
  'log-out': LogOut,
} satisfies Record<NavIconName, unknown>;

/** The sign of a working room; public pages have none. */
export function NavIcon({ name }: { name: NavIconName | null }) {
  if (name === null) return null;
  const Icon = ICONS[name];
  return <Icon aria-hidden="true" />;
}
