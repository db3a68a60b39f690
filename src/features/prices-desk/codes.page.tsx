/** `/:affiliate/prices/codes`: codes that make orders cheaper, for members of an organization (offers specification A.3). */
import { CouponList } from '#src/features/coupons/ui/coupon-list.tsx';
import { CODES_TITLE } from '#src/features/coupons/coupon-editing.contract.ts';
import { PriceTabs } from '#src/features/prices-desk/ui/price-tabs.tsx';
import { machineDay } from '#src/shared/dates.ts';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { workingMeta, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/codes.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const { id, name, domainName: path, timeZone } = context.get(affiliateContext);
  const [page, choices] = await Promise.all([app.coupons.list(caller, id), app.coupons.choices(caller, id)]);
  return { id, name, path, page, choices, today: machineDay(new Date(), timeZone) };
}

export const meta = workingMeta(CODES_TITLE);

export default function CodesPage({ loaderData }: Route.ComponentProps) {
  const { id, name, path, page, choices, today } = loaderData;
  return (
    <Main className="pb-12">
      <PageHeader title="Prices" subtitle={name} />
      <PriceTabs path={path} current="codes" />
      <p className="max-w-[66ch] py-5 text-sm text-quiet">
        Buyers enter a code before they pay, and pay less. Uses, sales and savings are counted before refunds: a refund
        does not give a use back.
      </p>
      <CouponList key={id} organizationId={id} first={page} choices={choices} today={today} />
    </Main>
  );
}
