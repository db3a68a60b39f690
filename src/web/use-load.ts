import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ApiResult } from '#src/web/api-client.ts';
import { session } from '#src/web/ended-session.ts';

/** Loads something when a part of a page is shown, and again when `key` changes; a load that is no longer needed is aborted. */
export function useLoad<Answer>(
  key: number | string,
  load: (signal: AbortSignal) => Promise<ApiResult<Answer>>,
  onAnswer: (answer: ApiResult<Answer>) => void,
): void {
  const start = useEffectEvent((signal: AbortSignal) =>
    load(signal).then(
      (answer) => void (signal.aborted || onAnswer(answer)),
      () => undefined,
    ),
  );
  useEffect(() => {
    const leaving = new AbortController();
    void start(leaving.signal);
    return () => leaving.abort();
  }, [key]);
}

/**
 * Does `work` again and again while it is not null, each time this long after the last one has ended. Its signal aborts
 * when it is no longer wanted or the page is left. Once the session has ended, it waits for another login.
 */
export function useRepeated(
  everyMs: number,
  work: ((signal: AbortSignal) => unknown) | null,
  firstAfterMs = everyMs,
): void {
  const repeat = useEffectEvent((signal: AbortSignal) => work?.(signal));
  const isWanted = work !== null;
  useEffect(() => {
    if (!isWanted) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    let timer = setTimeout(again, firstAfterMs);
    async function again(): Promise<void> {
      try {
        await repeat(signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        await session.keeper?.pause;
        if (!signal.aborted) timer = setTimeout(again, everyMs);
      }
    }
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [isWanted, everyMs, firstAfterMs]);
}

/**
 * A list that the browser loads when its part of a page is shown, paged by key. `refresh` loads it again from the start;
 * until then the old rows stay. A different `key` means a different list. Loading a list again aborts its other requests.
 */
export function useLoadedPages<Page extends { next: number | string | null }>(
  key: string,
  load: (after: Page['next'], signal?: AbortSignal) => Promise<ApiResult<Page>>,
) {
  const [pages, setPages] = useState<readonly Page[]>([]);
  const [failed, setFailed] = useState<{ error: string; isMore: boolean } | null>(null);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [loads, setLoads] = useState(0);
  const [answered, setAnswered] = useState(-1);
  const signalOfList = useRef<AbortSignal>(undefined);
  useLoad(
    `${key} ${loads}`,
    (signal) => {
      signalOfList.current = signal;
      return load(null, signal);
    },
    (answer) => {
      setAnswered(loads);
      setFailed(answer.ok ? null : { ...answer, isMore: false });
      if (answer.ok) setPages([answer.data]);
    },
  );

  const next = pages.at(-1)?.next ?? null;
  const more = async () => {
    if (next === null) return;
    setLoadingMore(true);
    const signal = signalOfList.current;
    const answer = await load(next, signal).catch(() => null);
    setLoadingMore(false);
    if (answer === null || signal?.aborted) return;
    setFailed(answer.ok ? null : { ...answer, isMore: true });
    if (answer.ok) setPages((known) => (known.at(-1)?.next === next ? [...known, answer.data] : known));
  };
  const refresh = useCallback(() => setLoads((count) => count + 1), []);
  return {
    /** Empty until the first page is loaded. */
    pages,
    problem: failed?.error ?? null,
    hasMore: next !== null,
    isLoadingMore,
    /** Loads the next page; after a problem, whatever failed again. */
    more: () => void (failed?.isMore === false ? refresh() : more()),
    /** How often it was loaded from the start. */
    loads,
    /** Loading it again would abort a load that is under way. */
    isLoading: answered !== loads,
    refresh,
  };
}
