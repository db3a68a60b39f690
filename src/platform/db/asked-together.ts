/** Questions that come at about the same time are asked of the database in one statement; each answer is as fresh as if it had been asked alone. */

export type AskedTogetherOptions = {
  /** Questions in one statement. */
  atMost?: number;
  /** Statements go this far apart; what comes in between goes with the next one. The first after a pause goes at once. */
  apartMs?: number;
};

/**
 * Answers a function that asks one question. It is sent with the others of its turn of the event loop, or of the moment
 * since the last statement; never with a statement that is under way, whose answer may be older than the question.
 * One failure is everybody's in that statement.
 * @param askAll answers in the order of the questions
 */
export function askedTogether<Question, Answer>(
  askAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  { atMost = 64, apartMs = 2 }: AskedTogetherOptions = {},
): (question: Question) => Promise<Answer> {
  type Waiting = { question: Question; resolve: (answer: Answer) => void; reject: (reason: unknown) => void };
  let waiting: Waiting[] = [];
  let sentAtMs = -Infinity;

  function send(): void {
    const asked = waiting;
    waiting = [];
    sentAtMs = performance.now();
    for (let at = 0; at < asked.length; at += atMost) void sendThese(asked.slice(at, at + atMost));
  }

  async function sendThese(asked: readonly Waiting[]): Promise<void> {
    try {
      const answers = await askAll(asked.map(({ question }) => question));
      asked.forEach(({ resolve }, at) => resolve(answers[at] as Answer));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ question, resolve, reject }) > 1) return;
      const leftMs = sentAtMs + apartMs - performance.now();
      if (leftMs > 0) setTimeout(send, leftMs);
      else setImmediate(send);
    });
}
