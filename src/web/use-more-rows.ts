import { useState } from 'react';
import { callApi } from '#src/web/api-client.ts';

/**
 * A list that is read on by key: the rows so far, and what `ShowMore` takes. `name` is what a page calls its rows; `address` is that of
 * the call, to which the place is added.
 */
export function useMoreRows<Name extends string, Row>(
  first: Record<Name, Row[]> & { next: number | string | null },
  name: Name,
  address: string,
) {
  const [rows, setRows] = useState<readonly Row[]>(first[name]);
  const [next, setNext] = useState(first.next);
  const [isLoading, setLoading] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function onMore(): Promise<void> {
    setLoading(true);
    setFailure(null);
    const answer = await callApi<typeof first>(
      'GET',
      `${address}${address.includes('?') ? '&' : '?'}after=${encodeURIComponent(next ?? '')}`,
    );
    setLoading(false);
    if (!answer.ok) return setFailure(answer.error);
    setRows((known) => [...known, ...answer.data[name]]);
    setNext(answer.data.next);
  }

  return { rows, setRows, more: { failure, hasMore: next !== null, isLoading, onMore } };
}
