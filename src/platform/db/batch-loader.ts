/**
 * Combines queries that arrive at about the same time into one statement; each result is as fresh as that of a separate
 * query.
 */
import DataLoader from 'dataloader';

type BatchOptions = {
  /** Queries in one statement. */
  atMost?: number;
  /** How long a query waits for others in a busy period. The first one after a pause is sent immediately. */
  waitMs?: number;
};

/** A period is busy for this many waits after a statement. */
const BUSY = 5;

/**
 * Returns a function for one query. It is sent with the others of its turn of the event loop, or in a busy period of a
 * few milliseconds; never with a statement that is already running, whose result may be older than the query. If a
 * statement fails, each of its queries fails.
 * @param loadAll results in the order of the queries
 */
export function batchLoader<Question, Answer>(
  loadAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  { atMost = 64, waitMs = 2 }: BatchOptions = {},
): (question: Question) => Promise<Answer> {
  let sentAtMs = -Infinity;
  const loader = new DataLoader<Question, Answer>(loadAll, {
    cache: false,
    maxBatchSize: atMost,
    batchScheduleFn(dispatch) {
      const send = (): void => {
        sentAtMs = performance.now();
        dispatch();
      };
      if (performance.now() - sentAtMs < waitMs * BUSY) setTimeout(send, waitMs);
      else setImmediate(send);
    },
  });
  return (question) => loader.load(question);
}
