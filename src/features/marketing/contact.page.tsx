/** `/contact`: contacts by subject (specification P§2.1). On a parent's host its own address is first. */
import type { ReactNode } from 'react';
import { PageOpening, TextLink } from '#src/features/marketing/ui/page-parts.tsx';
import { MailLink } from '#src/features/marketing/ui/mail-link.tsx';
import { Card } from '#src/ui/card.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { requestContext } from '#src/web/app-context.ts';
import { canonicalAddress } from '#src/web/about-pages.ts';
import { sitePageMeta } from '#src/web/site-page-meta.ts';
import type { Route } from './+types/contact.page.ts';

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return sitePageMeta(matches, {
    path: '/contact',
    title: 'Contact Us · Sideline',
    description: 'Questions about a photo, an order or an account: who to ask and where to write.',
    address: loaderData?.address,
  });
}

export async function loader({ context }: Route.LoaderArgs) {
  const { app, tenant } = context.get(requestContext);
  const { kind, name, contactEmail } = tenant.organization;
  return {
    address: canonicalAddress(context, '/contact'),
    email: await app.marketing.contactEmail(),
    organization: kind === 'root' || contactEmail === null ? null : { name, email: contactEmail },
  };
}

export default function ContactPage({ loaderData: { email, organization } }: Route.ComponentProps) {
  return (
    <Main edgeToEdge>
      <PageOpening
        title="Contact Us"
        lead="People answer here, not machines. Tell us what you did and what you saw, and we’ll take it from there."
      />
      <div className="mx-auto grid max-w-content gap-5 px-5 py-10 sm:py-14 md:grid-cols-2 lg:grid-cols-3">
        {organization ? (
          <Way title={`Photos of ${organization.name}`} action={<MailLink alone address={organization.email} />}>
            For a photo, an order, a gallery’s password, or a picture that should not be there, ask the people who run
            these galleries. Many answers are in <TextLink to="/support">Support</TextLink>.
          </Way>
        ) : (
          <Way
            title="A photo or an order"
            action={
              <LinkButton to="/support" variant="secondary">
                Look in Support
              </LinkButton>
            }
          >
            Most answers about buying, downloads and receipts are in Support. Otherwise, contact the club or school: its
            address is at the bottom of its pages.
          </Way>
        )}
        <Way title="Sideline itself" action={<MailLink alone address={email} />}>
          Accounts, payments, privacy, or something that isn’t working: write to us. Please include the address of the
          page and, if there is one, the order number.
        </Way>
        <Way title="Before you start" action={<LinkButton to="/talk-to-expert">Talk to an expert</LinkButton>}>
          A league with forty clubs, a school district, a wholesale rate? Ask someone who has set it up before. For what
          each plan includes, see <TextLink to="/pricing">Pricing</TextLink>.
        </Way>
      </div>
    </Main>
  );
}

function Way({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <Card className="flex flex-col p-6 md:max-lg:last:col-span-2">
      <h2 className="text-lg">{title}</h2>
      <p className="mt-2 mb-5 text-pretty text-quiet">{children}</p>
      <div className="mt-auto">{action}</div>
    </Card>
  );
}
