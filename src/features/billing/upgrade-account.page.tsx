/** `/:affiliate/upgrade-account`: from the free tier to Premium, for members; all can open it (specification P§2.4). */
import { Link, redirect } from 'react-router';
import { mayEdit } from '#src/features/tenancy/actor.rules.ts';
import { FREE_PLAN, keepsText, PREMIUM_PLAN, priceText, yearlyPriceWords } from '#src/features/tenancy/plans.rules.ts';
import { backFromUpgrade } from '#src/features/billing/upgrade-link.rules.ts';
import { UpgradeForm } from '#src/features/billing/ui/upgrade-form.tsx';
import { Card } from '#src/ui/card.tsx';
import { Check } from '#src/ui/icon.tsx';
import { Main } from '#src/ui/main.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { WORKING_PAGE } from '#src/web/working-page.ts';
import { loginAddress } from '#src/web/safe-redirect.ts';
import type { Route } from './+types/upgrade-account.page.ts';

export const handle = WORKING_PAGE;

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const backTo = backFromUpgrade(affiliate.domainName, url.searchParams);
  if (!affiliate.freeTier) throw redirect(backTo);
  const mayUpgrade = mayEdit(caller.actor, {
    organizationId: affiliate.id,
    parentOrganizationId: affiliate.parentOrganizationId,
  });
  const state = mayUpgrade ? await app.billing.upgradeState(caller, affiliate.id) : null;
  return {
    affiliate: { id: affiliate.id, name: affiliate.name, path: affiliate.domainName },
    backTo,
    isSignedIn: caller.actor.kind === 'user',
    mayUpgrade,
    isPending: state?.status === 'pending',
    cards: app.site.cardSetup,
    login: loginAddress(url),
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [
    { title: loaderData ? `Upgrade · ${loaderData.affiliate.name}` : 'Upgrade' },
    { name: 'description', content: `Sideline ${PREMIUM_PLAN.name}: ${yearlyPriceWords(PREMIUM_PLAN)}, no limits.` },
    { name: 'robots', content: 'noindex' },
  ];
}

const GAINS = [
  `As many galleries as you like, instead of ${FREE_PLAN.maxActiveGalleries}`,
  `As many photos as you like, instead of ${FREE_PLAN.maxPhotosPerGallery} in a gallery`,
  keepsText(PREMIUM_PLAN),
  'Everything you have stays where it is: galleries, links and sales',
];

export default function UpgradeAccountPage({ loaderData }: Route.ComponentProps) {
  const { affiliate, backTo, isSignedIn, mayUpgrade, isPending, cards, login } = loaderData;
  return (
    <Main className="pb-12">
      <PageHeader title="Upgrade" subtitle={affiliate.name} />
      <div className="grid gap-8 border-t border-line pt-8 lg:grid-cols-[minmax(0,36rem)_24rem] lg:items-start lg:gap-12">
        <section aria-labelledby="plan-heading">
          <h2 id="plan-heading" className="text-lg">
            The {PREMIUM_PLAN.name} plan
          </h2>
          <p className="mt-3 font-display text-3xl font-bold tracking-tight tabular-nums">{priceText(PREMIUM_PLAN)}</p>
          <p className="mt-2 max-w-prose text-quiet">
            {affiliate.name} is on the {FREE_PLAN.name} plan. {PREMIUM_PLAN.name} costs {yearlyPriceWords(PREMIUM_PLAN)}
            , for the whole club, however many photos the season brings.
          </p>
          <ul className="mt-6 flex flex-col gap-3">
            {GAINS.map((gain) => (
              <li key={gain} className="flex gap-3">
                <Check aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent-text" />
                {gain}
              </li>
            ))}
          </ul>
          <p className="mt-6 max-w-prose text-sm text-quiet">
            Paid once a year with the card you add here. We email you two weeks before each renewal, and send a receipt.
          </p>
        </section>
        <Card className="max-w-xl p-5 sm:p-6">
          <h2 className="mb-5 text-lg">Payment</h2>
          {!mayUpgrade && (
            <div className="mb-5">
              <Notice>
                {isSignedIn ? (
                  `Only members of ${affiliate.name} can upgrade it.`
                ) : (
                  <>
                    <Link to={login} className="font-semibold underline underline-offset-4">
                      Log in
                    </Link>{' '}
                    as a member of {affiliate.name} to upgrade.
                  </>
                )}
              </Notice>
            </div>
          )}
          <UpgradeForm
            affiliate={affiliate}
            backTo={backTo}
            mayUpgrade={mayUpgrade}
            isSignedIn={isSignedIn}
            isPending={isPending}
            cards={cards}
          />
        </Card>
      </div>
    </Main>
  );
}
