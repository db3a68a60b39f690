/** The footer of the site's own pages; pages load it after themselves (`footers.tsx`). */
import { Link } from 'react-router';
import { FOOTER_LINK } from '#src/web/frame/footer-link.ts';
import type { Shell } from '#src/web/frame/shell.ts';

const COLUMNS = [
  {
    title: 'Sideline',
    links: [
      ['Why Sideline', '/why'],
      ['Pricing', '/pricing'],
      ['Support', '/support'],
      ['Find my order', '/find-my-order'],
      ['Talk to an expert', '/talk-to-expert'],
    ],
  },
  {
    title: 'The small print',
    links: [
      ['Privacy', '/privacy'],
      ['Terms of Use', '/terms-of-use'],
      ['Contact Us', '/contact'],
    ],
  },
] as const;

/** Social links, Privacy, Terms of Use, Contact Us. */
export function HomeFooter({ shell }: { shell: Shell }) {
  const { social, sharesSite } = shell.footer;
  const mail = shell.organization.contact_email;
  return (
    <footer className="mt-16 border-t border-line print:hidden">
      <div className="mx-auto grid max-w-content gap-x-10 gap-y-8 px-5 py-10 text-sm text-quiet sm:grid-cols-[minmax(0,2fr)_1fr_1fr] lg:grid-cols-[minmax(0,3fr)_1fr_1fr]">
        <div>
          <p className="max-w-xs text-base text-balance text-ink">Photos of local events, for the good of the team.</p>
          <nav aria-label={sharesSite ? 'Share this site' : 'Social'} className="mt-4">
            {sharesSite && <p aria-hidden="true">Tell a friend</p>}
            <ul className="-ml-2.5 flex flex-wrap">
              {social.map(({ label, href }) => (
                <li key={href}>
                  <a href={href} rel="noopener noreferrer" className={`${FOOTER_LINK} min-w-11 justify-center px-2.5`}>
                    {sharesSite && <span className="sr-only">Share by </span>}
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        {COLUMNS.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <p aria-hidden="true" className="font-semibold text-ink">
              {title}
            </p>
            <ul className="mt-1.5">
              {links.map(([label, to]) => (
                <li key={to}>
                  <Link to={to} className={FOOTER_LINK}>
                    {label}
                  </Link>
                </li>
              ))}
              {title === 'The small print' && mail !== null && (
                <li>
                  <a href={`mailto:${mail}`} className={`${FOOTER_LINK} wrap-anywhere`}>
                    {mail}
                  </a>
                </li>
              )}
            </ul>
          </nav>
        ))}
      </div>
    </footer>
  );
}
