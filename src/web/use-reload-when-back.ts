import { useEffect } from 'react';

const RETRY_MS = 1_000;

/**
 * Checks every second whether the page at this address can be shown again, and opens it then (rule 35). The screen does
 * not change meanwhile, even without a network connection.
 */
export function useReloadWhenBack(): void {
  useEffect(() => {
    const stopped = new AbortController();
    let timer = setTimeout(ask, RETRY_MS);
    async function ask(): Promise<void> {
      if (await answersAgain(stopped.signal)) window.location.reload();
      else if (!stopped.signal.aborted) timer = setTimeout(ask, RETRY_MS);
    }
    return () => {
      stopped.abort();
      clearTimeout(timer);
    };
  }, []);
}

/** Gateways in front of us answer 502 and 504 while the server is down. */
async function answersAgain(signal: AbortSignal): Promise<boolean> {
  try {
    const { status } = await fetch(window.location.href, { method: 'HEAD', cache: 'no-store', signal });
    return status < 502 || status > 504;
  } catch {
    return false;
  }
}
