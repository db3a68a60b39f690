/** Stripe's rules of idempotency keys: one answer per key, for one content, and one request at a time. */
import { canonical, type Form } from './form.ts';
import { Refusal } from './refusal.ts';

export type Answer = { status: number; body: unknown };

export function createKeys() {
  const known = new Map<string, { content: string; answer: Answer | null }>();
  return {
    /** Does the work once. A failure before it began leaves the key free. */
    async once(key: string | undefined, path: string, form: Form, work: () => Promise<Answer>): Promise<Answer> {
      if (key === undefined || key === '') return work();
      const content = `${path} ${canonical(form)}`;
      const earlier = known.get(key);
      if (earlier?.answer === null)
        throw new Refusal(409, {
          type: 'invalid_request_error',
          code: 'idempotency_key_in_use',
          message: `There is currently another in-progress request using this Idempotent Key: ${key}`,
        });
      if (earlier && earlier.content !== content)
        throw new Refusal(400, {
          type: 'idempotency_error',
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        });
      if (earlier?.answer) return earlier.answer;
      known.set(key, { content, answer: null });
      try {
        const answer = await work();
        known.set(key, { content, answer });
        return answer;
      } catch (error) {
        if (error instanceof Refusal && error.isKept)
          known.set(key, { content, answer: { status: error.status, body: { error: error.error } } });
        else known.delete(key);
        throw error;
      }
    },
  };
}
