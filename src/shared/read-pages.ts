/**
 * A long list page by page: each is read when it is needed, after the last row of the page before; null is before the
 * first. A page with fewer rows than `limit` is the last.
 */
export async function* readPages<Row>(
  limit: number,
  read: (last: Row | null) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let last: Row | null = null; ;) {
    const rows: readonly Row[] = await read(last);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    last = rows.at(-1) ?? null;
  }
}
