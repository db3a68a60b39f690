import { useRef, useState } from 'react';
import type { ApiResult } from '#src/web/api-client.ts';

type Page<Name extends string, Row> = Record<Name, Row[]> & { next: number | string | null };
/** The cursor, absent for the first page. */
export type Place = { after?: number | string };

/**
 * A list that is paged by key: the rows so far, and the props of `ShowMore`. `name` is what a page calls its rows;
 * `load` calls for the page after a cursor. Without a `first` page the list is empty until `onMore` has loaded it.
 */
export function useMoreRows<Name extends string, Row>(
  first: Page<Name, Row> | null,
  name: Name,
  load: (query: Place) => Promise<ApiResult<Page<Name, Row>>>,
) {
  const [rows, setRows] = useState<readonly Row[]>(first?.[name] ?? []);
  // An empty cursor is that of the first page.
  const [next, setNext] = useState(first ? first.next : '');
  const [isLoading, setLoading] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const calls = useRef(0);

  async function onMore(): Promise<void> {
    calls.current += 1;
    const call = calls.current;
    setLoading(true);
    setFailure(null);
    const answer = await load(next === '' || next === null ? {} : { after: next });
    // The same page was requested again meanwhile: its rows are not added twice.
    if (call !== calls.current) return;
    setLoading(false);
    if (!answer.ok) return setFailure(answer.error);
    setRows((known) => [...known, ...answer.data[name]]);
    setNext(answer.data.next);
  }

  return { rows, setRows, more: { failure, hasMore: next !== null, isLoading, onMore } };
}
