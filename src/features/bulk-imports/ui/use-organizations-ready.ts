/** The gallery uploader waits until the organizations have come, and three seconds more (specification A§4, 9). */
import { useCallback, useEffect, useState } from 'react';
import { ORGANIZATIONS_NOT_FETCHED, SETTLE_MS } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { showToast } from '#src/ui/toast.ts';
import { callApi } from '#src/web/api-client.ts';

export type Readiness = 'loading' | 'ready' | 'failed';

/** Where it failed, `retry` asks again. */
export function useOrganizationsReady(): { readiness: Readiness; retry: () => void } {
  const [readiness, setReadiness] = useState<Readiness>('loading');
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    callApi<unknown[]>('GET', '/api/v1/organizations?limit=1', { signal: leaving.signal }).then(
      (answer) => {
        if (leaving.signal.aborted) return;
        if (answer.ok) {
          timer = setTimeout(() => setReadiness('ready'), SETTLE_MS);
          return;
        }
        setReadiness('failed');
        showToast(ORGANIZATIONS_NOT_FETCHED, 'error');
      },
      () => undefined,
    );
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [attempt]);
  const retry = useCallback(() => {
    setReadiness('loading');
    setAttempt((before) => before + 1);
  }, []);
  return { readiness, retry };
}
