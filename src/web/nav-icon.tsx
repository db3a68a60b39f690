import type { ComponentType, SVGProps } from 'react';
import { ChartColumn, EyeOff, LayoutDashboard, LogOut, Plus, Settings, Star } from '#src/ui/icon.tsx';
import type { NavIconName } from '#src/web/navigation.ts';

/** Every public page carries these: an icon comes with the page that it leads to. */
const ICONS: Partial<Record<NavIconName, ComponentType<SVGProps<SVGSVGElement>>>> = {
  dashboard: LayoutDashboard,
  'new-gallery': Plus,
  upgrade: Star,
  reports: ChartColumn,
  requests: EyeOff,
  settings: Settings,
  sales: ChartColumn,
  'bulk-gallery': Plus,
  'bulk-accounts': Plus,
  'new-org': Plus,
  'log-out': LogOut,
};

/** The sign of a working room; public pages have none. */
export function NavIcon({ name }: { name: NavIconName | null }) {
  const Icon = name && ICONS[name];
  return Icon ? <Icon aria-hidden="true" /> : null;
}

/** How many things wait behind a link; nothing at all without any. */
export function NavCount({ count }: { count: number | null }) {
  return count ? (
    <span className="rounded-full bg-danger-tint px-1.5 py-0.5 text-xs leading-none font-bold text-danger tabular-nums">
      {count}
    </span>
  ) : null;
}
