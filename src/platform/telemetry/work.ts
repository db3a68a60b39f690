/**
 * The present unit of work: a request, a job or an email. It follows its work through every `await`
 * (AsyncLocalStorage), so that log lines, jobs, emails and spans know their origin without an argument through every
 * function.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export type Work = {
  /** Id of the request that began it; its jobs and emails keep it. */
  readonly requestId: string;
  /**
   * The pattern of its route, or the name of its job: only a few different ones. Of a page it is known once the page is
   * matched.
   */
  name: string;
  /** Null if tracing is off. */
  readonly span: Span | null;
  /** A checkout: it may use the database sessions that are reserved for it (decision record 0067). */
  readonly isCheckout?: boolean;
};

type SpanFacts = Record<string, string | number | boolean>;

/** One step of a trace. */
export type Span = {
  /** Its id for other systems, in W3C Trace Context. */
  readonly traceparent: string;
  child(name: string, facts: SpanFacts): Span;
  rename(name: string): void;
  note(facts: SpanFacts): void;
  fail(error: unknown): void;
  end(): void;
};

/** Begins a trace, or continues one that began elsewhere. */
export type BeginSpan = (
  name: string,
  facts: SpanFacts,
  from: { kind: 'server' | 'consumer'; traceparent: string | null },
) => Span;

/** The origin of work, as stored in the rows of jobs and emails. */
export type Origin = { requestId: string; traceparent: string | null };

const works = new AsyncLocalStorage<Work>();

/** Undefined outside of any request, job or email. */
export const currentWork = (): Work | undefined => works.getStore();

/** Runs something as part of a piece of work. */
export const within = <T>(work: Work, run: () => T): T => works.run(work, run);

/** Runs something that outlives the work that happens to start it: a database session, a cache. */
export const outside = <T>(run: () => T): T => works.run(undefined as never, run);

/** What jobs and emails that are queued now store about the work that queued them; null outside of any. */
export function originOfNow(): Origin | null {
  const work = works.getStore();
  return work === undefined ? null : { requestId: work.requestId, traceparent: work.span?.traceparent ?? null };
}

/** A step of the current work as a span of its own. If tracing is off it is only run. */
export async function inSpan<T>(name: string, facts: SpanFacts, run: (span: Span | null) => Promise<T>): Promise<T> {
  const work = works.getStore();
  if (!work?.span) return run(null);
  return inOwnSpan(work.span.child(name, facts), (span) => works.run({ ...work, span }, () => run(span)));
}

/** Ends the span when the work has ended, with its failure. */
async function inOwnSpan<T>(span: Span, run: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await run(span);
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Who observes jobs and emails while they run. */
export type WorkObservers = {
  /** Begins a span; absent or null: tracing is off. */
  begin?: BeginSpan | null | undefined;
  /** Called with 1 at the beginning and with -1 at the end. */
  countWork?: ((change: 1 | -1) => void) | undefined;
};

type WorkOptions = WorkObservers & { name: string; facts: SpanFacts; origin: Origin };

/** A job or an email as a unit of work of its own, in the trace of its origin. */
export async function asWork<T>(
  { begin, countWork, name, facts, origin }: WorkOptions,
  run: () => Promise<T>,
): Promise<T> {
  const span = begin?.(name, facts, { kind: 'consumer', traceparent: origin.traceparent }) ?? null;
  const go = () => works.run({ requestId: origin.requestId, name, span }, run);
  countWork?.(1);
  try {
    return await (span ? inOwnSpan(span, go) : go());
  } finally {
    countWork?.(-1);
  }
}
