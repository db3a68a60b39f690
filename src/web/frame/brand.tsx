import { Link } from 'react-router';

/** The owner of these pages: the logo of the organization or the affiliate, and its name; leads home. */
export function Brand({ to, name, logoUrl }: { to: string; name: string; logoUrl: string | null }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 max-w-full min-w-min items-center gap-3 rounded font-display text-base leading-tight font-bold tracking-tight min-[500px]:text-lg min-[500px]:leading-tight"
    >
      {logoUrl ? <img src={logoUrl} alt="" className="h-9 w-auto max-w-28 object-contain" /> : <Mark />}
      <span className="line-clamp-2 min-w-min text-balance wrap-break-word">{name === 'www' ? 'Sideline' : name}</span>
    </Link>
  );
}

/** Our own sign: a field with its side line. */
function Mark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className="size-8 shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M9 7v18M14 11h9v10h-9z"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinejoin="round"
        strokeLinecap="round"
        className="text-on-accent"
      />
    </svg>
  );
}
