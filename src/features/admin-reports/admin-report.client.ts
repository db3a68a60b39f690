/** What the browser does on the platform's report: marks, loads more, looks for what to choose. */
import {
  choiceLabel,
  type OrganizationChoice,
} from '#src/features/organization-picker/organization-choices.contract.ts';
import {
  errorSavingOrder,
  ORDERS_SHOWN,
  ORGANIZATIONS_ERROR,
  type AdminReportAnswer,
  type AdminReportBody,
  type AdminReportRow,
  type GalleryChoice,
} from '#src/features/admin-reports/admin-report.contract.ts';
import { callApi } from '#src/web/api-client.ts';

const GALLERIES_ERROR = 'The galleries couldn’t be loaded. Please try again.';

/** Marks an order; returns what went wrong in words, or null. */
export async function saveReconciled(orderId: number, reconciled: boolean): Promise<string | null> {
  const answer = await callApi<AdminReportRow>('PUT', `/api/v1/orders/${orderId}`, { body: { order: { reconciled } } });
  return answer.ok ? null : errorSavingOrder(orderId);
}

/** More orders of one organization, those behind `after`; null when they could not be read. */
export async function loadOrders(body: AdminReportBody, sellerId: number, after: number) {
  const answer = await callApi<AdminReportAnswer>(
    'POST',
    `/api/v1/orders/admin-report?limit=${2 * ORDERS_SHOWN}&after=${after}`,
    { body: { ...body, org_id: null, affiliate_id: sellerId } },
  );
  return answer.ok ? (answer.data[0] ?? null) : null;
}

/** Parents, or the organizations below one of them. */
export async function findOrganizations(text: string, parentId: number | null, signal: AbortSignal) {
  const query = new URLSearchParams({ of: parentId === null ? 'parents' : 'affiliates', q: text.trim() });
  if (parentId !== null) query.set('parent_id', String(parentId));
  const answer = await callApi<OrganizationChoice[]>('GET', `/api/v1/organization_choices?${query}`, { signal });
  if (!answer.ok) return { problem: ORGANIZATIONS_ERROR };
  return { options: answer.data.map((each) => ({ id: each.id, label: choiceLabel(each), detail: each.domain_name })) };
}

/** Galleries of an organization and of those below it. */
export async function findGalleries(text: string, organizationId: number, signal: AbortSignal) {
  const query = new URLSearchParams({ organization_id: String(organizationId), q: text.trim() });
  const answer = await callApi<GalleryChoice[]>('GET', `/api/v1/gallery_choices?${query}`, { signal });
  if (!answer.ok) return { problem: GALLERIES_ERROR };
  return {
    options: answer.data.map(({ id, name, organization, active }) => ({
      id,
      label: name,
      detail: active ? organization : `${organization}, deleted`,
    })),
  };
}
