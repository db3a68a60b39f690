/** `/:affiliate/prices/credit`: prepaid credit, for members of an organization (offers specification A.9). */
import { CREDIT_TITLE } from '#src/features/credit-shop/credit-shop.contract.ts';
import { CreditDesk } from '#src/features/credit-shop/ui/credit-desk.tsx';
import { PriceTabs } from '#src/features/prices-desk/ui/price-tabs.tsx';
import { isPlatformAdmin } from '#src/features/tenancy/actor.rules.ts';
import { machineDay } from '#src/shared/dates.ts';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { workingMeta, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/credit.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const { id, name, domainName: path, timeZone } = context.get(affiliateContext);
  const page = await app.creditShop.list(caller, id, {});
  const today = machineDay(new Date(), timeZone);
  return { id, name, path, page, today, timeZone, mayPayOut: isPlatformAdmin(caller.actor) };
}

export const meta = workingMeta(CREDIT_TITLE);

export default function CreditPage({ loaderData }: Route.ComponentProps) {
  const { id, name, path, page, today, timeZone, mayPayOut } = loaderData;
  return (
    <Main className="pb-12">
      <PageHeader title="Prices" subtitle={name} />
      <PriceTabs path={path} current="credit" />
      <p className="max-w-[66ch] py-5 text-sm text-quiet">
        Families pay now and choose photos later. It counts as sold when it is spent.
      </p>
      <CreditDesk
        key={id}
        organizationId={id}
        path={path}
        first={page}
        today={today}
        timeZone={timeZone}
        mayPayOut={mayPayOut}
      />
    </Main>
  );
}
