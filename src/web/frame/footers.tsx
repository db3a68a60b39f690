/** The two footers (specification P§2.4): the home footer of the site's own pages, "powered by" on an affiliate's. */
import { Link } from '#src/ui/link.tsx';
import { lazy, Suspense } from 'react';
import { FOOTER_LINK } from '#src/web/frame/footer-link.ts';
import type { Shell } from '#src/web/frame/shell.ts';

/** It is below everything, and an affiliate's visitors never see it. */
const LongFooter = lazy(async () => ({ default: (await import('#src/web/frame/home-footer.tsx')).HomeFooter }));

export function HomeFooter({ shell }: { shell: Shell }) {
  return (
    <Suspense>
      <LongFooter shell={shell} />
    </Suspense>
  );
}

/** Who made it and how to contact them. The partner's link leads to the product on its own host. */
export function PoweredByFooter({ shell }: { shell: Shell }) {
  const mail = shell.organization.contact_email;
  return (
    <footer className="mt-12 print:hidden">
      <div className="mx-auto flex max-w-content flex-wrap items-center justify-center gap-x-6 gap-y-1 px-5 py-6 text-sm text-quiet">
        <p>
          Powered by{' '}
          <a
            href={shell.footer.productUrl}
            className="inline-flex min-h-11 items-center font-semibold text-ink underline decoration-line-strong underline-offset-4 pointer-fine:min-h-7"
          >
            Sideline
          </a>
        </p>
        <Link to="/find-my-order" className={FOOTER_LINK}>
          Find my order
        </Link>
        {mail === null ? (
          <Link to="/contact" className={FOOTER_LINK}>
            Contact Us
          </Link>
        ) : (
          <a href={`mailto:${mail}`} className={FOOTER_LINK}>
            {mail}
          </a>
        )}
      </div>
    </footer>
  );
}
