import { useEffect, useState } from 'react';
import type { NumberOffers as Offers } from '#src/features/passes/passes.contract.ts';
import { api } from '#src/web/api-client.ts';

const NOTHING: Offers = { number: null, teams: [] };

/** Null until it is loaded; with `galleryId` null nothing is requested. */
export function useNumberOffers(galleryId: number | null, keyword: string): Offers | null {
  const [known, setKnown] = useState<{ keyword: string; offers: Offers } | null>(null);
  useEffect(() => {
    if (galleryId === null) return;
    const stop = new AbortController();
    void (async () => {
      try {
        const answer = await api('GET /api/v1/galleries/{id}/number_offers', {
          params: { id: galleryId },
          query: { search: keyword },
          signal: stop.signal,
        });
        setKnown({ keyword, offers: answer.ok ? answer.data : NOTHING });
      } catch {
        // Another number is being requested.
      }
    })();
    return () => stop.abort();
  }, [galleryId, keyword]);
  return known?.keyword === keyword ? known.offers : null;
}
