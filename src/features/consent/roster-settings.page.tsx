/** `/:affiliate/roster/settings`: who finds children, and what consent means. */
import { Link } from 'react-router';
import { CONSENT_TITLE, withdrawnOfPass, type WithdrawnSales } from '#src/features/consent/consent.contract.ts';
import { RosterSettingsForm } from '#src/features/consent/ui/roster-settings-form.tsx';
import { BackLink } from '#src/ui/back-link.tsx';
import { Card } from '#src/ui/card.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { orNotFoundPage } from '#src/web/not-found.ts';
import { WORKING_PAGE, workingMeta } from '#src/web/working-page.ts';
import type { Route } from './+types/roster-settings.page.ts';
import { dollarText } from '#src/shared/money.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export const loader = orNotFoundPage(async ({ context }: Route.LoaderArgs) => {
  const { app, caller } = context.get(requestContext);
  const { id, name, domainName: path, timeZone } = context.get(affiliateContext);
  const [settings, { sales }] = await Promise.all([
    app.consentOffice.settings(caller, id),
    app.consentOffice.withdrawnSales(caller, id),
  ]);
  return { affiliateId: id, name, path, timeZone, settings, sales };
});

export const meta = workingMeta(CONSENT_TITLE);

export default function RosterSettingsPage({ loaderData }: Route.ComponentProps) {
  const { affiliateId, name, path, timeZone, settings, sales } = loaderData;
  return (
    <Main className="max-w-3xl pb-12">
      <PageHeader title={CONSENT_TITLE} subtitle={name} back={<BackLink to={`/${path}/roster`}>Roster</BackLink>} />
      <RosterSettingsForm affiliateId={affiliateId} saved={settings} />
      {sales.length > 0 && <Withdrawn sales={sales} path={path} timeZone={timeZone} />}
      <p className="mt-8 text-sm text-quiet">
        How long names are kept is in your{' '}
        <Link to={`/${path}/settings#roster`} className="font-semibold underline">
          settings
        </Link>
        .
      </p>
    </Main>
  );
}

type WithdrawnProps = WithdrawnSales & { path: string; timeZone: string };

/** Asks about refunds; they are requested on the page of orders. */
function Withdrawn({ sales, path, timeZone }: WithdrawnProps) {
  return (
    <Card className="mt-8 p-5">
      <h2 className="text-base font-bold">Sold photos that were withdrawn</h2>
      <p className="mt-1 text-sm text-pretty text-quiet">
        A family withdrew them, so their buyers can no longer open them. Would you like to refund them? You can request
        refunds on the{' '}
        <Link to={`/${path}/orders`} className="font-semibold underline">
          page of your orders
        </Link>
        .
      </p>
      <ul className="mt-3 flex flex-col gap-2 text-sm">
        {sales.map((sale) => (
          <li key={`${sale.order_id}-${sale.photo_id ?? sale.pass}`} className="flex flex-wrap justify-between gap-x-4">
            <span>
              <Link to={`/${path}/orders?search=${sale.order_id}`} className="font-semibold underline">
                Order {sale.order_id}
              </Link>
              {sale.pass !== null && ` · ${withdrawnOfPass(sale.pass, sale.photos)}`}
            </span>
            <span className="tabular-nums">{dollarText(sale.price)}</span>
            <DateText at={new Date(sale.sold_at)} timeZone={timeZone} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
