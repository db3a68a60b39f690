import type { AnchorHTMLAttributes } from 'react';
import { Link as RouterLink } from 'react-router';

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  /** From the root of the site. */
  to: `/${string}`;
};

/**
 * The router's link, for pages that are rendered often. On the server the router would resolve the address against the
 * routes of the page several times, which changes nothing (decision record 0175).
 */
export function Link({ to, children, ...rest }: LinkProps) {
  return typeof document === 'undefined' ? (
    <a {...rest} href={to} data-discover="true">
      {children}
    </a>
  ) : (
    <RouterLink {...rest} to={to}>
      {children}
    </RouterLink>
  );
}
