/**
 * With one supervisor a single `GET /metrics` reports all processes: connections go to the web processes in turn, and
 * the worker has no port. The process that was asked has the supervisor ask the others.
 */
import type { FromChild, ToChild } from '#src/platform/processes/messages.ts';

/** A process that is busy or starting is left out after the first; the second is for what the supervisor collected. */
const ANSWER_MS = 1_000;
const GATHER_MS = 2_000;

/** Promises that wait for an answer with their number, null if it does not come in time. */
function createRequests<T>(maxWaitMs: number) {
  const waiting = new Map<number, (answer: T | null) => void>();
  let last = 0;
  return {
    ask(send: (id: number) => void): Promise<T | null> {
      const id = ++last;
      return new Promise((resolve) => {
        const timer = setTimeout(() => settle(id, null), maxWaitMs);
        waiting.set(id, (answer) => {
          clearTimeout(timer);
          resolve(answer);
        });
        send(id);
      });
    },
    settle,
  };

  function settle(id: number, answer: T | null): void {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  }
}

type Send = (message: ToChild) => void;

/** The supervisor's part. `othersOf` names the functions that send to the other children. */
export function passMetricsOn(othersOf: (child: string) => readonly Send[]) {
  const requests = createRequests<string>(ANSWER_MS);
  return {
    /** A message of the child with that name. */
    async receive(message: FromChild, child: string, reply: Send): Promise<void> {
      if (message.type === 'metrics') requests.settle(message.id, message.text);
      if (message.type !== 'ask metrics') return;
      const answers = othersOf(child).map((sendToOther) =>
        requests.ask((id) => sendToOther({ type: 'report metrics', id })),
      );
      const texts = (await Promise.all(answers)).filter((text) => text !== null);
      reply({ type: 'metrics of others', id: message.id, texts });
    },
  };
}

export type MetricsExchange = {
  /** Where the metrics of this process are read. */
  setSource(read: () => Promise<string>): void;
  /** The metrics of the other processes of the same supervisor. */
  ofOthers(): Promise<string[]>;
};

/** A process without a supervisor has no others. */
export const NO_OTHER_PROCESSES: MetricsExchange = { setSource: () => undefined, ofOthers: async () => [] };

/** A child's part; messages of the supervisor go to `receive`. */
export function exchangeMetrics(send: (message: FromChild) => void) {
  const requests = createRequests<string[]>(GATHER_MS);
  let read: () => Promise<string> = async () => '';
  return {
    receive(message: ToChild): void {
      if (message.type === 'metrics of others') requests.settle(message.id, message.texts);
      if (message.type === 'report metrics')
        void read().then(
          (text) => send({ type: 'metrics', id: message.id, text }),
          () => undefined,
        );
    },
    setSource: (own: () => Promise<string>) => void (read = own),
    ofOthers: async () => (await requests.ask((id) => send({ type: 'ask metrics', id }))) ?? [],
  };
}
