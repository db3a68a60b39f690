/** `/:affiliate/credit`: pay now, choose photos later; for oneself or as a gift (offers specification A.9). */
import { Link, redirect, useNavigate, useRevalidator } from 'react-router';
import { presentOffered } from '#src/features/credit-shop/credit-shop.rules.ts';
import { BuyCreditForm } from '#src/features/credit-shop/ui/buy-credit-form.tsx';
import { isChild } from '#src/features/tenancy/organizations.rules.ts';
import { machineDay } from '#src/shared/dates.ts';
import { notFound } from '#src/shared/problem.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import { NO_CREDIT_HERE } from '#src/features/credit-shop/credit-shop.contract.ts';
import type { Route } from './+types/credit.page.ts';

export const handle: RouteHandle = { layout: 'affiliate', hidesCart: true };

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `Photo credit${loaderData ? ` at ${loaderData.seller.name}` : ''}` },
  { name: 'description', content: 'Pay now and choose photos later, for yourself or as a gift.' },
];

export async function loader({ context }: Route.LoaderArgs) {
  const seller = context.get(affiliateContext);
  const { app, tenant } = context.get(requestContext);
  const sold = await app.creditShop.soldFor(seller, tenant.organization);
  if (!sold) throw notFound(NO_CREDIT_HERE);
  if (sold.seller.id !== seller.id) throw redirect(`/${sold.seller.domainName}/credit`);
  const { offered } = sold;
  const { cardSetup } = app.site;
  const ownKey = cardSetup.provider === 'stripe' ? await app.orders.publishableKeyOf(seller) : null;
  return {
    seller: { id: seller.id, name: seller.name, path: seller.domainName },
    hasTeams: !isChild(seller),
    offered: presentOffered(offered),
    today: machineDay(new Date(), seller.timeZone),
    cards: { ...cardSetup, publishableKey: ownKey ?? cardSetup.publishableKey },
  };
}

export default function CreditPage({ loaderData }: Route.ComponentProps) {
  const { seller, hasTeams, offered, today, cards } = loaderData;
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  return (
    <Main className="max-w-2xl">
      <PageHeader title="Photo credit" back={<BackLink to={`/${seller.path}`}>{seller.name}</BackLink>} />
      <p className="mb-6 text-pretty text-quiet">
        Pay now and choose photos later. You get a code that pays for photos{' '}
        {hasTeams && `of all teams of ${seller.name} `}
        until it is used up. What you pay never expires.
      </p>
      <BuyCreditForm
        seller={seller}
        offered={offered}
        today={today}
        cards={cards}
        onChanged={() => void revalidate()}
        onOrdered={(vanityId) => void navigate(`/${seller.path}/order/${vanityId}`, { replace: true })}
      />
      <p className="mt-8 text-sm text-quiet">
        Have a code already?{' '}
        <Link
          to={`/${seller.path}/credit/balance`}
          className="inline-flex min-h-11 items-center font-semibold text-ink underline decoration-line-strong underline-offset-4"
        >
          Check the balance
        </Link>
      </p>
    </Main>
  );
}
