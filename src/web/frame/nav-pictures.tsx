/** The icons of the members' links. Visitors' pages show none, and do not load them. */
import type { ComponentType, SVGProps } from 'react';
import {
  Activity,
  ChartColumn,
  CircleUser,
  DollarSign,
  EyeOff,
  Info,
  LayoutDashboard,
  LogOut,
  Mail,
  Pencil,
  Plus,
  RotateCw,
  Scale,
  Search,
  Settings,
  Star,
  Tag,
  Trash,
  Upload,
  TicketPercent,
  Users,
} from '#src/ui/icon.tsx';
import type { NavIconName } from '#src/web/navigation.ts';

const ICONS: Partial<Record<NavIconName, ComponentType<SVGProps<SVGSVGElement>>>> = {
  dashboard: LayoutDashboard,
  'new-gallery': Plus,
  upgrade: Star,
  prices: TicketPercent,
  roster: Users,
  reports: ChartColumn,
  requests: EyeOff,
  settings: Settings,
  sales: ChartColumn,
  payouts: DollarSign,
  refunds: RotateCw,
  reconciliation: Scale,
  organizations: Users,
  'promo-codes': Tag,
  'audit-log': Search,
  questions: Mail,
  erase: Trash,
  health: Activity,
  'edit-accounts': Pencil,
  csv: Upload,
  'bulk-gallery': Plus,
  'bulk-accounts': Plus,
  'new-org': Plus,
  version: Info,
  account: CircleUser,
  'log-out': LogOut,
};

/** Nothing for a page that has no icon. */
export function NavPicture({ name }: { name: NavIconName }) {
  const Icon = ICONS[name];
  return Icon ? <Icon aria-hidden="true" /> : null;
}
