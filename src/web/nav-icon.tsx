import type { ComponentType, SVGProps } from 'react';
import { ChartColumn, LayoutDashboard, LogOut, Plus, Star } from '#src/ui/icon.tsx';
import type { NavIconName } from '#src/web/navigation.ts';

/** Every public page carries these: an icon comes with the page that it leads to. */
const ICONS: Partial<Record<NavIconName, ComponentType<SVGProps<SVGSVGElement>>>> = {
  dashboard: LayoutDashboard,
  'new-gallery': Plus,
  upgrade: Star,
  reports: ChartColumn,
  'log-out': LogOut,
};

/** The sign of a working room; public pages have none. */
export function NavIcon({ name }: { name: NavIconName | null }) {
  const Icon = name && ICONS[name];
  return Icon ? <Icon aria-hidden="true" /> : null;
}
