/** `/admin/organizations`: every parent and affiliate of the platform. */
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { requirePlatformAdmin } from '#src/web/guards.ts';
import { OfficeNav } from '#src/web/office-nav.tsx';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/organization-list.page.ts';

export const handle: RouteHandle = { layout: 'working', hidesCart: true };

export function loader({ context }: Route.LoaderArgs) {
  requirePlatformAdmin(context);
  return null;
}

export const meta: Route.MetaFunction = () => [
  { title: 'Organizations · Sideline' },
  { name: 'robots', content: 'noindex' },
];

export default function OrganizationListPage() {
  return (
    <Main className="pb-12">
      <PageHeader title="Organizations" />
      <OfficeNav />
    </Main>
  );
}
