/** What is reported of a statement: how long it took, and its text without the values that were sent with it. */
import { withoutMark } from '#src/platform/db/prepared.ts';
import { currentWork, inSpan } from '#src/platform/telemetry/work.ts';

/** The outcome of a statement, from its call to its answer. */
export type StatementObservation = { text: string; ms: number };
export type ObserveStatement = (statement: StatementObservation) => void;

const SHOWN_CHARACTERS = 1_000;
/** One text is logged once in this time: a slow database is slow for all. */
const QUIET_MS = 10_000;
const REMEMBERED_TEXTS = 200;

/** The scope of a transaction: the one value that is sent in a text. */
const SCOPE = /(organization_ids = )'[\d,*]*'/;

/** On one line, without values, and not longer than a person reads. */
export function shownText(text: string): string {
  const line = withoutMark(text).replaceAll(/\s+/g, ' ').replace(SCOPE, "$1'…'").trim();
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}

/** `select`, `insert`, `commit`, …: only a few different ones. */
const verbOf = (text: string): string => /^[\s(]*(\w{1,20})/.exec(withoutMark(text))?.[1]?.toLowerCase() ?? 'statement';

type SlowLog = { warn(details: object, message: string): void };

/**
 * Logs statements that take `slowMs` or longer, with the route or job that caused them. @param onSlow called for each of
 * them, for metrics
 */
export function watchSlowStatements(slowMs: number, log: SlowLog, onSlow: (work: string) => void): ObserveStatement {
  const lastReported = new Map<string, number>();
  return ({ text, ms }) => {
    if (ms < slowMs) return;
    const work = currentWork()?.name ?? 'none';
    onSlow(work);
    const now = performance.now();
    const statement = shownText(text);
    if (now - (lastReported.get(statement) ?? -Infinity) < QUIET_MS) return;
    if (lastReported.size >= REMEMBERED_TEXTS) lastReported.clear();
    lastReported.set(statement, now);
    log.warn({ ms: Math.round(ms), work, statement }, 'a statement was slow');
  };
}

/** Runs a statement as a span of its own, and reports how long it took. */
export async function observed<T>(text: string, observe: ObserveStatement | null, run: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await (currentWork()?.span ? inStatementSpan(text, run) : run());
  } finally {
    observe?.({ text, ms: performance.now() - startedAt });
  }
}

function inStatementSpan<T>(text: string, run: () => Promise<T>): Promise<T> {
  const verb = verbOf(text);
  const facts = { 'db.system.name': 'postgresql', 'db.operation.name': verb, 'db.query.text': shownText(text) };
  return inSpan(`postgresql ${verb}`, facts, run);
}
