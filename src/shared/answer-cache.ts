/**
 * A cache of answers that may be slightly old: each is kept for a limited time, the latest ones only, and computed once
 * however many callers wait for it.
 */

type KeptOptions<Answer> = {
  keptMs: number;
  atMost: number;
  now: () => Date;
  /** Answers that are cheap to compute again are not cached. */
  isWorthIt?: (answer: Answer) => boolean;
};

/** Returns the cached answer under a key, otherwise computes it. Failures are not cached. */
export function createAnswerCache<Answer>({ keptMs, atMost, now, isWorthIt = () => true }: KeptOptions<Answer>) {
  const cached = new Map<string, { until: number; answer: Promise<Answer> }>();
  return (key: string, ask: () => Promise<Answer>): Promise<Answer> => {
    const nowMs = now().getTime();
    const known = cached.get(key);
    if (known && known.until > nowMs) return known.answer;
    const own = { until: nowMs + keptMs, answer: ask() };
    cached.delete(key);
    cached.set(key, own);
    const forget = () => void (cached.get(key) === own && cached.delete(key));
    own.answer.then((answer) => void (isWorthIt(answer) || forget()), forget);
    const [oldest] = cached.keys();
    if (cached.size > atMost && oldest !== undefined) cached.delete(oldest);
    return own.answer;
  };
}
