/** The calls behind the collaborators area. */
import { useCallback, useEffect, useState } from 'react';
import type {
  Collaborator,
  CollaboratorsPage,
  ContributeKeyAnswer,
  ContributeKeyBody,
  InviteAnswer,
} from '#src/features/collaborators/collaborators.contract.ts';
import { api, type ApiResult } from '#src/web/api-client.ts';

const of = (galleryId: number) => `/api/v1/galleries/${galleryId}`;

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
  return `${of(galleryId)}/contribute_qr?v=${key.slice(0, 6)}`;
}

type Collaborators = {
  page: CollaboratorsPage | null;
  people: readonly Collaborator[];
  problem: string | null;
  isLoadingMore: boolean;
  /** Reloads everything; the shown data stays meanwhile. */
  refresh: () => void;
  more: () => void;
};

/** Loaded when the area opens, because nothing else on the page needs it. */
export function useCollaborators(galleryId: number): Collaborators {
  const [page, setPage] = useState<CollaboratorsPage | null>(null);
  const [later, setLater] = useState<CollaboratorsPage[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [turn, setTurn] = useState(0);

  useEffect(() => {
    const leaving = new AbortController();
    api('GET /api/v1/galleries/{id}/collaborators', { params: { id: galleryId }, signal: leaving.signal }).then(
      (answer) => {
        if (leaving.signal.aborted) return;
        setProblem(answer.ok ? null : answer.error);
        if (!answer.ok) return;
        setPage(answer.data);
        setLater([]);
      },
      () => undefined,
    );
    return () => leaving.abort();
  }, [galleryId, turn]);

  const refresh = useCallback(() => setTurn((count) => count + 1), []);
  const next = (later.at(-1) ?? page)?.next ?? null;
  const more = async () => {
    if (next === null) return;
    setLoadingMore(true);
    const answer = await api('GET /api/v1/galleries/{id}/collaborators', {
      params: { id: galleryId },
      query: { after: next },
    });
    setLoadingMore(false);
    if (answer.ok) setLater((pages) => [...pages, answer.data]);
    else setProblem(answer.error);
  };
  return {
    page: page && { ...page, next },
    people: [page, ...later].flatMap((each) => each?.people ?? []),
    problem,
    isLoadingMore,
    refresh,
    more: () => void more(),
  };
}
