/** Answers that may be a little old: kept for so long, the latest so many of them, and asked once however many wait for one. */

type KeptOptions<Answer> = {
  keptMs: number;
  atMost: number;
  now: () => Date;
  /** Answers that cost little to ask again are not kept. */
  isWorthIt?: (answer: Answer) => boolean;
};

/** Returns the kept answer under a key, else asks. What fails is not kept. */
export function createKeptAnswers<Answer>({ keptMs, atMost, now, isWorthIt = () => true }: KeptOptions<Answer>) {
  const kept = new Map<string, { until: number; answer: Promise<Answer> }>();
  return (key: string, ask: () => Promise<Answer>): Promise<Answer> => {
    const nowMs = now().getTime();
    const known = kept.get(key);
    if (known && known.until > nowMs) return known.answer;
    const own = { until: nowMs + keptMs, answer: ask() };
    kept.delete(key);
    kept.set(key, own);
    const forget = () => void (kept.get(key) === own && kept.delete(key));
    own.answer.then((answer) => void (isWorthIt(answer) || forget()), forget);
    const [oldest] = kept.keys();
    if (kept.size > atMost && oldest !== undefined) kept.delete(oldest);
    return own.answer;
  };
}
