/**
 * `/:affiliate/user/:id/:domainName/:pId/edit`: all data of one organization, for platform admins (specification A§2 "Single
 * User Update").
 */
import { data, redirect } from 'react-router';
import { isPlatformAdmin } from '#src/features/tenancy/actor.rules.ts';
import {
  AFFILIATE_FETCH_FAILED,
  ORGANIZATION_FETCH_FAILED,
  settingsAnswer,
  SINGLE_EDIT_TITLE,
} from '#src/features/settings/settings.contract.ts';
import { singleEditPath } from '#src/features/office/organization-list.rules.ts';
import { SingleEditForm } from '#src/features/office/ui/single-edit-form.tsx';
import { isChild } from '#src/features/tenancy/organizations.rules.ts';
import { siteOrigin, siteUrl } from '#src/shared/addresses.ts';
import { orNull } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { SearchX } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { requestContext } from '#src/web/app-context.ts';
import { platformAdminsOnly, requireUser } from '#src/web/guards.ts';
import { WORKING_PAGE, unlistedPage } from '#src/web/working-page.ts';
import type { Route } from './+types/single-edit.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [platformAdminsOnly];

/**
 * The three names in the address must belong to one organization; otherwise nothing is shown, and so nothing of another one is
 * written.
 */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const viewer = requireUser(context);
  const [id, parentId] = [readId(params.id), readId(params.pId)];
  const [organization, parent] = await Promise.all([
    id === null ? null : app.organizations.byId(id),
    parentId === null ? null : app.organizations.byId(parentId),
  ]);
  if (!organization) return data({ failure: ORGANIZATION_FETCH_FAILED, edited: null }, { status: 404 });
  const affiliate = parent && (await orNull(app.affiliates.read(caller, params.domainName, { orgId: parent.id })));
  const settings = settingsAnswer.safeParse(affiliate).data;
  const isOne =
    settings?.id === organization.id && (organization.parentOrganizationId ?? organization.id) === parent?.id;
  if (!affiliate || !settings || !isOne)
    return data({ failure: AFFILIATE_FETCH_FAILED, edited: null }, { status: 404 });
  // A former path redirects.
  if (settings.domain_name.toLowerCase() !== params.domainName.toLowerCase())
    throw redirect(singleEditPath(params.affiliate, { ...organization, domainName: settings.domain_name }));
  const [terms, people, deleted] = await Promise.all([
    app.terms.read(caller, organization.id),
    app.members.list(caller, organization.id),
    app.galleries.listDeleted(caller, organization.id),
  ]);
  const { baseDomain, port, passwordMin } = app.site;
  const hostLabel = isChild(organization) ? parent.domainName : organization.domainName;
  return data({
    failure: null,
    edited: {
      settings,
      terms,
      people,
      deleted,
      figures: {
        preview: [affiliate.preview_order_count, affiliate.preview_photo_count, affiliate.preview_price],
        total: [affiliate.total_order_count, affiliate.total_photo_count, affiliate.total_price],
        galleries: affiliate.galleries.length,
      },
      label: params.affiliate,
      parent: isChild(organization) ? { id: parent.id, name: parent.name } : null,
      parentId: parent.id,
      // "Treats the user as admin when their organization role is 2" (specification A§6).
      isAdmin:
        isPlatformAdmin(viewer) ||
        viewer.memberships.some(({ organizationId, role }) => organizationId === organization.id && role === 2),
      passwordMin,
      address: siteUrl(siteOrigin(baseDomain, port), hostLabel, '/'),
    },
  });
}

export function meta({ loaderData }: Route.MetaArgs) {
  const name = loaderData?.edited?.settings.name;
  return unlistedPage(name ? `${SINGLE_EDIT_TITLE} · ${name}` : SINGLE_EDIT_TITLE);
}

export default function SingleEditPage({ loaderData, params }: Route.ComponentProps) {
  const { failure, edited } = loaderData;
  if (edited) return <SingleEditForm key={edited.settings.id} {...edited} />;
  return (
    <Main className="pb-12">
      <PageHeader title={SINGLE_EDIT_TITLE} />
      <div role="alert">
        <EmptyState
          title={failure}
          icon={<SearchX />}
          action={<LinkButton to="/admin/organizations">Organizations</LinkButton>}
        >
          {`No organization has the ID ${params.id}, the path ${params.domainName} and the parent ${params.pId}. Nothing was changed.`}
        </EmptyState>
      </div>
    </Main>
  );
}
