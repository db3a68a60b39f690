/** The license in one sentence, with a link to the full text (specification P§1, P§2.4: the checkout's footer links). */
import { Link } from 'react-router';

const LINKS = [
  { to: '/terms-of-use', label: 'Terms of Use' },
  { to: '/privacy', label: 'Privacy Policy' },
  { to: '/customerlicense', label: 'Customer License' },
] as const;

export function LicenseNote({ shareSentence }: { shareSentence: string }) {
  return (
    <div className="text-xs text-quiet">
      <p>
        You buy a license for personal, non-commercial use, and download each photo without the watermark.{' '}
        {shareSentence}
      </p>
      <ul className="mt-1 flex flex-wrap gap-x-4">
        {LINKS.map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              target="_blank"
              className="inline-flex min-h-11 items-center underline decoration-line-strong underline-offset-4 hover:text-ink pointer-fine:min-h-6"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
