/** `/:affiliate/takedowns`: requests to hide photos, to decide and to look up. */
import { useRevalidator } from 'react-router';
import { ModeChoice, TakedownList } from '#src/features/takedowns/ui/takedown-list.tsx';
import { takedownsPath } from '#src/features/takedowns/takedowns.rules.ts';
import { TAKEDOWNS_TITLE } from '#src/features/takedowns/takedowns.contract.ts';
import { isChild } from '#src/features/tenancy/organizations.rules.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { TabLinks } from '#src/ui/paging.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { WORKING_PAGE, workingMeta } from '#src/web/working-page.ts';
import type { Route } from './+types/takedowns.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const state = url.searchParams.get('state') === 'decided' ? 'decided' : 'open';
  const page = await app.takedowns.list(caller, affiliate.id, { state });
  return {
    affiliateId: affiliate.id,
    name: affiliate.name,
    path: affiliate.domainName,
    isChild: isChild(affiliate),
    timeZone: affiliate.timeZone,
    state,
    page,
  } as const;
}

export const meta = workingMeta(TAKEDOWNS_TITLE);

export default function TakedownsPage({ loaderData }: Route.ComponentProps) {
  const { affiliateId, name, path, state, page, isChild: isBelow, timeZone } = loaderData;
  const { revalidate } = useRevalidator();
  const to = takedownsPath(path);
  return (
    <Main className="pb-12">
      <PageHeader
        title={TAKEDOWNS_TITLE}
        subtitle={name}
        back={isBelow && <BackLink to={`/${path}/dashboard`}>Dashboard</BackLink>}
      />
      <TabLinks
        label="Requests"
        tabs={[
          { label: 'Open', to, current: state === 'open', ...(page.open > 0 ? { count: page.open } : {}) },
          { label: 'Decided', to: `${to}?state=decided`, current: state === 'decided' },
        ]}
      />
      <div className="grid gap-8 py-6 xl:grid-cols-[minmax(0,1fr)_20rem] xl:items-start">
        <TakedownList
          key={state}
          affiliateId={affiliateId}
          state={state}
          first={page}
          timeZone={timeZone}
          namesAffiliate={!isBelow}
          onDecided={() => void revalidate()}
        />
        {isBelow && <ModeChoice affiliateId={affiliateId} mode={page.mode} />}
      </div>
    </Main>
  );
}
