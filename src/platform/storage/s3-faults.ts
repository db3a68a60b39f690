/** Reads what an S3-compatible store or the way to it says went wrong. */
import { isProblem } from '#src/shared/problem.ts';
import { storageFull, storageUnavailable } from '#src/platform/storage/storage-faults.ts';

const FULL_NAMES = new Set(['QuotaExceeded', 'InsufficientStorage', 'XMinioStorageFull', 'InsufficientCapacity']);

/** The HTTP status of a refusal by the store; null when it gave no answer. */
export function storeStatus(error: unknown): number | null {
  if (!(error instanceof Error) || !('$metadata' in error)) return null;
  const { httpStatusCode } = error.$metadata as { httpStatusCode?: number };
  return httpStatusCode ?? null;
}

/** Runs calls to the store; every failure but `expected` statuses (answered as null) becomes storage_full or unavailable. */
export async function askStore<T>(work: () => Promise<T>, expected: readonly number[] = []): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    const status = storeStatus(error);
    if (status !== null && expected.includes(status)) return null;
    if (isProblem(error) || error instanceof RangeError || error instanceof TypeError) throw error;
    throw status === 507 || FULL_NAMES.has((error as Error).name) ? storageFull(error) : storageUnavailable(error);
  }
}
