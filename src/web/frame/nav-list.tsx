/** Links below each other, in groups; the open one is marked. */
import { Link, useLocation } from 'react-router';
import { cx } from '#src/ui/cx.ts';
import { NavCount, NavIcon } from '#src/web/frame/nav-icon.tsx';
import { isCurrent, type NavGroup, type NavItem } from '#src/web/navigation.ts';

type NavListProps = { items: readonly NavItem[]; className?: string; linkClassName: string };

export function NavList({ items, className, linkClassName }: NavListProps) {
  const { pathname } = useLocation();
  return (
    <ul className={cx('flex flex-col', className)}>
      {items.map((item, place) => {
        const isHere = isCurrent(item, pathname);
        return (
          <li key={item.to} className={cx(item.icon === 'account' && 'mt-auto')}>
            {startsGroup(items, place) && <GroupName group={item.group} />}
            <Link
              to={item.to}
              aria-current={isHere ? 'page' : undefined}
              className={cx(
                'flex items-center rounded font-semibold no-underline',
                linkClassName,
                isHere ? 'bg-accent-tint text-accent-text' : 'hover:bg-sunken hover:text-ink',
              )}
            >
              <NavIcon name={item.icon} />
              <span className="min-w-0">
                {item.label} <NavCount count={item.count} />
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** The first link of a group below others; the first of all needs no heading. */
function startsGroup(items: readonly NavItem[], place: number): boolean {
  const group = items[place]?.group;
  return place > 0 && group !== null && items[place - 1]?.group !== group;
}

function GroupName({ group }: { group: NavGroup }) {
  return <p className="px-3 pt-4 pb-1 text-xs font-semibold text-quiet">{group}</p>;
}
