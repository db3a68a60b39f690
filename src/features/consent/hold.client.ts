/** The held photos of a gallery in the browser: loads them, and confirms that no one is in them. */
import { useCallback, useEffect, useState } from 'react';
import { heldReleased, type HoldAnswer } from '#src/features/consent/consent.contract.ts';
import { api } from '#src/web/api-client.ts';
import { showToast } from '#src/ui/toast.ts';
import { useRepeated } from '#src/web/use-load.ts';

const POLL_EVERY_MS = 20_000;

/** Confirms that no one who must not be published is in the photos that `hold` counts; true when they are released. */
export async function confirmNone(galleryId: number, { through }: HoldAnswer): Promise<boolean> {
  if (through === null) return false;
  const answer = await api('POST /api/v1/galleries/{id}/hold/none', { params: { id: galleryId }, body: { through } });
  if (answer.ok) showToast(heldReleased(answer.data.released), 'success');
  else showToast(answer.error, 'error');
  return answer.ok;
}

async function readHold(galleryId: number): Promise<HoldAnswer | null> {
  if (document.visibilityState === 'hidden') return null;
  const answer = await api('GET /api/v1/galleries/{id}/hold', { params: { id: galleryId } });
  return answer.ok ? answer.data : null;
}

/** The hold of a gallery: loaded when the screen opens, when `moment` changes, and while others work. Null until it is loaded. */
export function useHold(galleryId: number, moment: unknown): { hold: HoldAnswer | null; reload: () => void } {
  const [hold, setHold] = useState<HoldAnswer | null>(null);
  const reload = useCallback(() => {
    void readHold(galleryId).then((found) => found && setHold(found));
  }, [galleryId]);
  useEffect(reload, [reload, moment]);
  useRepeated(POLL_EVERY_MS, reload);
  return { hold, reload };
}
