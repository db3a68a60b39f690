/** An invite's key on this device: out of the address bar, and there again when the page is loaded anew (rule 8). */
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import type { CheckKeyAnswer, InviteFacts } from '#src/features/contributors/contributors.contract.ts';
import { callApi } from '#src/web/api-client.ts';

/** What a key opens, with the key. */
export type OpenInvite = InviteFacts & { key: string };

const nameOf = (galleryId: number) => `sideline:invite:${galleryId}`;

/** For this tab only. Where storage is blocked the page works until it is closed. */
export function rememberInvite(galleryId: number, key: string): void {
  try {
    window.sessionStorage.setItem(nameOf(galleryId), key);
  } catch {
    // Blocked or full: nothing is lost but the reload.
  }
}

export function recallInvite(galleryId: number): string | null {
  try {
    return window.sessionStorage.getItem(nameOf(galleryId));
  } catch {
    return null;
  }
}

/**
 * The invite of the page, or the one that this tab keeps for the gallery; without one the way leads home.
 * @param hidden the same address without its key
 */
export function useInvite(given: OpenInvite | null, kept: number | null, hidden: string): OpenInvite | null {
  const [found, setFound] = useState<OpenInvite | null>(null);
  const navigate = useNavigate();
  const hideKey = useEffectEvent(({ gallery, key }: OpenInvite) => {
    rememberInvite(gallery.id, key);
    void navigate(hidden, { replace: true, preventScrollReset: true });
  });
  const goHome = useEffectEvent(() => void navigate('/', { replace: true }));
  useEffect(() => {
    if (given) hideKey(given);
  }, [given]);
  useEffect(() => {
    if (kept === null) return;
    let isGone = false;
    void reopen(kept).then((invite) => {
      if (isGone) return;
      if (invite) setFound(invite);
      else goHome();
    });
    return () => {
      isGone = true;
    };
  }, [kept]);
  return given ?? found;
}

async function reopen(galleryId: number): Promise<OpenInvite | null> {
  const key = recallInvite(galleryId);
  if (key === null) return null;
  const query = new URLSearchParams({ contributeKey: key });
  const answer = await callApi<CheckKeyAnswer>('GET', `/api/v1/check-key?${query}`);
  return answer.ok && answer.data.gallery.id === galleryId ? { ...answer.data, key } : null;
}
