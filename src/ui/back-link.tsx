import { Link } from 'react-router';
import { buttonStyle } from '#src/ui/button-style.ts';
import { ArrowLeft } from '#src/ui/icon.tsx';

/** The way back above a page's title. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className={buttonStyle({ variant: 'quiet', size: 'small', className: '-ml-3 text-left' })}>
      <ArrowLeft aria-hidden="true" />
      {children}
    </Link>
  );
}
