import * as z from 'zod/mini';
import type { PasswordPolicy } from '#src/features/sign-in/passwords.contract.ts';
import { deleteOrganizationQuery } from '#src/features/office/delete-organization.contract.ts';
import type { DeleteOrganizationService } from '#src/features/office/delete-organization.service.ts';
import { newOrganizationBody } from '#src/features/office/new-org.contract.ts';
import type { NewOrganizationService } from '#src/features/office/new-org.service.ts';
import {
  ORGANIZATION_NOT_FOUND,
  ORGANIZATION_PICTURES,
  publicOrganization,
} from '#src/features/tenancy/organizations.contract.ts';
import { logoAddress, pictureAddress, presentOrganization } from '#src/features/tenancy/organizations.rules.ts';
import { isPlatformAdmin } from '#src/features/tenancy/actor.rules.ts';
import { organizationInList, organizationListQuery } from '#src/features/office/organization-list.contract.ts';
import type { OrganizationListService } from '#src/features/office/organization-list.service.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { ADMINS, call, privateRoutes, routes, type Server, noContent } from '#src/http/call.ts';
import { hasVersion } from '#src/http/etag.ts';
import { notFound } from '#src/shared/problem.ts';
import { idParams, idSchema } from '#src/shared/validators.ts';

/** Platform admins' actions on organizations. */
export const officeRoutes = privateRoutes(
  (
    server,
    { newOrganizations, deletion }: { newOrganizations: NewOrganizationService; deletion: DeleteOrganizationService },
    policy: PasswordPolicy,
  ) => {
    server.post(
      '/api/v1/organizations',
      call(ADMINS, 'Create a parent organization and the account of its contact', {
        body: newOrganizationBody(policy),
        response: { 201: publicOrganization },
      }),
      async (request, reply) =>
        reply.code(201).send(presentOrganization(await newOrganizations.create(request.caller, request.body))),
    );

    server.delete(
      '/api/v1/organizations/:domainName',
      call(ADMINS, 'Delete an organization that is owed nothing', {
        params: z.object({ domainName: z.string() }),
        querystring: deleteOrganizationQuery,
      }),
      async (request, reply) =>
        noContent(reply, deletion.remove(request.caller, request.params.domainName, request.query.org_id ?? null)),
    );
  },
);

const PUBLIC_FACTS = { who: 'anyone', why: 'public facts only (rule 49)' } as const;
type List = Pick<OrganizationListService, 'byName'>;

/** `GET /api/v1/organizations…`: public facts of organizations. */
export const organizationRoutes = routes((server, organizations: OrganizationService, list: List) => {
  listRoute(server, organizations, list);
  factRoutes(server, organizations);
  pictureRoute(server, organizations);
});

function listRoute(server: Server, organizations: OrganizationService, list: List): void {
  server.get(
    '/api/v1/organizations',
    call(PUBLIC_FACTS, 'Organizations for search boxes; for platform admins all, or page by page', {
      querystring: organizationListQuery,
      response: { 200: z.array(organizationInList) },
    }),
    async ({ caller, query }, reply) => {
      if (query.for_search !== 'true' && isPlatformAdmin(caller.actor)) {
        reply.header('cache-control', 'private, no-store');
        const rows = await list.byName(caller, { search: query.q, after: query.after, limit: query.limit });
        return rows.map(({ id, name, domainName, kind, parentId, logoKey }) => ({
          id,
          name,
          domain_name: domainName,
          logo_url: logoAddress(id, logoKey),
          kind,
          parent_organization_id: parentId,
        }));
      }
      return (await organizations.listForSearch()).map((organization) => ({
        id: organization.id,
        name: organization.name,
        domain_name: organization.domainName,
        logo_url: pictureAddress(organization, 'logo'),
      }));
    },
  );
}

/** One organization. */
function factRoutes(server: Server, organizations: OrganizationService): void {
  server.get(
    '/api/v1/organizations/:id',
    call(PUBLIC_FACTS, 'An organization by host label or id', {
      params: z.object({ id: z.string() }),
      response: { 200: z.array(publicOrganization) },
    }),
    async (request) => [presentOrganization(await organizations.byLabelOrId(request.params.id))],
  );

  server.get(
    '/api/v1/organizations/by_id/:id',
    call(PUBLIC_FACTS, 'An organization by id', {
      params: idParams,
      response: { 200: z.array(publicOrganization) },
    }),
    async (request) => {
      const organization = await organizations.byId(request.params.id);
      if (!organization) throw notFound(ORGANIZATION_NOT_FOUND);
      return [presentOrganization(organization)];
    },
  );
}

function pictureRoute(server: Server, organizations: OrganizationService): void {
  server.get(
    '/api/v1/organizations/:id/pictures/:picture',
    call({ who: 'anyone', why: 'logos and banners are public' }, 'A logo, banner or sponsor picture', {
      params: z.object({ id: idSchema, picture: z.enum(ORGANIZATION_PICTURES) }),
      querystring: z.object({ v: z.optional(z.string()) }),
    }),
    async (request, reply) => {
      const { bytes, contentType, etag } = await organizations.picture(request.params.id, request.params.picture);
      reply
        .header(
          'cache-control',
          request.query.v === undefined ? 'public, max-age=60' : 'public, max-age=31536000, immutable',
        )
        .header('etag', etag);
      if (hasVersion(request, etag)) return reply.code(304).send();
      return reply.type(contentType).send(bytes);
    },
  );
}
