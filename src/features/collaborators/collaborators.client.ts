/** The calls behind the collaborators area. */
import type {
  CollaboratorsPage,
  ContributeKeyAnswer,
  ContributeKeyBody,
  InviteAnswer,
} from '#src/features/collaborators/collaborators.contract.ts';
import { api, type ApiResult } from '#src/web/api-client.ts';
import { useLoadedPages } from '#src/web/use-load.ts';

export function inviteCollaborator(
  affiliateId: number,
  invite: { email: string; gallery_id: number },
): Promise<ApiResult<InviteAnswer>> {
  return api('POST /api/v1/affiliates/{id}/collaborator', { params: { id: affiliateId }, body: invite });
}

export function changeLink(galleryId: number, body: ContributeKeyBody): Promise<ApiResult<ContributeKeyAnswer>> {
  return api('POST /api/v1/galleries/{id}/contribute_key', { params: { id: galleryId }, body });
}

export function endInvite(galleryId: number, inviteId: number): Promise<ApiResult<null>> {
  return api('DELETE /api/v1/galleries/{id}/collaborators/{inviteId}', { params: { id: galleryId, inviteId } });
}

/** The link's QR code; a new link has a new address. */
export function qrAddress(galleryId: number, key: string): string {
  return `/api/v1/galleries/${galleryId}/contribute_qr?v=${key.slice(0, 6)}`;
}

/** Loaded when the area opens, because nothing else on the page needs it. */
export function useCollaborators(galleryId: number) {
  const { pages, ...list } = useLoadedPages<CollaboratorsPage>(`${galleryId}`, (after, signal) =>
    api('GET /api/v1/galleries/{id}/collaborators', {
      params: { id: galleryId },
      query: after === null ? {} : { after },
      ...(signal ? { signal } : {}),
    }),
  );
  return { ...list, page: pages[0] ?? null, people: pages.flatMap(({ people }) => people) };
}
