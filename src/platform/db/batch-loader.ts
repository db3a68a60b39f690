/** Questions that come at about the same time go to the database in one statement; each answer is as fresh as if it had been asked alone. */
import DataLoader from 'dataloader';

export type BatchOptions = {
  /** Questions in one statement. */
  atMost?: number;
  /** How long a question waits for others in a busy time. The first after a pause goes at once. */
  waitMs?: number;
};

/** A time is busy for so many waits after a statement. */
const BUSY = 5;

/**
 * Returns a function that asks one question. It is sent with the others of its turn of the event loop, or in a busy time of
 * some milliseconds; never with a statement that is under way, whose answer may be older than the question.
 * A statement that fails fails for each of its questions.
 * @param loadAll answers in the order of the questions
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
