/** Calls to other systems, each as a span of its own and counted by its outcome. */
import { inSpan } from '#src/platform/telemetry/work.ts';

export type CallObservation = {
  system: 'store' | 'cards' | 'pictures' | 'mail';
  call: string;
  /** `ok`, `failed`, or the state in the answer (`declined`, `unknown`, …). */
  outcome: string;
  ms: number;
};

type Call = (...args: never[]) => Promise<unknown>;
type CallsOf<Service> = { [Name in keyof Service]: Service[Name] extends Call ? Name & string : never }[keyof Service];

type Watching<Service> = {
  system: CallObservation['system'];
  service: Service;
  calls: readonly CallsOf<Service>[];
  observe: (observation: CallObservation) => void;
};

/** The same service, whose calls of these names are observed. It must be a plain object of functions. */
export function watchCalls<Service extends object>({ system, service, calls, observe }: Watching<Service>): Service {
  const watched = calls.map((call) => {
    const run = service[call] as Call;
    return [call, (...args: never[]) => observed({ system, call }, observe, () => run(...args))];
  });
  return { ...service, ...(Object.fromEntries(watched) as Partial<Service>) };
}

/** The outcome of a card provider's call is in the answer; every other answer is a success. */
function outcomeOf(answer: unknown): string {
  const state = typeof answer === 'object' && answer !== null && 'state' in answer ? answer.state : null;
  return typeof state === 'string' ? state : 'ok';
}

async function observed<T>(
  { system, call }: Pick<CallObservation, 'system' | 'call'>,
  observe: (observation: CallObservation) => void,
  run: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  let outcome = 'failed';
  try {
    return await inSpan(`${system} ${call}`, { 'sideline.system': system }, async (span) => {
      const answer = await run();
      outcome = outcomeOf(answer);
      span?.note({ 'sideline.outcome': outcome });
      return answer;
    });
  } finally {
    observe({ system, call, outcome, ms: performance.now() - startedAt });
  }
}
